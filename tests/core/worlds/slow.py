"""A guide that takes its time, so that a run can be interrupted."""

from __future__ import annotations

import time
from typing import Any

from teach_agents import Agent
from teach_agents.core.values import Say, Wait


class SlowGuide(Agent):
    """Says what it knows, after a while."""

    def act(self, view: Any) -> Say | Wait:
        time.sleep(0.02)
        return Wait() if view.heard else Say(view.text)
