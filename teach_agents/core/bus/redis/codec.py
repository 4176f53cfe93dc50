"""How a world's values travel between processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.errors import BusError, InputError
from teach_agents.core.messages import Message, ObservationAsked
from teach_agents.core.registry import Registry
from teach_agents.core.values import NOTHING


class MessageCodec:
    """Writes and reads the values of a world by its codec, `values`.

    Actions and results stand in a message's text; observations, which only the recipient gets, travel beside it.
    Without `values` the ones are read as JSON and the others refused. Kinds of messages are those of `registry`'s
    plugins, by default all that are installed. A subclass may pack observations in another way, and keep a state per
    session and seat for that.
    """

    values: Codec[Any, Any, Any] | None = None
    registry: Registry | None = None

    def __init__(self, values: Codec[Any, Any, Any] | None = None, registry: Registry | None = None) -> None:
        self.values = values
        self.registry = registry

    @property
    def stated(self) -> Mapping[str, Any]:
        """What a worker is told, and tells, of the world: `world` and `version`."""
        return NOTHING if self.values is None else {"world": self.values.world, "version": self.values.version}

    def check(self, where: str, world: str, version: int) -> None:
        """Raise `InputError` unless values of this world in this version can be read."""
        if self.values is not None:
            self.values.check(where, world, version)
        elif world:
            raise InputError(where, "is of a world whose values are not read here", value=world)

    def looks_at(self, seat: str, views: tuple[str, ...]) -> None:
        """An agent looks at these pictures and no others; for codecs that send no more than that."""

    def pack(self, message: Message) -> bytes:
        """What travels beside the text of a message that is about to be published; empty for nothing.

        Raises `BusError` for what cannot travel: none is lost unawares.
        """
        payload = message.payload
        if payload.overheard() is payload:
            return b""
        if not isinstance(payload, ObservationAsked):
            raise BusError(f"what {message.kind!r} holds for its recipient only does not travel over Redis")
        if self.values is None:
            raise BusError("an observation travels over Redis with a codec only: RedisBus(url, codec=...)")
        return self.values.pack(payload.observation)

    def unpack(self, message: Message, packed: bytes) -> Message:
        """The message as its recipient gets it; `packed` is not empty. Raises `BusError` for what cannot be read."""
        payload = message.payload
        if self.values is None or not isinstance(payload, ObservationAsked):
            raise BusError(f"what came with {message.kind!r} cannot be read by this RedisBus's codec")
        try:
            seen = self.values.unpack(packed)
        except InputError as error:
            raise BusError(f"the observation of turn {payload.turn} cannot be read: {error}") from error
        return message.model_copy(update={"payload": payload.model_copy(update={"observation": seen})})
