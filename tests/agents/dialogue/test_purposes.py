"""Things asked for by what they are for, and what is in view."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.purposes import with_purpose
from teach_agents.understanding.notation import read_phrase
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("something to write with", {"Pen", "Pencil"}),
        ("something to eat", {"Apple", "Bread", "Lettuce", "Tomato"}),
        ("something to wear", set()),
        ("something to eat with", {"Fork", "Spoon"}),
        ("something to drink from", {"Cup", "Mug"}),
        ("something to drink cocoa from", {"Cup", "Mug"}),
        ("cutting thing", {"Knife"}),
        ("reading thing", {"Book"}),
        ("interesting thing", set()),
        ("mug", set()),
    ],
)
def test_types_are_found_by_what_they_are_for(text: str, kinds: set[str]) -> None:
    assert with_purpose(read_phrase(text))[1] == kinds


def test_something_to_eat_is_brought() -> None:
    room = Room(meanings={"I could do with something to eat": "get(something to eat)"})
    room.say("I could do with something to eat")
    assert room.holding() in ("Apple", "Bread", "Lettuce", "Tomato")


def test_it_says_whether_it_sees_a_thing_and_where_that_is_else() -> None:
    room = Room(meanings={"can you see a toaster?": "?see(toaster)", "and an egg?": "?see(egg)"})
    assert room.say("can you see a toaster?").text.startswith("Yes, I see the toaster on the counter")
    assert room.say("and an egg?").text.startswith("No, not from here: the egg is ")


def test_what_lies_on_a_place_is_free_again_with_the_place() -> None:
    meanings = {
        "leave everything on the counter alone": "never(touch(everything @on counter))",
        "the counter is free again": "allow(touch(counter))",
        "the apple please": "get(apple)",
    }
    room = Room(meanings=meanings)
    room.say("leave everything on the counter alone")
    room.say("the apple please")
    assert not room.holding()
    room.say("the counter is free again")
    room.say("the apple please")
    assert room.holding() == "Apple"


def test_a_thing_is_found_by_the_use_that_its_words_tell() -> None:
    room = Room(meanings={"I need something I can cut with": "get(something)"})
    room.say("I need something I can cut with")
    assert room.holding() == "Knife"


def test_of_things_for_one_use_the_forbidden_one_is_left() -> None:
    words = "something I can drink cocoa out of, please"
    room = Room("FloorPlan1", meanings={"hands off the mug": "never(touch(mug))", words: "get(something)"})
    room.say("hands off the mug")
    room.say(words)
    assert room.holding() == "Cup"


@pytest.mark.parametrize("text", ["drawing thing", "thing +drawing", "thing for drawing", "drawing tool"])
def test_what_is_for_doing_something_is_found(text: str) -> None:
    assert with_purpose(read_phrase(text.replace(" for ", "_for_")))[1] == {"Pencil"}


def test_it_asks_which_of_two_kinds_that_serve_is_the_one() -> None:
    room = Room("FloorPlan301", meanings={"hand me the thing for writing": "get(writing thing)"})
    said = room.say("hand me the thing for writing")
    assert "pen " in said.text and "pencil" in said.text and said.text.endswith("?") and not said.touched


@pytest.mark.parametrize("there", ["Pen", "Pencil"])
def test_the_one_on_the_bed_is_what_serves_for_what_was_said_before(there: str) -> None:
    text = "I need something to write with, get me the one that's lying on the bed"
    room = Room("FloorPlan301", setup=[f"put {there} on Bed"], meanings={text: "get(one @on bed)"})
    room.say(text)
    assert room.holding() == there
