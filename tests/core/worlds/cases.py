"""Who plays in which of the worlds: an episode of each, as a test begins it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import AgentLike
from teach_agents.core.environment import Environment
from teach_agents.core.session.policies import Policy, Turns
from tests.core.worlds import phases, questions
from tests.core.worlds.benchmarks import builder, caller, robot
from tests.core.worlds.example import two_rooms


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
}
