"""Worlds that agents act in: reset one, observe and act from a seat, ask how it stands; what else it can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from teach_agents.core.codec import Codec
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.values import NOTHING, Event, NoAction, Result, Say, Stop, Utterance, Wait, nothing

if TYPE_CHECKING:
    from teach_agents.core.session.format import RecordFormat


InstanceT = TypeVar("InstanceT")
ActionT = TypeVar("ActionT")
ObservationT = TypeVar("ObservationT")


@dataclass(frozen=True, slots=True)
class Status:
    """How an episode stands.

    `over` is why it is over, in words; empty while it goes on. `end` is the same as one word, for programs and tables.
    `may_act` are the seats that may act now, in the order in which their actions are carried out; `None` is all.
    `phase` is the world's name for the part of the episode that it is in. While an episode goes on somebody may act,
    unless time has to pass first (`Clocked`).
    """

    over: str = ""
    end: str = "over"
    may_act: tuple[str, ...] | None = None
    phase: str = ""


GOES_ON = Status()


class Verdict(Protocol):
    """What a state is judged to be."""

    @property
    def success(self) -> bool:
        """Whether what was to be done is done."""

    def to_json(self) -> JsonMapping:
        """The verdict as JSON."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict of a world without a class of its own for it: `figures` are JSON, by name."""

    success: bool
    figures: JsonMapping = field(default_factory=nothing)

    def to_json(self) -> JsonMapping:
        """The verdict as JSON."""
        return {"success": self.success, **self.figures}


class Environment(ABC, Generic[InstanceT, ActionT, ObservationT]):
    """A world with seats. It is used by one thread at a time, and by one episode at a time.

    The world owns its budgets: it counts what there is to count, completes a phase by force, and says in `status` when
    an episode is over. It draws at random by the seed of `reset` alone, so that the same actions lead to the same
    observations, results, events and status.

    What an observation holds beyond what everybody in a seat may see is a privilege: `privileges` names each and says
    in words what it gives. `observe` grants those that are asked for and no others; results state them.

    A world may have abilities besides, by inheriting them (`Valid` and others). `EnvironmentContract` in
    `teach_agents.core.environment.conformance` tries all of this.
    """

    codec: Codec[InstanceT, ActionT, ObservationT]
    """How instances, actions and observations are written."""
    seats: tuple[str, ...]
    """Who acts in this world. Within a turn actions are carried out in this order."""
    privileges: Mapping[str, str] = NOTHING
    finishes_turns: bool = False
    """Whether a turn in which the episode ended is carried out to its end: what is done then may be a success."""

    @abstractmethod
    def reset(self, instance: InstanceT, seed: int) -> Sequence[Event]:
        """Begin an episode, and tell what happens at once. Raises `InputError` for what cannot be played here."""

    @abstractmethod
    def observe(self, seat: str, privileges: Collection[str] = ()) -> ObservationT:
        """What a seat sees now.

        The value does not change when the world does, and nothing in it reaches more than it shows. What is made when
        it is first looked at (a picture) has to be looked at before the next action, or raises.
        """

    @abstractmethod
    def act(self, seat: str, action: ActionT | Say | Wait | Stop | NoAction) -> Result:
        """Carry out one action of a seat.

        Whatever an agent did is answered by a result: what is refused (an action of another seat, out of turn, behind
        the end, none at all) is a failed action whose message says why. Only a broken world raises.
        """

    @abstractmethod
    def status(self) -> Status:
        """How the episode stands."""

    @property
    def form(self) -> RecordFormat:
        """How its episodes are written into records."""
        from teach_agents.core.session.format import RecordFormat

        return RecordFormat(self.codec)

    def belongs(self, seat: str, action: Any) -> bool:
        """Whether an action is one that a seat can take at all; by default any seat can take any."""
        return True

    def stamp(self, time_ms: int) -> None:  # optional
        """It is so late now that somebody acts: milliseconds since the session began, never less than before."""

    def overhear(self, utterance: Utterance) -> None:  # optional
        """Somebody from no seat has spoken; for a world whose observations show what was said."""

    def hint(self, seat: str, text: str) -> None:  # optional
        """A seat is told this besides its last result; for a world whose observations have a place for it."""

    def judge(self) -> Verdict | None:
        """The verdict on the present state, by what agents are not told; `None` in a world that is not judged."""
        return None

    def digest(self) -> str:
        """A short text that differs where anything in the state does, so that a replay can be told from a likeness.

        What records hold anyway need not count: what was said, how often a seat has acted, its last action and result.
        """
        return ""

    def close(self) -> None:  # optional: nothing to release by default
        """Release what the world holds; it is not used again. Closing twice is allowed."""

    def about(self) -> JsonMapping:
        """What results and records say of the world besides its name, as JSON: what it runs on, say."""
        return NOTHING


class Valid(ABC):
    """Knows what can be done. `exact` says that each of it would be a success; else some of it may be refused."""

    exact: bool = True

    @abstractmethod
    def valid_actions(self, seat: str) -> Sequence[Any]:
        """What a seat can do now, and none where it may not act: always in the same order for the same state."""


def valid_actions(environment: object, seat: str) -> tuple[Any, ...]:
    """What a seat can do now, where its world knows that; else nothing."""
    return tuple(environment.valid_actions(seat)) if isinstance(environment, Valid) else ()


@dataclass(frozen=True, slots=True)
class Forced:
    """One action that is carried out whatever an agent would do: recorded ones, or an experimenter's."""

    seat: str
    action: Any


class Prefixed(ABC):
    """Has episodes that begin with actions nobody is asked for, during which agents look on (`Agent.recall`)."""

    @abstractmethod
    def prefix(self) -> Sequence[Forced]:
        """These actions, in order; asked once, behind `reset`."""


class Restorable(ABC):
    """Can go back to an earlier moment of the episode."""

    @abstractmethod
    def snapshot(self) -> object:
        """The present moment. It stays good until the next `reset`."""

    @abstractmethod
    def restore(self, snapshot: Any) -> None:
        """Go back to that moment."""


class Clocked(ABC):
    """Has a time of its own that passes whether somebody acts or not."""

    @abstractmethod
    def advance(self, seconds: float) -> Sequence[Event]:
        """Let so much time pass, and tell what happened meanwhile."""


class Pictured(ABC):
    """Can be drawn for people."""

    @abstractmethod
    def picture(self, seat: str | None, size: int) -> Any:
        """What a seat sees, or without one the whole world: uint8, size x size x 3. `None` where there is nothing."""


class Spaced(ABC):
    """Fits Gymnasium's spaces."""

    @abstractmethod
    def spaces(self, seat: str) -> tuple[Any, Any]:
        """The spaces of a seat's observations and actions."""

    @abstractmethod
    def to_space(self, seat: str, observation: Any) -> Any:
        """An observation as a value of its space."""

    @abstractmethod
    def from_space(self, seat: str, value: Any) -> Any:
        """The action that a value of the action space stands for. Raises `InputError` for none."""
