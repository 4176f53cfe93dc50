"""What the suite's tests are played with: a small world, its messages, a bus for a scene."""

from __future__ import annotations

import asyncio
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from teach_agents.core.bus.contract import MessageBus, Subscription
from teach_agents.core.codec import Codec
from teach_agents.core.messages import SESSION, BeginAsked, BeginDone, Message, Payload, UtteranceSaid
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
    return {"conformance_hummed": "teach_agents.core.bus.conformance.plugin_payload:Hummed"}


def plugged() -> Registry:
    """The suite's plugin alone; a bus between processes reads messages with it: `MessageCodec(CODEC, plugged())`."""
    registry = Registry(CORE_KINDS)
    registry.register(sys.modules[__name__], "conformance")
    return registry


READY = BeginDone(role="a")
"""What the seat "a" answers."""


def message_of(payload: Payload, to: str, *, sender: str = SESSION, number: int = 0, correlation: str = "") -> Message:
    """A message of the session `s`."""
    return Message(session="s", sequence=number, sender=sender, recipient=to, correlation=correlation, payload=payload)


def request_of(number: int) -> Message:
    """The session asks the seat "a"."""
    return message_of(BeginAsked(role="a", seed=number), "a", number=number, correlation=f"c{number}")


async def say(bus: MessageBus, number: int, *, to: str = "a", session: str = "s") -> None:
    """The seat "b" says a number."""
    payload = UtteranceSaid(turn=number, speaker="b", text=str(number))
    await bus.publish(Message(session=session, sequence=number, sender="b", recipient=to, payload=payload))


def ask(bus: MessageBus, number: int) -> asyncio.Task[Message]:
    """Ask what `request_of` asks, and wait for the reply."""
    return asyncio.create_task(bus.request(request_of(number), timeout=SOON))


async def raises(error: type[Exception], waits: Awaitable[object]) -> None:
    """Check that the error is raised soon."""
    try:
        await asyncio.wait_for(waits, SOON)
    except error:
        return
    raise AssertionError(f"expected {error.__name__}")


async def received(box: Subscription) -> Message:
    """The next message."""
    return await asyncio.wait_for(box.receive(), SOON)


async def taken(box: Subscription, count: int) -> list[int]:
    """The numbers of the next messages."""
    return [(await received(box)).sequence for _ in range(count)]


class BusScene(ABC):
    """Tests that are played on fresh buses."""

    @abstractmethod
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        """A fresh bus: mailboxes of `capacity` messages, publishers that wait `patience` seconds."""


_Scene = Callable[[Any, MessageBus], Awaitable[None]]


def on_bus(*, capacity: int = 64, patience: float = SOON) -> Callable[[_Scene], Callable[[BusScene], None]]:
    """Make a test of a scene: it is played on a fresh bus that is closed afterwards."""

    def tested(scene: _Scene) -> Callable[[BusScene], None]:
        def test(self: BusScene) -> None:
            async def play() -> None:
                bus = self.make_bus(capacity=capacity, patience=patience)
                try:
                    await scene(self, bus)
                finally:
                    await bus.close()

            asyncio.run(play())

        test.__doc__ = scene.__doc__
        return test

    return tested
