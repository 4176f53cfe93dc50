"""Two worlds as small as can be: one of words for two seats in turn, one of pictures that has every ability."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teach_agents.core.codec import Codec
from teach_agents.core.environment import (
    Clocked,
    Environment,
    Forced,
    Pictured,
    Prefixed,
    Restorable,
    Spaced,
    Status,
    Valid,
)
from teach_agents.core.errors import InputError
from teach_agents.core.values import Event, NoAction, Result, Say, Stop, Wait

BUDGET = 9


@dataclass(frozen=True, slots=True)
class Walk:
    """An instance: how many steps to the east the treasure lies."""

    treasure: int


@dataclass(frozen=True, slots=True)
class Go:
    """The walker takes some steps; to the west where they are negative."""

    steps: int


@dataclass(frozen=True, slots=True)
class Point:
    """The guide points."""

    east: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """What either knows."""

    turn: int
    heard: tuple[str, ...]
    treasure: int | None = None
    place: int | None = None


class Path(Environment[Walk, Go | Point, Sight]):
    """A guide and a walker on a windy path; the guide acts first, then the walker, and so on."""

    codec = Codec[Walk, Go | Point, Sight]("path", instance=Walk, actions=(Go, Point), observation=Sight, version=2)
    seats: tuple[str, ...] = ("guide", "walker")
    privileges = {"treasure": "where it lies", "place": "where the walker stands"}

    def reset(self, instance: Walk, seed: int) -> Sequence[Event]:
        self.instance, self.wind = instance, random.Random(seed)
        self.place = self.turn = 0
        self.said: tuple[str, ...] = ()
        self.over = ""
        return [Event("begun", {"treasure": instance.treasure})]

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        return Sight(
            self.turn,
            self.said,
            self.instance.treasure if "treasure" in privileges else None,
            self.place if "place" in privileges else None,
        )

    def status(self) -> Status:
        if self.over:
            return Status(self.over, "found" if self.found else "lost", may_act=())
        return Status(may_act=(self.seats[self.turn % 2],), phase="walk")

    def belongs(self, seat: str, action: Any) -> bool:
        return not isinstance(action, Point if seat == "walker" else Go)

    @property
    def found(self) -> bool:
        return self.place == self.instance.treasure

    def act(self, seat: str, action: Go | Point | Say | Wait | Stop | NoAction) -> Result:
        if seat not in (self.status().may_act or ()):
            return Result(False, "it is not your turn")
        self.turn += 1
        result = self.carry_out(seat, action)
        if self.found:
            self.over = "the treasure is found"
        elif self.turn >= 2 * BUDGET:
            self.over = "night falls"
        return result

    def carry_out(self, seat: str, action: Any) -> Result:
        if isinstance(action, Go) and seat == "walker":
            gust = self.wind.choice((0, 0, 1))
            self.place += action.steps - gust
            blown = (Event("blown", {"west": gust}),) if gust else ()
            where = {"at": self.place}
            return Result(True, f"walked {action.steps}", cost=abs(action.steps), trace=where, events=blown)
        if isinstance(action, Point) and seat == "guide":
            self.said = (*self.said, "east" if action.east else "west")
            return Result(True, "pointed")
        if isinstance(action, Say):
            self.said = (*self.said, f"{seat}: {action.text}")
        elif isinstance(action, Stop):
            self.over = f"the {seat} stopped"
        elif not isinstance(action, Wait):
            return Result(False, f"not for a {seat}: {action!r}")
        return Result(True)


@dataclass(frozen=True, slots=True)
class Wall:
    """An instance: the shade that its picture should have everywhere, and whether somebody began."""

    shade: int
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Paint:
    """Paint one of the four fields."""

    field: int
    shade: int


@dataclass(frozen=True, slots=True)
class Glance:
    """The wall as it looks, a byte a field."""

    picture: bytes
    wet: frozenset[int]
    late: int


@dataclass(frozen=True, slots=True)
class Painted:
    """The verdict on a wall."""

    success: bool
    fields: tuple[int, ...]

    def to_json(self) -> Mapping[str, Any]:
        """As JSON."""
        return {"success": self.success, "fields": list(self.fields)}


class Flat:
    """A space of arrays."""

    def contains(self, value: Any) -> bool:
        return isinstance(value, np.ndarray) and value.shape == (4,)


class Numbers:
    """A space of whole numbers, of which the last stand for nothing."""

    def __init__(self, count: int) -> None:
        self.count = count

    def sample(self) -> int:
        return random.randrange(self.count + 2)


class Mural(
    Environment[Wall, Paint, Glance],
    Valid,
    Prefixed,
    Restorable,
    Clocked,
    Pictured,
    Spaced,
):
    """One painter before a wall of four fields; paint is wet for a second and takes no other meanwhile."""

    codec = Codec[Wall, Paint, Glance](
        "mural", instance=Wall, actions=(Paint,), observation=Glance, version=3, reads=(1,)
    )
    seats = ("painter",)

    def reset(self, instance: Wall, seed: int) -> Sequence[Event]:
        self.instance, self.dice = instance, random.Random(seed)
        self.fields = [0, 0, 0, 0]
        self.drying: dict[int, float] = {}
        self.late = 0
        self.stopped = False
        return ()

    def prefix(self) -> Sequence[Forced]:
        begun = (Forced("painter", Paint(0, self.instance.shade)), Forced("painter", Wait()))
        return begun if self.instance.begun else ()

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Glance:
        return Glance(bytes(self.fields), frozenset(self.drying), self.late)

    def status(self) -> Status:
        done = "everything is painted" if self.judge().success else "the painter went" if self.stopped else ""
        return Status(done, "stopped" if self.stopped else "painted")

    def act(self, seat: str, action: Paint | Say | Wait | Stop | NoAction) -> Result:
        if self.status().over:
            return Result(False, "it is over")
        if action in self.valid_actions(seat) and isinstance(action, Paint):
            self.fields[action.field] = action.shade + self.dice.choice((0, 0, 0, 1))
            self.drying[action.field] = 1.0
            return Result(True, trace={"field": action.field})
        self.stopped = self.stopped or isinstance(action, Stop)
        return Result(isinstance(action, Say | Wait | Stop), "the paint is wet, or this is no work for a painter")

    def valid_actions(self, seat: str) -> Sequence[Paint]:
        if self.status().over:
            return ()
        shades = (self.instance.shade, self.instance.shade // 2)
        return [Paint(field, shade) for field in range(4) if field not in self.drying for shade in shades]

    def snapshot(self) -> object:
        return self.fields[:], dict(self.drying), self.late, self.stopped, self.dice.getstate()

    def restore(self, snapshot: Any) -> None:
        fields, drying, self.late, self.stopped, dice = snapshot
        self.fields, self.drying = fields[:], dict(drying)
        self.dice.setstate(dice)

    def advance(self, seconds: float) -> Sequence[Event]:
        self.drying = {field: left - seconds for field, left in self.drying.items()}
        dry = [field for field, left in self.drying.items() if left <= 0]
        for field in dry:
            del self.drying[field]
        return [Event("dry", {"field": field}) for field in dry]

    def stamp(self, time_ms: int) -> None:
        self.late = time_ms

    def judge(self) -> Painted:
        return Painted(all(shade >= self.instance.shade for shade in self.fields), tuple(self.fields))

    def digest(self) -> str:
        state = (self.fields, sorted(self.drying.items()), self.late, self.stopped)
        return hashlib.sha256(repr(state).encode()).hexdigest()[:12]

    def picture(self, seat: str | None, size: int) -> Any:
        shades = np.array(self.fields, np.uint8).reshape(2, 2)
        return np.repeat(np.kron(shades, np.ones((size // 2, size // 2), np.uint8))[:, :, None], 3, axis=2)

    def spaces(self, seat: str) -> tuple[Any, Any]:
        return Flat(), Numbers(4)

    def to_space(self, seat: str, observation: Glance) -> Any:
        return np.frombuffer(observation.picture, np.uint8)

    def from_space(self, seat: str, value: Any) -> Paint:
        if not 0 <= value < 4:
            raise InputError("mural", "has four fields", value=value)
        return Paint(int(value), self.instance.shade)
