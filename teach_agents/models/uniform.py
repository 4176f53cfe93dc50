"""A model that chooses by lot: the control for whatever a language model seems to know."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from teach_agents.models.constraints import Choices
from teach_agents.models.contract import LanguageModel
from teach_agents.models.prompts import Completion, Prompt, Scores, Usage

_HAIR = 1e-9


class UniformModel(LanguageModel):
    """Every choice is as likely as any other.

    What is drawn follows from `seed`, the prompt's own seed and the choices, and from no text of the prompt: a run
    repeats. A prompt without choices gets an empty answer.
    """

    name = "uniform"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    @property
    def constrains(self) -> bool:
        """Its answers are choices."""
        return True

    @property
    def scores(self) -> bool:
        """It has log-probabilities, all the same."""
        return True

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One of the choices each."""
        return [Completion(self._drawn(prompt)) for prompt in prompts]

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """The same for all choices, but for a hair's breadth to the one that is drawn."""
        return [_even(prompt.choices, self._drawn(prompt)) for prompt in prompts]

    def _drawn(self, prompt: Prompt) -> str:
        if not isinstance(prompt.answer, Choices):
            return ""
        rng = random.Random(f"{self._seed} {prompt.settings.seed} {prompt.choices}")
        return rng.choice(prompt.choices)


def _even(choices: Sequence[str], drawn: str) -> Scores:
    each = -math.log(len(choices))
    return Scores(tuple(each + _HAIR * (one == drawn) for one in choices), (1,) * len(choices), Usage(1))
