"""How the observation that a message holds travels beside its text."""

from __future__ import annotations

from abc import ABC, abstractmethod

from teach_agents.core.errors import BusError
from teach_agents.core.messages import Message, ObservationAsked

__all__ = ["NoObservations", "ObservationCodec"]


class ObservationCodec(ABC):
    """Packs what a message's JSON leaves out, and puts it back. May keep a state per session and role."""

    @abstractmethod
    def pack(self, message: Message) -> bytes:
        """What travels beside the text of a message that is about to be published; empty for nothing."""

    @abstractmethod
    def unpack(self, message: Message, packed: bytes) -> Message:
        """The message as its recipient gets it; `packed` is not empty."""


class NoObservations(ObservationCodec):
    """Refuses observations: none is lost unawares on a bus that was given no codec."""

    def pack(self, message: Message) -> bytes:
        """Nothing. Raises `BusError` for a message with an observation."""
        if isinstance(message.payload, ObservationAsked) and message.payload.observation is not None:
            raise BusError("an observation travels over Redis with a codec only: RedisBus(url, codec=...)")
        return b""

    def unpack(self, message: Message, packed: bytes) -> Message:
        """Raises `BusError`."""
        raise BusError(f"{message.kind!r} came with an observation, and this RedisBus has no codec to read it")
