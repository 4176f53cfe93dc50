"""What travels in a session over HTTP: what a seat sees and has been told, in JSON, by the world's codec."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from teach_agents.core.codec import Codec
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.registry import load_target
from teach_agents.core.values import Result, Utterance
from teach_agents.core.world import World

News = Utterance | Result
"""What a seat is told before it sees: what others said, and what became of its own action."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation, the news since the one before, in order, and what the world says can be done."""

    observation: Any
    news: tuple[News, ...] = ()
    valid: tuple[Any, ...] = ()


SeenWriter = Callable[[Seen], bytes]
SeenReader = Callable[[bytes | str, Mapping[str, bytes]], Seen]
"""Reads what a writer wrote, or anybody else, and pictures that came beside it by name. Raises `InputError`."""


class Wire:
    """How the sessions of one world travel. A world with a form of its own overrides this (`World.wire`).

    `stated` is what both ends say of the world: nothing, where it is the one of peers that state none.
    """

    def __init__(self, codec: Codec[Any, Any, Any]) -> None:
        self.codec = codec

    @property
    def stated(self) -> JsonMapping:
        """The world's name, and the version of its values."""
        return {"world": self.codec.world, "world_version": self.codec.version}

    def check(self, where: str, world: object, version: object) -> None:
        """Raise `InputError` unless a peer that states these can be understood."""
        self.codec.check(where, world or ("none stated" if self.stated else None), version)

    def privileges(self, names: Collection[str]) -> frozenset[Any]:
        """Privileges as agents of this world state them."""
        return frozenset(names)

    def writer(self, privileges: Collection[Any], views: Collection[str], pictures: str) -> SeenWriter:
        """What writes for one session; `views` and `pictures` are which pictures are asked for and in which form."""
        return self._written

    def reader(self, seat: str, privileges: Collection[Any], max_pixels: int) -> SeenReader:
        """What reads in one session."""
        return self._read

    def action_to_json(self, seat: str, action: Any) -> JsonObject:
        """A seat's action."""
        return self.codec.action_to_json(action)

    def _written(self, seen: Seen) -> bytes:
        told = {"observation": self.codec.observation_to_json(seen.observation), "news": [*map(self._news, seen.news)]}
        if seen.valid:
            told["valid"] = [*map(self.codec.action_to_json, seen.valid)]
        return json.dumps(told, separators=(",", ":")).encode()

    def _news(self, news: News) -> JsonObject:
        if isinstance(news, Utterance):
            return {"speaker": str(news.speaker), "text": news.text, "time_ms": news.time_ms}
        return {"result": self.codec.result_to_json(news)}

    def _read(self, body: bytes | str, files: Mapping[str, bytes]) -> Seen:
        try:
            told = json.loads(body)
            seen, news = self.codec.observation_from_json(told["observation"]), map(self._heard, told.get("news", ()))
            return Seen(seen, tuple(news), tuple(map(self.codec.action_from_json, told.get("valid", ()))))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                "body", "is a JSON object with an 'observation' of this world, and with 'news'", value=str(error)[:80]
            ) from error

    def _heard(self, one: JsonMapping) -> News:
        if "result" in one:
            result: Result = self.codec.result_from_json(one["result"])
            return result
        return Utterance(str(one["speaker"]), str(one["text"]), int(one.get("time_ms", 0)))


def wire_of(world: World) -> Wire:
    """How the sessions of a world travel: in its own way, or by its codec. Raises `PluginError`."""
    if world.wire is None:
        return Wire(world.codec)
    where = f"the wire of the world {world.codec.world!r}"
    return cast(Wire, (load_target(world.wire, where) if isinstance(world.wire, str) else world.wire)(world.codec))
