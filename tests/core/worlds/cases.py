"""Who plays in which of the worlds: an episode of each, as a test begins it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import Agent, AgentLike, Briefing
from teach_agents.core.environment import Environment
from teach_agents.core.session.policies import Policy, Probe, Turns
from teach_agents.core.values import Stop, Wait
from tests.core.worlds import clock, graph, phases, questions
from tests.core.worlds.benchmarks import builder, caller, robot
from tests.core.worlds.example import two_rooms


class Walker(Agent):
    """Goes on as it was led, as far as it was led; it tells how sure it is."""

    relives = True

    def begin(self, briefing: Briefing) -> None:
        self.nodes: list[int] = []

    def recall(self, observation: graph.Here) -> None:
        self.nodes.append(observation.node)

    def act(self, observation: graph.Here) -> graph.Move | Stop:
        self.nodes.append(observation.node)
        return Stop() if len(self.nodes) > 6 else graph.Move(observation.neighbours[-1])

    def action_distribution(self, observation: graph.Here) -> Mapping[Any, float]:
        ways = {graph.Move(node): 0.125 for node in observation.neighbours}
        return ways | {Stop(): 1 - sum(ways.values())}


def cook(seen: clock.Milk) -> clock.TakeOff | Wait:
    return clock.TakeOff() if seen.degrees > 80 else Wait()


@dataclass(frozen=True)
class Case:
    """An episode: the world, an instance, who plays; and how it ends."""

    world: Callable[[], Environment[Any, Any, Any]]
    instance: Any
    agents: Callable[[], Mapping[str, AgentLike]]
    end: str
    success: bool = False
    policy: Callable[[], Policy] = Turns


CASES: Mapping[str, Case] = {
    "two_rooms": Case(
        two_rooms.TwoRooms,
        two_rooms.House("a", ("amber", "birch"), "birch", {"level": "2 words"}),
        lambda: {"guide": two_rooms.Guide(), "walker": two_rooms.Walker()},
        "escaped",
        True,
    ),
    "building": Case(phases.Building, phases.Job("a", (2, 6)), lambda: {"caller": caller, "builder": builder}, "built"),
    "errand": Case(questions.Errand, questions.Wish("a", 3), lambda: {"robot": robot}, "brought"),
    "grid": Case(graph.Grid, graph.Probe("a", "a", (0, 1, 5, 6), "go on"), lambda: {"walker": Walker()}, "stopped"),
    "probe": Case(
        graph.Grid,
        graph.Probe("a", "a", (0, 1, 5, 6), "go on"),
        lambda: {"walker": Walker()},
        "read",
        policy=lambda: Probe("walker"),
    ),
    "boiling": Case(
        clock.Boiling,
        clock.Pot("a", 5.0, 3.0),
        lambda: {"cook": cook},
        "off",
        policy=lambda: Turns(turn_s=1.0),
    ),
}
