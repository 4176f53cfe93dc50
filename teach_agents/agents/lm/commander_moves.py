"""What a Commander can choose to do, each in words: the candidates of a decision."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from teach_agents.agents.acting.grounding import describe, hint_about, matching
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.instructing.goals import Problem
from teach_agents.agents.lm.phrases import command, phrase
from teach_agents.understanding.english.lexicon import noun, preposition
from teach_agents.understanding.english.values import Instruction, Reference, State, Verb

_HINTED, _EACH, _HINTS = 3, 2, 4
"""Things of a kind of which hints tell, hints for each of them, hints in all: at most."""
_DRAWS = 16
"""How often a hint is drawn to find different ones of a thing."""


class Kind(StrEnum):
    """What sort of move; its words are the move's text, or how it begins."""

    CHECK = "check the progress"
    LOOK = "look around"
    SEARCH = "search for"
    ASK = "ask the Follower to"
    CORRECT = "correct the Follower:"
    TELL = "tell the Follower:"
    YES = "say yes"
    NO = "say no"
    UNKNOWN = "say that you do not know"
    PRAISE = "praise the Follower"
    WAIT = "wait"
    FINISH = "end the session"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class Move:
    """One candidate. `step` is what is asked for or told, `noun` the object type or class that is searched for."""

    kind: Kind
    about: str = ""
    step: Instruction | None = None
    noun: str = ""

    @property
    def text(self) -> str:
        """The candidate as the model reads it."""
        return f"{self.kind} {self.about}".rstrip()


def asks(options: Sequence[Instruction]) -> list[Move]:
    """A move for every step that may be asked for."""
    return [Move(Kind.ASK, command(step), step) for step in options if step.verb is not Verb.LOOK]


def corrections(step: Instruction, problems: Sequence[Problem], things: Things) -> Iterator[Move]:
    """The step again, of the very thing that still needs it, where that can be said in other words."""
    for problem in problems:
        thing = things.get(problem.object_id)
        if problem.need is step.verb and thing and thing.is_a(step.noun):
            meant = replace(step, what=_closely(thing, things))
            if meant != step:
                yield Move(Kind.CORRECT, f"not that, {command(meant)}", meant)
            return


_TELLING = (State.DIRTY, State.RAW, State.EMPTY, State.FULL)
"""Adjectives that say what is still wrong with a thing."""


def _closely(thing: Thing, things: Things) -> Reference:
    """A noun phrase that says where the thing is, too."""
    told = describe(thing, things, _TELLING)
    holders = things.holders(thing)[:1]
    if told.place or not holders or holders[0].object_type == "Floor":
        return told
    return replace(told, place=Reference(holders[0].object_type.removesuffix("Basin"), definite=True))


def tells(kind: str, things: Things) -> list[Move]:
    """Where things of a kind are, as far as it is known."""
    hints: dict[Instruction, None] = {}
    for thing in [thing for thing in things.of(kind) if not thing.has("isPickedUp")][:_HINTED]:
        drawn = (hint_about(thing, things, random.Random(draw)) for draw in range(_DRAWS))
        found = filter(None, dict.fromkeys(drawn))
        hints |= dict.fromkeys(sorted(found, key=lambda hint: _vagueness(hint, things))[:_EACH])
    return [Move(Kind.TELL, _hint(hint), hint) for hint in list(hints)[:_HINTS]]


def _hint(hint: Instruction) -> str:
    """A hint in words: "the mug is in the sink", "a cup is near the toaster"."""
    what, where = hint.what, hint.where
    assert what, "a hint is about something"
    bare = phrase(replace(what, landmark=None))
    place = f"{preposition(where.noun)} {phrase(where)}" if where else phrase(what)[len(bare) + 1 :]
    return f"{bare} is {place}"


def _vagueness(hint: Instruction, things: Things) -> tuple[bool, int]:
    """How many places a hint may mean; one that names no place but a landmark is vaguer."""
    return not hint.where, len(matching(hint.where, things)) if hint.where else 0


def searches(nouns: Sequence[str]) -> list[Move]:
    """A search for each kind of thing."""
    return [Move(Kind.SEARCH, f"the {noun(name).one}", noun=name) for name in dict.fromkeys(nouns)]
