"""The same place, the same drawer, the first one after all."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize("place", ["in same place", "on same spot", "in place same", "on same ottoman"])
def test_the_same_place_is_where_what_was_spoken_of_is(place: str) -> None:
    role, _, words = place.partition(" ")
    meanings = {"where?": "?where(remote_control)", "put": f"put(watch, {role} {words})"}
    room = Room("FloorPlan205", setup=("put RemoteControl on Ottoman",), meanings=meanings)
    room.say("where?")
    room.say("put")
    assert room.is_in("Watch", "Ottoman")


def test_the_same_place_is_where_something_was_just_put() -> None:
    meanings = {"put": "put(remote_control, on ottoman)", "too": "put(watch, in same place)"}
    room = Room("FloorPlan205", meanings=meanings)
    room.say("put")
    room.say("too")
    assert room.is_in("RemoteControl", "Ottoman") and room.is_in("Watch", "Ottoman")


def test_the_same_place_is_where_the_same_words_put_something() -> None:
    meanings = {"put": "put(remote_control, on ottoman); put(watch, in same place)"}
    room = Room("FloorPlan205", meanings=meanings)
    room.say("put")
    assert room.is_in("Watch", "Ottoman")


@pytest.mark.parametrize("words", ["first one", "former", "former one", "original one"])
def test_the_first_one_after_all_is_what_was_asked_for_before(words: str) -> None:
    meanings = {"pen": "get(pen)", "pencil": "instead(pencil)", "first": f"instead({words})"}
    room = Room("FloorPlan307", meanings=meanings)
    room.say("pen")
    room.say("pencil")
    assert room.holding() == "Pencil"
    room.say("first")
    assert room.holding() == "Pen"


def test_what_is_to_go_to_the_same_spot_is_put_there_though_it_was_read_as_fetched() -> None:
    more = "The remote as well, same spot."
    room = Room("FloorPlan207", meanings={"first": "put(pillow, on armchair)", more: "get(remote)"})
    room.say("first")
    room.say(more)
    assert room.is_in("RemoteControl", "ArmChair")


def test_a_clause_that_names_a_kind_tells_which_is_meant() -> None:
    text = "Pass me some soap. The bar, please."
    room = Room("FloorPlan403", meanings={text: "get(some soap)"})
    room.say(text)
    assert room.holding() == "SoapBar"


@pytest.mark.parametrize(
    ("asked", "meaning"),
    [
        ("Put my keys in their usual place.", "put(all key, in usual place)"),
        ("Put the keys where they belong.", "put_back(all key)"),
    ],
)
def test_a_usual_place_that_nobody_told_is_asked_for(asked: str, meaning: str) -> None:
    room = Room("FloorPlan321", meanings={asked: meaning, "On the desk.": "choose(there @on desk)"})
    said = room.say(asked)
    assert "Where" in said.text and not said.touched
    room.say("On the desk.")
    assert room.is_in("KeyChain", "Desk")
