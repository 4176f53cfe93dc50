"""Estimators of depth: the floor's plane, networks in metres, networks fitted to the floor."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.errors import InputError
from teach_agents.models.vision import DepthEstimator, FloorDepth, Lens, load_depth_estimator
from teach_agents.models.vision.conformance import DepthEstimatorContract
from teach_agents.models.vision.depth import floor_depth

pytest.importorskip("transformers")
from teach_agents.models.vision.depth_models import TransformersDepth, fitted  # after the check
from tests.models.vision.conftest import Built


class TestFloor(DepthEstimatorContract):
    def make_estimator(self) -> DepthEstimator:
        return load_depth_estimator("floor")


@pytest.mark.parametrize("family", ["depth_anything", "dpt", "glpn"])
class TestTransformers(DepthEstimatorContract):
    @pytest.fixture(autouse=True)
    def folder(self, family: str, built: Built) -> None:
        self._folder = built("depth", family)

    def make_estimator(self) -> DepthEstimator:
        return load_depth_estimator(f"hf:{self._folder},dtype=float32")


def test_a_level_camera_sees_the_floor_below_the_horizon_only() -> None:
    depth = floor_depth((300, 300), Lens(1.575, 0.0))
    assert np.isinf(depth[:150]).all() and np.isfinite(depth[170:]).all()
    assert depth[-1, 0] == pytest.approx(1.575, rel=0.01) and (np.diff(depth[170:, 7]) < 0).all()


def test_looking_straight_down_every_pixel_is_as_deep_as_the_camera_is_high() -> None:
    assert floor_depth((20, 30), Lens(1.5, 90.0)) == pytest.approx(np.full((20, 30), 1.5), abs=1e-5)
    assert np.isinf(FloorDepth().estimate([np.zeros((20, 30, 3), np.uint8)], [Lens(1.5, -60.0)])[0]).all()


def test_which_networks_give_metres(built: Built) -> None:
    kinds = {name: built("depth", name) for name in ("depth_anything", "dpt", "glpn")}
    assert {name: TransformersDepth(str(folder)).is_metric for name, folder in kinds.items()} == {
        "depth_anything": True,
        "dpt": False,
        "glpn": True,
    }
    assert TransformersDepth(str(kinds["dpt"]), scale="metric").is_metric
    with pytest.raises(InputError, match="valid: auto, metric, relative"):
        load_depth_estimator("hf:anywhere,scale=inches")


def test_nearness_on_any_scale_becomes_metres_by_the_floor() -> None:
    """A wardrobe hides a fifth of the floor: it is placed where it is all the same."""
    lens = Lens(1.575, 30.0)
    true = floor_depth((60, 60), lens)
    true[:, :12] = np.minimum(true[:, :12], 0.9)
    true = np.minimum(true, 8.0)
    found = fitted((3.0 / true + 0.7).astype(np.float32), lens)
    assert found == pytest.approx(true, rel=0.02)


def test_without_a_floor_in_view_nothing_is_known_of_nearness() -> None:
    nearness = np.random.default_rng(0).random((40, 40)).astype(np.float32)
    assert np.isinf(fitted(nearness, Lens(1.5, -60.0))).all()
    assert np.isinf(fitted(np.ones((40, 40), np.float32), Lens(1.5, 30.0))).all()
