"""Noun phrases and the things they speak of."""

from __future__ import annotations

import pytest

from teach_agents.agents.acting.grounding import describe, fits, matching
from teach_agents.understanding.english.speaking import say_reference
from teach_agents.understanding.english.understanding import understand_reference
from teach_agents.understanding.english.values import Reference, State
from tests.agents.acting.making import kitchen, row, things


def _found(phrase: str) -> list[str]:
    reference = understand_reference(phrase)
    assert reference is not None
    return [thing.object_id for thing in matching(reference, things(*kitchen()))]


@pytest.mark.parametrize(
    ("phrase", "ids"),
    [
        ("the plate that is in the sink", ["Plate|1"]),
        ("all the dirty plates", ["Plate|0", "Plate|1"]),
        ("a clean plate", []),
        ("all the dishware", ["Plate|0", "Plate|1"]),
        ("a sharp utensil", ["Knife|0"]),
        ("the counter with a knife on it", ["CounterTop|0"]),
        ("the sink with a knife in it", []),
    ],
)
def test_a_phrase_finds_what_it_speaks_of(phrase: str, ids: list[str]) -> None:
    assert _found(phrase) == ids


def test_a_slice_is_no_whole_but_a_fruit_all_the_same() -> None:
    room = things(row("TomatoSliced", 0), row("Tomato", 1))
    assert [thing.object_id for thing in matching(Reference("Tomato"), room)] == ["Tomato|1"]
    assert len(matching(Reference("Fruit"), room)) == 2
    assert [thing.object_id for thing in matching(Reference("Slice"), room)] == ["TomatoSliced|0"]


def test_a_sliced_base_is_gone() -> None:
    room = things(row("Bread", 0, sliceable=True, isSliced=True))
    assert len(room) == 0


def test_a_description_always_fits_and_survives_being_said() -> None:
    room = things(*kitchen())
    for thing in room:
        reference = describe(thing, room, (State.CLEAN, State.DIRTY))
        assert fits(reference, thing, room)
        assert understand_reference(say_reference(reference)) == reference
        if reference.definite:
            assert matching(reference, room) == [thing]


def test_things_that_cannot_be_told_apart_are_not_called_the() -> None:
    room = things(row("Fork", 0), row("Fork", 1))
    assert not describe(next(iter(room)), room).definite


def test_only_portable_holders_hand_on_what_holds_them() -> None:
    room = things(
        row("CounterTop", 0, "Sink|0", receptacle=True),
        row("Sink", 0, receptacle=True),
        row("Plate", 0, "CounterTop|0", receptacle=True, pickupable=True),
        row("TomatoSliced", 0, "Plate|0", pickupable=True),
    )
    slice_ = room.of("TomatoSliced")[0]
    assert [holder.object_id for holder in room.holders(slice_)] == ["Plate|0", "CounterTop|0"]
