"""Models that are Followers: a model's name, and a request's metadata, say who acts and in what household."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from pydantic import ValidationError

from teach_agents.conventions.observation_wire import problems_of
from teach_agents.core.json_types import JsonObject
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
from teach_agents_serve.live_wire import NewSession
from teach_agents_serve.openai_wire import ChatError, ChatRequest

_BASE = "teach-follower"
_PICTURES = "-pictures"
_SETTINGS = ("room", "task", "params", "seed", "game", "follower", "pictures", "session")
_DIGITS = 10
_WAYS = ("none", "parts", "markdown")


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
    named = [f"{_BASE}:{name}" for name in followers]
    return [name + way for way in ("", _PICTURES) for name in (_BASE,)] + named


def model_entry(name: str) -> JsonObject:
    """A model, as OpenAI lists it."""
    return {"id": name, "object": "model", "created": 0, "owned_by": "teach_agents"}


def check_model(model: str, followers: Sequence[str]) -> None:
    """Raises `ChatError` for a model that there is not."""
    _read(model, followers)


def chosen(request: ChatRequest, followers: Sequence[str]) -> Chosen:
    """What a request asks for. Raises `ChatError` for a model or a setting that there is not."""
    settings = dict(request.metadata or {})
    for name in settings:
        if name not in _SETTINGS:
            raise _bad(f"there is no setting {name!r}; there are: {', '.join(_SETTINGS)}", "metadata")
    follower, pictures, named = _read(request.model, followers)
    settings = {**named, **settings}
    way = settings.get("pictures") or ("parts" if "image" in (request.modalities or ()) else pictures)
    if way not in _WAYS:
        raise _bad(f"pictures must be one of {', '.join(_WAYS)}, not {way!r}", "metadata.pictures")
    asked: JsonObject = {key: settings[key] for key in ("room", "task", "game") if settings.get(key)}
    if not asked:
        asked["room"] = ROOM_NAMES[0]
    if "params" in settings:
        asked["params"] = _params(settings["params"])
    asked["seed"] = _seed(settings["seed"]) if "seed" in settings else request.seed or 0
    try:
        session = NewSession(**asked, follower=settings.get("follower", follower))
    except ValidationError as error:
        raise _bad(problems_of(error), "metadata") from None
    return Chosen(session, way)


def _read(model: str, followers: Sequence[str]) -> tuple[str, str, Mapping[str, str]]:
    """Follower, pictures and what is named behind: `teach-follower[-pictures][:FOLLOWER][/ROOM][/TASK]`."""
    head, *rest = model.split("/")
    base, colon, follower = head.partition(":")
    pictures = base == _BASE + _PICTURES
    if base not in (_BASE, _BASE + _PICTURES) or (colon and follower not in followers) or not followers:
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
        raise _bad(f"params must be a JSON list of texts, not {text!r}", "metadata.params") from None
    return [one if isinstance(one, str) else json.dumps(one) for one in params]


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > _DIGITS:
        raise _bad(f"seed must be a whole number, not {text!r}", "metadata.seed")
    return int(text)


def _bad(problem: str, param: str) -> ChatError:
    return ChatError(HTTPStatus.BAD_REQUEST, "bad_request", problem, param)


def _no_model(model: str, followers: Sequence[str]) -> ChatError:
    known = ", ".join(model_names(followers)) if followers else "none: no Follower is offered here"
    form = f"{_BASE}[{_PICTURES}][:FOLLOWER][/ROOM][/TASK]"
    return ChatError(HTTPStatus.NOT_FOUND, "model_not_found", f"no model {model!r}; {form}, as in {known}", "model")
