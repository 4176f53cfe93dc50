"""What every LanguageModel must do, as tests that an implementation inherits.

```python
class TestMyModel(LanguageModelContract):
    def make_model(self) -> LanguageModel:
        return MyModel()
```
"""

from __future__ import annotations

import asyncio
import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from teach_agents.errors import InputError, ModelError
from teach_agents.models.choosing import choose
from teach_agents.models.constraints import Choices, Regex, Schema
from teach_agents.models.contract import Counted, LanguageModel
from teach_agents.models.prompts import ChatMessage, Completion, Prompt, Settings

_Made = TypeVar("_Made")

_SHORT = Settings(max_tokens=24)
_SOON = 60.0
_STEP = {
    "type": "object",
    "properties": {"action": {"enum": ["Pickup", "Place"]}, "words": {"type": "string", "maxLength": 8}},
    "required": ["action", "words"],
    "additionalProperties": False,
}


def raises(error: type[Exception], call: Callable[..., object], *arguments: object) -> None:
    """Assert that a call raises an error."""
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError(f"expected {error.__name__}")


def in_threads(call: Callable[[int], _Made]) -> list[_Made]:
    """What three threads make of their numbers, all of them in time."""
    done: list[_Made] = []
    threads = [threading.Thread(target=lambda at: done.append(call(at)), args=(at,), daemon=True) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_SOON)
    assert len(done) == 3
    return done


def _settled(prompt: Prompt, done: Completion) -> None:
    """Either a value of the kind that was asked for, or an error that says why not."""
    if done.error is not None:
        assert isinstance(done.error, ModelError) and done.value is None and done.usage.failures == 1
    elif prompt.answer is not None:
        assert prompt.answer.read(done.text) == done.value
    else:
        assert done.value == done.text


class LanguageModelContract(ABC):
    """Inherit, say how a model is made, and pytest runs the contract."""

    @abstractmethod
    def make_model(self) -> LanguageModel:
        """A model; it may be shared."""

    def test_every_prompt_gets_a_completion_in_its_place(self) -> None:
        prompts = [Prompt.of(f"Say {word}.", Choices([word]), _SHORT) for word in ("one", "two", "three")]
        with self.make_model() as model:
            done = model.generate(prompts)
            assert model.generate([]) == []
        assert len(done) == 3
        for prompt, one in zip(prompts, done, strict=True):
            _settled(prompt, one)
            assert one.value in (None, *prompt.choices)
            assert one.usage.model_calls >= 1 and one.usage.prompt_tokens >= 0 and one.usage.model_s >= 0

    def test_answers_are_what_was_asked_for_or_say_why_not(self) -> None:
        kinds = (None, Choices(["Pickup Mug", "Place Sink"]), Schema(_STEP), Regex("[ab]{1,4}"))
        prompts = [Prompt.of("What next?", kind, _SHORT, system="You are a robot.") for kind in kinds]
        with self.make_model() as model:
            done = model.generate(prompts)
        for prompt, one in zip(prompts, done, strict=True):
            _settled(prompt, one)

    def test_a_conversation_and_plain_text_are_prompts(self) -> None:
        chat = (ChatMessage("user", "Hello."), ChatMessage("assistant", "Hi."), ChatMessage("user", "Who are you?"))
        with self.make_model() as model:
            done = model.generate([Prompt(chat, settings=_SHORT), "Hello."])
        assert [isinstance(one.text, str) for one in done] == [True, True]

    def test_what_is_no_prompt_is_refused(self) -> None:
        with self.make_model() as model:
            raises(InputError, model.generate, "one text instead of a list")
            raises(InputError, model.generate, [3])
            raises(InputError, model.score, [Prompt.of("without choices")])

    def test_choices_are_scored_or_generated(self) -> None:
        prompts = [Prompt.of("What next?", Choices(options), _SHORT) for options in (["a", "b b"], ["c", "d", "e"])]
        with self.make_model() as model:
            if model.scores:
                for prompt, scores in zip(prompts, model.score(prompts), strict=True):
                    assert len(scores.log_probabilities) == len(scores.tokens) == len(prompt.choices)
                    assert all(one <= 0 for one in scores.log_probabilities) and all(scores.tokens)
            else:
                raises(ModelError, model.score, prompts)
            for prompt, choice in zip(prompts, choose(model, prompts), strict=True):
                assert math.isclose(sum(choice.distribution), 1) and len(choice.distribution) == len(prompt.choices)
                assert choice.text in prompt.choices or choice.error is not None

    def test_the_event_loop_goes_on_meanwhile(self) -> None:
        async def ask(model: LanguageModel) -> list[Completion]:
            asked = (model.agenerate([Prompt.of(f"Say {number}.", settings=_SHORT)]) for number in range(3))
            return [one for done in await asyncio.gather(*asked) for one in done]

        with self.make_model() as model:
            done = asyncio.run(asyncio.wait_for(ask(model), _SOON))
        assert len(done) == 3

    def test_threads_may_ask_at_once(self) -> None:
        with self.make_model() as model:
            done = in_threads(lambda at: model.generate([Prompt.of(f"Say {at}.", settings=_SHORT)]))
        assert all(len(one) == 1 for one in done)

    def test_what_was_spent_is_counted(self) -> None:
        with self.make_model() as model:
            counted = Counted(model)
            done = counted.generate([Prompt.of("Hello.", settings=_SHORT), Prompt.of("Good morning.", settings=_SHORT)])
        assert counted.usage == done[0].usage + done[1].usage
        assert counted.usage.model_calls >= 2
