"""The Environment contract: reset it, observe it from a seat, act in it from a seat, ask how it stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from teach_agents.core.codec import Codec
from teach_agents.core.values import NOTHING, Event, NoAction, Result, Say, Stop, Wait

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


class Environment(ABC, Generic[InstanceT, ActionT, ObservationT]):
    """A world with seats. It is used by one thread at a time, and by one episode at a time.

    The world owns its budgets: it counts what there is to count, completes a phase by force, and says in `status` when
    an episode is over. It draws at random by the seed of `reset` alone, so that the same actions lead to the same
    observations, results, events and status.

    What an observation holds beyond what everybody in a seat may see is a privilege: `privileges` names each and says
    in words what it gives. `observe` grants those that are asked for and no others; results state them.

    A world may have abilities besides (`teach_agents.core.environment.abilities`). `EnvironmentContract` in
    `teach_agents.core.environment.conformance` tries all of this.
    """

    codec: Codec[InstanceT, ActionT, ObservationT]
    """How instances, actions and observations are written."""
    seats: tuple[str, ...]
    """Who acts in this world. Within a turn actions are carried out in this order."""
    privileges: Mapping[str, str] = NOTHING

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

    def close(self) -> None:  # optional: nothing to release by default
        """Release what the world holds; it is not used again. Closing twice is allowed."""

    def about(self) -> Mapping[str, Any]:
        """What results and records say of the world besides its name, as JSON: what it runs on, say."""
        return NOTHING
