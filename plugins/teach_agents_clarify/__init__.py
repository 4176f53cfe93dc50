"""A Follower that asks which one is meant, where a request fits several things equally well."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents import hookimpl
from teach_agents.core.plugins import Target

__all__ = ["dialogue_hooks"]


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """Registers `clarify:wait=2,most=3,indefinite=false`, by address: nothing is imported before it is used."""
    return {"clarify": "teach_agents_clarify.hook:Clarify"}
