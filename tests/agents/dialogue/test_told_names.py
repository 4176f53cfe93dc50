"""Names, owners and marks that people tell, and what descriptions come to by them."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.dialogue_state import MY_NAME, Told
from teach_agents.agents.dialogue.told_names import as_told, names_told
from teach_agents.understanding.notation import read_phrase, write_phrase
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "noun", "state"),
    [
        ("In this family we call the remote the doofer.", "remote", "called doofer"),
        ('we called the coffee table "island"', "coffee_table", "called island"),
        ("my reading spot is the sofa, remember that", "sofa", "called reading spot"),
        ("when I say your parking spot, I mean the place next to the toilet", "toilet", "called parking spot"),
        ("the command centre is the desk by the window", "desk", "called command centre"),
        ("Hello there, I'm Rosa.", MY_NAME, "Rosa"),
        ("my name is Ben", MY_NAME, "Ben"),
    ],
)
def test_names_are_found_in_what_was_said(text: str, noun: str, state: str) -> None:
    (found,) = names_told(text, 3)
    assert (found.noun, found.state, found.turn) == (noun, state, 3)


@pytest.mark.parametrize(
    "text",
    [
        "I'm home",
        "call me when the tea is ready",
        "what is that called?",
        "call the dog",
        "my favourite is the red mug",
        "the problem is the fridge",
    ],
)
def test_what_is_no_name_is_none(text: str) -> None:
    assert names_told(text, 0) == []


def test_descriptions_are_what_was_told_of_them() -> None:
    facts = [
        Told("we call the remote the doofer", 0, "remote", "", "called doofer", "remote"),
        Told("the bowl is mine", 1, "bowl", "", "mine", "bowl"),
        Told("the spare loo roll is in the cupboard", 2, "loo_roll", "cupboard", "", "spare loo_roll @in cupboard"),
    ]

    def meant(text: str) -> str:
        return write_phrase(as_told(read_phrase(text), facts))

    assert meant("doofer") == "remote" and meant("mine") == "bowl"
    assert meant("spare") == meant("spare loo_roll") == "loo_roll @in cupboard"
    assert meant("spare mug") == "spare mug", "that was said of another thing"
    assert meant("dirty bowl") == "dirty bowl" and meant("it") == "it"


def test_a_thing_is_brought_by_the_name_that_was_told_of_it() -> None:
    told = "In this family we call the remote the doofer."
    meanings = {"pass me the doofer": "get(doofer)", told: "fact(we call the remote the doofer)"}
    room = Room("FloorPlan204", meanings=meanings)
    assert "doofer" in room.say("pass me the doofer").text and not room.holding()
    room.say(told)
    room.say("pass me the doofer")
    assert room.holding() == "RemoteControl"


def test_who_told_their_name_is_told_it() -> None:
    room = Room(meanings={"Do you know what I'm called?": "?other(what am i called)"})
    assert "You are" not in room.say("Do you know what I'm called?").text
    room.say("Hello, I'm Rosa.")
    assert "You are Rosa." in room.say("Do you know what I'm called?").text


def test_a_name_is_understood_although_it_is_mistyped() -> None:
    told = "jsut so u knwo: wen i say the uusal place i maen the sinkk"
    meanings = {told: "fact(when i say the usual place i mean the sink)", "mug there": "put(mug, in usual place)"}
    room = Room(meanings=meanings)
    room.say(told)
    room.say("mug there")
    assert room.is_in("Mug", "Sink") or room.is_in("Mug", "SinkBasin")
