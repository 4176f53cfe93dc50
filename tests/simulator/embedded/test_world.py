"""The container keeps places consistent, whatever is asked of it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.world import World, digest
from tests.simulator.embedded.worlds import Kitchen


def _of(world: World, object_type: str) -> str:
    return world.of_type(object_type)[0]


def test_a_taken_object_has_no_parents_and_nothing_contains_it() -> None:
    world = load_room("FloorPlan1")
    mug = _of(world, "Mug")
    world.take(mug)
    assert world.held == mug
    assert world.objects[mug].parents == ()
    assert all(mug not in obj.contents for obj in world.objects.values())


def test_the_held_object_follows_the_hand() -> None:
    world = load_room("FloorPlan1")
    mug = _of(world, "Mug")
    world.take(mug)
    before = world.objects[mug]
    world.move_agent(Pose(Vec3(1.0, 0.9, 2.0), 90.0, 0.0))
    after = world.objects[mug]
    assert after.position == pytest.approx((1.38, 0.9 + 0.675 - 0.16, 2.0))
    assert after.rotation.y == 90.0
    assert before.position != after.position


def test_a_carried_plate_takes_its_contents_along() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Plate")
    plate, apple = kitchen.id("Plate"), kitchen.id("Apple")
    offset = math.dist(kitchen.world.objects[plate].position, kitchen.world.objects[apple].position)
    kitchen.do("PickupObject", plate, force=True)
    assert kitchen.world.objects[apple].parents == (plate,)
    kitchen.do("RotateRight")
    kitchen.do("MoveAhead")
    carried = math.dist(kitchen.world.objects[plate].position, kitchen.world.objects[apple].position)
    assert carried == pytest.approx(offset)


def test_what_lies_on_a_plate_also_lists_what_the_plate_stands_on() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Plate")
    kitchen.put("Plate", "SinkBasin")
    plate, basin = kitchen.id("Plate"), kitchen.id("SinkBasin")
    assert kitchen.get("Apple").parents == (plate, basin)
    assert kitchen.id("Apple") in kitchen.get("SinkBasin").contents


def test_a_table_does_not_pass_the_floor_on() -> None:
    kitchen = Kitchen("FloorPlan7")
    table = kitchen.id("DiningTable")
    kitchen.put("Apple", table)
    assert kitchen.get("Apple").parents == (table,)


def test_a_discarded_receptacle_leaves_its_contents_to_its_own_parents() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Plate")
    plate = kitchen.get("Plate")
    kitchen.world.discard(plate.object_id)
    assert not kitchen.world.objects[plate.object_id].exists
    assert kitchen.world.objects[plate.object_id].contents == ()
    assert kitchen.get("Apple").parents == plate.parents


def test_an_unturned_object_moves_with_its_box() -> None:
    world = load_room("FloorPlan1")
    apple = world.objects[_of(world, "Apple")]
    world.pose(apple.object_id, Vec3(0.0, 1.0, 0.0), apple.rotation)
    moved = world.objects[apple.object_id]
    assert moved.box.size == apple.box.size
    shift = [a - b for a, b in zip(moved.position, apple.position, strict=True)]
    assert [a - b for a, b in zip(moved.box.center, apple.box.center, strict=True)] == pytest.approx(shift)


def test_a_quarter_turn_swaps_the_sides_of_the_box() -> None:
    world = load_room("FloorPlan1")
    bread = world.objects[_of(world, "Bread")]
    world.pose(bread.object_id, bread.position, Vec3(0.0, 0.0, 0.0))
    straight = world.objects[bread.object_id].box.size
    world.pose(bread.object_id, bread.position, Vec3(0.0, 90.0, 0.0))
    turned = world.objects[bread.object_id].box.size
    assert (turned.x, turned.y, turned.z) == pytest.approx((straight.z, straight.y, straight.x), abs=0.001)


def test_a_copy_is_independent() -> None:
    world = load_room("FloorPlan1")
    copy = world.copy()
    before = digest(world)
    assert digest(copy) == before
    copy.take(_of(copy, "Mug"))
    assert digest(world) == before
    assert digest(copy) != before


def test_releasing_an_empty_hand_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="nothing is held"):
        load_room("FloorPlan1").release()


def test_nothing_is_placed_into_what_it_carries() -> None:
    kitchen = Kitchen()
    kitchen.put("Bowl", "Plate")
    with pytest.raises(ValueError, match="which it carries"):
        kitchen.world.place(kitchen.id("Plate"), kitchen.id("Bowl"))


def test_a_changed_object_is_what_replace_makes_and_takes_no_unknown_field() -> None:
    mug = next(obj for obj in load_room("FloorPlan1").objects.values() if obj.object_type == "Mug")
    changed = mug.changed(is_dirty=True, temperature="Hot")
    assert changed == replace(mug, is_dirty=True, temperature="Hot")
    assert not mug.is_dirty
    with pytest.raises(TypeError, match="dirty"):
        mug.changed(dirty=True)


def test_the_world_knows_what_is_not_at_room_temperature_after_going_back_too() -> None:
    world = load_room("FloorPlan1")
    mug = _of(world, "Mug")
    cool = set(world.tempered)
    moment = world.remember()
    world.update(mug, temperature="Hot")
    assert set(world.tempered) == cool | {mug}
    world.recall(moment)
    assert set(world.tempered) == cool
