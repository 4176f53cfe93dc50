"""The natural style: whatever is said in it is understood as meant."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.understanding.english.natural import NaturalSpeaker, without_implied
from teach_agents.understanding.english.phrasebook import phrasebook
from teach_agents.understanding.english.understanding import understand_instructions
from teach_agents.understanding.english.values import Instruction, Landmark, Reference, Relation, State, Verb
from tests.understanding.english.test_round_trip import _instructions, _references

_SEEDS = st.integers(0, 100_000)
_PLAIN_ONLY = (Verb.CLEAN, Verb.TOAST, Verb.BOIL, Verb.COOK, Verb.EMPTY)
"""Verbs for which the natural style names no place."""


@settings(deadline=None)
@given(_instructions(), _SEEDS)
def test_every_request_is_understood_as_meant(instruction: Instruction, seed: int) -> None:
    if instruction.verb in _PLAIN_ONLY:
        instruction = replace(instruction, where=None)
    utterance = NaturalSpeaker(random.Random(seed)).request(instruction)
    assert _without_articles(understand_instructions(utterance)) == _without_articles(
        (without_implied(instruction),)
    ), utterance


def _without_articles(instructions: tuple[Instruction, ...]) -> list[Instruction]:
    """In hints "the mug" and "mug" mean the same."""
    return [
        replace(one, what=_definite(one.what), where=_definite(one.where)) if one.verb is Verb.LOOK else one
        for one in instructions
    ]


def _definite(reference: Reference | None) -> Reference | None:
    if reference is None:
        return None
    mark = reference.landmark
    if mark is not None:
        thing = _definite(mark.thing)
        assert thing is not None
        mark = replace(mark, thing=thing)
    return replace(reference, definite=True, landmark=mark)


@pytest.mark.parametrize(("called", "noun"), [("water tap", "Faucet"), ("open shelf", "Shelf")])
def test_what_is_called_as_one_would_command_is_no_command(called: str, noun: str) -> None:
    (hint,) = understand_instructions(f"{called} by the window")
    assert hint.verb is Verb.LOOK and hint.what is not None and hint.what.noun == noun


@settings(deadline=None)
@given(_references(depth=0), _references(depth=0), _references(depth=0), st.sampled_from(list(Relation)), _SEEDS)
def test_every_hint_is_understood_as_meant(
    what: Reference, where: Reference, mark: Reference, relation: Relation, seed: int
) -> None:
    what = replace(what, count=1, states=())
    speaker = NaturalSpeaker(random.Random(seed))
    held = Instruction(Verb.LOOK, what, replace(where, landmark=Landmark(relation, mark)))
    near = Instruction(Verb.LOOK, replace(what, landmark=Landmark(relation, mark)))
    for hint in (held, near):
        utterance = speaker.hint(hint)
        assert _without_articles(understand_instructions(utterance)) == _without_articles((hint,)), utterance


@settings(deadline=None)
@given(st.sampled_from(sorted(phrasebook().asides)), _references(depth=0), st.integers(2, 9), _SEEDS)
def test_small_talk_asks_for_nothing(occasion: str, what: Reference, number: int, seed: int) -> None:
    what = replace(what, states=(), definite=True)
    utterance = NaturalSpeaker(random.Random(seed)).aside(occasion, what, number)
    assert understand_instructions(utterance) == (Instruction(Verb.ASIDE),), utterance


@pytest.mark.parametrize(
    ("utterance", "verb"),
    [
        ("hi there, could you wash the mug for me please", Verb.CLEAN),
        ("great job! now slice tomato", Verb.SLICE),
        ("the plates need washing", Verb.CLEAN),
        ("ok next put both slices of toast on the plate by the stove", Verb.PUT),
        ("thanks partner that is all for today", Verb.FINISH),
        ("perfect", Verb.ASIDE),
        ("the knife should be on the counter next to the toaster", Verb.LOOK),
    ],
)
def test_sentences_of_people(utterance: str, verb: Verb) -> None:
    assert [step.verb for step in understand_instructions(utterance)] == [verb]


def test_a_hint_says_what_and_where() -> None:
    hint = understand_instructions("The mug is in the cabinet left of the sink")[0]
    cabinet = Reference("Cabinet", 1, True, landmark=Landmark(Relation.LEFT, Reference("Sink", 1, True)))
    assert hint == Instruction(Verb.LOOK, Reference("Mug", 1, True), cabinet)
    answer = understand_instructions("it is on the counter by the toaster")[0]
    assert answer.what is None and answer.where is not None
    assert answer.where.landmark == Landmark(Relation.NEAR, Reference("Toaster", 1, True))


def test_plurals_without_a_number_mean_all() -> None:
    step = understand_instructions("put the forks in the sink")[0]
    assert step.what == Reference("Fork", None, True)
    assert understand_instructions("wash two of the plates")[0].what == Reference("Plate", 2)


def test_toast_is_bread_that_was_toasted() -> None:
    step = understand_instructions("put two slices of toast on the plate")[0]
    assert step.what == Reference("BreadSliced", 2, False, (State.TOASTED,))


def test_hints_of_unknown_things_are_not_understood() -> None:
    assert understand_instructions("shred the paper on the table") == ()


def test_one_speaker_seldom_says_the_same_twice() -> None:
    speaker = NaturalSpeaker(random.Random(3))
    said = [speaker.request(Instruction(Verb.CLEAN, Reference("Mug", 1, True))) for _ in range(12)]
    assert len(set(said)) > 6


@pytest.mark.parametrize("verb", [Verb.FINISH, Verb.GIVE_UP])
def test_an_ending_that_was_heard_with_a_place_is_an_ending(verb: Verb) -> None:
    heard = Instruction(verb, what=Reference(noun="Mug"), where=Reference(noun="CounterTop"))
    utterance = NaturalSpeaker(random.Random(0)).request(heard)
    assert [one.verb for one in understand_instructions(utterance)] == [verb]


def test_a_hint_names_a_place_with_an_article() -> None:
    hint = Instruction(Verb.LOOK, Reference("Mug", 1, False), Reference("Sink", 1, False))
    for seed in range(200):
        said = f" {NaturalSpeaker(random.Random(seed)).hint(hint).lower()} "
        assert " one sink" not in said and " any " not in said and " one mug" not in said, said
