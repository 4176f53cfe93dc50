"""What a room has besides objects: missing corners, rugs, tiles, cords."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, Camera, Channel
from teach_agents.simulator.embedded.dressing import hangers, outer_corners, rug, tiled_walls
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.navigation import NavigationMap
from teach_agents.simulator.embedded.render import Renderer
from tests.simulator.embedded.showroom import exhibit, showroom

AREA = Rectangle(-2.0, -2.0, 2.0, 2.0)


def plan_of(room: str) -> Rectangle:
    """What the room's floor covers."""
    world = load_room(room)
    return rectangle_of(world.objects[world.of_type("Floor")[0]].box)


@pytest.mark.parametrize("room", ["FloorPlan210", "FloorPlan218", "FloorPlan405", "FloorPlan5"])
def test_missing_corners_hold_neither_objects_nor_places_to_stand(room: str) -> None:
    world = load_room(room)
    corners = outer_corners(room, plan_of(room))
    assert corners
    places = list(NavigationMap(world).reachable(world))
    for one in corners:
        assert not any(one.x0 < x < one.x1 and one.z0 < z < one.z1 for x, z in places)
        for obj in world.objects.values():
            x, _, z = obj.box.center
            assert obj.object_type == "Floor" or not (one.x0 < x < one.x1 and one.z0 < z < one.z1)


def test_a_room_that_does_not_ship_has_no_missing_corners() -> None:
    assert outer_corners("nowhere", AREA) == ()


def test_the_rug_belongs_to_the_floor_and_stays_within_the_walls() -> None:
    world = load_room("FloorPlan218")
    area = plan_of("FloorPlan218")
    parts = list(rug(world, area, 0))
    assert parts
    for part in parts:
        assert area.x0 < part.center.x - part.half.x and part.center.x + part.half.x < area.x1
        assert part.center.y + part.half.y < 0.006
    middle = parts[0].center
    down = Camera(Vec3(middle.x - parts[0].half.x + 0.04, 0.3, middle.z), pitch=90.0, field_of_view=10.0)
    frame = Renderer().view(world, down, frozenset((Channel.IDS,)), 8)
    assert frame.ids is not None
    assert {frame.object_ids[i] for i in np.unique(frame.ids)} == set(world.of_type("Floor"))


def test_bathrooms_have_tiles_and_bedrooms_have_none() -> None:
    assert list(tiled_walls(load_room("FloorPlan401"), AREA, (), 0))
    assert not list(tiled_walls(load_room("FloorPlan301"), AREA, (), 0))


def test_a_plant_in_the_air_hangs_from_the_ceiling_and_one_on_a_table_does_not() -> None:
    air = exhibit("HousePlant", (0.3, 0.4, 0.3), Vec3(0.0, 1.7, 0.0))
    plant = replace(air, kind=replace(air.kind, pickupable=False))
    cords = list(hangers(showroom(plant), 2.5))
    assert max(part.center.y + part.half.y for part in cords) == pytest.approx(2.5)
    table = exhibit("Shelf", (1.0, 1.4, 1.0), Vec3(0.0, 0.76, 0.0))
    assert table.box == Box(Vec3(0.0, 0.76, 0.0), Vec3(1.0, 1.4, 1.0))
    assert not list(hangers(showroom(plant, table), 2.5))
