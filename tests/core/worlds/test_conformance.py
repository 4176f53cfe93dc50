"""The worlds keep the Environment contract: that of the example, and four of other kinds."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from teach_agents.core.environment import Environment
from teach_agents.core.environment.conformance import EnvironmentContract
from teach_agents.core.values import Say, Stop, Wait
from teach_agents.models.scaffold import Scaffold
from teach_agents.models.scaffold_conformance import ScaffoldContract
from tests.core.worlds.clock import Boiling, Pot, TakeOff
from tests.core.worlds.example import two_rooms
from tests.core.worlds.graph import Grid, Probing
from tests.core.worlds.phases import Building, End, Go, Job
from tests.core.worlds.questions import Ask, Bring, Errand, Wish


class TestTwoRooms(EnvironmentContract):
    """The world of `examples/world_package`."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        made: Environment[Any, Any, Any] = two_rooms.TwoRooms()
        return made

    def instances(self) -> Sequence[Any]:
        house = two_rooms.House
        return house("a", ("amber",), "amber", {}), house("b", ("amber", "birch"), "birch", {})


class TestChoices(ScaffoldContract):
    """What may be chosen in the example."""

    def make_scaffold(self) -> Scaffold[Any]:
        made: Scaffold[Any] = two_rooms.Choices(two_rooms.TwoRooms.codec)
        return made

    def observations(self) -> Iterable[tuple[str, Any]]:
        world = two_rooms.TwoRooms()
        world.reset(two_rooms.House("a", ("amber", "birch"), "birch", {}), 0)
        yield from ((seat, world.observe(seat)) for seat in world.seats)
        world.act("walker", two_rooms.Do("say birch to the box"))
        yield "walker", world.observe("walker")


class TestBuilding(EnvironmentContract):
    """Phases that are ended, and phases that are ended by force."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        return Building()

    def instances(self) -> Sequence[Any]:
        return (Job("a", (1, 2)), Job("b", (0, -1)))

    def choose(self, environment: Environment[Any, Any, Any], seat: str, dice: random.Random) -> Any:
        return Say("two to the left") if seat == "caller" else dice.choice((Go(1), Go(-1), End(), Wait()))


class TestErrand(EnvironmentContract):
    """Questions, and errors."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        return Errand()

    def instances(self) -> Sequence[Any]:
        return (Wish("a", 2), Wish("b", 5))

    def choose(self, environment: Environment[Any, Any, Any], seat: str, dice: random.Random) -> Any:
        return dice.choice((Ask("colour"), Ask("clearly"), Ask("name"), Bring(dice.randrange(9))))


class TestGrid(EnvironmentContract):
    """A walk that is forced."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        return Grid()

    def instances(self) -> Sequence[Any]:
        return (Probing("a", (0, 1, 5), "Go on."), Probing("a", (0, 1, 5), "Go on.", "Stop there."))


class TestBoiling(EnvironmentContract):
    """Time that has to pass."""

    def make_environment(self) -> Environment[Any, Any, Any]:
        return Boiling()

    def instances(self) -> Sequence[Any]:
        return (Pot("a", 10, 1.2), Pot("b", 30, 0))

    def choose(self, environment: Environment[Any, Any, Any], seat: str, dice: random.Random) -> Any:
        return dice.choice((Wait(), Wait(), Wait(), Say("soon"), TakeOff(), Stop()))
