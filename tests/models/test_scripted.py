from __future__ import annotations

import math

import pytest

from teach_agents.errors import InputError
from teach_agents.models import Choices, LanguageModel, Prompt, ScriptedModel, Settings
from teach_agents.models.conformance import LanguageModelContract


class TestScriptedModel(LanguageModelContract):
    def make_model(self) -> LanguageModel:
        return ScriptedModel(["nonsense", '{"action": "Place", "words": "sink"}', "a"])


def _said(model: LanguageModel, *prompts: str) -> list[str]:
    return [one.text for one in model.generate(prompts)]


def test_it_answers_in_order_and_repeats_its_last_answer() -> None:
    model = ScriptedModel(["a", "b"])
    assert _said(model, "1", "2", "3") == ["a", "b", "b"]
    assert [prompt.messages[0].text for prompt in model.prompts] == ["1", "2", "3"]
    assert _said(ScriptedModel("x|y"), "1", "2") == ["x", "y"]


def test_a_function_may_answer() -> None:
    model = ScriptedModel(lambda prompt: prompt.messages[-1].text.upper())
    assert _said(model, "hello", "again") == ["HELLO", "AGAIN"]


def test_its_tokens_are_words() -> None:
    model = ScriptedModel("one two three. four")
    (whole,) = model.generate(["a b c"])
    assert (whole.usage.prompt_tokens, whole.usage.generated_tokens) == (3, 4)
    (cut,) = model.generate([Prompt.of("a", settings=Settings(max_tokens=2))])
    assert (cut.text, cut.finish) == ("one two", "length")
    (stopped,) = model.generate([Prompt.of("a", settings=Settings(stop=(".",)))])
    assert (stopped.text, stopped.finish) == ("one two three", "stop")


def test_scores_are_log_probabilities() -> None:
    model = ScriptedModel(["b", "elsewhere"])
    prompt = Prompt.of("1", Choices(["a", "b"]))
    assert model.score([prompt])[0].log_probabilities == (-math.inf, 0.0)
    assert sum(math.exp(one) for one in model.score([prompt])[0].log_probabilities) == pytest.approx(1.0)


def test_a_script_needs_answers() -> None:
    with pytest.raises(InputError, match="at least one answer"):
        ScriptedModel([])
