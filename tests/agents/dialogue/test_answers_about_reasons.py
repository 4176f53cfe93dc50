"""Why: of the deed that a question names."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.answers_about_reasons import with_reason_asked
from teach_agents.core.dialogue import Reading
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


def _asked(*said: str, asked: str, room: str = "FloorPlan1", **meanings: str) -> str:
    told = Room(room, meanings={asked: "?why", **meanings})
    for text in said:
        told.say(text)
    return told.say(asked).text


_DEEDS = ("open the fridge", "close the fridge", "pick up the mug", "put it in the sink", "turn left")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("why did you open it?", "Because you asked me to open the fridge."),
        ("why did you close it?", "Because you asked me to close the fridge."),
        ("why did you move the mug?", "Because you asked me to put the mug in the sink."),
        ("why is the fridge open?", "The fridge is closed now."),
        ("why is the fridge closed?", "Because you asked me to close the fridge."),
        ("why do you hold the mug?", "I am not holding the mug."),
        ("Why are you carrying a knife?", "I am not holding the knife."),
        ("why did you open the microwave", "I did not open the microwave."),
        ("how come you washed the mug?", "I did not wash the mug."),
        ("why didn't you slice the bread?", "You have not asked me to."),
        ("why didn't you close the fridge?", "I did: I closed the fridge."),
    ],
)
def test_the_reason_of_the_deed_that_is_named_is_told(asked: str, said: str) -> None:
    assert _asked(*_DEEDS, asked=asked).startswith(said)


@pytest.mark.parametrize(
    "asked",
    ["why did you take the knife?", "why did you open the drawer?", "why is the bread sliced?"],
)
def test_what_was_done_on_the_way_has_its_reason(asked: str) -> None:
    assert _asked("slice the bread", asked=asked) == "Because you asked me to slice the bread."


def test_why_something_is_held_is_told() -> None:
    asked = "why do you have that apple in your hand?"
    assert _asked("bring me the apple", "turn left", asked=asked) == "Because you asked me to bring you the apple."


@pytest.mark.parametrize(
    "asked", ["why won't you wash the pan?", "Why can't you wash the pan?", "how come you didn't?"]
)
def test_what_is_forbidden_is_the_reason_for_not_doing_it(asked: str) -> None:
    room = Room("FloorPlan1", meanings={"don't wash the pan": "never(wash(pan))", asked: "?why"})
    room.say("don't wash the pan")
    room.say("wash the pan")
    assert "don't wash the pan" in room.say(asked).text


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        ("why won't you wash the pan", "wash(pan)", "?why"),
        ("why can't you wash the pan?", "?why; wash(pan)", "?why"),
        ("why don't you wash the pan?", "wash(pan)", "wash(pan)"),
        ("why won't you wash the pan? wash it now!", "?why; wash(it)", "?why; wash(it)"),
        ("wash the pan", "wash(pan)", "wash(pan)"),
        ("I didn't tell you to wash the pan", "allow(wash(pan))", "?why"),
        ("who told you to do that?", "?did", "?why"),
    ],
)
def test_who_asks_why_it_is_not_done_orders_nothing(text: str, read: str, meant: str) -> None:
    assert write_meaning(with_reason_asked(Reading(read_meaning(read), 0.6, "heads"), text).acts) == meant


@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        (
            ("open the fridge",),
            "I didn't tell you to open the fridge",
            "I understood that you wanted me to open the fri",
        ),
        (("open the fridge",), "who told you to do that?", "I understood that you wanted me to open the fridge."),
        (("open the fridge",), "I never asked you to wash the mug", "I did not wash the mug."),
        (
            ("put the mug in the sink", "where is the mug?"),
            "why there?",
            "Because you asked me to put the mug in the sin",
        ),
        (("open the fridge", "did you slice the bread?"), "why not?", "You have not asked me to."),
        (("open the fridge",), "why did you stop?", "Because I was done."),
        (("open the fridge", "close the fridge"), "why did you leave the fridge open?", "The fridge is closed now."),
        (("open the fridge", "close the fridge"), "why is it still open?", "The fridge is closed now."),
        (("open the fridge",), "why is the kitchen so big?", "I do not know why."),
        (
            ("put the mug in the sink",),
            "why is the mug in the sink?",
            "Because you asked me to put the mug in the sink",
        ),
        (("bring me the mug",), "I didn't ask for the mug", "I understood that you wanted me to bring you the mug."),
        (("pick up the mug", "put it in the sink"), "why do you still have it?", "I am not holding the mug."),
    ],
)
def test_what_is_only_pointed_at_has_its_reason(said: tuple[str, ...], asked: str, told: str) -> None:
    assert _asked(*said, asked=asked).startswith(told)


def test_what_it_is_not_to_do_again_is_forbidden() -> None:
    room = Room("FloorPlan1", meanings={"don't ever do that again": "stop"})
    room.say("open the fridge")
    room.say("close the fridge")
    room.say("open the fridge")
    room.say("don't ever do that again")
    room.say("close the fridge")
    assert not room.say("open the fridge").touched


def test_what_it_took_itself_needs_no_look() -> None:
    room = Room("FloorPlan1", meanings={"where did you get the knife?": "?where(knife)"}, looks_for_itself=True)
    room.say("slice the bread")
    said = room.say("where did you get the knife?")
    assert not said.done and "knife was" in said.text


def test_where_it_found_what_it_never_took_is_not_so() -> None:
    room = Room("FloorPlan1", meanings={"where did you find the mug?": "?where(mug)"})
    assert room.say("where did you find the mug?").text.startswith("I have not moved the mug.")
