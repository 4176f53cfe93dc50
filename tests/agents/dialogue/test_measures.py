"""How far, and how much of a turn, by the words: metres, feet and steps, quarters and degrees, in each way."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.measures import degrees_said, steps_said
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Move back half a meter.", {"back": 2}),
        ("Robot, go 50 cm to your left side.", {"left": 2}),
        ("25cm forward, please", {"forward": 1}),
        ("scoot 20 inches to the right", {"right": 2}),
        ("back up two feet", {"back": 2}),
        ("a metre and a half ahead", {"forward": 6}),
        ("one and a half metres straight ahead", {"forward": 6}),
        ("twenty-five centimetres to the left", {"left": 1}),
        ("two metres forward and then three feet back", {"forward": 8, "back": 4}),
        ("a metre and half to the right", {"right": 6}),
        ("half a metre, to the left please", {"left": 2}),
        ("go forward, then half a metre left", {"left": 2}),
        ("go forward", {}),
        ("the lamp on the left", {}),
    ],
)
def test_distances_are_told_in_steps(text: str, steps: dict[str, int]) -> None:
    said = {way: steps_said(text, way) for way in ("forward", "back", "left", "right")}
    assert {way: number for way, number in said.items() if number is not None} == steps


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("a quarter turn to the left", 90),
        ("three quarter turn left", 270),
        ("turn left by 180", 180),
        ("spin ninety degrees anticlockwise", 90),
        ("two quarter turns to the left", 180),
        ("make a half turn to the left", 180),
        ("one hundred and eighty degrees left", 180),
        ("turn left, a full circle", 360),
        ("turn left 45 degrees", 45),
        ("turn left", None),
        ("two steps to the left", None),
    ],
)
def test_turns_are_told_in_degrees(text: str, degrees: int | None) -> None:
    assert degrees_said(text, "left") == degrees


@pytest.mark.parametrize(
    ("text", "read", "turned"),
    [
        ("Swing round so that you're facing left.", "turn_around", {"Turn Left": 1}),
        ("Spin till you're facing right", "turn_around", {"Turn Right": 1}),
        ("face left", "look_at(left)", {"Turn Left": 1}),
        ("A quarter turn to the right", "turn_right", {"Turn Right": 1}),
        ("turn right by 180", "turn_right", {"Turn Right": 2}),
        ("about face", "turn_around", {"Turn Left": 2}),
    ],
)
def test_a_turn_is_as_its_words_have_it(text: str, read: str, turned: dict[str, int]) -> None:
    assert Room("FloorPlan205", meanings={text: read}).say(text).done == turned


def test_a_number_of_steps_is_what_the_words_measure_not_what_was_read() -> None:
    text = "25 cm forward, please."
    assert Room("FloorPlan205", meanings={text: "step_forward(5)"}).say(text).done == {"Forward": 1}


def test_it_says_that_it_cannot_turn_by_less_than_a_quarter() -> None:
    assert (
        "90 degrees at a time"
        in Room(meanings={"turn left 45 degrees": "turn_left(45)"}).say("turn left 45 degrees").text
    )


@pytest.mark.parametrize(
    ("more", "read"),
    [
        ("Lovely, let's have another one like that.", "praise; get(another one)"),
        ("And another!", "unclear(another)"),
        ("a bit further", "step_forward"),
        ("keep going", "resume"),
    ],
)
def test_another_one_behind_a_turn_is_the_turn_once_more(more: str, read: str) -> None:
    room = Room(meanings={more: read})
    room.say("turn left")
    assert room.say(more).done == {"Turn Left": 1}
