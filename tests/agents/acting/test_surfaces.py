"""Where to look from to see what is on a table."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.acting.body import Ground
from teach_agents.agents.acting.navigation import Paths
from teach_agents.agents.acting.surfaces import Surface, is_surface
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.perceiving.voxels import Voxels
from teach_agents.observations import Vec3
from tests.agents.acting.making import row, things

_GROUND = Ground(frozenset((x * 0.25, z * 0.25) for x in range(-8, 9) for z in range(-8, 4)))
_PATHS = Paths(((0, -8), 0), _GROUND.cells)


def _one(kind: str, **flags: bool) -> Thing:
    made = things({**row(kind, at=(0.0, 0.4, 1.6), size=(0.8, 0.8, 0.8), receptacle=True), **flags})
    return next(iter(made))


_TABLE = _one("DiningTable")
_TOP = np.array([(x * 0.1, 0.85, 1.6 + z * 0.1) for x in range(-4, 5) for z in range(-4, 5)])
_NEAR = Vec3(0.0, 0.9, 0.75)


def test_one_goes_near_to_what_was_not_seen_and_faces_it() -> None:
    view = Surface(_TABLE, Voxels(), _GROUND).best_view(_PATHS, 0.9)
    assert view is not None
    (x, z), heading = view.vantage.stand
    assert heading == 0 and z >= 0 and abs(x) <= 4 and view.vantage.horizon > 0
    assert view.share > 0.5 and view.columns


def test_nothing_is_left_to_look_for_where_all_was_seen_from_near() -> None:
    voxels = Voxels()
    assert Surface(_TABLE, voxels, _GROUND).lack() == 1.0
    voxels.look(_TOP, _NEAR)
    assert Surface(_TABLE, voxels, _GROUND).lack() == 0.0
    assert Surface(_TABLE, voxels, _GROUND).best_view(_PATHS, 0.9) is None


def test_what_lies_flat_may_be_overlooked_from_afar_where_what_stands_is_not() -> None:
    voxels = Voxels()
    voxels.look(_TOP, Vec3(0.0, 0.9, -2.0))
    standing, flat = (Surface(_TABLE, voxels, _GROUND, (), overlooked).lack() for overlooked in (0.05, 0.3))
    assert 0.0 < standing < flat < 1.0


def test_one_looks_from_where_nothing_that_was_seen_is_in_between() -> None:
    voxels = Voxels()
    back = np.array([(x * 0.05, y * 0.05, 1.1) for x in range(-40, 41) for y in range(50)])
    voxels.look(back, _NEAR)
    assert Surface(_TABLE, voxels, _GROUND).best_view(_PATHS, 0.9) is None
    beside = [(x * 0.25, z * 0.25) for x in (-3, 3) for z in range(4, 10)]
    around = Ground(frozenset([*_GROUND.points, *beside]))
    view = Surface(_TABLE, voxels, around).best_view(Paths(((0, -8), 0), around.cells), 0.9)
    assert view is not None and abs(view.vantage.stand[0][0]) == 3 and view.vantage.stand[0][1] > 4


def test_what_a_view_should_have_shown_is_promised_once() -> None:
    view = Surface(_TABLE, Voxels(), _GROUND).best_view(_PATHS, 0.9)
    assert view is not None
    again = Surface(_TABLE, Voxels(), _GROUND, view.columns)
    assert again.lack() < 0.5


def test_where_one_can_stand_and_where_the_floor_shows_is_no_counter() -> None:
    counter = _one("CounterTop")
    voxels = Voxels()
    nowhere, corner = Ground(frozenset()), Ground(frozenset([(0.0, 1.5)]))
    everywhere = len(Surface(counter, voxels, nowhere).unseen[1])
    assert len(Surface(counter, voxels, corner).unseen[1]) < everywhere
    voxels.look(np.array([(0.0, 0.0, 1.6)]), _NEAR)
    assert len(Surface(counter, voxels, nowhere).unseen[1]) == everywhere - 1
    assert len(Surface(_TABLE, voxels, nowhere).unseen[1]) == everywhere


def test_things_lie_openly_on_furniture_that_neither_shuts_nor_hides_what_is_in_it() -> None:
    assert is_surface(_TABLE) and is_surface(_one("Sofa"))
    assert not any(map(is_surface, (_one("Fridge", openable=True), _one("Plate", pickupable=True), _one("Bathtub"))))
