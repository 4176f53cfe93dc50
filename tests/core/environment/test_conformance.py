"""What every environment must do: two small worlds do it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from teach_agents.core.environment import Environment
from teach_agents.core.environment.conformance import EnvironmentContract
from teach_agents.core.values import Result, Say, Wait
from tests.core.environment.worlds import Go, Mural, Paint, Path, Point, Walk, Wall


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


class Everyday(Path):
    """The path, with things of its own under names that abilities have."""

    advance = 3

    def prefix(self) -> None:
        """What the titles before a name are."""
        raise AssertionError("no session has to do with this")

    def valid_actions(self, seat: str) -> Sequence[Any]:
        """What is found valid in court."""
        raise AssertionError("no session has to do with this")


class TestEveryday(TestPath):
    """Methods say nothing of abilities that are not stated."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh one."""
        return Everyday()


class Hopeful(Mural):
    """Lists every paint, also where it is wet, and says so."""

    exact = False

    def act(self, seat: str, action: Any) -> Result:
        """Refuses what is wet."""
        wet = isinstance(action, Paint) and action.field in self.drying
        return Result(False, "it is wet") if wet else super().act(seat, action)

    def valid_actions(self, seat: str) -> Sequence[Paint]:
        """All fields, as long as there is something to do."""
        return () if self.status().over else [Paint(field, self.instance.shade) for field in range(4)]


class TestMural(EnvironmentContract):
    """A world of pictures, with every ability."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh one."""
        return Mural()

    def instances(self) -> Sequence[Any]:
        """An empty wall, and one that somebody began."""
        return Wall(6), Wall(90, begun=True)


class TestHopeful(TestMural):
    """What is valid may be more than what succeeds, where the world says that."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh one."""
        return Hopeful()
