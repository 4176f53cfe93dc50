"""A clock: milk warms up whether somebody acts or not, and boils over; the cook has to take it off in time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.environment import Clocked, Environment, Status
from teach_agents.core.values import Event, Result, Say, Stop, Wait


@dataclass(frozen=True)
class Pot:
    """Degrees that the milk warms up by in a second; it is lidded for so many seconds at first."""

    instance_id: str
    warming: float
    lidded: float


@dataclass(frozen=True)
class TakeOff:
    """Take the pot off."""


@dataclass(frozen=True)
class Milk:
    seconds: float
    degrees: float


class Boiling(Environment[Pot, TakeOff, Milk], Clocked):
    """One cook, who can do nothing while the lid is on. Milk is to be 80 degrees warm, and is over at 100."""

    codec = Codec("boiling", instance=Pot, actions=(TakeOff,), observation=Milk)
    seats = ("cook",)

    def reset(self, instance: Pot, seed: int) -> Sequence[Event]:
        self.pot, self.seconds, self.over = instance, 0.0, ""
        return ()

    @property
    def degrees(self) -> float:
        return 20 + self.pot.warming * self.seconds

    def advance(self, seconds: float) -> Sequence[Event]:
        if self.over or not seconds:
            return ()
        before, self.seconds = self.degrees, self.seconds + seconds
        if self.degrees >= 100:
            self.over = "the milk boils over"
        return (Event("hot"),) if before < 80 <= self.degrees else ()

    def status(self) -> Status:
        closed = self.seconds < self.pot.lidded
        return Status(self.over, "off" if self.degrees < 100 else "lost", may_act=() if closed else None)

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Milk:
        return Milk(self.seconds, self.degrees)

    def act(self, seat: str, action: Any) -> Result:
        if self.over or self.status().may_act is not None or not isinstance(action, TakeOff | Say | Wait | Stop):
            return Result(False, "it is over, or the lid is on, or that is not for a cook")
        if isinstance(action, TakeOff | Stop):
            self.over = f"it is taken off at {self.degrees:g} degrees"
        return Result(True, trace={"degrees": self.degrees})
