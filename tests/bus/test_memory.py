from __future__ import annotations

import asyncio

import pytest

from teach_agents.core.bus import MemoryBus, MessageBus
from teach_agents.core.bus.conformance import MessageBusContract
from teach_agents.core.messages import EVERYONE, Message, UtteranceSaid
from teach_agents.errors import BusError


class TestMemoryBus(MessageBusContract):
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        return MemoryBus(capacity=capacity, patience=patience)


def _said(number: int) -> Message:
    payload = UtteranceSaid(turn=number, speaker="b", text="")
    return Message(session="s", sequence=number, sender="b", recipient="a", payload=payload)


def test_a_full_mailbox_of_the_recipient_keeps_the_message_from_all_listeners() -> None:
    async def scene() -> None:
        bus = MemoryBus(capacity=1, patience=0.02)
        slow, quick = bus.subscribe("a"), bus.subscribe(EVERYONE)
        await bus.publish(_said(0))
        assert (await quick.receive()).sequence == 0
        with pytest.raises(BusError, match="stayed full"):
            await bus.publish(_said(1))
        assert (await slow.receive()).sequence == 0
        await bus.publish(_said(2))
        assert (await quick.receive()).sequence == 2

    asyncio.run(scene())


def test_a_capacity_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="capacity must be at least 1"):
        MemoryBus(capacity=0)


def test_a_request_needs_a_correlation() -> None:
    async def scene() -> None:
        with pytest.raises(BusError, match="needs a correlation"):
            await MemoryBus().request(_said(0), timeout=1)

    asyncio.run(scene())
