"""Slicing: counts, ids, names, places and what the pieces inherit."""

from __future__ import annotations

import math

import pytest

from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.facts import PIECES
from teach_agents.simulator.embedded.slicing import pieces_of
from tests.simulator.embedded.worlds import Kitchen


@pytest.mark.parametrize("object_type, low, high", [("Apple", 3, 3), ("Tomato", 7, 7), ("Potato", 6, 9), ("Egg", 1, 1)])
def test_the_number_of_pieces_is_the_prefabs(object_type: str, low: int, high: int) -> None:
    kitchen = Kitchen()
    base = kitchen.id(object_type)
    assert kitchen.do("SliceObject", base, force=True).success
    made = [i for i in kitchen.world.objects if i.startswith(f"{base}|")]
    assert low <= len(made) <= high
    assert {i.rpartition("|")[2] for i in made} == {f"{PIECES[object_type]}_{n}" for n in range(len(made))}


def test_a_bread_has_an_end_piece_that_cannot_be_toasted() -> None:
    kitchen = Kitchen()
    base = kitchen.id("Bread")
    kitchen.do("SliceObject", base, force=True)
    end = kitchen.world.objects[f"{base}|Bread_0"]
    assert end.object_type == "Bread"
    assert not end.kind.cookable
    assert not end.kind.sliceable
    assert f"{base}|BreadSliced_0" not in kitchen.world.objects
    assert kitchen.world.objects[f"{base}|BreadSliced_1"].kind.cookable


def test_the_base_stays_in_the_list_without_a_place() -> None:
    kitchen = Kitchen()
    base = kitchen.get("Tomato")
    kitchen.do("SliceObject", base.object_id, force=True)
    left = kitchen.world.objects[base.object_id]
    assert left.is_sliced
    assert not left.exists
    assert left.parents == ()
    piece = kitchen.world.objects[f"{base.object_id}|TomatoSliced_0"]
    assert piece.parents == base.parents
    assert piece.kind.name.endswith("_Slice_1")


def test_the_pieces_lie_within_the_base() -> None:
    kitchen = Kitchen()
    for object_type in PIECES:
        base = kitchen.get(object_type)
        for piece in pieces_of(base):
            for axis in range(3):
                assert base.box.low[axis] - 0.05 <= piece.box.center[axis] <= base.box.high[axis] + 0.05
            assert piece.position == pytest.approx(piece.box.center)


def test_slices_of_a_cooked_potato_are_cooked_and_hot() -> None:
    kitchen = Kitchen()
    kitchen.put("Potato", "Microwave")
    kitchen.do("CloseObject", "Microwave", force=True)
    kitchen.do("ToggleObjectOn", "Microwave", force=True)
    kitchen.do("ToggleObjectOff", "Microwave", force=True)
    base = kitchen.id("Potato")
    kitchen.do("SliceObject", base, force=True)
    pieces = [obj for i, obj in kitchen.world.objects.items() if i.startswith(f"{base}|")]
    assert all(piece.is_cooked and piece.temperature == "Hot" for piece in pieces)


def test_the_pieces_weigh_what_the_base_weighed() -> None:
    kitchen = Kitchen()
    for object_type in PIECES:
        base = kitchen.get(object_type)
        assert sum(piece.kind.mass for piece in pieces_of(base)) == pytest.approx(base.kind.mass)


def test_slicing_again_changes_nothing() -> None:
    kitchen = Kitchen()
    base = kitchen.id("Apple")
    kitchen.do("SliceObject", base, force=True)
    before = dict(kitchen.world.objects)
    assert kitchen.do("SliceObject", base, force=True).success
    assert dict(kitchen.world.objects) == before
    assert not kitchen.do("SliceObject", base).success


@pytest.mark.parametrize("object_type", ["Bread", "Lettuce", "Potato", "Tomato"])
def test_slices_stand_in_a_row_and_get_smaller(object_type: str) -> None:
    base = Kitchen().get(object_type)
    pieces = pieces_of(base)[::-1]
    away = [math.dist(piece.position, pieces[0].position) for piece in pieces]
    assert away == sorted(away)
    sizes = [_extent(piece) for piece in pieces[1:]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]
    for piece in pieces:
        assert piece.box.low.y == pytest.approx(base.box.low.y, abs=0.01)


def _extent(piece: ObjectState) -> float:
    assert piece.corners is not None
    return math.dist(piece.corners[0], piece.corners[4])
