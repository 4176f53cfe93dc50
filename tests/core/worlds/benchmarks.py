"""A benchmark of each of the four worlds, and who plays there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from teach_agents import Agent, Benchmark
from teach_agents.core.agents.contract import Briefing
from teach_agents.core.session.policies import READING, Policy, Probe, Turns
from teach_agents.core.values import Say, Stop, Wait
from tests.core.worlds.clock import Boiling, Milk, Pot, TakeOff
from tests.core.worlds.graph import SIDE, Grid, Here, Move, Probing
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


class Walker(Agent):
    """Likes to go on as it came, and to stop where it is told that it is there."""

    relives = True

    def begin(self, briefing: Briefing) -> None:
        self.before: int | None = None

    def recall(self, observation: Here) -> None:
        self.before = observation.node

    def action_distribution(self, observation: Here) -> Mapping[Move | Stop, float]:
        stop = 0.6 if "there" in observation.text else 0.1
        ahead = None if self.before is None else 2 * observation.node - self.before
        moves = [one for one in observation.valid_actions if isinstance(one, Move)]
        weights = {move: 3.0 if move.to == ahead else 1.0 for move in moves}
        total = sum(weights.values()) / (1 - stop)
        return {Stop(): stop, **{move: weight / total for move, weight in weights.items()}}

    def act(self, observation: Here) -> Move | Stop:
        self.before, found = observation.node, self.action_distribution(observation)
        return max(found, key=lambda action: found[action])


@dataclass(eq=False)
class Probes(Benchmark[Probing, Record]):
    """How likely it is that the walker stops, or goes on as it came."""

    more: Annotated[str, "A sentence that is said besides."] = ""
    agents = {"walker": f"{__name__}:Walker"}

    def instances(self, split: str) -> Sequence[Probing]:
        self.known(split)
        walks = [(row * SIDE, row * SIDE + 1, row * SIDE + 2)[:length] for row in range(SIDE) for length in (2, 3)]
        return [Probing("-".join(map(str, walk)), walk, "Walk along.", self.more) for walk in walks]

    def environment(self) -> Grid:
        return Grid()

    def policy(self, instance: Probing) -> Policy:
        return Probe("walker")

    def score(self, record: Record) -> Mapping[str, float]:
        walk = record["instance"]["walk"]
        (reading,) = (one["data"] for one in record["events"] if (one["kind"], one["turn"]) == (READING, len(walk) - 1))
        wanted = {"stop": {"type": "Stop"}, "ahead": {"type": "Move", "to": 2 * walk[-1] - walk[-2]}}
        return {name: sum(p for action, p in reading["chances"] if action == one) for name, one in wanted.items()}


def cook(milk: Milk) -> TakeOff | Wait:
    """Takes it off once it is warm enough."""
    return TakeOff() if milk.degrees >= 80 else Wait()


class Pots(Benchmark[Pot, Record]):
    """Take milk off in time; half a second passes with every turn."""

    agents = {"cook": f"{__name__}:cook"}

    def instances(self, split: str) -> Sequence[Pot]:
        self.known(split)
        return [Pot(f"pot-{warming}", warming, 1.5) for warming in (10, 30, 50, 70)]

    def environment(self) -> Boiling:
        return Boiling()

    def policy(self, instance: Pot) -> Policy:
        return Turns(turn_s=0.5)

    def score(self, record: Record) -> Mapping[str, float]:
        return {"success": record["end_reason"] == "off", "turns": record["turns"]}
