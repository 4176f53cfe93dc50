"""Choosing one of given answers: by their log-probabilities where a model has them, else by constrained generation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from teach_agents.errors import InputError, ModelError
from teach_agents.models.contract import LanguageModel
from teach_agents.models.prompts import Completion, Prompt, Scores, Usage

BY = ("mean", "sum", "generate")


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice made for one prompt.

    `distribution` says how probable each choice was, in their order: one for a choice that was generated. Without an
    answer `text` is `None`, `error` says why, and the distribution is even.
    """

    text: str | None
    distribution: tuple[float, ...]
    usage: Usage
    error: ModelError | None = None


def choose(model: LanguageModel, prompts: Sequence[Prompt], *, by: str = "mean") -> list[Choice]:
    """One choice per prompt.

    `by` is `mean` (the log-probability per token, which does not favour short choices), `sum` (that of the whole text),
    or `generate`; a model without log-probabilities always generates. Raises as `generate` and `score` do.
    """
    if _scoring(model, by):
        found: Sequence[Scores | Completion] = model.score(prompts)
    else:
        found = model.generate(prompts)
    return [_chosen(prompt, one, by) for prompt, one in zip(prompts, found, strict=True)]


async def achoose(model: LanguageModel, prompts: Sequence[Prompt], *, by: str = "mean") -> list[Choice]:
    """`choose` without blocking the event loop."""
    if _scoring(model, by):
        found: Sequence[Scores | Completion] = await model.ascore(prompts)
    else:
        found = await model.agenerate(prompts)
    return [_chosen(prompt, one, by) for prompt, one in zip(prompts, found, strict=True)]


def _scoring(model: LanguageModel, by: str) -> bool:
    if by not in BY:
        raise InputError("choose", "chooses by no such thing", value=by, valid=BY)
    return by != "generate" and model.scores


def _chosen(prompt: Prompt, found: Scores | Completion, by: str) -> Choice:
    choices = prompt.choices
    even = (1 / len(choices),) * len(choices)
    if isinstance(found, Completion):
        if found.error is not None:
            return Choice(None, even, found.usage, found.error)
        return Choice(found.value, tuple(float(one == found.value) for one in choices), found.usage)
    pairs = zip(found.log_probabilities, found.tokens, strict=True)
    values = [one / (max(count, 1) if by == "mean" else 1) for one, count in pairs]
    best = max(values)
    if any(map(math.isnan, values)) or best == -math.inf:
        error = ModelError(f"no log-probabilities to choose by: {values[:4]}")
        return Choice(None, even, found.usage + Usage(failures=1), error)
    weights = [math.exp(value - best) for value in values]
    whole = sum(weights)
    return Choice(choices[values.index(best)], tuple(weight / whole for weight in weights), found.usage)
