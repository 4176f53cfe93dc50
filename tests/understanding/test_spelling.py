"""Words that are mistyped, and words that are not."""

from __future__ import annotations

import pytest

from teach_agents.understanding.spelling import corrected
from teach_agents.understanding.tokens import sentences


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("frige", "fridge"),
        ("wahs", "wash"),
        ("mircowave", "microwave"),
        ("tosater", "toaster"),
        ("coffeee", "coffee"),
        ("clen", "clean"),
        ("mee", "me"),
        ("itt", "it"),
        ("yoo", "you"),
    ],
)
def test_slips_of_the_pen_are_mended(typed: str, meant: str) -> None:
    assert corrected(typed) == meant


def test_where_a_thing_is_named_its_name_was_meant() -> None:
    assert corrected("wach", named=True) == "watch"
    assert [one.text for one in sentences("bring mee the wach")] == ["bring me the watch"]


@pytest.mark.parametrize("word", ["mug", "plates", "washing", "of", "xq", "zzzzzz", "mug2", "żółw", ""])
def test_other_words_stay_as_they_are(word: str) -> None:
    assert corrected(word) == word
