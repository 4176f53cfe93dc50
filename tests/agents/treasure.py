"""A world of words for two seats: a guide knows in which of three rooms the treasure is, a seeker goes there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Status
from teach_agents.core.values import Event, NoAction, Result, Say, Stop, Wait
from teach_agents.core.world import World
from teach_agents.models.scaffold import Candidate, Scaffold

ROOMS = ("attic", "cellar", "kitchen")


@dataclass(frozen=True, slots=True)
class Hunt:
    """Where the treasure is."""

    room: str


@dataclass(frozen=True, slots=True)
class Go:
    """Go to a room."""

    room: str


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees; what is said is not in it."""

    text: str
    picture: bytes
    valid_actions: tuple[Go | Say | Wait | Stop, ...]


class TreasureScaffold(Scaffold[Sight]):
    """Goes to a room and back as one choice, and may speak in its own words."""

    def about(self, seat: str) -> str:
        """The story."""
        return "There is a treasure in one of three rooms."

    def candidates(self, observation: Sight, seat: str) -> Sequence[Candidate]:
        """What the observation offers, and to say something."""
        rounds = [Candidate(f"try the {one}", [Go(one), Wait()]) for one in ROOMS if seat == "seeker"]
        return [*rounds, Candidate("say something", words=True), Candidate("wait", Wait())]


CODEC = Codec[Hunt, Go, Sight]("treasure", instance=Hunt, actions=(Go,), observation=Sight, version=3)
PLAIN = World(CODEC)
TOLD = World(CODEC, scaffold=TreasureScaffold)


class House(Environment[Hunt, Go, Sight]):
    """Over when the seeker is in the room, or stops, or after eight turns."""

    codec = CODEC
    seats = ("guide", "seeker")

    def reset(self, instance: Hunt, seed: int) -> Sequence[Event]:
        self.hunt, self.place, self.acts, self.over = instance, "hall", 0, ""
        return ()

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        known = f" The treasure is in the {self.hunt.room}." if seat == "guide" else ""
        offered: Any = [Go(room) for room in ROOMS] if seat == "seeker" else [Say(room) for room in ROOMS]
        return Sight(f"You are in the {self.place}.{known}", b"", (*offered, Wait()))

    def act(self, seat: str, action: Go | Say | Wait | Stop | NoAction) -> Result:
        self.acts += 1
        if isinstance(action, NoAction) or (isinstance(action, Go) and seat == "guide"):
            return Result(False, "nothing can be done")
        if isinstance(action, Go):
            self.place = action.room
            self.over = "found" if self.place == self.hunt.room else ""
            return Result(bool(self.over), "" if self.over else "it is empty")
        self.over = self.over or ("stopped" if isinstance(action, Stop) else "")
        return Result(True)

    def status(self) -> Status:
        over = self.over or ("too late" if self.acts >= 16 else "")
        return Status(over, over or "on")


def deeds(record: Any) -> list[tuple[str, Any]]:
    """Who did what, of a record's turns."""
    return [(str(seat), done.action) for turn in record.turns for seat, done in turn.done.items()]
