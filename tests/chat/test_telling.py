"""What happens is told in words: walks in one line, failures with their hints, nothing twice."""

from __future__ import annotations

import numpy as np
import pytest
from rich.console import Console

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.acting.body import SkillError
from teach_agents.chat.doing import NotReadyError, in_words
from teach_agents.chat.telling import Kind, Teller, busy
from teach_agents.chat.terminal import Blocks
from teach_agents.live import EventKind, LiveEvent
from teach_agents.live.action_words import deed, named, walk, why
from teach_agents.understanding.english.values import ReportKind

MUG, FRIDGE, SINK = "Mug|+01.00|+00.90|-00.50", "Fridge|-01.00|+00.00|+00.50", "Sink|+00.10|+00.80|+01.00|SinkBasin"
SLICE = "Bread|+00.10|+00.80|+01.00|BreadSliced_3"


def acted(seq: int, name: str, *, success: bool = True, held: str | None = None, **result: str) -> LiveEvent:
    """An event of the Follower's."""
    action = Action.click(name, 0.5, 0.5) if name in ("Pickup", "Place", "Open", "Pour", "Slice") else Action(name)
    data = {"action": action.to_json(), "result": {"success": success, **result}, "held": held}
    return LiveEvent(seq, seq, EventKind.ACTION, Role.FOLLOWER, data)


def test_objects_go_by_their_kind() -> None:
    assert [named(one) for one in (MUG, SINK, SLICE)] == ["the mug", "the sink basin", "the slice of bread"]


@pytest.mark.parametrize(
    ("motions", "words"),
    [
        ("Forward", "walked 1 step"),
        ("Forward Forward Turn Right", "walked 2 steps, turned right"),
        ("Turn Left Turn Left Look Down", "turned around, looked down"),
        ("Forward Turn Left Forward Turn Left Forward", "walked 3 steps"),
        ("", ""),
    ],
)
def test_motions_in_a_row_are_a_walk(motions: str, words: str) -> None:
    names = {"Turn": "", "Look": ""}
    joined: list[str] = []
    for word in motions.split():
        if joined and joined[-1] in names:
            joined[-1] = f"{joined[-1]} {word}"
        else:
            joined.append(word)
    assert walk(joined) == words


def test_deeds_say_with_what_and_where() -> None:
    done = ActionResult(True, object_id=FRIDGE)
    assert deed(Action.click("Open", 0.5, 0.5), done) == "opened the fridge"
    assert deed(Action.click("Place", 0.5, 0.5), done, "Mug") == "put the mug in the fridge"
    assert deed(Action.click("Pour", 0.5, 0.5), ActionResult(True, object_id=SINK), MUG) == (
        "poured the mug out into the sink basin"
    )
    failed = ActionResult(False, f"{MUG} is too far away to Pickup", help="It is out of reach. Move closer.")
    assert deed(Action.click("Pickup", 0.5, 0.5), failed) == (
        "could not pick that up: It is out of reach. Move closer."
    )


def test_a_message_without_a_hint_is_never_told() -> None:
    assert why(ActionResult(False, f"{FRIDGE} is blocking {SLICE}")) == "Something is in the way."
    assert why(ActionResult(False, "NullReferenceException at Agent.cs")) == "That did not work."


def test_a_walk_is_told_before_what_follows_it() -> None:
    teller = Teller()
    events = [
        acted(0, "Forward"),
        acted(1, "Forward"),
        acted(2, "Pickup", held="Mug", object_id=MUG),
        acted(3, "Turn Left", held="Mug"),
        LiveEvent(4, 4, EventKind.UTTERANCE, Role.FOLLOWER, {"text": "I have it."}),
        acted(5, "Place", object_id=FRIDGE),
        acted(6, "Forward", success=False, help="Something is in the way."),
        acted(7, "Turn Right"),
    ]
    lines = [line for event in events for line in teller.event(event)]
    assert [(line.kind, line.text) for line in [*lines, *teller.rest()]] == [
        (Kind.DID, "walked 2 steps"),
        (Kind.DID, "picked up the mug"),
        (Kind.DID, "turned left"),
        (Kind.SAID, "I have it."),
        (Kind.DID, "put the mug in the fridge"),
        (Kind.FAILED, "could not move: Something is in the way."),
        (Kind.DID, "turned right"),
    ]
    assert [*teller.rest()] == []


def test_ends_and_failures_of_agents_are_notes() -> None:
    teller = Teller(())
    ended = LiveEvent(0, 0, EventKind.ENDED, None, {"text": "the commander chose Finish", "success": True})
    failed = LiveEvent(1, 1, EventKind.FAILED, Role.FOLLOWER, {"problem": "raised ValueError: no"})
    joined = LiveEvent(2, 2, EventKind.JOINED, Role.FOLLOWER, {"agent": "planner"})
    told = [line.text for event in (ended, failed, joined, acted(3, "Open")) for line in teller.event(event)]
    assert told == [
        "the session has ended (the commander chose Finish): the task is complete",
        "the Follower failed: raised ValueError: no",
    ]


def test_skills_that_fail_say_what_may_help() -> None:
    assert "look for one" in in_words(SkillError(ReportKind.NOT_FOUND, noun="Mug"))
    assert in_words(SkillError(ReportKind.NO_ROOM, noun="Fridge")).startswith("There is no room in the fridge")
    assert in_words(NotReadyError("Pick something up first.")) == "Pick something up first."


def test_a_picture_is_drawn_two_pixels_a_character_as_large_as_fits() -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[:20] = (255, 0, 0)
    console = Console(width=30, height=12, force_terminal=True, color_system="truecolor")
    with console.capture() as captured:
        console.print(Blocks(picture))
    lines = captured.get().splitlines()
    assert len(lines) == 10 and all(line.count("\u2580") == 20 for line in lines)
    assert "38;2;255;0;0;48;2;255;0;0" in lines[0] and "38;2;0;0;0;48;2;0;0;0" in lines[-1]


def test_what_a_persons_words_do_and_who_gets_ready_is_told() -> None:
    def told(kind: EventKind, **data: object) -> LiveEvent:
        return LiveEvent(0, 0, kind, Role.FOLLOWER, data)

    teller = Teller()
    lines = [line.text for act in ("stop", "wait", "resume") for line in teller.event(told(EventKind.CONTROL, act=act))]
    assert lines == ["the Follower stops", 'the Follower waits; say "go on" when it may', "the Follower may act again"]
    events = [told(EventKind.GETTING_READY), told(EventKind.THINKING, first=True), told(EventKind.THINKING)]
    ready, first, thinks = (line.text for event in events if (line := busy(event)))
    assert ready == first == "the Follower is getting ready (its model is loaded) ..."
    assert thinks == "the Follower is thinking ..." and busy(told(EventKind.CONTROL, act="stop")) is None
