"""A household in which instances of a benchmark are set up, to carry out again what a person did in them."""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from teach_agents.benchmarks.solo.references import Reference
from teach_agents.data.games import Game
from teach_agents.household import Household, Scenario
from teach_agents.tasks import Task


class Stage(Protocol):
    """A household, and how an instance is set up in it."""

    @property
    def household(self) -> Household: ...

    def set_up(self, reference: Reference, game: Game) -> tuple[Task, Set[float] | None]:
        """Make an instance's state stand; its task, and when the interactions were that it is of (all: `None`)."""


class GameStage:
    """Whole sessions, from their beginning."""

    def __init__(self, household: Household) -> None:
        self.household = household

    def set_up(self, reference: Reference, game: Game) -> tuple[Task, None]:
        """Reset the household to the session's beginning."""
        self.household.reset(Scenario.from_game(game))
        return self.household.task, None
