"""What was told is found by what it means, and not where somebody else is asked about."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.fact_retrieval import quoted, retrieved
from teach_agents.models.text.minilm import find_minilm
from tests.agents.dialogue.talking import Room

needs_encoder = pytest.mark.skipif(find_minilm() is None, reason="needs minilm (teach-agents models get minilm)")
_FACTS = [
    "Grandma visits us on Sunday. She is allergic to eggs.",
    "My wife Ines plays tennis every Friday.",
    "I take my pills at noon",
    "We're having 8 guests for dinner on Saturday.",
    "The plumber comes tomorrow at 9",
    "actually he comes at 11",
]


def _answer(question: str, *more: str) -> str:
    facts = [Told(one) for one in (*_FACTS, *more)]
    found = retrieved(question, facts)
    return quoted(question, found) if found else ""


@needs_encoder
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was it that grandma can't eat?", "eggs"),
        ("Tell me, what's my wife's first name?", "Ines"),
        ("when do I need to take my medicine?", "noon"),
        ("when does the guy for the pipes come?", "at 11"),
    ],
)
def test_a_question_in_other_words_is_answered_in_those_told(question: str, words: str) -> None:
    assert words in _answer(question)


@needs_encoder
@pytest.mark.parametrize(
    "question",
    ["what is grandpa allergic to?", "what's my daughter's name?", "what is the capital of France?", "can you sing?"],
)
def test_what_was_not_told_is_not_made_up(question: str) -> None:
    assert _answer(question) == ""


@needs_encoder
@pytest.mark.parametrize(
    ("update", "number"),
    [("Two of them just cancelled, so it's only 6.", "6."), ("One more said yes, that makes nine.", "9.")],
)
def test_a_number_is_what_it_came_to_last(update: str, number: str) -> None:
    said = _answer("how many guests do we get now?", "The keys are at Tom's.", update)
    assert said.startswith(number)


def test_what_the_follower_did_is_no_matter_of_what_was_told() -> None:
    assert retrieved("what did you do with my pills?", [Told("I take my pills at noon")], doubtful=False) == []


def test_whose_place_a_thing_is_at_is_said_before_the_words() -> None:
    told = Told("my passport is at my brother's house")
    assert quoted("where is my passport?", [told]).startswith("At the house of your brother. ")


def test_a_number_told_in_words_that_nobody_understood_is_noted() -> None:
    told = "One more just said yes, so it's 9."
    room = Room(meanings={told: "unclear"})
    assert "not understand" not in room.say(told).text


@needs_encoder
def test_a_correction_with_its_reason_wins() -> None:
    more = ("My train leaves at seven tomorrow.", "Oh sorry, at eight, I looked at the wrong day.")
    assert "eight" in _answer("When does my train leave?", *more)


@needs_encoder
@pytest.mark.parametrize(
    ("told", "number"),
    [
        (("We are five for dinner.", "Karim has just cancelled, so that's one less."), "4."),
        (("We are five for dinner.", "Karim is bringing his girlfriend, so that's one more."), "6."),
        (("We're 3 for dinner.", "Grandma is joining us.", "Two more friends are coming as well."), "6."),
        (("We're 3 for dinner.", "Ann and Tom cancelled."), "You told me"),
        (("We are five for dinner.", "We need two more eggs."), "You told me"),
    ],
)
def test_a_number_goes_up_and_down_by_what_was_told_later(told: tuple[str, ...], number: str) -> None:
    facts = [Told(one) for one in told]
    assert quoted("How many are we for dinner?", retrieved("How many are we for dinner?", facts)).startswith(number)


@needs_encoder
def test_a_time_that_was_looked_up_wrong_is_corrected_by_name() -> None:
    facts = [Told("tomorrow my train goes at 7"), Told("ah sorry, i looked wrong. train is at 9, not 7")]
    assert "9" in quoted("what time goes my train?", retrieved("what time goes my train?", facts))
