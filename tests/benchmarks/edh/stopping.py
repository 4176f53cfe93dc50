"""Followers that stop at once, and for good."""

from __future__ import annotations

import os

from teach_agents.actions import Action
from teach_agents.observations import Observation

__all__ = ["end_the_process", "stop_at_once"]


def stop_at_once(observation: Observation) -> Action:
    """Stop."""
    return Action.stop()


def end_the_process(observation: Observation) -> Action:
    """End the process, as what hangs or leaks makes the system do."""
    os._exit(3)
