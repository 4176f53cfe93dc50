"""The measures of `benchmarks/utterances.py` mean what its head says."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.scripts import benchmark


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("utterances", monkeypatch)


@pytest.mark.parametrize(
    ("utterance", "thing", "place", "count"),
    [
        ("Wash the mug, please.", True, False, False),
        ("it's on the counter", True, True, False),
        ("to the left of it", False, True, False),
        ("put 2 slices on a plate", True, False, True),
        ("both of them", False, False, True),
        ("great job!", False, False, False),
        ("can you hear me", False, False, False),
    ],
)
def test_what_an_utterance_names(script: ModuleType, utterance: str, thing: bool, place: bool, count: bool) -> None:
    tokens = script.tokens_of(utterance)
    assert (script.names_object(tokens), script.names_place(tokens), script.names_count(tokens)) == (
        thing,
        place,
        count,
    )


def test_tokens_are_words_in_lower_case(script: ModuleType) -> None:
    assert script.tokens_of("It's the Counter-Top, isn\u2019t it?") == ("it's", "the", "counter", "top", "isn't", "it")


def test_bigrams_are_counted_over_as_many_utterances_on_both_sides(script: ModuleType) -> None:
    one = ["wash the mug", "wash the mug", "..."]
    result = script.compare(one * 10, one)
    assert result["utterances"] == {"human": 20, "planner": 2}
    assert result["bigram_sample"] == 2
    row = result["measures"]["distinct_bigrams_per_utterance"]
    assert row["human"] == row["planner"] == 1.0 and row["passes"]
