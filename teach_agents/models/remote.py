"""Models behind a server that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, OpenAI and many more."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from time import monotonic, perf_counter
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, MissingExtraError, ModelError, ModelReplyError, ModelTimeoutError
from teach_agents.models.contract import LanguageModel
from teach_agents.models.prompts import Completion, Prompt, Usage
from teach_agents.models.servers import PassingError, Patience, Price, RateLimit, check_calls, content_of

_LARGEST = 4 << 20
"""Bytes; a larger reply is not read to its end."""
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_UNKNOWN_FORMAT = frozenset({400, 404, 415, 422, 500, 501})
"""What servers say that do not know `response_format`; some break down over it."""
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes


class OpenAIModel(LanguageModel):
    """The model `url#model` of a server, as in `http://localhost:8000/v1#smollm2`.

    A JSON Schema, or choices as one, goes to the server as `response_format`; a server that does not know it is asked
    without, and what it answers is read and asked for once more where it does not fit. `key_env` names an environment
    variable with the key to send; without one no key is sent. `per_second` limits calls per second (0: no limit),
    `parallel` how many are under way at once; `price` as in `Price`. Time limits are those of each prompt's
    settings, waits and retries included. Needs the extra `remote`.
    """

    def __init__(
        self,
        url: str,
        *,
        key_env: str = "",
        parallel: int = 8,
        per_second: float = 0.0,
        attempts: int = 4,
        logprobs: bool = False,
        price: str = "",
    ) -> None:
        address, _, model = url.partition("#")
        if not address.startswith(("http://", "https://")) or not model:
            raise InputError("remote model", "needs an address and a model", value=url, valid=["http://host/v1#model"])
        check_calls("remote model", parallel, attempts)
        if find_spec("httpx2") is None:
            raise MissingExtraError("httpx2", "remote")
        self.name = url
        self._url = address.rstrip("/") + "/chat/completions"
        self._model = model
        self._key = _key(key_env)
        self._parallel = parallel
        self._rate = RateLimit(per_second)
        self._patience = Patience(attempts)
        self._logprobs = logprobs
        self._price = Price(price)
        self._formats = True

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One completion per prompt, several at once; what one could not get is its own error."""
        _ = self._client
        if len(prompts) == 1:
            return [self._settled(prompts[0])]
        return list(self._pool.map(self._settled, prompts))

    def close(self) -> None:
        """Close connections and threads."""
        for name in ("_pool", "_client"):
            made = self.__dict__.pop(name, None)
            if isinstance(made, ThreadPoolExecutor):
                made.shutdown(wait=False, cancel_futures=True)
            elif made is not None:
                made.close()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._parallel, thread_name_prefix="remote model")

    @cached_property
    def _client(self) -> Any:
        import httpx2

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        limits = httpx2.Limits(max_connections=self._parallel)
        return httpx2.Client(headers=headers, limits=limits, follow_redirects=False)

    def _settled(self, prompt: Prompt) -> Completion:
        begun = perf_counter()
        try:
            return self._patience.keep_trying(
                lambda left: self._asked(prompt, left, begun), prompt.settings.timeout_s, self._rate
            )
        except ModelError as error:
            return Completion("", error=error, usage=Usage(1, model_s=perf_counter() - begun))

    def _asked(self, prompt: Prompt, left_s: float, begun: float) -> Completion:
        schema = prompt.answer.schema if prompt.answer is not None and self._formats else None
        until = monotonic() + left_s
        reply = self._sent(_body(self._model, prompt, schema, self._logprobs), until)
        if schema is not None and reply.status in _UNKNOWN_FORMAT:
            reply = self._sent(_body(self._model, prompt, None, self._logprobs), until)
            self._formats = reply.status != 200
        if reply.status in _PASSING:
            raise PassingError(f"the server says {_told(reply)}", _retry_after(reply))
        if reply.status != 200:
            raise ModelError(f"the server refuses: {_told(reply)}")
        return _completion(reply, perf_counter() - begun, self._price)

    def _sent(self, body: JsonMapping, until: float) -> _Reply:
        """The server's reply, read as it comes so that neither time nor size can run away."""
        import httpx2

        content = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        try:
            with self._client.stream(
                "POST", self._url, content=content, headers=headers, timeout=max(until - monotonic(), 0.001)
            ) as response:
                read = bytearray()
                for piece in response.iter_bytes():
                    read += piece
                    if len(read) > _LARGEST:
                        raise ModelReplyError(f"the reply is larger than {_LARGEST:,} bytes")
                    if monotonic() > until:
                        raise ModelTimeoutError("the reply did not come to an end in time")
                return _Reply(response.status_code, dict(response.headers), bytes(read))
        except httpx2.TimeoutException as error:
            raise ModelTimeoutError(f"no answer in time ({type(error).__name__})") from error
        except httpx2.TransportError as error:
            raise PassingError(f"{self._url}: cannot be reached: {error or type(error).__name__}") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.DecodingError) as error:
            raise ModelError(f"{self._url}: {type(error).__name__}: {error}") from error


def _key(key_env: str) -> str:
    key = os.environ.get(key_env, "")
    if key_env and not key:
        raise InputError("key_env", "this environment variable is not set", value=key_env)
    return key


def _body(model: str, prompt: Prompt, schema: JsonMapping | None, logprobs: bool) -> JsonObject:
    settings = prompt.settings
    body: JsonObject = {
        "model": model,
        "messages": [{"role": one.role, "content": content_of(one)} for one in prompt.messages],
        "max_tokens": settings.max_tokens,
        "temperature": settings.temperature,
    }
    if settings.temperature > 0:
        body |= {"top_p": settings.top_p, "seed": settings.seed}
    if settings.stop:
        body["stop"] = list(settings.stop)
    if logprobs:
        body["logprobs"] = True
    if schema is not None:
        form = {"name": "answer", "schema": schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def _told(reply: _Reply) -> str:
    """The status and the beginning of what the server wrote, on one line."""
    words = " ".join(reply.body[: 4 * _SHOWN].decode("utf8", "replace").split())
    return f"{reply.status} {words[:_SHOWN]}".strip()


def _retry_after(reply: _Reply) -> float | None:
    stated = reply.headers.get("retry-after", "")
    try:
        seconds = float(stated)
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def _completion(reply: _Reply, seconds: float, price: Price) -> Completion:
    """Raises `ModelReplyError` for what is no chat completion."""
    try:
        told = json.loads(reply.body)
        choice = told["choices"][0]
        said = choice["message"].get("content")
        refused = choice["message"].get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelReplyError(f"the reply is no chat completion: {_told(reply)}") from error
    if not isinstance(said, str):
        said = "" if said is None else json.dumps(said)
    stated = told.get("usage")
    usage = price.priced(Usage(1, _count(stated, "prompt_tokens"), _count(stated, "completion_tokens"), seconds))
    said_no = isinstance(refused, str) and refused
    refusal = ModelReplyError(f"the model refuses: {refused[:_SHOWN]!r}") if said_no else None
    finish = "length" if choice.get("finish_reason") == "length" else "stop"
    return Completion(said, finish=finish, usage=usage, error=refusal, log_probability=_log_probability(choice))


def _count(usage: object, name: str) -> int:
    counted = usage.get(name) if isinstance(usage, dict) else None
    return counted if isinstance(counted, int) and 0 <= counted < 1 << 40 else 0


def _log_probability(choice: JsonMapping) -> float | None:
    """Of the whole answer: the sum of its tokens', where the server told them."""
    try:
        return float(sum(token["logprob"] for token in choice["logprobs"]["content"]))
    except (LookupError, TypeError, ValueError):
        return None
