"""OpenAI's chat completions as they are read and written, and models that are Followers.

A model's name, and a request's metadata, say who acts and in what household.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from teach_agents.conventions.observation_wire import problems_of
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import TeachAgentsError
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
from teach_agents_serve.live_wire import NewSession

_WORDS = re.compile(r"\w+|[^\w\s]")
_Text = Annotated[str, Field(max_length=100_000)]
_BASE = "teach-follower"
_PICTURES = "-pictures"
_SETTINGS = ("room", "task", "params", "seed", "game", "follower", "pictures", "session")
_DIGITS = 10
_WAYS = ("none", "parts", "markdown")


class ChatError(TeachAgentsError):
    """A request that is not answered, and why, as OpenAI words it: `code` is for programs, `param` what is wrong."""

    def __init__(
        self,
        message: str,
        param: str | None = None,
        *,
        code: str = "bad_request",
        status: int = 400,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param

    def to_json(self) -> JsonObject:
        """The body of the reply."""
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        kind = "rate_limit_error" if self.status == 429 else kind
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
    return {**told, "usage": _usage(*usage)} if usage else told


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a request chose: the session it would open, and how pictures come: `none`, `parts`, `markdown`."""

    session: NewSession
    pictures: str

    @property
    def scope(self) -> str:
        """The same text for the same choice."""
        return self.session.model_dump_json()


def model_names(followers: Sequence[str]) -> list[str]:
    """Names of models that are listed: of the first Follower, then of each by its name; rooms and tasks go behind."""
    return [_BASE, _BASE + _PICTURES, *(f"{_BASE}:{name}" for name in followers)]


def model_entry(name: str, sends_to: str = "") -> JsonObject:
    """A model, as OpenAI lists it; with whose machines are sent what is said to it, where that leaves this one."""
    told = {"id": name, "object": "model", "created": 0, "owned_by": "teach_agents"}
    return {**told, "sends_to": sends_to} if sends_to else told


def chosen(request: ChatRequest, followers: Sequence[str]) -> Chosen:
    """What a request asks for. Raises `ChatError` for a model or a setting that there is not."""
    settings = request.metadata or {}
    for name in settings:
        if name not in _SETTINGS:
            raise ChatError(f"there is no setting {name!r}; there are: {', '.join(_SETTINGS)}", "metadata")
    follower, pictures, named = read_model(request.model, followers)
    settings = {**named, **settings}
    way = settings.get("pictures") or ("parts" if "image" in (request.modalities or ()) else pictures)
    if way not in _WAYS:
        raise ChatError(f"pictures must be one of {', '.join(_WAYS)}, not {way!r}", "metadata.pictures")
    asked: JsonObject = {key: settings[key] for key in ("room", "task", "game") if settings.get(key)}
    asked = asked or {"room": ROOM_NAMES[0]}
    if "params" in settings:
        asked["params"] = _params(settings["params"])
    asked["seed"] = _seed(settings["seed"]) if "seed" in settings else request.seed or 0
    try:
        session = NewSession(**asked, follower=settings.get("follower", follower), pace_s=0.0)  # nobody watches
    except ValidationError as error:
        raise ChatError(problems_of(error), "metadata") from None
    return Chosen(session, way)


def read_model(model: str, followers: Sequence[str]) -> tuple[str, str, Mapping[str, str]]:
    """Follower, pictures and what is named behind: `teach-follower[-pictures][:FOLLOWER][/ROOM][/TASK]`.

    Raises `ChatError` for a model that there is not.
    """
    head, *rest = model.split("/")
    base, colon, follower = head.partition(":")
    pictures = base == _BASE + _PICTURES
    if not (pictures or base == _BASE) or (colon and follower not in followers) or not followers:
        raise _no_model(model, followers)
    named: dict[str, str] = {}
    for name in rest:
        kind = "room" if name in ROOM_NAMES else "task"
        if not name or kind in named:
            raise _no_model(model, followers)
        named[kind] = name
    return follower or followers[0], "markdown" if pictures else "none", named


def _params(text: str) -> list[str]:
    """Parameters of a task: a JSON list of texts, or one alone."""
    if not text.lstrip().startswith("["):
        return [text]
    try:
        params = json.loads(text)
    except (ValueError, RecursionError):
        raise ChatError(f"params must be a JSON list of texts, not {text!r}", "metadata.params") from None
    return [one if isinstance(one, str) else json.dumps(one) for one in params]


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > _DIGITS:
        raise ChatError(f"seed must be a whole number, not {text!r}", "metadata.seed")
    return int(text)


def _no_model(model: str, followers: Sequence[str]) -> ChatError:
    known = ", ".join(model_names(followers)) if followers else "none: no Follower is offered here"
    form = f"{_BASE}[{_PICTURES}][:FOLLOWER][/ROOM][/TASK]"
    problem = f"no model {model!r}; {form}, as in {known}"
    return ChatError(problem, "model", code="model_not_found", status=404)
