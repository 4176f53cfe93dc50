"""Followers that go wrong, each in its own way."""

from __future__ import annotations

import os
import time

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent
from teach_agents.observations import Observation


class Raises(Agent):
    """Raises at its third turn."""

    def act(self, observation: Observation) -> Action:
        if observation.turn >= 2:
            raise RuntimeError("my planner found no plan")
        return Action("Turn Left")


class Hangs(Agent):
    """Never answers."""

    def act(self, observation: Observation) -> Action:
        time.sleep(600)
        return Action.wait()


class Dies(Agent):
    """Takes its whole process with it."""

    def act(self, observation: Observation) -> Action:
        os._exit(3)


class TalksNonsense(Agent):
    """Answers with what is no action."""

    def act(self, observation: Observation) -> Action:
        return "go forward"  # type: ignore[return-value]  # the point of this agent


class Waits(Agent):
    """Does nothing, three times, then stops."""

    def act(self, observation: Observation) -> Action:
        return Action.stop() if observation.turn >= 3 else Action.wait()
