"""What is told in passing is spoken of: "it" may be that."""

from __future__ import annotations

from itertools import pairwise

import pytest

from teach_agents.actions import Role
from teach_agents.core.agents.contract import Briefing
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize("read", ["chat(my day)", "fact(my day was long)", "unclear", "complain"])
def test_it_is_what_was_complained_of(read: str) -> None:
    told = "I fell over that laptop again, what a day."
    room = Room("FloorPlan303", meanings={told: read, "shut it": "close(it)"})
    room.say(told)
    room.say("shut it")
    assert not room.one("Laptop")["isOpen"]


def test_it_is_what_lies_where_something_was_said_to_lie() -> None:
    told = "There is something lying in the sink."
    room = Room(
        "FloorPlan402",
        setup=["put SoapBar in Sink", "put Candle on CounterTop"],
        meanings={told: "fact(something @in sink)", "hand it over": "get(it)"},
    )
    room.say(told)
    room.say("hand it over")
    assert room.holding() == "SoapBar"


def test_a_slip_of_the_tongue_is_mended_however_it_was_read() -> None:
    slip = "Silly me, I said tomato when I meant the apple."
    room = Room("FloorPlan5", meanings={"tomato please": "put(tomato, in fridge)", slip: "put(tomato)"})
    room.say("tomato please")
    room.say(slip)
    assert room.is_in("Apple", "Fridge")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("whatever the floor lamp is, make it the opposite", "turn_on(floor_lamp)"),
        ("toggle the floor lamp, would you", "turn_on(floor_lamp)"),
        ("flick the floor lamp", "turn_off(floor_lamp)"),
        (
            "on or off, whichever it is, make it the other",
            "if(floor_lamp: on) turn_off(it); unless(floor_lamp: on) turn_on(it)",
        ),
    ],
)
@pytest.mark.parametrize("setup", [(), ("off FloorLamp",)])
def test_what_is_to_be_the_other_way_is_switched(text: str, meaning: str, setup: tuple[str, ...]) -> None:
    room = Room("FloorPlan207", setup=setup, meanings={text: meaning})
    was = room.one("FloorLamp")["isToggled"]
    room.say(text)
    assert room.one("FloorLamp")["isToggled"] is not was


def test_what_was_meant_is_told_before_that_is_asked_for_instead() -> None:
    slip = "Ah, I meant the apple. Could you get that instead?"
    room = Room("FloorPlan5", meanings={"tomato please": "get(tomato)", slip: "instead(that)"})
    room.say("tomato please")
    room.say(slip)
    assert room.holding() == "Apple"


@pytest.mark.parametrize("person", [True, False])
def test_a_person_who_praises_is_answered_and_an_agent_is_not(person: bool) -> None:
    room = Room("FloorPlan1", meanings={})
    room.follower.begin(Briefing("test", Role.FOLLOWER, person=person))
    room.say("turn left")
    said = [room.say(text).text for text in ("Good job!", "well done", "good robot")]
    assert all(said) is person and any(said) is person
    assert not person or all(one != other for one, other in pairwise(said))


def test_a_turn_is_acknowledged_once() -> None:
    text = "do not open the fridge, my zebramug is in it"
    room = Room("FloorPlan1", meanings={text: "never(open(fridge)); fact(zebramug @in fridge)"})
    assert room.say(text).text.count(".") == 1


@pytest.mark.parametrize("text", ["what is the wifi password", "what colour my scarf was", "so where did Tom go"])
def test_a_question_is_no_fact(text: str) -> None:
    room = Room("FloorPlan1", meanings={text: f"fact({text})", "what did I tell you?": "?facts"})
    room.say(text)
    assert text not in room.say("what did I tell you?").text
