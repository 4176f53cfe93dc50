"""What is to be left somewhere is put there first, where it is elsewhere; how a thing looks may be told behind it."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_LEAVE = "Just leave the cloth in the sink, I'll deal with it later."


def test_what_is_elsewhere_is_put_where_it_is_to_be_left() -> None:
    room = Room("FloorPlan402", setup=["put Cloth on CounterTop"], meanings={_LEAVE: "never(move(cloth))"})
    room.say(_LEAVE)
    assert room.is_in("Cloth", "Sink")


@pytest.mark.parametrize("place", ["Bed", "Dresser"])
def test_what_is_in_the_hand_is_left_where_something_else_is(place: str) -> None:
    text = "Good, now leave it where my phone is."
    setup = [f"put CellPhone on {place}", "put Book on Desk"]
    room = Room("FloorPlan301", setup=setup, meanings={text: "praise; never(move(it))"})
    room.say("pick up the book")
    room.say(text)
    assert room.is_in("Book", place)


@pytest.mark.parametrize("read", ["put(it, at there)", "never(move(it))"])
def test_what_is_in_the_hand_goes_where_something_else_was_told_to_lie(read: str) -> None:
    text = "Okay, leave it there as well."
    room = Room("FloorPlan213", meanings={"What's lying on the sofa?": "?on(sofa)", text: read})
    room.say("pick up the book")
    room.say("What's lying on the sofa?")
    room.say(text)
    assert room.is_in("Book", "Sofa")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Books go on the dresser, please.", True),
        ("The book goes on the dresser.", True),
        ("Books always go on the dresser.", False),
        ("Books go on the bed.", False),
    ],
)
def test_where_a_thing_at_hand_goes_is_an_order(text: str, moves: bool) -> None:
    room = Room("FloorPlan301", meanings={text: "fact(books go there)"})
    assert bool(room.say(text).done["Place"]) is moves


def test_what_is_there_already_is_to_stay_there() -> None:
    room = Room("FloorPlan402", setup=["put Cloth in Sink"], meanings={_LEAVE: "never(move(cloth))"})
    assert not room.say(_LEAVE).done


def test_where_there_is_no_such_place_that_is_said() -> None:
    text = "Please leave the cloth in the bedroom."
    room = Room("FloorPlan402", meanings={text: "never(move(cloth @in bedroom))"})
    assert "bedroom" in room.say(text).text


@pytest.mark.parametrize("lit", ["DeskLamp", "FloorLamp"])
def test_a_clause_tells_which_of_several_is_meant(lit: str) -> None:
    text = "Switch off the lamp that's still burning."
    unlit = {"DeskLamp": "FloorLamp", "FloorLamp": "DeskLamp"}[lit]
    room = Room("FloorPlan205", setup=[f"off {unlit}"], meanings={text: "turn_off(lamp)"})
    assert "Which" not in room.say(text).text
    assert not room.one(lit)["isToggled"]


def test_one_is_one_of_what_was_named_before_in_the_same_words() -> None:
    text = "I want to boil an egg, hand me one that's still whole"
    room = Room("FloorPlan7", meanings={text: "get(whole one)"})
    room.say(text)
    assert room.holding() == "Egg"


@pytest.mark.parametrize("holds", ["coffee", ""])
def test_what_is_left_in_a_cup_is_tipped_out_before_it_is_filled(holds: str) -> None:
    text = "Fill the cup with water. If there's anything left in it, just tip it down the drain."
    meant = "fill(cup, with water); if(anything @in it) empty(it, in drain)"
    room = Room("FloorPlan7", setup=[f"fill Cup {holds}"] if holds else [], meanings={text: meant})
    room.say(text)
    assert room.one("Cup")["isFilledWithLiquid"]


def test_who_breaks_off_before_a_place_is_asked_where() -> None:
    text = "Could you drop the remote off on the"
    room = Room("FloorPlan205", meanings={text: "drop(remote)"})
    said = room.say(text)
    assert said.text.endswith("Where should I put it?") and not said.done


def test_of_a_thing_from_somewhere_it_is_asked_which() -> None:
    text = "Fetch me that thing from the desk"
    room = Room("FloorPlan314", meanings={text: "get(thing, from desk)"})
    said = room.say(text)
    assert said.text.endswith("?") and not said.done


def test_whoever_leaves_is_not_back() -> None:
    text = "Stay exactly where you are until I'm back, then go to the fridge."
    meanings = {text: "wait; go_to(fridge)", "I'm leaving.": "bye", "I'm back.": "resume"}
    room = Room("FloorPlan7", meanings=meanings)
    room.say(text)
    assert not room.say("I'm leaving.").done
    assert room.say("I'm back.").done
