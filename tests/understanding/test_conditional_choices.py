"""Choices that are told by what is so are conditions."""

from __future__ import annotations

import time

import pytest

from teach_agents.understanding.conditional_choices import with_conditions


@pytest.mark.parametrize(
    ("said", "usual"),
    [
        (
            "rinse the bowl or the plate, whichever is dirty",
            "if the bowl is dirty, rinse the bowl. if the plate is dirty, rinse the plate",
        ),
        (
            "Come here and shut the safe or the drawer, whichever one is open.",
            "Come here and if the safe is open, shut the safe. if the drawer is open, shut the drawer.",
        ),
        (
            "put the book on the desk or the shelf, whichever hasn't got the vase on it",
            "if the desk hasn't got the vase on it, put the book on the desk. Otherwise put the book on the shelf",
        ),
        (
            "bring me whichever is cooked, the potato or the egg",
            "if the potato is cooked, bring me the potato. Otherwise bring me the egg",
        ),
        (
            "switch off whichever of the tv and the laptop is on",
            "if the tv is on, switch off the tv. if the laptop is on, switch off the laptop",
        ),
        (
            "Bring me the mug or the cup, only not the dirty one.",
            "if the mug is clean, Bring me the mug. Otherwise Bring me the cup.",
        ),
        (
            "the mug or the cup please, just not the dirty one",
            "if the mug is clean, bring me the mug. Otherwise bring me the cup",
        ),
        ("bring me the mug or the cup, not the blue one", "bring me the mug or the cup, not the blue one"),
        ("fetch the pen or the pencil, whichever is nearer", "fetch the pen or the pencil"),
        ("get the cup or the mug, whichever you see first", "get the cup or the mug"),
    ],
)
def test_a_choice_by_what_is_so_is_told_in_conditions(said: str, usual: str) -> None:
    assert with_conditions(said) == usual


@pytest.mark.parametrize(
    "said",
    ["which of the mug and the cup is clean?", "wash whichever mug is dirty", "take the mug or the cup", "whichever"],
)
def test_other_words_stay_as_they_are(said: str) -> None:
    assert with_conditions(said) == said


@pytest.mark.parametrize(
    "part", ["put the mug or the cup, whichever is ", "which a b ", "the a or the b ", "which is "]
)
def test_it_takes_no_time_however_long_the_text(part: str) -> None:
    begun = time.perf_counter()
    with_conditions(part * 40)
    assert time.perf_counter() - begun < 1.0
