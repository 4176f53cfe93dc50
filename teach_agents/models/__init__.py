"""Language models: the contract, and a model that answers from a script."""

from __future__ import annotations

from teach_agents.models.contract import LanguageModel
from teach_agents.models.scripted import ScriptedModel

__all__ = ["LanguageModel", "ScriptedModel"]
