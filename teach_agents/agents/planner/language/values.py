"""What an utterance of the planner pair means, as frozen values: references, instructions, reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Instruction", "Reference", "Report", "ReportKind", "State", "Verb"]


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


@dataclass(frozen=True, slots=True)
class Reference:
    """A noun phrase: "two clean plates that are on the counter top".

    `noun` is an AI2-THOR type or a TEACh class (`Plate`, `BreadSliced`, `Silverware`). `count` is how many are
    meant, `None` for all of them; `definite` tells "the plate" from "a plate". `place` is what it is in or on,
    `content` what it holds ("the plate with a slice of tomato on it").
    """

    noun: str
    count: int | None = 1
    definite: bool = False
    states: tuple[State, ...] = ()
    place: Reference | None = None
    content: Reference | None = None


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
    """An answer: what was asked for is in or on `where`."""
    FINISH = "finish"
    GIVE_UP = "give up"
    """Nothing is left to do."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step: a verb, what it acts upon, and where (the destination, or the tool to use)."""

    verb: Verb
    what: Reference | None = None
    where: Reference | None = None


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
    def is_failure(self) -> bool:
        """Whether a step did not work out."""
        return self.kind in _FAILURES


_FAILURES = frozenset(
    {
        ReportKind.NOT_FOUND,
        ReportKind.NOT_REACHED,
        ReportKind.NO_ROOM,
        ReportKind.FAILED,
        ReportKind.NOT_UNDERSTOOD,
    }
)
