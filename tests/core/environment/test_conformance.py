"""What every environment must do: two small worlds do it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from teach_agents.core.environment import Environment
from teach_agents.core.environment.conformance import EnvironmentContract
from teach_agents.core.values import Say, Wait
from tests.core.environment.worlds import Go, Mural, Path, Point, Walk, Wall


class TestPath(EnvironmentContract):
    """A world of words, whose valid actions nobody lists."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh one."""
        return Path()

    def instances(self) -> Sequence[Any]:
        """One that is found, one that is not."""
        return Walk(2), Walk(40)

    def choose(self, environment: Environment[Any, Any, Any], seat: str, dice: random.Random) -> Any:
        """The guide talks and points, the walker walks."""
        moves = (Go(1), Go(2), Go(-1)) if seat == "walker" else (Point(True), Point(False), Say("on"))
        return dice.choice((*moves, Wait(), Go(1)))


class TestMural(EnvironmentContract):
    """A world of pictures, with every ability."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh one."""
        return Mural()

    def instances(self) -> Sequence[Any]:
        """An empty wall, and one that somebody began."""
        return Wall(6), Wall(90, begun=True)
