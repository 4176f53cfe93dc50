"""Orders that wait for what only people can tell of, and the words that tell of it."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.awaited_events import event_of, tells_of
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("When the doorbell rings, go to the door.", "the doorbell rings"),
        ("when the bell rings go and stand by the door", "the bell rings"),
        ("Turn off the lamp once I'm in bed, please", "i'm in bed"),
        ("as soon as Mum gets home, turn on the telly", "mum gets home"),
        ("When my phone rings, bring it to me", "my phone rings"),
    ],
)
def test_what_an_order_waits_for(text: str, event: str) -> None:
    assert event_of(text).startswith(event)


@pytest.mark.parametrize(
    "text",
    [
        "when the fridge is open, close it",
        "put the mug in the sink when it's empty",
        "put the pen away when you have a moment",
        "wash the plates after dinner",
        "put the pen on the bed after the pencil",
        "When I say left I mean right",
        "when was it, robot?",
    ],
)
def test_what_can_be_seen_or_is_no_matter_is_waited_for_by_no_order(text: str) -> None:
    assert event_of(text) == ""


@pytest.mark.parametrize(
    ("report", "event", "tells"),
    [
        ("The doorbell just rang.", "the doorbell rings", True),
        ("That was the bell!", "the bell rings", True),
        ("The movie has finished", "the film's over", True),
        ("I'm in bed now", "i'm in bed", True),
        ("Mum's back", "mum gets home", True),
        ("The film isn't over yet", "the film's over", False),
        ("The film is boring", "the film's over", False),
        ("When will Mum be home?", "mum gets home", False),
    ],
)
def test_what_tells_that_it_has_come(report: str, event: str, tells: bool) -> None:
    assert tells_of(report, event) == tells


@pytest.mark.parametrize("meaning", ["if(film: over) turn_off(desk_lamp)", "turn_off(desk_lamp)"])
def test_an_order_is_done_when_somebody_tells_that_its_time_has_come(meaning: str) -> None:
    told, still = "Once the film's over, turn off the desk lamp.", "the film isn't over yet"
    meanings = {told: meaning, still: "fact(the film is not over)", "The movie has ended.": "chat(it has ended)"}
    room = Room("FloorPlan304", meanings=meanings)
    assert not room.say(told).touched and not room.say(still).touched
    assert room.say("The movie has ended.").touched and not room.one("DeskLamp")["isToggled"]


def test_what_is_to_be_done_whenever_somebody_does_something_is_read_by_itself() -> None:
    told, now = "Whenever we eat, could you turn round?", "We're eating now."
    room = Room("FloorPlan304", meanings={now: "fact(eating)"})
    assert not room.say(told).done["Turn Left"]
    assert room.say(now).done["Turn Left"] == 2
