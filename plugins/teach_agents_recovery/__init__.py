"""Advice after failed actions, and other advice when the same fails again."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents import hookimpl
from teach_agents.core.plugins import Target

__all__ = ["dialogue_hooks"]


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """Registers `recovery:role=both,patience=2`, by address: nothing is imported before it is used."""
    return {"recovery": "teach_agents_recovery.hook:Recovery"}
