"""Who plays in which of the worlds: an episode of each, as a test begins it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import Agent
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Valid
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
        world = self.world()
        return World(world.codec, knows_valid=isinstance(world, Valid))

    def agents(self) -> dict[str, Agent]:
        """The agents by seat."""
        return {seat: self.agent(seat, spec) for seat, spec in self.specs.items()}

    def agent(self, seat: str, spec: str) -> Agent:
        """An agent in a seat of the world."""
        return build(AGENT, spec, world=self.registered, seat=seat, allow_import=True)


@dataclass(frozen=True)
class Dim:
    """What is seen of a grid in the dark: not where one can go, which the world says beside."""

    node: int


class Dark(graph.Grid):
    """The grid, at night."""

    codec: Any = Codec("dark", instance=graph.Probing, actions=(graph.Move,), observation=Dim)

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Any:
        """The node."""
        return Dim(self.node)


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
    "dark": Case(Dark, graph.Probing("a", (0, 1), "Walk along."), {"walker": "random"}, "stopped"),
    "boiling": Case(clock.Boiling, clock.Pot("a", 25, 1.2), Pots.agents, "off", policy=lambda: Turns(turn_s=0.5)),
}
