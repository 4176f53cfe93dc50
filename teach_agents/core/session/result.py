"""How a session ended."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from teach_agents.core.values import nothing

CRASHED = "crashed"
"""An agent, a dialogue hook or the world raised."""
TIMED_OUT = "timed_out"
"""An agent gave no answer in time."""
ENDED = "ended"
"""Whoever keeps the session ended it."""


@dataclass(frozen=True, slots=True)
class End:
    """Why a session is over: the kind of end, one word; in words; and a traceback where something raised."""

    reason: str
    text: str
    details: str = ""

    @property
    def broken(self) -> bool:
        """Whether the session fails whatever state it left."""
        return self.reason in (CRASHED, TIMED_OUT)


def crash(error: BaseException) -> End:
    """The end that an unforeseen exception makes."""
    return End(CRASHED, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


@dataclass(slots=True)
class Tally:
    """What a session counts, by seat: actions apart from waiting, utterances, failed actions, costs, dialogue acts.

    `strangers` are the names of those who spoke into the session from no seat of it.
    """

    seats: tuple[Any, ...]
    turns: int = 0
    strangers: list[str] = field(default_factory=list)
    actions: dict[Any, int] = field(init=False)
    utterances: dict[Any, int] = field(init=False)
    failures: dict[Any, int] = field(init=False)
    costs: dict[Any, float] = field(init=False)
    dialogue_acts: dict[Any, Counter[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.actions, self.utterances, self.failures = (dict.fromkeys(self.seats, 0) for _ in range(3))
        self.costs = dict.fromkeys(self.seats, 0.0)
        self.dialogue_acts = {seat: Counter() for seat in self.seats}

    def spoken(self, name: str) -> None:
        """A stranger has spoken."""
        if name not in self.strangers:
            self.strangers.append(name)


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The outcome of a session.

    `success` is the final verdict's, false for a session that crashed or timed out, else `None` for a world that is not
    judged. `actions` counts what each seat did apart from waiting, `failures` the failed actions, `costs` what the
    world charged. `agents` are SPECs, or class names of agents made in Python, `provenance` what else their answers
    depend on. `hooks` are the dialogue hooks by name with what each notes at the end. `strangers` spoke into the
    session: it enters no comparison. `details` holds the traceback of a crash. `wall_s` is the real time the session
    took and the only part that differs between two runs of the same session; the record leaves it out.
    """

    session_id: str
    instance_id: str
    seed: int
    world: str
    about: Mapping[str, Any]
    agents: Mapping[str, str]
    privileges: Mapping[str, Sequence[str]]
    success: bool | None
    end_reason: str
    reason: str
    initial: Mapping[str, Any]
    final: Mapping[str, Any]
    turns: int
    actions: Mapping[str, int]
    utterances: Mapping[str, int]
    failures: Mapping[str, int]
    costs: Mapping[str, float]
    provenance: Mapping[str, Mapping[str, str]] = field(default_factory=nothing)
    hooks: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    dialogue_acts: Mapping[str, Mapping[str, int]] = field(default_factory=nothing)
    strangers: tuple[str, ...] = ()
    details: str = ""
    wall_s: float = 0.0

    @property
    def broken(self) -> bool:
        """Whether it crashed or timed out."""
        return End(self.end_reason, self.reason).broken

    def to_json(self, *, timed: bool = True) -> dict[str, Any]:
        """The result as JSON, without `wall_s` unless `timed`."""
        full = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "wall_s"}
        full["hooks"] = [{"name": name, "notes": dict(notes)} for name, notes in self.hooks]
        full |= {name: dict(full[name]) for name in ("about", "agents", "initial", "final", "costs")}
        full["privileges"] = {seat: list(found) for seat, found in self.privileges.items()}
        full["strangers"] = list(self.strangers)
        return {**full, "wall_s": round(self.wall_s, 3)} if timed else full
