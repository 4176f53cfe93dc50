"""A Follower that says when a step is done, where it would otherwise stay silent."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents import hookimpl
from teach_agents.core.plugins import Target

__all__ = ["dialogue_hooks"]


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """Registers `confirm:interrupts=false`, by address: nothing is imported before it is used."""
    return {"confirm": "teach_agents_confirm.hook:Confirm"}
