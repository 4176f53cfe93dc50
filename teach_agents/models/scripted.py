"""A model without weights: it says what it was told to say, and remembers what it was asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from teach_agents.errors import InputError
from teach_agents.models.contract import LanguageModel, check_constraint

__all__ = ["ScriptedModel"]


class ScriptedModel(LanguageModel):
    """Answers from a list, in order, and then with its last answer again.

    `answers` is a list, or one text with `|` between the answers (as a SPEC writes it). Under `choices` an answer that
    is none of them raises `InputError`: the script is wrong. `score` gives all probability to the choice that it would
    answer (`0.0`, others `-inf`), or spreads it evenly when its answer is none of them. `prompts` holds every prompt.
    """

    def __init__(self, answers: str | Sequence[str]) -> None:
        self._answers = tuple(answers.split("|") if isinstance(answers, str) else answers)
        if not self._answers:
            raise InputError("scripted model", "needs at least one answer")
        self.prompts: list[str] = []

    def _next(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._answers[min(len(self.prompts), len(self._answers)) - 1]

    def generate(
        self,
        prompts: Sequence[str],
        *,
        max_tokens: int = 256,
        choices: Sequence[str] | None = None,
        schema: Mapping[str, object] | None = None,
    ) -> list[str]:
        """The next answers of the script; `max_tokens` and `schema` are the script's own business."""
        check_constraint(choices, schema)
        answers = [self._next(prompt) for prompt in prompts]
        for answer in answers:
            if choices is not None and answer not in choices:
                raise InputError(
                    "scripted model", "the script's answer is none of the choices", value=answer, valid=choices
                )
        return answers

    def score(self, prompts: Sequence[str], choices: Sequence[str]) -> list[list[float]]:
        """All probability on the script's next answer."""
        check_constraint(choices, None)
        rows = []
        for prompt in prompts:
            answer = self._next(prompt)
            even = -math.log(len(choices))
            rows.append([0.0 if one == answer else -math.inf if answer in choices else even for one in choices])
        return rows
