"""What the suite's tests are played with: a small world, its messages, a bus for a scene."""

from __future__ import annotations

import asyncio
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from teach_agents.core.bus.contract import MessageBus, Subscription
from teach_agents.core.codec import Codec
from teach_agents.core.messages import EVERYONE, SESSION, BeginAsked, Message, Payload, UtteranceSaid
from teach_agents.core.plugins import CORE_KINDS, Target, hookimpl
from teach_agents.core.registry import Registry

SOON = 5.0
DELIVERED = 0.3
"""Seconds in which a message reaches its mailbox, also through another process on a busy machine."""


@dataclass(frozen=True, slots=True)
class Step:
    """The one action of the suite's world."""

    where: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Its observations."""

    secret: str
    picture: bytes = b""


CODEC: Codec[str, Step, Seen] = Codec("conformance", instance=str, actions=(Step,), observation=Seen)
"""How the values of the suite's world are written."""


class Rang(Payload):
    """A kind of message that no part of the core knows."""

    kind: Literal["conformance_rang"] = "conformance_rang"
    times: int


@hookimpl
def message_kinds() -> Mapping[str, Target]:
    """What the suite's plugin registers."""
    return {"conformance_hummed": "teach_agents.core.bus.conformance.hummed:Hummed"}


def plugged() -> Registry:
    """The suite's plugin alone; a bus between processes reads messages with it: `MessageCodec(CODEC, plugged())`."""
    registry = Registry(CORE_KINDS)
    registry.register(sys.modules[__name__], "conformance")
    return registry


def message_of(payload: Payload, to: str, *, sender: str = SESSION, number: int = 0, correlation: str = "") -> Message:
    """A message of the session `s`."""
    return Message(session="s", sequence=number, sender=sender, recipient=to, correlation=correlation, payload=payload)


def said(number: int, *, to: str = EVERYONE, session: str = "s") -> Message:
    """The seat "b" says a number."""
    payload = UtteranceSaid(turn=number, speaker="b", text=str(number))
    return Message(session=session, sequence=number, sender="b", recipient=to, payload=payload)


def request_of(number: int) -> Message:
    """The session asks the seat "a"."""
    return message_of(BeginAsked(role="a", seed=number), "a", number=number, correlation=f"c{number}")


async def raises(error: type[Exception], waits: Awaitable[object]) -> Exception:
    """The error that is raised soon."""
    try:
        await asyncio.wait_for(waits, SOON)
    except error as caught:
        return caught
    raise AssertionError(f"expected {error.__name__}")


async def taken(box: Subscription, count: int) -> list[int]:
    """The numbers of the next messages."""
    return [(await asyncio.wait_for(box.receive(), SOON)).sequence for _ in range(count)]


class BusScene(ABC):
    """Plays scenes on fresh buses."""

    @abstractmethod
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        """A fresh bus: mailboxes of `capacity` messages, publishers that wait `patience` seconds."""

    def with_bus(
        self, scene: Callable[[MessageBus], Awaitable[None]], *, capacity: int = 64, patience: float = SOON
    ) -> None:
        """Play a scene on a bus that is closed afterwards."""

        async def run() -> None:
            bus = self.make_bus(capacity=capacity, patience=patience)
            try:
                await scene(bus)
            finally:
                await bus.close()

        asyncio.run(run())
