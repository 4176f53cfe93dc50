"""The floor in any world: what there is to do, drawn by lot."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from teach_agents.core.agents.contract import Briefing
from teach_agents.core.world import World
from teach_agents.models.scaffold import Candidate, Scaffold, ScaffoldAgent, scaffold_of


class RandomAgent(ScaffoldAgent):
    """Draws among the candidates, each as likely as any other, but for what it would have to find words for.

    The draws follow from `seed`, or else the session's.
    """

    relives = True

    def __init__(self, scaffold: Scaffold[Any], seat: str, seed: int | None = None) -> None:
        self._given = seed
        self._draws = random.Random()
        super().__init__(scaffold, seat)

    def begin(self, briefing: Briefing) -> None:
        """Draw by the session's seed unless one was given."""
        super().begin(briefing)
        self._draws = random.Random(f"{briefing.seed if self._given is None else self._given} {self.seat}")

    def _choose(self, observation: Any, offered: Mapping[str, Candidate]) -> Candidate:
        silent = [one for one in offered.values() if not one.words]
        return self._draws.choice(silent or [self._waiting()])


def random_agent(world: World, seat: str, seed: int | None = None) -> RandomAgent:
    """A seat of any world that says what can be done; `seed` overrides the session's. Raises `SpecError` for others."""
    return RandomAgent(scaffold_of(world, offering="random"), seat, seed)
