"""A benchmark of the path world, as a third party would write it: instances by level, a pair of its own."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

from teach_agents.core.agents.contract import Agent
from teach_agents.core.benchmark.contract import Benchmark, Option
from teach_agents.core.codec import Codec
from teach_agents.core.values import Say, Stop, Wait
from tests.core.environment.worlds import Go, Path, Point, Sight, Walk


@dataclass(frozen=True, slots=True)
class Hunt(Walk):
    """A walk with a level, on one of two paths."""

    number: int = 0

    @property
    def instance_id(self) -> str:
        return f"hunt-{self.number}"

    @property
    def groups(self) -> Mapping[str, str]:
        return {"level": "near" if self.treasure < 4 else "far"}

    @property
    def cluster(self) -> str:
        return f"path {self.number % 2}"


@dataclass(frozen=True, slots=True)
class Found:
    """Whether the walker stands at the treasure."""

    success: bool

    def to_json(self) -> Mapping[str, Any]:
        return {"success": self.success}


class UnjudgedPath(Path):
    """The path, for hunts."""

    codec = Codec[Hunt, Go | Point, Sight]("path", instance=Hunt, actions=(Go, Point), observation=Sight, version=2)  # type: ignore[assignment]  # a hunt is a walk


class TreasurePath(UnjudgedPath):
    """The path, judged."""

    def judge(self) -> Found:
        return Found(self.found)


class Guide(Agent):
    """Says where it is: it knows."""

    privileges = frozenset({"treasure"})

    def act(self, observation: Sight) -> Any:
        return Say(f"{observation.treasure} steps east") if not observation.heard else Wait()


def walker(observation: Sight) -> Any:
    """Walks to where it is told, then stops."""
    if observation.turn > 6:
        return Stop()
    told = [words for words in observation.heard if "steps" in words]
    return Go(int(told[0].split()[1])) if told and observation.turn < 2 else Go(1)


def idle(observation: Sight) -> Any:
    """Stops at once."""
    return Stop()


def broken(observation: Sight) -> Any:
    """Raises."""
    raise ValueError("no legs")


def asleep(observation: Sight) -> Any:
    """Sleeps for a long time."""
    time.sleep(600)


@dataclass(eq=False)
class TreasureBenchmark(Benchmark[Hunt, Mapping[str, Any]]):
    """Find treasures.

    Two play: one knows where it lies, one can walk.
    """

    count: Annotated[int, "How many treasures there are."] = 4
    _: KW_ONLY
    depths: Annotated[tuple[int, ...], Option("Only treasures this far away; may be repeated.", source=True)] = ()

    splits = ("all", "odd")
    agents = {"guide": f"{__name__}:Guide", "walker": f"{__name__}:walker"}

    def instances(self, split: str) -> Sequence[Hunt]:
        found = [Hunt(number + 1, number=number) for number in range(self.count)]
        found = [one for one in found if self.known(split) == "all" or one.treasure % 2]
        return [one for one in found if not self.depths or one.treasure in self.depths]

    def environment(self) -> UnjudgedPath:
        return TreasurePath()

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        walked = sum(step["cost"] for step in record["steps"])
        return {"success": float(record["final"]["success"]), "walked": walked}

    def lost_scores(self, names: Any) -> Mapping[str, float]:
        return {"success": 0.0, "walked": 99.0}


class Strolls(TreasureBenchmark):
    """Walks that nobody judges: what counts is how far one came, most of all on far ones."""

    def environment(self) -> UnjudgedPath:
        return UnjudgedPath()

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        return {"walked": sum(step["cost"] for step in record["steps"])}

    def lost_scores(self, names: Any) -> Mapping[str, float]:
        return {"walked": 0.0}

    def aggregated(self, outcomes: Sequence[Any]) -> Mapping[str, Any]:
        return {one.instance_id: one.scores["walked"] for one in outcomes if one.groups["level"] == "far"}
