from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import pytest

from teach_agents.errors import InputError, ModelError, ModelReplyError
from teach_agents.models import (
    Choices,
    Completion,
    Counted,
    LanguageModel,
    Prompt,
    Scores,
    ScriptedModel,
    Usage,
    achoose,
    choose,
)

PROMPT = Prompt.of("What next?", Choices(["short", "a longer one"]))


class Scoring(ScriptedModel):
    """Gives the log-probabilities it was made with."""

    def __init__(self, *log_probabilities: float) -> None:
        super().__init__("short")
        self._given = log_probabilities

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        return [Scores(self._given, (1, 3), Usage(1, 5)) for _ in prompts]


class Silent(LanguageModel):
    """Generates, and cannot score."""

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        return [Completion("a longer one" if "next" in prompt.messages[0].text else "no") for prompt in prompts]


def test_the_likeliest_per_token_or_in_all_is_chosen() -> None:
    model = Scoring(-2.0, -3.0)
    (mean,) = choose(model, [PROMPT])
    assert mean.text == "a longer one"
    assert mean.distribution[1] == pytest.approx(1 / (1 + math.exp(-1)))
    (whole,) = choose(model, [PROMPT], by="sum")
    assert whole.text == "short" and sum(whole.distribution) == pytest.approx(1)
    (said,) = choose(model, [PROMPT], by="generate")
    assert (said.text, said.distribution) == ("short", (1.0, 0.0))
    assert asyncio.run(achoose(model, [PROMPT])) == [mean]


def test_a_model_without_probabilities_generates() -> None:
    first, second = choose(Silent(), [PROMPT, Prompt.of("Or?", PROMPT.answer)])
    assert (first.text, first.distribution) == ("a longer one", (0.0, 1.0))
    assert (second.text, second.distribution) == (None, (0.5, 0.5)) and isinstance(second.error, ModelReplyError)
    assert asyncio.run(achoose(Silent(), [PROMPT])) == [first]
    with pytest.raises(ModelError, match="no log-probabilities"):
        Silent().score([PROMPT])


@pytest.mark.parametrize("values", [(math.nan, -1.0), (-math.inf, -math.inf)])
def test_probabilities_that_are_none_are_an_error(values: tuple[float, float]) -> None:
    (choice,) = choose(Scoring(*values), [PROMPT])
    assert choice.text is None and choice.error is not None and choice.usage.failures == 1


def test_there_are_three_ways() -> None:
    with pytest.raises(InputError, match="mean, sum, generate"):
        choose(Silent(), [PROMPT], by="luck")


def test_everybody_counts_for_themselves() -> None:
    shared = ScriptedModel("short")
    mine, yours = Counted(shared), Counted(shared)
    choose(mine, [PROMPT])
    yours.generate(["two words", PROMPT])
    assert (mine.usage.model_calls, yours.usage.model_calls) == (1, 2)
    assert (yours.usage.prompt_tokens, yours.usage.generated_tokens) == (4, 2)
    mine.reset()
    assert mine.usage == Usage()


def test_a_call_that_raised_is_counted_too() -> None:
    def fall(prompt: Prompt) -> str:
        raise OSError("gone")

    counted = Counted(ScriptedModel(fall))
    for call in (counted.generate, counted.score):
        with pytest.raises(ModelError):
            call([PROMPT, PROMPT])
    with pytest.raises(ModelError):
        asyncio.run(counted.agenerate([PROMPT]))
    with pytest.raises(ModelError):
        asyncio.run(counted.ascore([PROMPT]))
    assert (counted.usage.model_calls, counted.usage.failures) == (6, 6)
