"""A Follower that stops at once."""

from __future__ import annotations

from teach_agents.actions import Action
from teach_agents.observations import Observation

__all__ = ["stop_at_once"]


def stop_at_once(observation: Observation) -> Action:
    """Stop."""
    return Action.stop()
