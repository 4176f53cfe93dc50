"""Clicks with too little room around them."""

from __future__ import annotations

import math

import pytest

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, SimulatorAction
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.handlers import carry_out
from teach_agents.simulator.embedded.handlers.setting import Setting
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.placement import distance_to_room, is_crowded
from teach_agents.simulator.embedded.senses import GeometricSenses
from teach_agents.simulator.embedded.world import World


def _first(world: World, object_type: str) -> ObjectState:
    return next(o for o in world.objects.values() if o.object_type == object_type and o.exists)


def test_a_basin_has_room_for_a_mug_until_a_pan_lies_where_it_should_go() -> None:
    world = load_room("FloorPlan1")
    mug, pan, sink = _first(world, "Mug"), _first(world, "Pan"), _first(world, "SinkBasin")
    world.take(mug.object_id)
    assert not is_crowded(world, mug.object_id, sink.object_id, sink.box.center)
    pivot, (x, _, z), low = pan.position, pan.box.center, pan.box.low
    there = sink.box.center
    world.pose(
        pan.object_id,
        Vec3(there.x + pivot.x - x, sink.box.low.y + pivot.y - low.y, there.z + pivot.z - z),
        pan.rotation,
    )
    world.place(pan.object_id, sink.object_id)
    assert is_crowded(world, mug.object_id, sink.object_id, sink.box.center)


def test_room_is_the_further_off_the_wider_the_margin_unless_there_never_was_any() -> None:
    world = load_room("FloorPlan1")
    mug, sink = _first(world, "Mug"), _first(world, "SinkBasin")
    world.take(mug.object_id)
    (x, y, z), (w, _, d) = sink.box.center, sink.box.size
    corner = Vec3(x + w / 2, y, z + d / 2)
    away = [distance_to_room(world, mug.object_id, sink.object_id, corner, margin) for margin in (0.0, 0.05, 0.1)]
    assert 0.0 < away[0] < away[1] < away[2] < math.inf
    assert distance_to_room(world, mug.object_id, sink.object_id, corner, 5.0) == 0.0


def test_receptacles_without_a_limit_are_never_crowded() -> None:
    world = load_room("FloorPlan1")
    mug = _first(world, "Mug")
    world.take(mug.object_id)
    assert tables.elbow_room("StoveBurner") is None
    assert not is_crowded(world, mug.object_id, _first(world, "StoveBurner").object_id, Vec3(9.0, 9.0, 9.0))


@pytest.mark.parametrize("clicked", [True, False])
def test_only_a_click_is_refused_for_want_of_room_around_it(clicked: bool) -> None:
    world = load_room("FloorPlan1")
    plate, sink = _first(world, "Plate"), _first(world, "SinkBasin")
    world.take(plate.object_id)
    (x, y, z), (w, _, d) = sink.box.center, sink.box.size
    corner = Vec3(x + w / 2, y, z + d / 2)
    at = 0.5 if clicked else None
    action = SimulatorAction("PutObject", sink.object_id, x=at, y=at, near=corner, force=True)
    outcome = carry_out(Setting(world, GeometricSenses()), action)
    assert outcome.success is not clicked
    assert outcome.error == ("No valid positions to place object found" if clicked else "")
