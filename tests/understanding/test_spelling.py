"""Words that are mistyped, and words that are not."""

from __future__ import annotations

import pytest

from teach_agents.understanding.spelling import corrected


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("frige", "fridge"),
        ("wahs", "wash"),
        ("mircowave", "microwave"),
        ("tosater", "toaster"),
        ("coffeee", "coffee"),
        ("clen", "clean"),
    ],
)
def test_slips_of_the_pen_are_mended(typed: str, meant: str) -> None:
    assert corrected(typed) == meant


@pytest.mark.parametrize("word", ["mug", "plates", "washing", "of", "xq", "zzzzzz", "mug2", "żółw", ""])
def test_other_words_stay_as_they_are(word: str) -> None:
    assert corrected(word) == word
