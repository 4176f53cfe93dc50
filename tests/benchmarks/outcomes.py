"""Outcomes to test figures with."""

from __future__ import annotations

from typing import Any

from teach_agents.benchmarks.metrics import GoalCounts, Outcome

__all__ = ["outcome"]


def outcome(name: str = "a", **changes: Any) -> Outcome:
    """A Coffee that took a person 10 actions, the agent 20, and worked."""
    known = {
        "game_id": "g",
        "task_name": "Coffee",
        "cluster": "FloorPlan1",
        "initial": GoalCounts(4, 1),
        "final": GoalCounts(4, 4),
        "success": True,
        "reference_length": 10,
        "steps": 20,
    }
    return Outcome(instance_id=name, **{**known, **changes})
