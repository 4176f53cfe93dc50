"""What every world shares: saying something, waiting, stopping; what came of an action; what was said; what happened.

A seat is a name (a text): who sits there acts in the world and is told of it. A world's own actions and observations
are frozen values of its own; these stand beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from teach_agents.core.json_types import JsonMapping

NOTHING: JsonMapping = MappingProxyType({})
"""No JSON object in particular."""


def nothing() -> JsonMapping:
    """`NOTHING`, as a dataclass's default."""
    return NOTHING


@dataclass(frozen=True, slots=True)
class Say:
    """Speak: everybody else in the world hears it, unless the world has it otherwise."""

    text: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Let this turn pass."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the episode, where the world lets this seat do that."""


@dataclass(frozen=True, slots=True)
class NoAction:
    """An answer that is no action of the world's: `problem` says why. The world counts it as it likes."""

    problem: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said: by whom (a seat, or a stranger's name), the words, milliseconds since the session began."""

    speaker: Any
    text: str
    time_ms: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a world: published on the bus and recorded. `data` is JSON."""

    kind: str
    data: JsonMapping = field(default_factory=nothing)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an action.

    `message` is the world's own line. `cost` is what it was charged, in the world's unit; `trace` is JSON that scoring
    needs and agents are not shown; `events` are published and recorded. These three are no part of what results are
    compared by.
    """

    success: bool
    message: str = ""
    cost: float = field(default=0.0, kw_only=True, compare=False, repr=False)
    trace: JsonMapping = field(default_factory=nothing, kw_only=True, compare=False, repr=False)
    events: tuple[Event, ...] = field(default=(), kw_only=True, compare=False, repr=False)
