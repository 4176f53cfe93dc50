"""A piece of what was cut, and a plate with what was put on it."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Cut the loaf and hand me a piece of it", "slice(bread); get(piece of it)"),
        ("slice the bread, then give me a bit", "slice(bread); get(bit)"),
    ],
)
def test_a_piece_is_of_what_was_cut_in_the_same_words(text: str, read: str) -> None:
    room = Room(meanings={text: read})
    room.say(text)
    assert room.holding() == "BreadSliced"


@pytest.mark.parametrize("cut", ["Tomato", "Apple"])
def test_a_piece_is_of_the_one_that_is_cut_up(cut: str) -> None:
    text = "Get me a piece of the one that is already cut up"
    room = Room("FloorPlan22", setup=[f"slice {cut}"], meanings={text: "get(piece of sliced one)"})
    room.say(text)
    assert room.holding() == f"{cut}Sliced"


def test_a_piece_is_of_what_was_cut_before() -> None:
    room = Room(meanings={"cut it": "slice(apple)", "could I have a piece?": "get(piece)"})
    room.say("cut it")
    room.say("could I have a piece?")
    assert room.holding() == "AppleSliced"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("pop the apple on a plate and carry it over here", "put(apple, on plate); get(it)"),
        ("take a plate, lay the apple on it and bring it", "pick_up(plate); put(apple, on it); get(it)"),
    ],
)
def test_what_something_was_put_on_is_brought_with_it(text: str, read: str) -> None:
    room = Room(meanings={text: read})
    room.say(text)
    assert room.holding() == "Plate" and room.is_in("Apple", "Plate")


def test_what_is_cooked_in_a_pot_goes_on_the_stove_in_it() -> None:
    text = "potato in the pot, and put it on the stove"
    room = Room(meanings={text: "put(potato, in pot); put(it, on stove)"})
    room.say(text)
    assert room.is_in("Pot", "StoveBurner") and room.is_in("Potato", "Pot")
