"""Who plays in which of the worlds: an episode of each, as a test begins it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import Agent
from teach_agents.core.environment import Environment
from teach_agents.core.plugins import AGENT
from teach_agents.core.session.policies import Policy, Probe, Turns
from teach_agents.core.specs import build
from teach_agents.core.world import World
from tests.core.worlds import clock, graph, phases, questions
from tests.core.worlds.benchmarks import Errands, Jobs, Pots, Probes
from tests.core.worlds.example import two_rooms


@dataclass(frozen=True)
class Case:
    """An episode: the world, an instance, who plays (SPECs by seat); and how it ends."""

    world: Callable[[], Environment[Any, Any, Any]]
    instance: Any
    specs: Mapping[str, str]
    end: str
    success: bool | None = None
    policy: Callable[[], Policy] = Turns

    @property
    def registered(self) -> World:
        """What a plugin would register of the world."""
        return World(self.world().codec)

    def agents(self) -> dict[str, Agent]:
        """The agents by seat."""
        return {seat: self.agent(seat, spec) for seat, spec in self.specs.items()}

    def agent(self, seat: str, spec: str) -> Agent:
        """An agent in a seat of the world."""
        return build(AGENT, spec, world=self.registered, seat=seat, allow_import=True)


CASES: Mapping[str, Case] = {
    "two_rooms": Case(
        two_rooms.TwoRooms,
        two_rooms.House("a", ("amber", "birch"), "birch", {"level": "2 words"}),
        {"guide": "two_rooms:Guide", "walker": "two_rooms:Walker"},
        "escaped",
        True,
    ),
    "building": Case(phases.Building, phases.Job("a", (2, 6)), Jobs.agents, "built"),
    "errand": Case(questions.Errand, questions.Wish("a", 3), Errands.agents, "brought"),
    "grid": Case(
        graph.Grid,
        graph.Probing("a", (0, 1, 2), "Walk along.", "You are there."),
        Probes.agents,
        "read",
        policy=lambda: Probe("walker"),
    ),
    "grid, played on": Case(graph.Grid, graph.Probing("a", (0, 1), "Walk along."), Probes.agents, "spent"),
    "boiling": Case(clock.Boiling, clock.Pot("a", 25, 1.2), Pots.agents, "off", policy=lambda: Turns(turn_s=0.5)),
}
