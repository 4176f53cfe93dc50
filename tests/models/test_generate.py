"""Answers are read as what was asked for, and asked for once more where they are not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.errors import InputError, ModelError, ModelReplyError, ModelTimeoutError
from teach_agents.models import (
    ChatMessage,
    Choices,
    Completion,
    LanguageModel,
    Prompt,
    Regex,
    Schema,
    ScriptedModel,
    Settings,
    Usage,
)

MOVES = Choices(["Pickup Mug", "Place Sink"])
SCHEMA = Schema({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})


class Raw(LanguageModel):
    """Gives back what it was made with, whatever it is asked."""

    def __init__(self, *completions: Completion) -> None:
        self._completions = completions

    def complete(self, prompts: Sequence[Prompt]) -> Sequence[Completion]:
        return self._completions


def test_whoever_gives_no_choice_is_told_so_and_asked_once_more() -> None:
    model = ScriptedModel(["Pickup Fork", "pickup mug"])
    (done,) = model.generate([Prompt.of("What next?", MOVES)])
    assert done.value == "Pickup Mug" and done.error is None
    assert (done.usage.model_calls, done.usage.repairs, done.usage.failures) == (2, 1, 0)
    _, said, told = model.prompts[1].messages
    assert said == ChatMessage("assistant", "Pickup Fork")
    assert "'Pickup Fork'" in told.text and "- Place Sink" in told.text


@pytest.mark.parametrize(("answer", "hint"), [(SCHEMA, '"n"'), (Regex("[ab]+"), "[ab]+")])
def test_the_second_question_says_what_is_wanted(answer: Schema | Regex, hint: str) -> None:
    model = ScriptedModel(["no"])
    (done,) = model.generate([Prompt.of("What next?", answer)])
    assert hint in model.prompts[1].messages[-1].text
    assert isinstance(done.error, ModelReplyError) and done.value is None
    assert (len(model.prompts), done.usage.failures) == (2, 1)
    with pytest.raises(ModelReplyError):
        done.checked()


def test_only_those_that_were_wrong_are_asked_again() -> None:
    model = ScriptedModel(["Pickup Mug", "no", "Place Sink", "Pickup Mug"])
    done = model.generate([Prompt.of(str(number), MOVES) for number in range(3)])
    assert [one.value for one in done] == ["Pickup Mug", "Pickup Mug", "Place Sink"]
    assert [one.usage.model_calls for one in done] == [1, 2, 1]
    assert model.prompts[3].messages[0].text == "1"


def test_an_error_of_one_prompt_does_not_touch_the_others() -> None:
    raw = (Completion("", error=ModelError("too long")), Completion("fine"))
    done = Raw(*raw).generate(["a", "b"])
    assert (str(done[0].error), done[0].usage.failures) == ("too long", 1)
    assert (done[1].value, done[1].checked()) == ("fine", done[1])


def test_an_answer_that_was_cut_short_says_so() -> None:
    (late,) = Raw(Completion("Pick", finish="timeout")).generate([Prompt.of("a", MOVES)])
    assert isinstance(late.error, ModelTimeoutError)
    (whole,) = Raw(Completion("Place Sink", finish="timeout")).generate([Prompt.of("a", MOVES)])
    assert whole.value == "Place Sink"
    (cut,) = Raw(Completion('{"n": 1', finish="length")).generate([Prompt.of("a", SCHEMA, Settings(max_tokens=7))])
    assert "cut short after 7 tokens" in str(cut.error)


def test_a_model_that_breaks_down_raises_one_kind_of_error() -> None:
    def fall(prompt: Prompt) -> str:
        raise ZeroDivisionError("oh")

    with pytest.raises(ModelError, match="scripted: broke down: ZeroDivisionError: oh"):
        ScriptedModel(fall).generate(["a"])
    with pytest.raises(ModelError, match="1 completions to 2 prompts"):
        Raw(Completion("a")).generate(["a", "b"])


@given(st.text(alphabet=st.characters()), st.sampled_from([None, MOVES, SCHEMA, Regex("[ab]+")]))
@settings(max_examples=200, deadline=None)
def test_whatever_a_model_says_there_is_a_value_or_an_error(said: str, answer: Choices | None) -> None:
    (done,) = ScriptedModel([said]).generate([Prompt.of("a", answer)])
    done.text.encode("utf8")
    assert (done.error is None) or (done.value is None and done.usage.failures == 1)


def test_bad_prompts_and_settings_are_refused_with_their_values() -> None:
    for wrong in (
        {"max_tokens": 0},
        {"temperature": -1},
        {"top_p": 0},
        {"timeout_s": 0},
        {"stop": ("",)},
        {"temperature": float("nan")},
    ):
        with pytest.raises(InputError, match=next(iter(wrong))):
            Settings(**wrong)
    with pytest.raises(InputError, match="no such role"):
        ChatMessage("tool", "x")
    with pytest.raises(InputError, match="HxWx3"):
        ChatMessage("user", "x", (np.zeros((2, 2), np.uint8),))
    with pytest.raises(InputError, match="at its end"):
        Prompt((ChatMessage("system", "x"),))


def test_usages_add_up_and_an_unknown_price_stays_unknown() -> None:
    both = Usage(1, 2, 3, 0.5) + Usage(1, 1, 1, 0.25, 0.01, 1, 1)
    assert both == Usage(2, 3, 4, 0.75, 0.01, 1, 1)
    assert (Usage(1) + Usage(1)).cost_usd is None
    assert both.to_json()["model_calls"] == 2
