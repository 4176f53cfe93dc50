"""What the planner Commander can say, the planner Follower understands; and the other way round."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.understanding.english.phrasebook import phrasebook
from teach_agents.understanding.english.speaking import say_instruction, say_reference, say_report
from teach_agents.understanding.english.understanding import (
    understand_instructions,
    understand_reference,
    understand_reports,
)
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, State, Verb

_NOUNS = st.sampled_from(sorted(phrasebook().nouns))
_COUNTS = st.one_of(st.none(), st.integers(1, 9))
_STATES = st.lists(st.sampled_from(list(State)), max_size=2, unique=True).map(tuple)


@st.composite
def _references(draw: st.DrawFn, depth: int = 1) -> Reference:
    count = draw(_COUNTS)
    related = _references(depth=depth - 1) if depth else st.none()
    place, content = draw(
        st.one_of(st.just((None, None)), st.tuples(related, st.none()), st.tuples(st.none(), related))
    )
    definite = True if count is None else draw(st.booleans())
    return Reference(draw(_NOUNS), count, definite, draw(_STATES), place, content)


_WITH_WHERE = (Verb.PUT, Verb.LOOK)
_MAYBE_WHERE = (Verb.CLEAN, Verb.TOAST, Verb.BOIL, Verb.COOK, Verb.EMPTY)
_WITHOUT_WHAT = (Verb.FINISH, Verb.GIVE_UP, Verb.LOOK)


@st.composite
def _instructions(draw: st.DrawFn) -> Instruction:
    verb = draw(st.sampled_from([verb for verb in Verb if verb is not Verb.ASIDE]))
    what = None if verb in _WITHOUT_WHAT else draw(_references())
    placed = verb in _WITH_WHERE or (verb in _MAYBE_WHERE and draw(st.booleans()))
    where = draw(_references()) if placed else None
    return Instruction(verb, what, where)


@settings(deadline=None)
@given(_instructions(), st.integers(0, 10_000))
def test_every_instruction_that_can_be_spoken_is_understood_as_meant(instruction: Instruction, seed: int) -> None:
    utterance = say_instruction(instruction, random.Random(seed))
    assert understand_instructions(utterance) == (instruction,), utterance


@settings(deadline=None)
@given(_references())
def test_every_reference_is_understood_as_meant(reference: Reference) -> None:
    assert understand_reference(say_reference(reference)) == reference


@settings(deadline=None)
@given(st.sampled_from(list(ReportKind)), _references(), st.integers(0, 10_000))
def test_every_report_is_understood_as_meant(kind: ReportKind, what: Reference, seed: int) -> None:
    speaks_of = (ReportKind.NOT_FOUND, ReportKind.NOT_REACHED, ReportKind.NO_ROOM)
    report = Report(kind, what if kind in speaks_of else None)
    assert understand_reports(say_report(report, random.Random(seed))) == (report,)


@settings(deadline=None)
@given(_instructions(), st.integers(0, 10_000))
def test_the_commander_speaks_like_a_person(instruction: Instruction, seed: int) -> None:
    utterance = say_instruction(instruction, random.Random(seed))
    assert not re.search(r"[|_\d]", utterance)
    assert utterance[0].isupper() and utterance[-1] in ".?"


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_at_all_is_read_without_error(text: str) -> None:
    understand_instructions(text)
    understand_reports(text)
    understand_reference(text)


_MUG = Reference("Mug", 1, True)
_TWO_SLICES = Reference("TomatoSliced", 2)
_PLATE_ON_COUNTER = Reference("Plate", 1, True, place=Reference("CounterTop", 1, True))


@pytest.mark.parametrize(
    ("utterance", "meant"),
    [
        (
            "Please slice the tomato and put two slices on the plate that is on the counter.",
            None,
        ),
        ("Great job! Now wash the mug, please.", (Instruction(Verb.CLEAN, _MUG),)),
        ("could you put 2 tomato slices on the plate that's on the counter", "two slices"),
        ("Fill the mug with coffee.", (Instruction(Verb.COFFEE, _MUG),)),
        ("Put water in the mug", (Instruction(Verb.FILL, _MUG),)),
        ("Wash the mug in the sink", (Instruction(Verb.CLEAN, _MUG, Reference("Sink", 1, True)),)),
        ("Turn the coffee maker on.", (Instruction(Verb.TURN_ON, Reference("CoffeeMachine", 1, True)),)),
        ("Grab a remote.", (Instruction(Verb.PICK_UP, Reference("RemoteControl", 1)),)),
        ("It's in the fridge.", (Instruction(Verb.LOOK, None, Reference("Fridge", 1, True)),)),
        (
            "Wash the mug and make coffee in the mug",
            (Instruction(Verb.CLEAN, _MUG), Instruction(Verb.COFFEE, _MUG)),
        ),
        ("Colourless green ideas sleep furiously", ()),
        ("", ()),
    ],
)
def test_paraphrases(utterance: str, meant: object) -> None:
    understood = understand_instructions(utterance)
    if meant is None:
        assert [step.verb for step in understood] == [Verb.SLICE, Verb.PUT]
    elif meant == "two slices":
        assert understood == (Instruction(Verb.PUT, _TWO_SLICES, _PLATE_ON_COUNTER),)
    else:
        assert understood == meant
