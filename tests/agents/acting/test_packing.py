"""Filling dishes and small holders."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.agents.acting.looking import Pixels
from teach_agents.agents.acting.spaces import Space, is_slim, packed
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.observations import Pose, Vec3
from tests.agents.acting.making import row, things

_SOUTH, _EAST = Pose(Vec3(0.0, 0.9, -1.0), 0.0, 30.0), Pose(Vec3(1.0, 0.9, 0.0), 270.0, 30.0)


def _room(*, yaw: float = 0.0, height: float = 0.9, kind: str = "Plate") -> Things:
    """A plate, or something else of its size, and a slice of bread that is slim along z at a yaw of 0."""
    sides = (0.13, 0.14, 0.03) if yaw % 180 == 0 else (0.03, 0.14, 0.13)
    return things(
        row(kind, 0, pickupable=kind == "Plate", receptacle=True, at=(0, height, 0), size=(0.24, 0.02, 0.24)),
        row("BreadSliced", 0, pickupable=True, at=(5, 1, 5), size=sides, rotation={"x": 0, "y": yaw, "z": 0}),
    )


def _of(room: Things, name: str) -> Thing:
    found = room.get(name)
    assert found is not None
    return found


def _chosen(room: Things, pose: Pose, holder: str = "Plate|0") -> tuple[float, float]:
    """Where on the holder the slice is put: x and z, metres."""
    on, held = _of(room, holder), _of(room, "BreadSliced|0")
    x, z = (axis.ravel() for axis in np.meshgrid(*[np.linspace(-0.11, 0.11, 45)] * 2))
    points = np.stack([x, np.full(x.size, on.high.y), z], axis=1)
    pixels = Pixels(np.full(x.size, 0.5), np.full(x.size, 0.5), points, np.full(x.size, 8))
    best = points[int(np.argmax(packed(on, held, pose, Space(room, on, held))(pixels)))]
    return float(best[0]), float(best[2])


@pytest.mark.parametrize("pose", [_SOUTH, _EAST])
@pytest.mark.parametrize("yaw", [0.0, 90.0, 270.0])
def test_slices_are_put_side_by_side_from_wherever_one_stands(pose: Pose, yaw: float) -> None:
    _, z = _chosen(_room(yaw=yaw), pose)
    assert abs(z) == pytest.approx(0.105, abs=0.011), "as it will stand on the plate, its slim side lies along z"


def test_other_holders_are_filled_from_their_far_end() -> None:
    assert _chosen(_room(kind="SideTable"), _SOUTH, "SideTable|0")[1] > 0.04
    assert _chosen(_room(kind="SideTable"), _EAST, "SideTable|0")[0] < -0.04


def test_what_is_above_the_eyes_is_filled_from_its_near_end() -> None:
    assert _chosen(_room(kind="SideTable", height=1.8), _SOUTH, "SideTable|0")[1] < -0.04


def test_slices_are_slim_and_mugs_are_not() -> None:
    room = things(row("Mug", 0, size=(0.1, 0.1, 0.12)), row("TomatoSliced", 0, size=(0.1, 0.1, 0.02)))
    assert [is_slim(_of(room, name)) for name in ("TomatoSliced|0", "Mug|0")] == [True, False]
