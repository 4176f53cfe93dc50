"""LangChain's chat models as ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from teach_agents.errors import InputError, ModelError, ModelTimeoutError
from teach_agents.models import (
    ChatMessage,
    Choices,
    LanguageModel,
    Prompt,
    Regex,
    Schema,
    ScriptedModel,
    Settings,
    load_model,
)
from teach_agents.models.conformance import LanguageModelContract
from teach_agents.models.servers import Patience

pytest.importorskip("langchain_core")
from langchain_core.language_models import BaseChatModel, GenericFakeChatModel  # after the check
from langchain_core.messages import AIMessage, BaseMessage  # the same
from langchain_core.outputs import ChatGeneration, ChatResult  # the same
from langchain_core.runnables import RunnableLambda  # the same

from teach_agents.models.langchain_chat import ChatTeachAgents  # the same
from teach_agents.models.langchain_model import LangChainModel  # the same

MOVES = Choices(["Pickup Mug", "Place Sink"])


class Flaky(BaseChatModel):
    """Fails a few times, then answers; keeps what it was asked and how."""

    failures: int = 0
    wait_s: float = 0.0
    temperature: float | None = None
    max_tokens: int | None = None
    asked: list[tuple[list[BaseMessage], Any]] = []

    @property
    def _llm_type(self) -> str:
        return "flaky"

    def _generate(self, messages: list[BaseMessage], stop: Any = None, *_: Any, **__: Any) -> ChatResult:
        raise AssertionError("asked asynchronously")

    async def _agenerate(self, messages: list[BaseMessage], stop: Any = None, *_: Any, **__: Any) -> ChatResult:
        self.asked.append((messages, (stop, self.temperature, self.max_tokens)))
        if len(self.asked) <= self.failures:
            raise ConnectionError("no route")
        await asyncio.sleep(self.wait_s)
        usage = {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}
        message = AIMessage("place sink", usage_metadata=usage, response_metadata={"finish_reason": "length"})
        return ChatResult(generations=[ChatGeneration(message=message)])


def _talkative() -> Iterator[AIMessage]:
    while True:
        yield AIMessage("ab")


class TestLangChainModel(LanguageModelContract):
    def make_model(self) -> LanguageModel:
        return LangChainModel(GenericFakeChatModel(messages=_talkative()))


class TestThereAndBack(LanguageModelContract):
    """Our model as LangChain's as ours."""

    def make_model(self) -> LanguageModel:
        return LangChainModel(ChatTeachAgents.around(ScriptedModel("ab")))


def _patient(chat: BaseChatModel, attempts: int = 3, **options: Any) -> LangChainModel:
    model = LangChainModel(chat, **options)
    model._patience = Patience(attempts, wait_s=0.01)
    return model


def test_settings_messages_and_usage_go_through() -> None:
    chat = Flaky(asked=[])
    messages = (
        ChatMessage("system", "You are a robot."),
        ChatMessage("assistant", "Hi."),
        ChatMessage("user", "What next?", (np.zeros((2, 2, 3), np.uint8),)),
    )
    prompt = Prompt(messages, MOVES, Settings(max_tokens=9, temperature=0.5, stop=("\n",)))
    with _patient(chat, price="1/2") as model:
        (done,) = model.generate([prompt])
    assert (done.value, done.finish) == ("Place Sink", "length")
    assert (done.usage.prompt_tokens, done.usage.generated_tokens) == (7, 2)
    assert done.usage.cost_usd == pytest.approx(11e-6)
    ((sent, settings),) = chat.asked
    assert [type(one).__name__ for one in sent] == ["SystemMessage", "AIMessage", "HumanMessage"]
    assert isinstance(sent[2].content, list) and sent[2].text == "What next?"
    assert settings == (["\n"], 0.5, 9)


def test_a_model_that_fails_is_asked_again_a_few_times() -> None:
    with _patient(Flaky(failures=2, asked=[])) as model:
        assert model.generate(["a"])[0].text == "place sink"
    with _patient(Flaky(failures=9, asked=[]), attempts=2) as model:
        (done,) = model.generate(["a"])
        assert "Flaky: ConnectionError: no route" in str(done.error) and done.usage.failures == 1


def test_a_model_that_takes_too_long_is_left() -> None:
    with _patient(Flaky(wait_s=60, asked=[])) as model:
        (done,) = model.generate([Prompt.of("a", settings=Settings(timeout_s=0.1))])
        assert isinstance(done.error, ModelTimeoutError)
        (late,) = asyncio.run(model.agenerate([Prompt.of("a", settings=Settings(timeout_s=0.1))]))
        assert isinstance(late.error, ModelTimeoutError)


def test_calls_are_a_rate_apart() -> None:
    with _patient(Flaky(asked=[]), per_second=20) as model:
        done = model.generate(["a", "b", "c"])
    assert max(one.usage.model_s for one in done) > 0.09


def test_structured_output_is_used_where_the_model_has_it() -> None:
    called = '{"name": "answer", "arguments": {"choice": "Place Sink"}}'
    inner = ScriptedModel([called])
    with LangChainModel(ChatTeachAgents.around(inner)) as model:
        (done,) = model.generate([Prompt.of("What next?", MOVES)])
        assert done.value == "Place Sink" and inner.prompts[0].answer is not None
        (said,) = model.generate([Prompt.of("What next?", Regex(".*"))])
        assert said.text == called and inner.prompts[1].answer is None


def test_without_it_the_answer_is_read_and_asked_for_again() -> None:
    said = iter([AIMessage("no"), AIMessage('{"n": 3}')])
    with LangChainModel(GenericFakeChatModel(messages=said)) as model:
        (done,) = model.generate([Prompt.of("How many?", Schema({"type": "object", "required": ["n"]}))])
    assert (done.value, done.usage.repairs) == ({"n": 3}, 1)


class Choosy(Flaky):
    """Has structured output, but not for every schema; or (`never`) not at all."""

    never: bool = False
    schemas: list[Any] = []

    def with_structured_output(self, schema: Any, **_: Any) -> Any:
        self.schemas.append(schema)
        if self.never:
            raise NotImplementedError
        if "refused" in schema["properties"]:
            raise ValueError("no such schema")
        return RunnableLambda(lambda _: {"raw": AIMessage(""), "parsed": {"n": 3}})


@pytest.mark.parametrize(("never", "asked"), [(False, 3), (True, 1)])
def test_a_schema_that_is_refused_turns_structured_output_off_for_that_prompt_only(never: bool, asked: int) -> None:
    schemas = [{"type": "object", "properties": {name: {}}} for name in ("refused", "n", "n")]
    chat = Choosy(never=never, schemas=[])
    with LangChainModel(chat) as model:
        said = [model.complete([Prompt.of("How many?", Schema(schema))])[0].text for schema in schemas]
    assert said == ["place sink", *['{"n": 3}' if not never else "place sink"] * 2]
    assert len(chat.schemas) == asked


def test_names_are_what_init_chat_model_knows() -> None:
    with pytest.raises(InputError, match="init_chat_model"):
        load_model("langchain:nobody:nothing")
    with pytest.raises(ModelError, match="langchain-fireworks"):
        load_model("langchain:fireworks:small")
    with pytest.raises(InputError, match="at least 1"):
        LangChainModel(Flaky(), parallel=0)
