"""How many actions a search may take, and how many of them it needs to get back."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.navigation import Paths
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.arrays import FloatArray, IntArray

_HOMEWARD = 2
"""Actions that going back takes beyond the way: another step away from there, and a look up."""

Enough = Callable[[], bool]
"""Whether to look no further."""


class Home:
    """Where a look around began, and is to end."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.place = Vantage(body.stand, round(body.pose.horizon), 0.0, body.pose.position)

    @property
    def away(self) -> float:
        """Actions that it takes to get back, one more to be sure of it; none where there is no way."""
        cost = self._body.paths.cost(self.place.stand)
        return cost + _HOMEWARD if math.isfinite(cost) else 0.0

    def costs(self, grid: IntArray) -> FloatArray:
        """Actions from each of N cells, in each of the 4 headings, back home: N x 4."""
        paths = Paths(self.place.stand, self._body.ground.cells, self._body.memory.blocked)
        return paths.costs(grid, np.arange(4)[:, None]).T + _HOMEWARD


class Budget:
    """How many actions a search may still take, and whether it has found enough.

    With a `home` as many are kept back as it takes to get there again.
    """

    def __init__(self, most: float, enough: Enough, home: Home | None = None) -> None:
        self.left = most
        self.enough = enough
        self.home = home

    @property
    def _is_spent(self) -> bool:
        return self.left <= (0 if self.home is None else self.home.away)

    def is_over(self) -> bool:
        """Whether to look no further."""
        return self._is_spent or self.enough()

    def spend(self, steps: Steps) -> Steps:
        """Take these steps until it is enough, or nothing is left."""
        for action in steps:
            if self._is_spent:
                return
            self.left -= 1
            yield action
            if self.enough():
                return
