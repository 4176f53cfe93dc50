"""What utterances do: dialogue acts as tags in records and results."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents import hookimpl
from teach_agents.core.plugins import Target

__all__ = ["dialogue_hooks"]


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """Registers `dialogue_acts`, by address: nothing is imported before it is used."""
    return {"dialogue_acts": "teach_agents_dialogue_acts.hook:DialogueActs"}
