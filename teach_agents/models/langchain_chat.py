"""Any `LanguageModel` as a chat model of LangChain. Needs the extra `langchain`."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field

from teach_agents.core.json_types import JsonObject
from teach_agents.models.contract import LanguageModel
from teach_agents.models.langchain_messages import Tools, chat_messages
from teach_agents.models.loading import load_model
from teach_agents.models.prompts import Completion, Prompt, Settings

_SETTINGS = ("max_tokens", "temperature", "top_p", "seed")


class ChatTeachAgents(BaseChatModel):
    """A chat model that asks a `LanguageModel`: the one given, or the one that the SPEC `model` names.

    Tools are described in a system message; a call is decoded under its schema where the model constrains answers and
    is told to call a tool, and read from the answer elsewhere. Streaming gives a finished answer word by word. Errors
    are those of `LanguageModel`.
    """

    model_config = ConfigDict(populate_by_name=True, arbitrary_types_allowed=True)

    model_name: str = Field(default="smollm2", alias="model")
    language_model: LanguageModel | None = Field(default=None, exclude=True, repr=False)
    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    timeout: float = 120.0
    stop: list[str] | None = None

    @classmethod
    def around(cls, model: LanguageModel, **options: Any) -> ChatTeachAgents:
        """The chat model around a model that there is already."""
        return cls(model=model.name, language_model=model, **options)

    @property
    def _llm_type(self) -> str:
        return "teach-agents"

    @property
    def _identifying_params(self) -> JsonObject:
        return {"model_name": self.model_name, "max_tokens": self.max_tokens, "temperature": self.temperature}

    def bind_tools(
        self,
        tools: Sequence[JsonObject | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: Any = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The model with tools. `tool_choice` is `auto` (or none), `any` (or `required`), or a tool's name,
        also as OpenAI writes it."""
        described = [convert_to_openai_tool(tool) for tool in tools]
        Tools.of(described, tool_choice)
        return self.bind(tools=described, tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        tools = _tools(kwargs)
        (done,) = self._asked(kwargs).generate([self._prompt(messages, stop, tools, kwargs)])
        return self._result(done, tools, kwargs)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        tools = _tools(kwargs)
        (done,) = await self._asked(kwargs).agenerate([self._prompt(messages, stop, tools, kwargs)])
        return self._result(done, tools, kwargs)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._generate(messages, stop, **kwargs)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(await self._agenerate(messages, stop, **kwargs)):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _asked(self, kwargs: JsonObject) -> LanguageModel:
        """The model of this call."""
        other = kwargs.get("model")
        if other is not None and other != self.model_name:
            return load_model(other)
        if self.language_model is None:
            self.language_model = load_model(self.model_name)
        return self.language_model

    def _prompt(
        self, messages: list[BaseMessage], stop: list[str] | None, tools: Tools | None, kwargs: JsonObject
    ) -> Prompt:
        settings = Settings(
            **{name: kwargs.get(name, getattr(self, name)) for name in _SETTINGS},
            stop=tuple(stop if stop is not None else self.stop or ()),
            timeout_s=self.timeout,
        )
        chat = chat_messages(messages)
        if tools is None:
            return Prompt(chat, settings=settings)
        return Prompt((tools.instructions, *chat), tools.answer, settings)

    def _result(self, answered: Completion, tools: Tools | None, kwargs: JsonObject) -> ChatResult:
        done = answered.checked()
        calls = tools.calls(done) if tools is not None else []
        read, made = done.usage.prompt_tokens, done.usage.generated_tokens
        message = AIMessage(
            content="" if calls else done.text,
            tool_calls=calls,
            usage_metadata=UsageMetadata(input_tokens=read, output_tokens=made, total_tokens=read + made),
            response_metadata={
                "model_name": kwargs.get("model", self.model_name),
                "model_provider": "teach-agents",
                "finish_reason": "tool_calls" if calls else done.finish,
            },
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


def _tools(kwargs: JsonObject) -> Tools | None:
    described = kwargs.get("tools")
    return Tools.of(described, kwargs.get("tool_choice")) if described else None


def _chunks(whole: ChatResult) -> Iterator[ChatGenerationChunk]:
    """A message as the chunks that add up to it: its words, its calls, and at the end what it cost."""
    message = whole.generations[0].message
    assert isinstance(message, AIMessage)
    for piece in re.findall(r"\s*\S+\s*$|\s*\S+", str(message.content)):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    calls = [
        tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=at)
        for at, call in enumerate(message.tool_calls)
    ]
    last = AIMessageChunk(
        content="",
        tool_call_chunks=calls,
        usage_metadata=message.usage_metadata,
        response_metadata=message.response_metadata,
        chunk_position="last",
    )
    yield ChatGenerationChunk(message=last)
