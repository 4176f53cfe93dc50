"""A Follower that takes its process along."""

from __future__ import annotations

import os

from teach_agents.actions import Action
from teach_agents.observations import Observation

__all__ = ["end_the_process"]


def end_the_process(observation: Observation) -> Action:
    """End the process, as what hangs or leaks makes the system do."""
    os._exit(3)
