"""Orders in one breath that come to one, places where things were, and how things are to be left."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_IN_SINK = ("put Mug in SinkBasin", "put Cup in SinkBasin")


@pytest.mark.parametrize(
    "read",
    [
        "pick_up(everything, from sink); put(it, on counter)",
        "pick_up(all them, from sink); put(them, on counter)",
        "empty(sink, on counter)",
        "empty(sink); put(everything, on counter)",
        "clear(sink); put(all it, on counter)",
    ],
)
def test_all_that_is_in_something_is_put_elsewhere_one_after_the_other(read: str) -> None:
    words = "take everything out of the sink and put it on the counter"
    room = Room(setup=_IN_SINK, meanings={words: read})
    room.say(words)
    assert room.is_in("Mug", "CounterTop") and room.is_in("Cup", "CounterTop")


@pytest.mark.parametrize("them", ["them", "all them", "all both"])
def test_things_that_are_fetched_in_turn_are_all_put_there(them: str) -> None:
    words = "fetch the mug and the cup and put both on the table"
    room = Room(meanings={words: f"get(mug); pick_up(cup); put({them}, on table)"})
    room.say(words)
    assert room.is_in("Mug", "DiningTable") and room.is_in("Cup", "DiningTable") and not room.holding()


def test_what_is_in_a_cup_is_poured_out() -> None:
    words = "pour out whatever's in the cup"
    room = Room(setup=("fill Cup water",), meanings={words: "pour(something @in cup)"})
    room.say(words)
    assert not room.one("Cup")["isFilledWithLiquid"]


def test_a_cup_is_not_filled_with_itself() -> None:
    words = "take the cup and fill it"
    room = Room(meanings={words: "fill(cup, with cup)"})
    room.say(words)
    assert room.one("Cup")["isFilledWithLiquid"]


def test_what_is_emptied_of_a_vessel_is_poured() -> None:
    words = "empty the mug into the sink"
    room = Room(setup=("fill Mug water",), meanings={words: "empty(mug, in sink)"})
    room.say(words)
    assert not room.one("Mug")["isFilledWithLiquid"]


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("the apple in the bin, then put the tomato where the apple was", "put(tomato, near apple)"),
        ("the apple in the bin, then put the tomato where it was", "put(tomato, at there)"),
        ("the apple in the bin and put the tomato in its place", "put(tomato, in bin)"),
        ("the apple in the bin and the tomato in the place of the apple", "put(tomato, in place of apple)"),
    ],
)
def test_where_something_was_is_where_it_was_before_it_was_moved(words: str, read: str) -> None:
    room = Room(setup=("put Apple in Microwave",), meanings={words: f"throw_away(apple); {read}"})
    room.say(words)
    assert room.is_in("Apple", "GarbageCan") and room.is_in("Tomato", "Microwave")


@pytest.mark.parametrize("read", ["if(lid: open) drop(it)", "drop(toilet_lid)", "if(toilet_lid: open) put(it)"])
def test_to_put_a_lid_down_is_to_close_it(read: str) -> None:
    words = "if the lid is up, put it down"
    room = Room("FloorPlan420", setup=("open Toilet",), meanings={words: read})
    room.say(words)
    assert not room.one("Toilet")["isOpen"]


@pytest.mark.parametrize("read", ["close(fridge)", "find(open fridge)", "never(close(fridge))"])
def test_what_somebody_wants_to_find_open_is_left_open(read: str) -> None:
    words = "the egg goes in the bowl, and I'd like to find the fridge door open afterwards"
    room = Room(setup=("put Egg in Fridge",), meanings={words: f"put(egg, in bowl); {read}"})
    room.say(words)
    assert room.is_in("Egg", "Bowl") and room.one("Fridge")["isOpen"]


def test_what_is_to_be_left_closed_is_closed() -> None:
    words = "put the egg in the bowl and leave the fridge door closed"
    room = Room(setup=("put Egg in Fridge", "open Fridge"), meanings={words: "put(egg, in bowl); never(close(fridge))"})
    room.say(words)
    assert room.is_in("Egg", "Bowl") and not room.one("Fridge")["isOpen"]


@pytest.mark.parametrize("dirty", ["Plate", "Bowl"])
def test_of_either_the_one_that_is_dirty_is_washed(dirty: str) -> None:
    words = "Either the plate or the bowl is dirty. Wash the dirty one"
    room = Room(setup=(f"dirty {dirty}",), meanings={words: "if(bowl: dirty) wash(dirty one)"})
    room.say(words)
    assert not room.one(dirty)["isDirty"]


def test_what_is_taken_out_of_something_is_put_elsewhere_and_never_what_it_was_in() -> None:
    words = "there's something in the box, take it out and put it on the sofa"
    meanings = {words: "pick_up(something, from box); put(it, on sofa)"}
    room = Room("FloorPlan213", setup=("put Watch in Box",), meanings=meanings)
    room.say(words)
    assert room.is_in("Watch", "Sofa") and not room.is_in("Box", "Sofa")


@pytest.mark.parametrize(
    ("text", "left"),
    [("Empty the cup and leave it in the sink, thanks.", True), ("Empty the cup into the sink", False)],
)
def test_what_is_emptied_is_left_where_the_words_say(text: str, left: bool) -> None:
    room = Room("FloorPlan27", setup=["fill Cup water"], meanings={text: "empty(cup, in sink)"})
    room.say(text)
    assert not room.one("Cup")["isFilledWithLiquid"]
    assert room.is_in("Cup", "Sink") is left


@pytest.mark.parametrize("read", ["put(thing @in it, on bed)", "put(everything @in bowl, on bed)"])
def test_what_is_in_a_bowl_that_is_emptied_goes_where_it_is_to_go(read: str) -> None:
    text = "Please empty the bowl on the desk, the thing in it goes on the bed."
    room = Room("FloorPlan308", setup=["put Pen in Bowl"], meanings={text: f"empty(bowl @on desk); {read}"})
    room.say(text)
    assert room.is_in("Pen", "Bed")


def test_who_wants_tea_and_asks_for_a_cup_gets_the_cup_and_no_excuse() -> None:
    text = "I want tea. Bring me the cup."
    room = Room("FloorPlan27", meanings={text: "get(tea); get(cup)"})
    assert "cannot" not in room.say(text).text
    assert room.holding() == "Cup"


def test_what_is_to_be_done_first_is_done_first() -> None:
    text = "Put the mug in the cabinet, but first fill it with water."
    said = Room("FloorPlan1", meanings={text: "put(mug, in cabinet); fill(it, with water)"}).say(text).text
    assert said.index("filled the mug") < said.index("cabinet")


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("Turn on the coffee machine, wait for it to finish and turn it off.", True),
        ("Turn on the coffee machine, wait a minute, then turn it off.", True),
        ("Turn on the coffee machine, wait for me, then turn it off.", False),
    ],
)
def test_what_comes_by_itself_is_not_waited_for(text: str, goes_on: bool) -> None:
    room = Room("FloorPlan1", meanings={text: "turn_on(coffee_machine); wait; turn_off(it)"})
    assert (room.say(text).done["ToggleOff"] == 1) is goes_on
