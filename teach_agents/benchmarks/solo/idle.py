"""A Follower that stops at once: what is so already, and no more."""

from __future__ import annotations

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent
from teach_agents.observations import Observation


class IdleFollower(Agent):
    """Stops at its first step. The floor of EDH and TfD: whatever it succeeds in needed nobody."""

    def act(self, observation: Observation) -> Action:
        """Stop."""
        return Action.stop()
