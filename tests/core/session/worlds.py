"""Worlds of words: a talk for any seats, with what was said in what is seen, or without."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Status
from teach_agents.core.session.record import ReplayReport, SessionRecord, read_record, replay
from teach_agents.core.values import Event, Result, Say, Stop, Utterance, Wait


@dataclass(frozen=True, slots=True)
class Put:
    """Put something at a body's place."""

    what: str


@dataclass(frozen=True, slots=True)
class Sight:
    """How often was acted, and what lies at one's own place."""

    acts: int
    here: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heard(Sight):
    """The same, with all that was said and the last result."""

    dialogue: tuple[Utterance, ...] = ()
    last_result: Result | None = None


class Bench(Environment[str, Put, Sight]):
    """The first seat talks; each of the others has a body, which puts things down. Over when anybody stops."""

    codec: Codec[str, Put, Any] = Codec("bench", instance=str, actions=(Put,), observation=Sight, version=2, reads=(1,))
    seats: tuple[str, ...] = ("lead", "left", "right")
    privileges = {"everything": "what lies in all places"}

    def reset(self, instance: str, seed: int) -> Sequence[Event]:
        self.acts, self.over = 0, ""
        self.places: dict[str, tuple[str, ...]] = {seat: () for seat in self.seats}
        return ()

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Any:
        return Sight(self.acts, sum(self.places.values(), ()) if "everything" in privileges else self.places[seat])

    def act(self, seat: str, action: Any) -> Result:
        self.acts += 1
        if isinstance(action, Put) and seat != self.seats[0]:
            self.places[seat] += (action.what,)
            return Result(True, f"{seat} put {action.what}", cost=1.0)
        if isinstance(action, Stop):
            self.over = f"the {seat} stopped"
        return Result(isinstance(action, Say | Wait | Stop), "" if isinstance(action, Say | Wait | Stop) else "no")

    def status(self) -> Status:
        return Status(self.over, "stopped")

    def belongs(self, seat: str, action: Any) -> bool:
        return not isinstance(action, Put) or seat != self.seats[0]

    def digest(self) -> str:
        return f"{self.acts} {sorted(self.places.items())}"


class Pair(Bench):
    """Two seats; what was said, and the last result, are seen."""

    codec = Codec("pair", instance=str, actions=(Put,), observation=Heard)
    seats = ("lead", "left")

    def reset(self, instance: str, seed: int) -> Sequence[Event]:
        self.dialogue: tuple[Utterance, ...] = ()
        self.last: dict[str, Result] = {}
        self.now_ms = 0
        return super().reset(instance, seed)

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Heard:
        return Heard(self.acts, self.places[seat], self.dialogue, self.last.get(seat))

    def act(self, seat: str, action: Any) -> Result:
        result = self.last[seat] = super().act(seat, action)
        if isinstance(action, Say):
            self.dialogue += (Utterance(seat, action.text, self.now_ms),)
        return result

    def stamp(self, time_ms: int) -> None:
        self.now_ms = time_ms

    def overhear(self, utterance: Utterance) -> None:
        self.dialogue += (utterance,)


class Script(Agent):
    """Does one thing after the other, then waits; keeps what it was told, and by whom it was asked."""

    def __init__(self, *actions: Any) -> None:
        self.actions = actions

    def begin(self, briefing: Briefing) -> None:
        self.briefing = briefing
        self.seen: list[Any] = []
        self.ears: list[tuple[str, str]] = []
        self.results: list[Result] = []

    def act(self, observation: Any) -> Any:
        self.seen.append(observation)
        done = len(self.seen) - 1
        return self.actions[done] if done < len(self.actions) else Wait()

    def hear(self, utterance: Utterance) -> None:
        self.ears.append((utterance.speaker, utterance.text))

    def told(self, result: Result) -> None:
        self.results.append(result)


def read(path: Path, world: Environment[Any, Any, Any]) -> SessionRecord:
    """A record of a world."""
    return read_record(path, world.form)


def replayed(path: Path, world: Environment[Any, Any, Any]) -> ReplayReport:
    """A record carried out again."""
    return replay(read(path, world), world)
