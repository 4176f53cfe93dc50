"""What would clip into furniture when held is not picked up."""

from __future__ import annotations

import pytest

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.embedded.handlers.drawers import clips, doors_out
from teach_agents.simulator.embedded.world import World
from tests.simulator.embedded.worlds import Kitchen

CLIPS = "InvalidOperationException: Picking up object would cause it to collide and clip into something!"


def _stand(world: World, object_type: str, away: float) -> None:
    """Let the body look along +x at the middle of a thing's box, `away` metres before it, the hand at its height."""
    box = world.objects[world.of_type(object_type)[0]].box
    world.move_agent(Pose(Vec3(box.low.x - away, box.center.y - 0.515, box.center.z), 90.0, 0.0))


@pytest.mark.parametrize(("away", "clipped"), [(0.25, True), (0.6, False)])
def test_nothing_is_taken_into_a_hand_that_is_inside_the_fridge(away: float, clipped: bool) -> None:
    kitchen = Kitchen("FloorPlan1")
    _stand(kitchen.world, "Fridge", away)
    outcome = kitchen.do("PickupObject", "Mug")
    assert (outcome.success, outcome.error) == ((False, CLIPS) if clipped else (True, ""))
    assert (kitchen.world.held is None) is clipped


def test_force_takes_it_all_the_same() -> None:
    kitchen = Kitchen("FloorPlan1")
    _stand(kitchen.world, "Fridge", 0.25)
    assert kitchen.do("PickupObject", "Mug", force=True).success


def test_what_lies_in_the_fridge_is_no_hindrance_to_itself() -> None:
    kitchen = Kitchen("FloorPlan1")
    world = kitchen.world
    _stand(world, "Fridge", 0.25)
    (fridge,), mug = world.of_type("Fridge"), world.of_type("Mug")[0]
    world.place(mug, fridge)
    assert not clips(world, world.objects[mug])


def test_an_open_door_is_in_the_way_where_a_shut_one_is_not() -> None:
    world = Kitchen("FloorPlan1").world
    microwave, mug = world.of_type("Microwave")[0], world.of_type("Mug")[0]
    (door,) = doors_out(world.room, world.update(microwave, openness=1.0))
    x, y, z = door.center
    world.move_agent(Pose(Vec3(x - 0.38, y - 0.515, z), 90.0, 0.0))
    assert clips(world, world.objects[mug])
    world.update(microwave, openness=0.0)
    assert not clips(world, world.objects[mug])
