"""People who were never told the sentences: what they plainly mean is understood, and nothing is made up."""

from __future__ import annotations

import pytest

from teach_agents.understanding.english.understanding import leaves_open, understand_instructions, understand_reports
from teach_agents.understanding.english.values import Reference, Verb


def _steps(utterance: str) -> list[tuple[str, str, str]]:
    steps = understand_instructions(utterance)
    return [(one.verb.value, _noun(one.what), _noun(one.where)) for one in steps]


def _noun(reference: Reference | None) -> str:
    return "" if reference is None else reference.noun


@pytest.mark.parametrize(
    ("utterance", "steps"),
    [
        ("Can you get me a mug?", [("pick up", "Mug", "")]),
        ("I'd like a coffee, please", [("make coffee", "Mug", "")]),
        ("could u make me 2 cups of coffee pls", [("make coffee", "Mug", "")]),
        ("make a slice of toast", [("toast", "BreadSliced", "")]),
        ("grab the knife in the drawer", [("pick up", "Knife", "")]),
        ("look for the knife in the fridge", [("pick up", "Knife", "")]),
        ("open the big white cabinet", [("open", "Cabinet", "")]),
        ("take the salt shaker off the counter", [("pick up", "SaltShaker", "")]),
        ("put the fork and the knife in the sink", [("put", "Fork", "Sink"), ("put", "Knife", "Sink")]),
        ("clear the plate and clean it", [("clear", "Plate", ""), ("clean", "It", "")]),
        ("fill the mug, then water the plant", [("fill", "Mug", ""), ("water", "HousePlant", "")]),
        ("slice tomato and put on a clean plate", [("slice", "Tomato", ""), ("put", "It", "Plate")]),
        ("Hi. Could you serve 1 slice of tomato in a bowl?", [("put", "TomatoSliced", "Bowl")]),
        (
            "Please wash the mug, it is in the cabinet left of the stove.",
            [("clean", "Mug", ""), ("look", "", "Cabinet")],
        ),
        (
            "the lettuce needs slicing, you'll find it in the fridge",
            [("slice", "Lettuce", ""), ("look", "It", "Fridge")],
        ),
        ("that's it, thanks!", [("finish", "", "")]),
    ],
)
def test_what_is_plainly_meant_is_understood(utterance: str, steps: list[tuple[str, str, str]]) -> None:
    assert _steps(utterance) == steps
    assert not leaves_open(utterance)


def test_a_place_said_along_is_where_the_thing_is() -> None:
    (step,) = understand_instructions("grab the knife in the drawer")
    assert step.what == Reference("Knife", 1, True, place=Reference("Drawer", 1, True))


@pytest.mark.parametrize(
    "utterance",
    ["Can you get me?", "What can you do?", "hi! come over here", "let us make some breakfast", "put it back"],
)
def test_what_is_not_understood_is_no_step_and_no_small_talk(utterance: str) -> None:
    assert understand_instructions(utterance) == ()
    assert leaves_open(utterance)


def test_of_what_is_understood_in_part_that_part_is_done() -> None:
    utterance = "wash the mug, then sing me a song"
    assert _steps(utterance) == [("clean", "Mug", "")]
    assert leaves_open(utterance)


def test_a_number_beyond_counting_is_none() -> None:
    many = "9" * 5000
    assert all(one.what is None or one.what.count == 1 for one in understand_instructions(f"wash {many} mugs"))


def test_it_says_nothing_after_what_was_not_understood() -> None:
    assert understand_instructions("i left my things out, could you put them in the fridge") == ()


def test_a_long_sentence_takes_no_long_time() -> None:
    assert understand_instructions("x and " * 400 + "y") == ()
    assert len(understand_instructions(", ".join(["wash the mug"] * 100))) == 100


def test_a_follower_that_says_what_it_can_is_heard_as_before() -> None:
    said = "I did not understand that. I can wash things: wash the mug, or put the apple in the fridge."
    assert [report.kind.value for report in understand_reports(said)] == ["not understood"]
    assert understand_instructions("done")[0].verb is Verb.FINISH
