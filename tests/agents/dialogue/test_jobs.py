""" "Bring me what I need": what a job takes."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.listener import corrected
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("room", "told", "meaning", "asked", "order", "brought"),
    [
        (
            "FloorPlan407",
            "The toilet's clogged again, ugh. I'll do it after lunch.",
            "fact(toilet: clogged)",
            "I'm going to see to it now. Bring me what I need.",
            "get(something)",
            "Plunger",
        ),
        (
            "FloorPlan407",
            "The bathtub needs a good scrubbing. I'll do it after lunch.",
            "wash(bathtub)",
            "Bring me what I need for it.",
            "get(it)",
            "ScrubBrush",
        ),
        (
            "FloorPlan301",
            "Hello.",
            "hello",
            "I have to write a letter. Get me what I need.",
            "get(letter); get(something)",
            "Pen",
        ),
        (
            "FloorPlan1",
            "Hello.",
            "hello",
            "I want to cut the bread. Bring me the right tool.",
            "slice(bread); get(tool)",
            "Knife",
        ),
    ],
)
def test_what_a_job_takes_is_brought(room: str, told: str, meaning: str, asked: str, order: str, brought: str) -> None:
    follower = Room(room, meanings={told: meaning, asked: order})
    follower.say(told)
    follower.say(asked)
    assert follower.holding() == brought


def test_what_the_speaker_will_do_is_no_order() -> None:
    said = "The bathtub needs a scrub. I'll do it after lunch."
    assert write_meaning(corrected(read_meaning("wash(bathtub)"), said)).startswith("fact(")
    said = "Bring me the sponge, I'll do it myself."
    assert write_meaning(corrected(read_meaning("get(sponge)"), said)) == "get(sponge)"


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        (
            "I fancy a coffee. Put the mug in the coffee machine and switch it on.",
            "make(coffee); put(mug, in coffee_machine); turn_on(it)",
            "put(mug, in coffee_machine); turn_on(it)",
        ),
        (
            "Let's cook an egg: crack the egg into the pan, then light the stove",
            "cook(egg); crack(egg, in pan); turn_on(stove)",
            "crack(egg, in pan); turn_on(stove)",
        ),
        ("I'd like a coffee. Turn off the tap, too.", "get(coffee); turn_off(tap)", "get(coffee); turn_off(tap)"),
        ("I want an egg. Cook it in the pan.", "get(egg); cook(it, in pan)", "get(egg); cook(it, in pan)"),
    ],
)
def test_a_dish_is_not_made_twice_whose_steps_are_told(text: str, read: str, meant: str) -> None:
    assert write_meaning(corrected(read_meaning(read), text)) == meant
