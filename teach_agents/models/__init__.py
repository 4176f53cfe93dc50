"""Language models: the contract, prompts and answers, and what makes any model answer what was asked for."""

from __future__ import annotations

from teach_agents.models.batched import Batched
from teach_agents.models.choosing import Choice, achoose, choose
from teach_agents.models.constraints import Choices, Constraint, Regex, Schema
from teach_agents.models.contract import Counted, LanguageModel
from teach_agents.models.loading import load_model
from teach_agents.models.prompts import ChatMessage, Completion, Prompt, Scores, Settings, Usage
from teach_agents.models.scripted import ScriptedModel

__all__ = [
    "Batched",
    "ChatMessage",
    "Choice",
    "Choices",
    "Completion",
    "Constraint",
    "Counted",
    "LanguageModel",
    "Prompt",
    "Regex",
    "Schema",
    "Scores",
    "ScriptedModel",
    "Settings",
    "Usage",
    "achoose",
    "choose",
    "load_model",
]
