"""Our own eyes: they keep both contracts, one pass serves both; what is wrong where they are missing is plain."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from teach_agents.errors import InputError, ModelError, ModelMissingError
from teach_agents.models.vision import DepthEstimator, Detector, Lens, load_depth_estimator, load_detector
from teach_agents.models.vision.conformance import DepthEstimatorContract, DetectorContract

pytest.importorskip("torch")
import torch  # after the check

from teach_agents.models.vision.household import weights  # after the check
from teach_agents.models.vision.household.network import HouseholdNetwork
from teach_agents.models.vision.household.shape import Shape
from tests.learning.detection.tiny import SHAPE, write_eyes

PICTURE = np.random.default_rng(1).integers(0, 256, (60, 80, 3)).astype(np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_eyes(tmp_path_factory.mktemp("eyes"), eager=True)


class TestHouseholdDetector(DetectorContract):
    @pytest.fixture(autouse=True)
    def _eyes(self, folder: Path) -> None:
        self._folder = folder

    def make_detector(self) -> Detector:
        return load_detector(f"household:{self._folder},threshold=0.1")

    def test_it_finds_something_in_noise(self) -> None:
        assert self.make_detector().detect([PICTURE])[0]


class TestHouseholdDepth(DepthEstimatorContract):
    @pytest.fixture(autouse=True)
    def _eyes(self, folder: Path) -> None:
        self._folder = folder

    def make_estimator(self) -> DepthEstimator:
        return load_depth_estimator(f"household:{self._folder}")


def test_normalisation_is_folded_into_the_weights() -> None:
    torch.manual_seed(0)
    network = HouseholdNetwork(SHAPE)
    pictures = torch.randn(2, 3, 61, 50)
    network.train()(pictures)
    with torch.inference_mode():
        before = network.eval()(pictures)
        after = network.settled()(pictures)
    assert before.heat.shape == (2, SHAPE.types, 16, 13)
    assert all(torch.allclose(one, other, atol=1e-4) for one, other in zip(before, after, strict=True))
    assert not any("running" in name for name in network.state_dict())


def test_one_pass_serves_the_detector_and_its_estimator(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    detector = load_detector(f"household:{folder},threshold=0.1")
    estimator = detector.estimator
    assert estimator is not None
    picture = np.random.default_rng(2).integers(0, 256, (90, 90, 3)).astype(np.uint8)
    detector.detect([picture])
    passes: list[int] = []
    monkeypatch.setattr(HouseholdNetwork, "forward", lambda self, x: passes.append(len(x)))
    (depth,) = estimator.estimate([picture], [Lens(1.5, 0.0)])
    assert depth.shape == (90, 90) and detector.detect([picture, picture])[0] and not passes


def test_what_it_is_less_sure_of_is_left_out(folder: Path) -> None:
    many, few, none = (
        load_detector(f"household:{folder},threshold={value}").detect([PICTURE])[0] for value in (0.05, 0.9, 1.0)
    )
    assert len(many) > len(few) > 0 == len(none) and all(one.score >= 0.9 for one in few)
    hashes = {load_detector(f"household:{folder},threshold={value}").hash for value in (0.05, 0.4)}
    assert len(hashes) == 2
    with pytest.raises(InputError, match="threshold"):
        load_detector(f"household:{folder},threshold=2")
    with pytest.raises(InputError, match="max_batch"):
        load_depth_estimator(f"household:{folder},max_batch=0")


def test_missing_eyes_say_how_to_train_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelMissingError, match=r"holds no trained eyes .* teach-agents train detector --out DIR"):
        load_detector(f"household:{tmp_path}")
    monkeypatch.setattr(weights, "_SHIPPED", tmp_path / "none")
    with pytest.raises(ModelMissingError, match="no trained eyes ship with this version; train some with"):
        load_detector("household")


def test_damaged_eyes_are_refused(tmp_path: Path) -> None:
    folder = write_eyes(tmp_path / "eyes")
    about = json.loads((folder / "eyes.json").read_text())
    for change, error in (
        ({"labels": about["labels"][1:]}, "must have 124 labels"),
        ({"shape": {**about["shape"], "stem": 0}}, "channels throughout"),
        ({"shape": {"types": 1}}, "lacks keys"),
        ({"shape": {**about["shape"], "stem": "4"}}, "whole number"),
    ):
        (folder / "eyes.json").write_text(json.dumps({**about, **change}))
        with pytest.raises(InputError, match=error):
            load_detector(f"household:{folder}").detect([PICTURE])
    (folder / "eyes.json").write_text("{")
    with pytest.raises(InputError, match="tells no labels"):
        load_detector(f"household:{folder}").detect([PICTURE])
    (folder / "eyes.json").write_text(json.dumps({**about, "shape": {**about["shape"], "stem": 8}}))
    with pytest.raises(ModelError, match="holds no weights of this network"):
        load_detector(f"household:{folder}").detect([PICTURE])


def test_the_network_that_is_to_ship_is_small_enough() -> None:
    """Half precision, below 15 MB."""
    network = HouseholdNetwork(Shape(124))
    assert 3e6 < sum(one.numel() for one in network.parameters()) < 7e6
