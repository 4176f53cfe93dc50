"""The model `oracle`: it answers as the planners would, from nothing but the text of the prompt and the choices.

It shows what the way from the dialogue to the deed loses: candidates, prompts, reading answers, skills, map.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from teach_agents.agents.lm.oracle_commander import commander_choice, is_commanders
from teach_agents.agents.lm.oracle_follower import follower_choice
from teach_agents.models.constraints import Choices
from teach_agents.models.contract import LanguageModel
from teach_agents.models.prompts import Completion, Prompt, Scores, Usage


class OracleModel(LanguageModel):
    """Understands the controlled English in prompts of the language-model pair, and chooses as the planner pair does.

    It knows the shipped templates. A prompt without choices gets an empty answer.
    """

    name = "oracle"
    constrains = True
    scores = True

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One of the choices each. Its tokens are words."""
        return [Completion(_answer(prompt), usage=_usage(prompt)) for prompt in prompts]

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """All on its choice."""
        return list(map(_scores, prompts))


def _answer(prompt: Prompt) -> str:
    if not isinstance(prompt.answer, Choices):
        return ""
    text, choices = prompt.messages[-1].text, prompt.choices
    return commander_choice(text, choices) if is_commanders(choices) else follower_choice(text, choices)


def _scores(prompt: Prompt) -> Scores:
    answer = _answer(prompt)
    rows = tuple(0.0 if one == answer else -math.inf for one in prompt.choices)
    return Scores(rows, (1,) * len(rows), _usage(prompt))


def _usage(prompt: Prompt) -> Usage:
    return Usage(1, sum(len(message.text.split()) for message in prompt.messages))
