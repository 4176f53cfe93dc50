"""A benchmark of each of the four worlds, and who plays there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teach_agents import Benchmark
from teach_agents.core.values import Say
from tests.core.worlds.phases import Building, End, Go, Job, Seen
from tests.core.worlds.questions import THINGS, Ask, Bring, Errand, Room, Wish

Record = Mapping[str, Any]


def caller(seen: Seen) -> Say:
    """Says where it is."""
    return Say(str(seen.goal))


def builder(seen: Seen) -> Go | End:
    """Goes where it is told, a step at a time."""
    left = int(seen.told) - seen.at
    return Go(max(-1, min(1, left))) if left else End()


class Jobs(Benchmark[Job, Record]):
    """Find the part, put it in its place; two are too far away."""

    agents = {"caller": f"{__name__}:caller", "builder": f"{__name__}:builder"}

    def instances(self, split: str) -> Sequence[Job]:
        self.known(split)
        return [Job(f"job-{number}", (number % 3, 5 - number)) for number in range(6)]

    def environment(self) -> Building:
        return Building()

    def score(self, record: Record) -> Mapping[str, float]:
        ended = [one["data"] for one in record["events"] if one["kind"] == "phase_ended"]
        right = [one["at"] == one["goal"] and not one["forced"] for one in ended]
        return {"success": all(right), "forced": sum(one["forced"] for one in ended)}


def robot(room: Room) -> Ask | Bring:
    """Asks for colour and size, then knows."""
    told = [one.rstrip(".").rpartition(" ")[2] for one in room.answers]
    return Ask(("colour", "size")[len(told)]) if len(told) < 2 else Bring(THINGS.index((told[0], told[1])))


class Errands(Benchmark[Wish, Record]):
    """Bring what is meant, for as little as can be."""

    agents = {"robot": f"{__name__}:robot"}

    def instances(self, split: str) -> Sequence[Wish]:
        self.known(split)
        return [Wish(f"wish-{number}", number) for number in range(len(THINGS))]

    def environment(self) -> Errand:
        return Errand()

    def score(self, record: Record) -> Mapping[str, float]:
        return {"success": record["end_reason"] == "brought", "charged": record["charged"]["robot"]}

    def lost_scores(self, names: Any) -> Mapping[str, float]:
        """Whoever fails has paid for nothing."""
        return {"success": 0.0, "charged": 400.0}
