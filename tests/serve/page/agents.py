"""Followers for tests: one that says what it thinks, one that fails until it is tried again."""

from __future__ import annotations

from typing import ClassVar

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation

__all__ = ["Fumbler", "Thinker"]


class Thinker(Agent):
    """Answers what it hears, once, and tells its plan."""

    def begin(self, briefing: Briefing) -> None:
        """Nothing was said yet."""
        self._answered = False

    def act(self, observation: Observation) -> Action:
        """Answer, or wait."""
        self.thought = None
        if self._answered or observation.heard() is None:
            return Action.wait()
        self._answered = True
        self.thought = {"plan": "answer the Commander", "choice": "say hello", "candidates": ["say hello", "wait"]}
        return Action.say("hello")


class Fumbler(Thinker):
    """Raises when it first hears something; the one that is made after it does not."""

    failed: ClassVar[list[str]] = []

    def begin(self, briefing: Briefing) -> None:
        """Remember which session this is."""
        super().begin(briefing)
        self._session = briefing.session_id

    def act(self, observation: Observation) -> Action:
        """Fail once in a session."""
        if observation.heard() is not None and self._session not in self.failed:
            self.failed.append(self._session)
            raise ValueError("it slipped")
        return super().act(observation)
