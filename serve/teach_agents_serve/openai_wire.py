"""What OpenAI's chat completions look like: requests as they are read, answers and errors as they are written."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from http import HTTPStatus
from time import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import TeachAgentsError

_WORDS = re.compile(r"\w+|[^\w\s]")
_Text = Annotated[str, Field(max_length=100_000)]


class ChatError(TeachAgentsError):
    """A request that is not answered, and why, as OpenAI words it: `code` is for programs, `param` what is wrong."""

    def __init__(self, status: HTTPStatus, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param

    def to_json(self) -> JsonObject:
        """The body of the reply."""
        kinds = {HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error", HTTPStatus.UNAUTHORIZED: "authentication_error"}
        kind = "server_error" if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
        kind = kinds.get(self.status, kind)
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}


class _Asked(BaseModel):
    """Clients send much that has no meaning here (temperature, top_p, tools); it is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Part(_Asked):
    type: str
    text: _Text = ""


class ChatMessage(_Asked):
    """One message of a conversation."""

    role: Literal["system", "developer", "user", "assistant"]
    content: _Text | Annotated[list[_Part], Field(max_length=1000)] | None = None

    @property
    def text(self) -> str:
        """Its words; pictures left out."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text") and part.text)
        return self.content or ""


class _StreamOptions(_Asked):
    include_usage: bool = False


class ChatRequest(_Asked):
    """A request for the next answer of a conversation, which it repeats from the beginning."""

    model: Annotated[str, Field(min_length=1, max_length=256)]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=10_000)]
    stream: bool = False
    stream_options: _StreamOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = None
    modalities: list[str] | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 31)] | None = None
    metadata: dict[str, Annotated[str, Field(max_length=512)]] | None = None


def data_uri(jpeg: bytes) -> str:
    """A picture as an address that holds it."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"


def tokens_of(texts: Sequence[str]) -> int:
    """Words and marks: there is no tokenizer that every Follower would share."""
    return sum(len(_WORDS.findall(text)) for text in texts)


def _usage(prompt: int, answered: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": answered, "total_tokens": prompt + answered}


def completion(  # the fields of one reply
    name: str, model: str, content: str | Sequence[JsonMapping], finish: str, usage: tuple[int, int], session: str
) -> JsonObject:
    """A whole answer."""
    message = {"role": "assistant", "content": content, "refusal": None}
    return {
        "id": name,
        "object": "chat.completion",
        "created": int(time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": _usage(*usage),
        "metadata": {"session": session},
    }


def chunk(
    name: str,
    model: str,
    delta: JsonMapping | None,
    finish: str | None = None,
    usage: tuple[int, int] | None = None,
) -> JsonObject:
    """A piece of an answer; without a `delta` the last one, which tells the usage."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]
    told = {"id": name, "object": "chat.completion.chunk", "created": int(time()), "model": model, "choices": choices}
    return told if usage is None else {**told, "usage": _usage(*usage)}
