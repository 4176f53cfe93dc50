"""Any chat model of LangChain as a `LanguageModel`."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError, MissingExtraError, ModelError, ModelReplyError, ModelTimeoutError
from teach_agents.models.contract import LanguageModel
from teach_agents.models.prompts import ChatMessage, Completion, Prompt, Settings, Usage
from teach_agents.models.servers import Patience, Price, RateLimit, check_calls, content_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


_SETTINGS = ("max_tokens", "temperature", "top_p", "seed")
_VAIN = (TypeError, NotImplementedError, AttributeError, ModelReplyError)
"""Errors that a second attempt would only repeat."""


class LangChainModel(LanguageModel):
    """A chat model, or what `init_chat_model` makes of `provider:model` (with that provider's package installed).

    Settings are handed to models that have a field for them; others keep their own. Where the model has structured
    output, answers that are to be choices or JSON objects are asked for by it; elsewhere they are read from what it
    says. Calls that fail are tried `attempts` times in all; `per_second` limits calls per second (0: no limit),
    `parallel` how many are under way at once; `price` as in `Price`. All run on one event loop in a thread of its own,
    so the model may be asked from any thread and loop. Needs the extra `langchain`.
    """

    def __init__(
        self,
        model: str | BaseChatModel,
        *,
        parallel: int = 8,
        per_second: float = 0.0,
        attempts: int = 3,
        price: str = "",
    ) -> None:
        check_calls("langchain model", parallel, attempts)
        self._chat: Any = _initialised(model) if isinstance(model, str) else model
        self.name = model if isinstance(model, str) else type(model).__name__
        self._patience = Patience(attempts)
        self._rate = RateLimit(per_second)
        self._price = Price(price)
        self._structures = True
        self._parallel = parallel
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread] | None = None

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One completion per prompt, several at once; what one could not get is its own error."""
        return self._going(prompts).result()

    async def acomplete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """`complete`, waiting in no thread."""
        return await asyncio.wrap_future(self._going(prompts))

    def close(self) -> None:
        """End the thread."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            loop, thread = running
            loop.call_soon_threadsafe(loop.stop)
            thread.join(10)
            if not loop.is_running():
                loop.close()

    def _going(self, prompts: Sequence[Prompt]) -> Future[list[Completion]]:
        """The completions to be, on the event loop, whose thread begins with the first of them."""
        with self._lock:
            if self._running is None:
                loop = asyncio.new_event_loop()
                loop.set_default_executor(ThreadPoolExecutor(self._parallel))
                thread = threading.Thread(target=loop.run_forever, name="langchain model", daemon=True)
                thread.start()
                self._running = loop, thread
            return asyncio.run_coroutine_threadsafe(self._all(prompts), self._running[0])

    async def _all(self, prompts: Sequence[Prompt]) -> list[Completion]:
        places = asyncio.Semaphore(self._parallel)

        async def one(prompt: Prompt) -> Completion:
            async with places:
                return await self._one(prompt)

        return list(await asyncio.gather(*map(one, prompts)))

    async def _one(self, prompt: Prompt) -> Completion:
        begun, limit_s = perf_counter(), prompt.settings.timeout_s
        try:
            async with asyncio.timeout(limit_s):
                said = await self._tried(prompt)
        except TimeoutError:
            said = ModelTimeoutError(f"no answer within {limit_s:g} s")
        seconds = perf_counter() - begun
        if isinstance(said, BaseException):
            told = f"{self.name}: {type(said).__name__}: {said}"
            error = said if isinstance(said, ModelError) else ModelError(told[:1000])
            return Completion("", error=error, usage=Usage(1, model_s=seconds))
        return _completion(said, seconds, self._price)

    async def _tried(self, prompt: Prompt) -> Any:
        """What the model said or raised in its last attempt: a mapping where it was asked for a structure."""
        patience, stop = self._patience, prompt.settings.stop
        wait = patience.wait_s
        for attempt in range(1, patience.attempts + 1):
            await asyncio.sleep(self._rate.turn())
            runnable, structured = self._runnable(prompt)
            options = {"stop": list(stop)} if stop and not structured else {}
            asked = runnable.ainvoke(_messages(prompt.messages), **options)
            said: Any = (await asyncio.gather(asked, return_exceptions=True))[0]
            if not isinstance(said, Exception) or isinstance(said, _VAIN) or attempt == patience.attempts:
                return said
            await asyncio.sleep(min(wait, patience.longest_s))
            wait *= 2
        raise AssertionError("the last attempt returns")

    def _runnable(self, prompt: Prompt) -> tuple[Any, bool]:
        """The model with the prompt's settings, and whether it gives a structure."""
        chat = _with_settings(self._chat, prompt.settings)
        schema = prompt.answer.schema if prompt.answer is not None else None
        if schema is None or schema.get("type") != "object" or not self._structures:
            return chat, False
        described = {"title": "answer", "description": "The answer.", **schema}
        try:
            return chat.with_structured_output(described, include_raw=True), True
        except NotImplementedError:
            self._structures = False  # the model never will
        except (ValueError, TypeError):
            pass  # not with this schema
        return chat, False


def _initialised(name: str) -> Any:
    """Raises `MissingExtraError` without LangChain, `InputError` for a name that it knows nothing of."""
    try:
        from langchain.chat_models import init_chat_model
    except ModuleNotFoundError as error:
        raise MissingExtraError("langchain", "langchain") from error
    try:
        return init_chat_model(name)
    except Exception as error:
        told = " ".join(str(error).split())
        if isinstance(error, ImportError):
            raise ModelError(f"langchain:{name}: {told}") from error
        problem = f"init_chat_model makes nothing of it: {told}"
        raise InputError("langchain model", problem, value=name, valid=["provider:model"]) from error


def _with_settings(chat: Any, settings: Settings) -> Any:
    """The model with those of the settings that it has fields for."""
    fields = type(chat).model_fields
    meant = _SETTINGS if settings.temperature else _SETTINGS[:2]  # nothing is drawn at 0
    known = {name: getattr(settings, name) for name in meant if name in fields}
    return chat.model_copy(update=known) if known else chat


def _messages(messages: Sequence[ChatMessage]) -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [kinds[one.role](content=content_of(one)) for one in messages]


def _completion(said: Any, seconds: float, price: Price) -> Completion:
    raw, parsed = (said["raw"], said.get("parsed")) if isinstance(said, dict) else (said, None)
    text = str(getattr(raw, "text", raw)) if parsed is None else json.dumps(parsed, default=str)
    counts: JsonMapping = getattr(raw, "usage_metadata", None) or {}
    usage = Usage(1, int(counts.get("input_tokens", 0)), int(counts.get("output_tokens", 0)), seconds)
    told: JsonMapping = getattr(raw, "response_metadata", None) or {}
    cut = "length" in (told.get("finish_reason"), told.get("done_reason"))
    return Completion(text, finish="length" if cut else "stop", usage=price.priced(usage))
