"""Things are meant by what was told that somebody likes, or cannot stand."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("told", "asked", "meaning", "meant"),
    [
        ("I do love a tomato but I detest lettuce.", "pass me the one I love", "get(one)", "Tomato"),
        ("I can't stomach tomatoes. Lettuce I enjoy.", "pass me the one I can't stomach", "get(one)", "Tomato"),
        ("Lettuce is not for me, I'm partial to the tomato.", "my favourite, please", "get(favourite one)", "Tomato"),
        ("Jo loves lettuce, Kim prefers the tomato.", "bring the thing Kim likes", "get(thing)", "Tomato"),
        ("Jo loves lettuce, Kim prefers the tomato.", "bring the thing Jo likes", "get(thing)", "Lettuce"),
        ("I like apples better than tomatoes.", "hand me the preferred one", "get(preferred one)", "Apple"),
    ],
)
@pytest.mark.parametrize("read", ["chat(well)", "fact(so it is)"])
def test_the_one_that_somebody_likes_is_brought(told: str, asked: str, meaning: str, meant: str, read: str) -> None:
    room = Room("FloorPlan6", meanings={told: read, asked: meaning})
    room.say(told)
    room.say(asked)
    assert room.holding() == meant


def test_nothing_is_made_of_likings_that_were_not_told() -> None:
    room = Room("FloorPlan6", meanings={"the one I like": "get(liked one)"})
    assert not room.say("the one I like").touched


def test_what_somebody_cannot_have_is_not_fetched() -> None:
    other = "I can't have eggs, get me the lettuce"
    room = Room("FloorPlan6", meanings={"I can't have lettuce.": "get(lettuce)", other: "get(lettuce)"})
    assert not room.say("I can't have lettuce.").done
    assert room.say(other).touched
