"""Phases with a budget each: a part is found, then put in its place; a phase that is not ended is ended by force."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Status
from teach_agents.core.values import Event, Result, Say, Stop, Wait

BUDGET, PHASES = 3, ("find", "place")


@dataclass(frozen=True)
class Job:
    """Where the part lies, and where it belongs."""

    instance_id: str
    goals: tuple[int, int]


@dataclass(frozen=True)
class Go:
    by: int


@dataclass(frozen=True)
class End:
    """End the phase: take the part that lies here, or put it here."""


@dataclass(frozen=True)
class Seen:
    at: int
    told: str
    goal: int | None


class Building(Environment[Job, Go | End, Seen]):
    """In each phase the caller, who alone knows where, speaks first; then the builder acts alone."""

    codec = Codec("building", instance=Job, actions=(Go, End), observation=Seen)
    seats: tuple[str, ...] = ("caller", "builder")

    def reset(self, instance: Job, seed: int) -> Sequence[Event]:
        self.job, self.phase, self.where, self.left, self.told, self.over = instance, 0, 0, BUDGET, "", ""
        return (Event("phase_began", {"phase": PHASES[0]}),)

    def status(self) -> Status:
        if self.over:
            return Status(self.over, "built" if self.phase == len(PHASES) else "stopped")
        return Status(may_act=("builder",) if self.told else ("caller",), phase=PHASES[self.phase])

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Seen:
        knows = seat == "caller" and not self.over
        return Seen(self.where, self.told, self.job.goals[self.phase] if knows else None)

    def act(self, seat: str, action: Any) -> Result:
        if seat not in (self.status().may_act or ()):
            return Result(False, "not now")
        if isinstance(action, Stop):
            self.over = f"the {seat} stopped"
        elif seat == "caller" and isinstance(action, Say | Wait):
            self.told = action.text if isinstance(action, Say) else "find out"
        elif seat == "builder" and isinstance(action, Go | End | Say | Wait):
            return self.build(action)
        else:
            return Result(False, f"not for the {seat}")
        return Result(True)

    def build(self, action: Any) -> Result:
        self.left -= 1
        self.where += action.by if isinstance(action, Go) else 0
        about = {"phase": PHASES[self.phase], "at": self.where, "goal": self.job.goals[self.phase]}
        if self.left and not isinstance(action, End):
            return Result(True, trace=about)
        ended = Event("phase_ended", {**about, "forced": not isinstance(action, End)})
        self.phase, self.left, self.told = self.phase + 1, BUDGET, ""
        self.over = "all phases have ended" if self.phase == len(PHASES) else ""
        return Result(True, f"{about['phase']} has ended", trace=ended.data, events=(ended,))
