"""What a world may be able to do besides. Each ability is a protocol: a world has it by having its methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from teach_agents.core.values import Event, Utterance, nothing


@runtime_checkable
class Valid(Protocol):
    """Knows what can be done."""

    def valid_actions(self, seat: str) -> Sequence[Any]:
        """The actions of a seat that would not be refused now, always in the same order for the same state."""


@dataclass(frozen=True, slots=True)
class Forced:
    """One action that is carried out whatever an agent would do: recorded ones, or an experimenter's."""

    seat: str
    action: Any


@runtime_checkable
class Prefixed(Protocol):
    """Has episodes that begin with actions nobody is asked for, during which agents look on (`Agent.recall`)."""

    def prefix(self) -> Sequence[Forced]:
        """These actions, in order; asked once, behind `reset`."""


@runtime_checkable
class Restorable(Protocol):
    """Can go back to an earlier moment of the episode."""

    def snapshot(self) -> object:
        """The present moment. It stays good until the next `reset`."""

    def restore(self, snapshot: Any) -> None:
        """Go back to that moment."""


@runtime_checkable
class Clocked(Protocol):
    """Has a time of its own that passes whether somebody acts or not."""

    def advance(self, seconds: float) -> Sequence[Event]:
        """Let so much time pass, and tell what happened meanwhile."""


@runtime_checkable
class Stamped(Protocol):
    """Wants to know how late it is when somebody acts: milliseconds since the session began, never less than before."""

    def at(self, time_ms: int) -> None:
        """It is so late now."""


@runtime_checkable
class Hearing(Protocol):
    """Shows in its observations what was said, also by strangers to the session."""

    def heard(self, utterance: Utterance) -> None:
        """Somebody from no seat has spoken."""


@runtime_checkable
class Hinted(Protocol):
    """Has a place in its observations for what a seat is told besides a result."""

    def hint(self, seat: str, text: str) -> None:
        """A seat is told this besides its last result."""


class Verdict(Protocol):
    """What a state is judged to be."""

    @property
    def success(self) -> bool:
        """Whether what was to be done is done."""

    def to_json(self) -> Mapping[str, Any]:
        """The verdict as JSON."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict of a world without a class of its own for it: `figures` are JSON, by name."""

    success: bool
    figures: Mapping[str, Any] = field(default_factory=nothing)

    def to_json(self) -> Mapping[str, Any]:
        """The verdict as JSON."""
        return {"success": self.success, **self.figures}


@runtime_checkable
class Judged(Protocol):
    """Can be judged at any moment, by what agents are not told."""

    def judge(self) -> Verdict:
        """The verdict on the present state."""


@runtime_checkable
class Digested(Protocol):
    """Has a fingerprint of its state, so that a replay can be told from a likeness."""

    def digest(self) -> str:
        """A short text that differs where anything in the state does."""


@runtime_checkable
class Pictured(Protocol):
    """Can be drawn for people."""

    def picture(self, seat: str | None, size: int) -> Any:
        """What a seat sees, or without one the whole world: uint8, size x size x 3. `None` where there is nothing."""


@runtime_checkable
class Spaced(Protocol):
    """Fits Gymnasium's spaces."""

    def spaces(self, seat: str) -> tuple[Any, Any]:
        """The spaces of a seat's observations and actions."""

    def to_space(self, seat: str, observation: Any) -> Any:
        """An observation as a value of its space."""

    def from_space(self, seat: str, value: Any) -> Any:
        """The action that a value of the action space stands for. Raises `InputError` for none."""
