"""Counters: L shapes from their boxes, basins cut out, outlines that stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.counters import carved, counter_rectangles, supports_of, worktop_rectangles
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room

_CORNER = Rectangle(0.0, 0.0, 3.0, 2.0)


def _area(pieces: tuple[Rectangle, ...]) -> float:
    return sum(piece.area for piece in pieces)


def _covers(pieces: tuple[Rectangle, ...], x: float, z: float) -> bool:
    return any(piece.x0 <= x <= piece.x1 and piece.z0 <= z <= piece.z1 for piece in pieces)


def test_cabinets_along_two_walls_leave_an_l() -> None:
    pieces = carved(_CORNER, [Rectangle(0.0, 0.0, 3.0, 0.6), Rectangle(0.0, 0.0, 0.6, 2.0)])
    assert _covers(pieces, 2.9, 0.1)
    assert _covers(pieces, 0.1, 1.9)
    assert not _covers(pieces, 2.0, 1.5)
    assert 2.5 < _area(pieces) < 3.5


def test_a_straight_counter_stays_whole() -> None:
    straight = Rectangle(0.0, 0.0, 3.0, 0.7)
    assert carved(straight, []) == (straight,)


def test_an_empty_counter_too_narrow_for_a_corner_stays_whole() -> None:
    island = Rectangle(0.0, 0.0, 2.0, 1.1)
    assert carved(island, [Rectangle(0.0, 0.0, 0.3, 0.3)]) == (island,)


def test_what_stands_on_an_island_does_not_hold_up_the_counter_round_it() -> None:
    objects = room("FloorPlan2").objects
    around, island = (objects[name] for name in (_counter_of("FloorPlan2", max), _counter_of("FloorPlan2", min)))
    inner = rectangle_of(island.box)
    supports = supports_of(objects.values(), around.object_id)
    assert supports
    for support in supports:
        x, z = (support.x0 + support.x1) / 2, (support.z0 + support.z1) / 2
        assert not (inner.x0 < x < inner.x1 and inner.z0 < z < inner.z1)


def _counter_of(name: str, which: Callable[..., ObjectState]) -> str:
    """The id of a room's widest or narrowest counter."""
    counters = (obj for obj in room(name).objects.values() if obj.object_type == "CounterTop")
    return which(counters, key=lambda obj: rectangle_of(obj.box).area).object_id


def test_a_counter_with_things_all_over_stays_whole() -> None:
    full = [Rectangle(x / 2, z / 2, x / 2 + 0.3, z / 2 + 0.3) for x in range(6) for z in range(4)]
    assert _area(carved(_CORNER, full)) == _CORNER.area


@given(
    st.lists(st.tuples(st.floats(0.0, 2.7), st.floats(0.0, 1.7), st.floats(0.1, 1.0), st.floats(0.1, 1.0)), max_size=6)
)
def test_carving_never_removes_what_holds_something(spots: list[tuple[float, float, float, float]]) -> None:
    supports = [Rectangle(x, z, min(3.0, x + w), min(2.0, z + d)) for x, z, w, d in spots]
    pieces = carved(_CORNER, supports)
    assert _area(pieces) <= _CORNER.area + 1e-9
    for support in supports:
        assert _covers(pieces, (support.x0 + support.x1) / 2, (support.z0 + support.z1) / 2)


def test_pieces_never_overlap() -> None:
    for name in ROOM_NAMES[:10]:
        world = load_room(name)
        for counter in (o for o in world.objects.values() if o.object_type == "CounterTop"):
            pieces = counter_rectangles(world, counter)
            for i, one in enumerate(pieces):
                for other in pieces[i + 1 :]:
                    shared = (
                        min(one.x1, other.x1) - max(one.x0, other.x0),
                        min(one.z1, other.z1) - max(one.z0, other.z0),
                    )
                    assert min(shared) < 0.002


def test_basins_are_cut_out_of_the_worktop() -> None:
    world = load_room("FloorPlan1")
    basin = next(o for o in world.objects.values() if o.object_type == "SinkBasin")
    middle = basin.box.center
    counters = [o for o in world.objects.values() if o.object_type == "CounterTop"]
    assert any(_covers(counter_rectangles(world, c), middle.x, middle.z) for c in counters)
    assert not any(_covers(worktop_rectangles(world, c), middle.x, middle.z) for c in counters)


def test_an_outline_does_not_follow_the_crockery() -> None:
    world = load_room("FloorPlan28")
    counter = next(o for o in world.objects.values() if o.object_type == "CounterTop")
    before = counter_rectangles(world, counter)
    for inner in list(counter.contents):
        world.place(inner, None)
    assert counter_rectangles(world, world.objects[counter.object_id]) == before


def test_a_counter_in_another_place_is_carved_anew() -> None:
    world = load_room("FloorPlan1")
    unknown = replace(
        next(o for o in world.objects.values() if o.object_type == "CounterTop"),
        kind=replace(next(iter(world.objects.values())).kind, object_id="CounterTop|x", object_type="CounterTop"),
    )
    first = counter_rectangles(world, unknown)
    moved = replace(unknown, box=unknown.box.moved(unknown.box.size))
    second = counter_rectangles(world, moved)
    assert _area(first) > 0
    assert not _covers(second, rectangle_of(unknown.box).x0 + 0.01, rectangle_of(unknown.box).z0 + 0.01)
