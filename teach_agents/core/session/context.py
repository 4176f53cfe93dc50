"""What a session is held with: time limits and clock, world, agents, hooks."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from teach_agents.core.agents.contract import Agent, name_of, privileges_of
from teach_agents.core.environment import Environment, Forced
from teach_agents.core.errors import InputError
from teach_agents.core.session.format import RecordHeader
from teach_agents.core.session.hooks import DialogueHook


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds an agent has to get ready (`begin_s`) and to answer one observation (`act_s`); `None` waits for ever.

    Raises `InputError` for what is no positive number.
    """

    begin_s: float | None = 300.0
    act_s: float | None = 120.0

    def __post_init__(self) -> None:
        for name in ("begin_s", "act_s"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int | float) or isinstance(value, bool) or not value > 0):
                raise InputError("timeouts", f"{name} must be a positive number of seconds, or None", value=value)

    @classmethod
    def live(cls) -> Timeouts:
        """People may take their time."""
        return cls(begin_s=None, act_s=None)


class Clock(ABC):
    """Milliseconds since a session began."""

    def begin(self, elapsed_ms: int = 0) -> None:  # noqa: B027  # optional: nothing to wind up by default
        """A session begins, or goes on after `elapsed_ms`."""

    @abstractmethod
    def now_ms(self, turn: int, place: int = 0, places: int = 1) -> int:
        """The time at which the seat at `place` of `places` acts in `turn`. Never runs backwards."""


@dataclass(frozen=True, slots=True)
class TurnClock(Clock):
    """Time by turns: each takes `turn_ms`, of which every seat has an equal part. Runs with it repeat bit for bit."""

    turn_ms: int = 1000

    def now_ms(self, turn: int, place: int = 0, places: int = 1) -> int:
        """The beginning of the seat's part of the turn."""
        return turn * self.turn_ms + place * self.turn_ms // places


class RealClock(Clock):
    """The time that passes, growing by at least 1 ms from call to call."""

    def __init__(self) -> None:
        self.begin()

    def begin(self, elapsed_ms: int = 0) -> None:
        """Start at `elapsed_ms`."""
        self._start = time.monotonic() - elapsed_ms / 1000
        self._last = elapsed_ms - 1

    def now_ms(self, turn: int, place: int = 0, places: int = 1) -> int:
        """Milliseconds since the session began."""
        self._last = max(self._last + 1, int((time.monotonic() - self._start) * 1000))
        return self._last


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a session is held with; `agents` are those of the seats that are asked, `prefix` what the world forces.

    `privileges` is what the agents read, by seat: what they say before the session begins holds for all of it.
    """

    session_id: str
    environment: Environment[Any, Any, Any]
    instance: Any
    seed: int
    agents: Mapping[Any, Agent]
    timeouts: Timeouts
    clock: Clock
    hooks: tuple[tuple[str, DialogueHook], ...] = ()
    prefix: tuple[Forced, ...] = ()
    privileges: Mapping[Any, frozenset[Any]] = field(init=False)

    def __post_init__(self) -> None:
        declared = {seat: privileges_of(agent) for seat, agent in self.agents.items()}
        object.__setattr__(self, "privileges", declared)

    def header(self) -> RecordHeader:
        """The record's first line."""
        return RecordHeader(
            self.session_id,
            self.instance,
            self.seed,
            self.environment.about(),
            {seat: name_of(agent) for seat, agent in self.agents.items()},
            {seat: tuple(sorted(declared)) for seat, declared in self.privileges.items()},
            tuple(name for name, hook in self.hooks if hook.stamped),
        )


def agent_seed(seed: int, seat: Any) -> int:
    """The agent's own seed, from the session's: 32 bits, different for every seat."""
    return int.from_bytes(blake2b(f"{seed} {seat}".encode(), digest_size=4).digest(), "big")


class Unfinished(Exception):
    """What the session cannot do without is away for now: it has not ended, and its record can be gone on with."""
