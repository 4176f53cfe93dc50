"""What the Commander says around its steps is true, and asks for the step exactly once."""

from __future__ import annotations

import random

from teach_agents.agents.acting.grounding import hint_about, is_by, matching
from teach_agents.agents.planner.conversation import NaturalConversation, PlainConversation
from teach_agents.understanding.english.understanding import understand_instructions
from teach_agents.understanding.english.values import Instruction, Reference, Relation, Verb
from tests.agents.acting.making import kitchen, row, things

_WASH = Instruction(Verb.CLEAN, Reference("Plate", None, True))


def test_the_plain_style_says_the_step_and_nothing_else() -> None:
    said = list(PlainConversation(random.Random(0)).step(_WASH, things(*kitchen()), failed=False))
    assert len(said) == 1
    assert understand_instructions(said[0]) == (_WASH,)


def test_the_natural_style_asks_for_the_step_once_among_asides_and_hints() -> None:
    room = things(*kitchen())
    lengths = set()
    for seed in range(60):
        said = list(NaturalConversation(random.Random(seed)).step(_WASH, room, failed=False))
        understood = [understand_instructions(utterance) for utterance in said]
        assert all(len(steps) == 1 for steps in understood), said
        asked = [steps[0] for steps in understood if steps[0].verb not in (Verb.ASIDE, Verb.LOOK)]
        assert asked == [_WASH], said
        lengths.add(len(said))
    assert len(lengths) > 1


def test_the_end_is_said_once_whatever_comes_with_it() -> None:
    for seed in range(20):
        said = list(NaturalConversation(random.Random(seed)).ending(complete=True))
        verbs = [understand_instructions(utterance)[0].verb for utterance in said]
        assert verbs[0] is Verb.FINISH and set(verbs[1:]) <= {Verb.ASIDE}


def test_hints_are_true() -> None:
    room = things(*kitchen())
    for seed in range(60):
        for thing in room:
            hint = hint_about(thing, room, random.Random(seed))
            if hint is None or hint.what is None:
                continue
            assert thing in matching(hint.what, room)
            if hint.where is not None:
                assert any(holder in matching(hint.where, room) for holder in room.holders(thing))


def test_above_and_below_are_told_apart() -> None:
    high = row("Cabinet", 0, at=(0.0, 2.0, 0.0))
    low = row("Sink", 0, at=(0.0, 1.0, 0.0))
    cabinet, sink = things(high, low)
    assert is_by(Relation.ABOVE, cabinet, sink) and is_by(Relation.BELOW, sink, cabinet)
    assert not is_by(Relation.ABOVE, sink, cabinet)
    assert not is_by(Relation.NEAR, sink, sink)
