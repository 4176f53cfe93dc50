"""A session with talk, recorded in the embedded simulator itself."""

from __future__ import annotations

from functools import cache

from teach_agents.actions import Action
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.data import Game
from teach_agents.household import Household
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.benchmarks.fidelity.recording import BACK, LEFT, RIGHT, on, record

__all__ = ["ASKED", "BACKWARD", "PICKUP", "PLACE", "errand", "household"]

ASKED, PICKUP, BACKWARD, PLACE = 0, 1, 3, 6
"""Indices of the errand's interactions."""


@cache
def errand() -> Game:
    """A mug is asked for, taken, carried about and put down, and after more talk taken again."""
    return record(
        Action.say("a mug, please"),
        on("Pickup", "Mug"),
        LEFT,
        BACK,
        Action("Forward"),
        RIGHT,
        on("Place", "CounterTop"),
        Action.say("not there"),
        on("Pickup", "Mug"),
        Action.say("the table, I mean"),
        LEFT,
        before="Mug",
    )


def household() -> Household:
    """A household in which sessions are restored."""
    return Household(Insisting(EmbeddedSimulator()))
