"""What an utterance of the planner pair means, as frozen values: references, instructions, reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """An adjective before a noun. Each is the word itself."""

    CLEAN = "clean"
    DIRTY = "dirty"
    COOKED = "cooked"
    RAW = "raw"
    TOASTED = "toasted"
    BOILED = "boiled"
    EMPTY = "empty"
    FULL = "full"
    WHOLE = "whole"
    SAME = "same"
    """One for all, whichever is best."""


class Relation(StrEnum):
    """Where one thing is as seen from another. Sides are those of a person in the middle of the room who faces both."""

    NEAR = "near"
    LEFT = "left"
    RIGHT = "right"
    ABOVE = "above"
    BELOW = "below"
    BEHIND = "behind"
    BEFORE = "in front"


@dataclass(frozen=True, slots=True)
class Landmark:
    """Something well known that another thing is by: "left of the sink"."""

    relation: Relation
    thing: Reference


@dataclass(frozen=True, slots=True)
class Reference:
    """A noun phrase: "two clean plates that are on the counter top".

    `noun` is an AI2-THOR type or a TEACh class (`Plate`, `BreadSliced`, `Silverware`). `count` is how many are
    meant, `None` for all of them; `definite` tells "the plate" from "a plate". `place` is what it is in or on,
    `content` what it holds ("the plate with a slice of tomato on it"), `landmark` what it is by.
    """

    noun: str
    count: int | None = 1
    definite: bool = False
    states: tuple[State, ...] = ()
    place: Reference | None = None
    content: Reference | None = None
    landmark: Landmark | None = None
    ids: frozenset[str] | None = None
    """Which things are meant, where that was found out already; nothing in words."""


class Verb(StrEnum):
    """What the Commander can ask for or tell."""

    PUT = "put"
    PICK_UP = "pick up"
    CLEAN = "clean"
    SLICE = "slice"
    COOK = "cook"
    TOAST = "toast"
    BOIL = "boil"
    COFFEE = "make coffee"
    FILL = "fill"
    EMPTY = "empty"
    WATER = "water"
    CLEAR = "clear"
    TURN_ON = "turn on"
    TURN_OFF = "turn off"
    OPEN = "open"
    CLOSE = "close"
    LOOK = "look"
    """A hint: `what` (what was asked for, where it is left out) is in or on `where`, or by its own landmark."""
    FINISH = "finish"
    GIVE_UP = "give up"
    """Nothing is left to do."""
    ASIDE = "aside"
    """Said in passing, a greeting or praise: nothing to do."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step: a verb, what it acts upon, and where (the destination, or the tool to use)."""

    verb: Verb
    what: Reference | None = None
    where: Reference | None = None

    @property
    def phrases(self) -> list[Reference]:
        """What it acts upon and where, as far as it says so."""
        return [phrase for phrase in (self.what, self.where) if phrase is not None]

    @property
    def noun(self) -> str:
        """What it acts upon, "" where it does not say."""
        return self.what.noun if self.what else ""


class ReportKind(StrEnum):
    """What the Follower can say."""

    ASK_TASK = "ask for the task"
    ASK_NEXT = "ask for the next step"
    DONE = "done"
    NOT_FOUND = "not found"
    NOT_REACHED = "not reached"
    NO_ROOM = "no room"
    FAILED = "failed"
    NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True)
class Report:
    """One thing the Follower says, and about what."""

    kind: ReportKind
    what: Reference | None = None

    @property
    def noun(self) -> str:
        """What it is about, "" for nothing."""
        return self.what.noun if self.what else ""

    @property
    def is_failure(self) -> bool:
        """Whether a step did not work out."""
        return self.kind in _FAILURES


ABOUT_A_THING = frozenset({ReportKind.NOT_FOUND, ReportKind.NOT_REACHED, ReportKind.NO_ROOM})
"""Failures that name what they are about."""
_FAILURES = ABOUT_A_THING | {ReportKind.FAILED, ReportKind.NOT_UNDERSTOOD}
