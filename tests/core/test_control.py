"""Stop, wait, go on: told from what only begins like it, without a model."""

from __future__ import annotations

import time

import pytest

from teach_agents.core.control import control_of
from teach_agents.core.dialogue import Act


@pytest.mark.parametrize(
    "text",
    [
        "stop",
        "STOP!!!",
        "Stop.",
        "stooooop",
        "please stop",
        "ok stop now robot",
        "hey, stop it right now",
        "stop right there",
        "no, stop, that is hot",
        "stop! put it down",
        "halt",
        "Freeze!",
        "that's enough, thank you",
        "could you please stop what you’re doing at once",
        "don't move",
        "stop moving",
        "ugh you useless thing just stop",
        "wait no stop",
        "stop, wait",
        "stop scrubbing the pan",
        "stop moving and drop that",
        "stop that and clean the counter instead",
        "Stop at once and get the sponge.",
        "could you stop following me",
        "quit scrubbing",
        "Please cease all movement.",
        "halt where you are",
        "woah woah woah",
        "stoppit stoppit",
        "pack it in",
        "stahp",
    ],
)
def test_stop(text: str) -> None:
    assert control_of(text) is Act.STOP


@pytest.mark.parametrize(
    "text",
    [
        "wait",
        "Waiiit!",
        "hold on",
        "one moment please, I have to take this call",
        "hang on a sec, buddy",
        "could you wait there until I come back?",
        "pause for a minute",
        "just a second",
        "stop for a minute",
        "go on... no, wait",
        "stay there till I say when",
        "just sit tight",
        "pause the washing, please",
    ],
)
def test_wait(text: str) -> None:
    assert control_of(text) is Act.WAIT


@pytest.mark.parametrize(
    "text",
    [
        "go on",
        "Continue, please",
        "ok you can carry on",
        "resume",
        "keep going!",
        "stop... no, go on",
        "don't stop!",
        "carry on with the dishes",
        "false alarm, carry on as before",
        "ok i found it, so keep going",
        "keep slicing",
        "back to scrubbing",
        "kep gowing",
    ],
)
def test_go_on(text: str) -> None:
    assert control_of(text) is Act.RESUME


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stop the water",
        "stop by the fridge",
        "don't stop by the fridge",
        "did you stop?",
        "why did you stop",
        "wait until it is done",
        "go to the door, wait there",
        "put the mug in and wait for the coffee",
        "pause the tv",
        "continue to the kitchen",
        "hold the mug",
        "hold on to the mug",
        "enough water for two",
        "freeze the peas",
        "cut it in half",
        "leave it there",
        "one plate",
        "wash the mug",
        "go to the sink",
        "keep the door open",
        "stop when the glass is full",
        "go on, open it",
        "go ahead, bring the tray",
        "move on the rug",
        "fill it half, no more",
        "back to the wall",
        "pause the film",
        "\N{BLACK UNIVERSAL RECYCLING SYMBOL} ...!?",
    ],
)
def test_what_only_begins_like_it_is_none(text: str) -> None:
    assert control_of(text) is None


def test_who_is_spoken_to_may_be_called_by_a_name() -> None:
    assert control_of("Stop, Wall-E") is Act.STOP and control_of("stop follower", ["follower"]) is Act.STOP
    assert control_of("stop follower") is None


def test_no_utterance_takes_long() -> None:
    began = time.perf_counter()
    for text in ("stop " * 5000, "no " * 5000, "wait for me " * 5000, "a" * 100_000, "stop it now, " * 5000):
        control_of(text)
    assert time.perf_counter() - began < 1
