"""The ground that is known from depth and one's own moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from teach_agents.actions import Action, ActionResult
from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.perceiving.ground import Ground
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.core.control import NOT_DONE
from teach_agents.observations import Pose, Privilege, Vec3
from tests.agents.perceiving.looking_around import Explorer

_POSE = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 30.0)


def _floor(reach: float = 2.0) -> list[tuple[float, float, float]]:
    steps = np.arange(-reach, reach, 0.04)
    return [(float(x), 0.0, float(z)) for x in steps for z in steps]


def _cells(ground: Ground) -> set[tuple[int, int]]:
    return {(round(4 * x), round(4 * z)) for x, z in ground.reachable}


def test_one_can_stand_where_floor_was_seen_and_nothing_is_in_the_way() -> None:
    ground = Ground()
    wall = [(float(x), y, 1.0) for x in np.arange(-2.0, 2.0, 0.04) for y in (0.5, 1.0, 1.5)]
    ground.look(np.array(_floor() + wall), _POSE)
    free = _cells(ground)
    assert (0, 2) in free and (0, -4) in free
    assert not {(0, 4), (0, 5)} & free, "the wall, and what is behind it"
    assert (40, 0) not in free, "never seen"


def test_what_is_above_ones_head_or_underfoot_is_not_in_the_way() -> None:
    ground = Ground()
    ground.look(np.array([*_floor(), (0.0, 2.2, 0.5), (0.0, 0.03, 0.5)]), _POSE)
    assert (0, 2) in _cells(ground)


def test_a_refused_move_is_remembered_until_something_is_out_of_the_way() -> None:
    corridor = [(x, y, z) for x, y, z in _floor() if abs(x) < 0.3]
    sides = [(x, 1.0, float(z)) for x in (-0.3, 0.3) for z in np.arange(-2.0, 2.0, 0.04)]
    ground, points = Ground(), np.array(corridor + sides)
    ground.look(points, _POSE)
    assert (0, 2) in _cells(ground)
    ground.look(points, _POSE, Action("Forward"), ActionResult(False, NOT_DONE))
    assert (0, 1) in _cells(ground), "somebody said stop: nothing was in the way"
    ground.look(points, _POSE, Action("Forward"), ActionResult(False, "blocked"))
    assert (0, 1) not in _cells(ground) and (0, -2) in _cells(ground)
    ground.look(points, _POSE, Action("Close", 0.5, 0.5), ActionResult(True, "Close"))
    assert (0, 1) in _cells(ground)


def test_where_outlines_are_vague_only_a_door_nearby_makes_way() -> None:
    """What is picked up was not what one ran into, nor was what swings on the other side of the room."""
    ground, points = Ground(vague=1), np.array([(x, y, z) for x, y, z in _floor() if abs(x) < 0.3])
    ground.look(points, _POSE)
    ground.look(points, _POSE, Action("Forward"), ActionResult(False, "blocked"))
    ground.look(points, _POSE, Action("Pickup", 0.5, 0.5), ActionResult(True, "Pickup"))
    assert ((0, 0), (0, 1)) in ground._bumps.refused
    far = replace(_POSE, position=_POSE.position._replace(z=-2.0))
    ground.look(points, far, Action("Open", 0.5, 0.5), ActionResult(True, "Open"))
    assert ((0, 0), (0, 1)) in ground._bumps.refused
    ground.look(points, _POSE)
    ground.look(points, _POSE, Action("Open", 0.5, 0.5), ActionResult(True, "Open"))
    assert not ground._bumps.refused


def test_where_outlines_are_vague_a_nearer_look_puts_right_what_was_seen_from_afar() -> None:
    ground, floor = Ground(vague=1), [(x, y, z) for x, y, z in _floor() if abs(x) < 0.3]
    bar = [(float(x), 0.5, z) for x in np.arange(-0.3, 0.3, 0.02) for z in np.arange(1.3, 1.6, 0.02)]
    ground.look(np.array(floor + bar), _POSE)
    assert (0, 6) not in _cells(ground)
    near = replace(_POSE, position=_POSE.position._replace(z=0.75))
    for _ in range(2):
        ground.look(np.array(floor), near)
    assert (0, 6) in _cells(ground)
    for _ in range(4):
        ground.look(np.array(floor + bar), near)
    assert (0, 6) not in _cells(ground)


def test_what_swung_out_of_the_way_is_out_of_the_way() -> None:
    door = [(float(x), 1.0, 0.5) for x in np.arange(-0.5, 0.5, 0.04)]
    ground, before, after = Ground(), np.array(_floor() + door), np.array(_floor())
    ground.look(before, _POSE)
    ground.look(after, _POSE)
    assert (0, 2) not in _cells(ground), "what one does not see now one has seen"
    ground.look(before, _POSE, Action("Close", 0.5, 0.5), ActionResult(True, "Close"))
    assert (0, 2) not in _cells(ground)
    ground.look(after, _POSE)
    assert (0, 2) in _cells(ground)


def test_it_stays_the_same_value_as_long_as_nothing_new_is_seen() -> None:
    ground = Ground()
    ground.look(np.array(_floor()), _POSE)
    before = ground.reachable
    ground.look(np.array(_floor(1.0)), _POSE)
    assert ground.reachable is before


@pytest.mark.parametrize("room", ["FloorPlan1", "FloorPlan211"])
def test_after_a_look_around_it_is_about_the_true_one(room: str) -> None:
    explorer = Explorer(room, OraclePerception(ground="seen"))
    assert Privilege.REACHABLE not in explorer.true.privileged.granted
    explorer.carry_out(survey(explorer.body))
    outcome = explorer.household.observe(explorer.true.role, frozenset({Privilege.REACHABLE}))
    true, found = (
        {(round(x, 2), round(z, 2)) for x, z in some}
        for some in (outcome.privileged.reachable, explorer.seen.privileged.reachable)
    )
    assert len(true & found) >= 0.7 * len(found), "precision"
    assert len(true & found) >= 0.7 * len(true), "recall"
