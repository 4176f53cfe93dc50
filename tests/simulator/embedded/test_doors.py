"""Doors that would swing into the body stay shut, and which way they face."""

from __future__ import annotations

from itertools import product

import pytest

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.shapes.fronts import Fronts
from tests.simulator.embedded.worlds import Kitchen


def _before(thing: ObjectState, away: float, turn: int, aside: float = 0.0) -> Pose:
    """A body whose middle is `away` metres from one side of a thing: turn 0 its +x side, then +z, -x, -z.

    `aside` shifts it along that side, in halves of the side's width.
    """
    (x, _, z), (w, _, d) = thing.box.center, thing.box.size
    ahead_x, ahead_z = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    place = Vec3(
        x + ahead_x * (w / 2 + away) + aside * abs(ahead_z) * w / 2,
        0.9,
        z + ahead_z * (d / 2 + away) + aside * abs(ahead_x) * d / 2,
    )
    return Pose(place, 0.0, 0.0)


@pytest.mark.parametrize("object_type", ["Fridge", "Cabinet"])
def test_a_door_does_not_open_into_the_body(object_type: str) -> None:
    kitchen = Kitchen()
    world, thing = kitchen.world, kitchen.world.objects[kitchen.id(object_type)]
    if thing.is_open:
        world.update(thing.object_id, openness=0.0)
    answers = []
    for turn, aside in product(range(4), (-1.0, 0.0, 1.0)):
        world.move_agent(_before(thing, 0.25, turn, aside))
        answers.append(kitchen.do("OpenObject", object_type).error)
        world.update(thing.object_id, openness=0.0)
    assert "Openable object collided with FPSController" in answers and "" in answers


def test_far_enough_from_the_door_it_opens_and_it_always_closes() -> None:
    kitchen = Kitchen()
    world, fridge = kitchen.world, kitchen.world.objects[kitchen.id("Fridge")]
    for turn in range(4):
        world.move_agent(_before(fridge, 1.2, turn))
        assert kitchen.do("OpenObject", "Fridge").success
        world.move_agent(_before(fridge, 0.25, turn, 1.0))
        assert kitchen.do("CloseObject", "Fridge").success


def test_what_is_built_in_above_each_other_faces_one_way() -> None:
    stacked = 0
    for room in ("FloorPlan7", "FloorPlan24", "FloorPlan1"):
        world = load_room(room)
        fronts = Fronts(world)
        built_in = [o for o in world.objects.values() if o.object_type in ("Cabinet", "Drawer")]
        for lower, upper in product(built_in, repeat=2):
            shared = all(abs(lower.box.center[axis] - upper.box.center[axis]) < 0.05 for axis in (0, 2))
            if lower.box.center.y < upper.box.center.y and shared and tables.open_box(room, lower.object_id):
                stacked += 1
                assert fronts.turns(lower) == fronts.turns(upper), (lower.object_id, upper.object_id)
    assert stacked >= 3


@pytest.mark.parametrize(
    ("room", "drawer", "turns"),
    [
        ("FloorPlan216", "Drawer|+01.58|+00.52|-01.20", 0),
        ("FloorPlan222", "Drawer|-00.02|+00.27|-00.17", 3),
        ("FloorPlan5", "Drawer|-00.07|+00.75|-00.01", 2),
    ],
)
def test_a_drawer_faces_the_side_on_which_its_position_lies(room: str, drawer: str, turns: int) -> None:
    world = load_room(room)
    assert Fronts(world).turns(world.objects[drawer]) == turns
