"""Rules that end all at once."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.wide_permissions import frees_all
from tests.agents.dialogue.talking import Room

_FRIDGE, _KNIFE, _ALL = "don't open the fridge", "don't use the knife", "please don't touch anything"
_RULES = {_FRIDGE: "never(open(fridge))", _KNIFE: "never(touch(knife))", _ALL: "never(touch(anything))"}


@pytest.mark.parametrize(
    "text",
    [
        "all rules are off",
        "do what you want",
        "ok, do whatever you like again",
        "you're free again",
        "forget everything I said",
        "never mind the rules",
        "No more rules.",
        "I take it all back",
        "nothing is forbidden anymore",
        "ok now you can do anything",
        "everything is allowed again",
        "all clear, you're free to do as you like",
    ],
)
def test_wide_words_do_away_with_all_rules(text: str) -> None:
    assert frees_all(text)


@pytest.mark.parametrize(
    "text",
    [
        "don't do what you want",
        "can I do what I want?",
        "do what you like with the mug",
        "forget everything I said about the knife",
        "you're free again when I'm back",
        "you can do anything but use the knife",
        "forget the rule about the knife",
        "everything else is fine",
        "are you free?",
        "you're not free to do what you want",
    ],
)
def test_narrow_words_do_not(text: str) -> None:
    assert not frees_all(text)


@pytest.mark.parametrize(
    ("text", "meaning", "left"),
    [
        ("do whatever you like", "?forbidden", ""),
        ("ok you can do everything again", "resume", ""),
        ("you may touch everything again", "allow(touch(everything))", ""),
        ("you can open everything again", "allow(open(everything))", "knives"),
        ("you can touch anything else", "allow(touch(anything else))", "fridge or touch knives"),
        ("you can touch everything but the knife", "allow(touch(everything))", "knives"),
    ],
)
def test_all_that_words_free_is_free(text: str, meaning: str, left: str) -> None:
    room = Room("FloorPlan1", meanings=_RULES | {text: meaning})
    room.say(_FRIDGE)
    room.say(_KNIFE)
    room.say(text)
    told = room.say("what is forbidden?").text
    assert told.endswith(f"{left}.") if left else "ot" in told and "fridge" not in told and "kni" not in told


def test_a_permission_may_have_an_order_with_it() -> None:
    text = "all rules are off, open the fridge"
    room = Room("FloorPlan1", meanings=_RULES | {text: "allow(open(fridge))"})
    room.say(_FRIDGE)
    assert room.say(text).done["Open"] == 1


def test_what_waits_for_leave_is_done_when_all_is_free() -> None:
    free = "ok, you may touch everything again"
    room = Room("FloorPlan1", meanings=_RULES | {free: "allow(touch(everything))"})
    room.say(_ALL)
    assert not room.say("slice the bread").touched
    assert "did not finish" not in (said := room.say(free)).text and said.done["Slice"] == 1
    assert room.say("bring me the apple").done["Pickup"] == 1


def test_what_it_asked_leave_for_is_spoken_of() -> None:
    room = Room("FloorPlan1", meanings=_RULES)
    room.say(_ALL)
    room.say("slice the bread")
    room.say("no")
    assert "all the same" in room.say("slice it").text
    assert room.say("yes").done["Slice"] == 1


def test_what_was_done_before_a_rule_stood_in_the_way_is_told() -> None:
    told = "don't put the knife anywhere"
    room = Room("FloorPlan1", meanings={told: "never(put(knife))"})
    room.say(told)
    said = room.say("slice the bread")
    assert "I sliced the bread." in said.text and told in said.text


@pytest.mark.parametrize(
    "text", ["are you free", "hey robot are you free now", "everything is fine now", "I hope everything is fine again"]
)
def test_small_talk_frees_nothing(text: str) -> None:
    assert not frees_all(text)
