"""Where to stand and where to click."""

from __future__ import annotations

import math

import numpy as np
import pytest

from teach_agents.agents.acting.looking import REACH, pixels_of
from teach_agents.agents.acting.navigation import point_of
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.acting.vantages import HORIZONS, Vantage, sights, weighed
from teach_agents.observations import Pose, Segmentation, Vec3
from tests.agents.acting.making import row, things

_SIZE = 100
_BODY = 0.9
_CELLS = [(x, z) for x in range(-8, 9) for z in range(-8, 9)]


def stands_around(target: Thing, room: Things, cells: list[tuple[int, int]], height: float) -> list[Vantage]:
    found = weighed(target, room, sights(target, np.array(cells), height, ()))
    return [found[number] for number in range(len(found))]


def _square(rows: slice, columns: slice) -> Segmentation:
    ids = np.full((_SIZE, _SIZE), -1, dtype=np.int32)
    ids[rows, columns] = 0
    return Segmentation(ids, ["Mug|0"])


def _depth(metres: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.full((_SIZE, _SIZE), metres, dtype=np.float32)


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("horizon", [-30.0, 0.0, 30.0, 60.0])
def test_the_middle_pixel_shows_the_point_straight_ahead(yaw: float, horizon: float) -> None:
    pose = Pose(Vec3(1.0, _BODY, -2.0), yaw, horizon)
    pixels = pixels_of(["Mug|0"], _square(slice(49, 51), slice(49, 51)), _depth(0.5), pose)
    down = math.radians(horizon)
    ahead, drop = 0.5 * math.cos(down), 0.5 * math.sin(down)
    expected = (
        1.0 + ahead * math.sin(math.radians(yaw)),
        _BODY + 0.675 - drop,
        -2.0 + ahead * math.cos(math.radians(yaw)),
    )
    assert np.allclose(pixels.points.mean(axis=0), expected, atol=1e-6)


def test_right_is_right_and_up_is_up() -> None:
    pose = Pose(Vec3(0.0, _BODY, 0.0), 0.0, 0.0)
    right = pixels_of(["Mug|0"], _square(slice(10, 12), slice(90, 92)), _depth(0.5), pose)
    assert right.points[0][0] > 0
    assert right.points[0][1] > _BODY + 0.675
    assert right.x[0] == pytest.approx(0.905) and right.y[0] == pytest.approx(0.105)


def test_what_is_out_of_reach_or_not_meant_is_not_clicked() -> None:
    pose = Pose(Vec3(0.0, _BODY, 0.0), 0.0, 0.0)
    view = _square(slice(40, 60), slice(40, 60))
    assert len(pixels_of(["Mug|0"], view, _depth(1.2), pose)) > 0
    assert len(pixels_of(["Mug|0"], view, _depth(1.6), pose)) == 0
    assert len(pixels_of(["Cup|0"], view, _depth(1.2), pose)) == 0


def test_the_steadiest_pixel_lies_in_the_middle() -> None:
    pose = Pose(Vec3(0.0, _BODY, 0.0), 0.0, 0.0)
    pixels = pixels_of(["Mug|0"], _square(slice(40, 61), slice(30, 51)), _depth(1.0), pose)
    best = int(np.argmax(pixels.steadiness()))
    assert pixels.x[best] == pytest.approx(0.405) and pixels.y[best] == pytest.approx(0.505)


def test_every_stand_has_its_target_in_reach_and_in_view() -> None:
    room = things(row("Mug", at=(0.1, 0.9, 0.2)))
    mug = next(iter(room))
    found = list(stands_around(mug, room, _CELLS, _BODY))
    assert found
    for vantage in found:
        here = point_of(vantage.stand[0])._replace(y=_BODY)
        assert math.dist(here, mug.center) <= REACH + 0.1
        assert vantage.horizon in HORIZONS
        ahead = ((0, 1), (1, 0), (0, -1), (-1, 0))[vantage.stand[1]]
        assert (mug.center.x - here.x) * ahead[0] + (mug.center.z - here.z) * ahead[1] > 0


def test_what_is_too_high_has_no_stand() -> None:
    room = things(row("Mug", at=(0.0, 2.6, 0.0)))
    assert not list(stands_around(next(iter(room)), room, _CELLS, _BODY))


def test_a_fridge_in_between_makes_a_stand_worse() -> None:
    mug = row("Mug", at=(0.0, 0.9, 0.0))
    fridge = row("Fridge", at=(0.5, 0.9, 0.0), size=(0.3, 1.8, 0.6))
    open_room, blocked = things(mug), things(mug, fridge)
    stand = ((4, 0), 3)

    def penalty(room: object) -> float:
        assert isinstance(room, type(open_room))
        target = next(thing for thing in room if thing.object_type == "Mug")
        return next(v.penalty for v in stands_around(target, room, [(4, 0)], _BODY) if v.stand == stand)

    assert penalty(blocked) >= penalty(open_room) + 5
