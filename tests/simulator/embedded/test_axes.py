"""Receptacles that are turned out of square to the room."""

from __future__ import annotations

import pytest

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.fitting import Axes, axes_of
from teach_agents.simulator.embedded.geometry import footprint_of, outline_of, posed
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.placement import distance_to_room, find_spot
from teach_agents.simulator.embedded.world import World


def _first(world: World, object_type: str) -> ObjectState:
    return next(o for o in world.objects.values() if o.object_type == object_type and o.exists)


@pytest.mark.parametrize(("yaw", "angle"), [(0.0, 0.0), (90.3, 0.0), (113.9, 23.9), (231.3, -38.7), (359.0, -1.0)])
def test_axes_are_at_most_an_eighth_of_a_turn_away(yaw: float, angle: float) -> None:
    plate = _first(load_room("FloorPlan1"), "Plate")
    assert axes_of(posed(plate, plate.position, Vec3(0.0, yaw, 0.0))).angle == pytest.approx(angle)


def test_what_goes_inward_comes_out_where_it_was() -> None:
    axes = Axes(30.0)
    assert axes.outward(axes.inward(Vec3(1.0, 2.0, 3.0))) == pytest.approx((1.0, 2.0, 3.0))
    assert axes.inward(Vec3(0.5, 0.0, 0.75**0.5)) == pytest.approx((0.0, 0.0, 1.0)), "forward of what is turned so"
    assert axes.rotation(Vec3(0.0, 345.0, 90.0)) == Vec3(0.0, 15.0, 90.0)


def test_a_turned_outline_is_square_in_its_own_axes() -> None:
    plate = _first(load_room("FloorPlan1"), "Plate")
    turned = posed(plate, plate.position, Vec3(0.0, 30.0, 0.0))
    outline = outline_of(footprint_of(turned))
    assert axes_of(turned).outline(outline).square and not outline.square


def test_a_book_stands_square_to_a_turned_box_that_is_little_wider() -> None:
    world = load_room("FloorPlan201")
    box, book = _first(world, "Box"), _first(world, "Newspaper")
    world.pose(box.object_id, box.position, Vec3(box.rotation.x, box.rotation.y + 45.0, box.rotation.z))
    world.update(box.object_id, openness=1.0)
    world.take(book.object_id)
    box = world.objects[box.object_id]
    spot = find_spot(world, book.object_id, box.object_id, box.box.center, force=True)
    assert not spot.refusal
    assert (spot.rotation.y - box.rotation.y) % 90.0 == pytest.approx(0.0, abs=0.01)
    assert distance_to_room(world, book.object_id, box.object_id, box.box.center, 0.0) < 0.3
