""" "It" of what the same words named in passing."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "meaning", "done"),
    [
        ("I think I left the fridge open, can you have a go at opening it?", "open(it)", "Open"),
        ("I cannot find my fork anywhere. Could you bring it here?", "get(it)", "Pickup"),
        ("the tomato is for the salad so cut it up", "slice(it)", "Slice"),
    ],
)
def test_it_is_what_was_named_before_it(text: str, meaning: str, done: str) -> None:
    said = Room(meanings={text: meaning}).say(text)
    assert said.done[done] == 1, said.text


def test_it_is_what_was_spoken_of_where_the_words_name_nothing_that_suits() -> None:
    room = Room(meanings={"the drawer is stuck, bring it": "get(it)", "where is the mug": "?where(mug)"})
    assert "it" in room.say("the drawer is stuck, bring it").text and not room.holding()
    room.say("where is the mug")
    room.say("the drawer is stuck, bring it")
    assert room.holding() == "Mug"


def test_one_is_one_of_those_that_were_named_before_it() -> None:
    text = "see the drawers? the one under the microwave, open that one please"
    room = Room(meanings={text: "open(one @below microwave)"})
    said = room.say(text)
    assert said.done["Open"] == 1 and "drawer" in said.text


@pytest.mark.parametrize(
    ("meaning", "rule"),
    [
        ("fact(cooker: broken); never(touch(it))", "not to touch cookers"),
        ("fact(egg @in fridge); never(open(it))", "not to open the fridge"),
        ("fact(egg @in fridge); never(touch(it))", "not to touch the egg"),
    ],
)
def test_what_a_fact_is_of_is_what_is_forbidden_behind_it(meaning: str, rule: str) -> None:
    room = Room("FloorPlan1", meanings={"mind this": meaning, "any rules?": "?forbidden"})
    room.say("mind this")
    assert rule in room.say("any rules?").text
