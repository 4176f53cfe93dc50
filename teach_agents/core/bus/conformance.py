"""What every MessageBus must do, as tests that an implementation inherits.

```python
class TestMyBus(MessageBusContract):
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        return MyBus(capacity=capacity, patience=patience)
```
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from teach_agents.actions import Role
from teach_agents.core.bus.contract import MessageBus, Subscription
from teach_agents.core.errors import BusClosedError, BusError, BusFullError, RequestTimeoutError
from teach_agents.core.messages import EVERYONE, BeginAsked, BeginDone, Message, UtteranceSaid

__all__ = ["MessageBusContract"]

_SOON = 5.0
_DELIVERED = 0.3
"""Seconds in which a message reaches its mailbox, also through another process on a busy machine."""


def _said(number: int, *, to: str = EVERYONE, session: str = "s") -> Message:
    payload = UtteranceSaid(turn=number, speaker=Role.COMMANDER, text=str(number))
    return Message(session=session, sequence=number, sender="commander", recipient=to, payload=payload)


def _request(number: int) -> Message:
    return Message(
        session="s",
        sequence=number,
        sender="environment",
        recipient="follower",
        correlation=f"c{number}",
        payload=BeginAsked(role=Role.FOLLOWER, seed=number),
    )


async def _raises(error: type[Exception], waits: Awaitable[object]) -> Exception:
    try:
        await asyncio.wait_for(waits, _SOON)
    except error as caught:
        return caught
    raise AssertionError(f"expected {error.__name__}")


async def _take(box: Subscription, count: int) -> list[int]:
    return [(await asyncio.wait_for(box.receive(), _SOON)).sequence for _ in range(count)]


class MessageBusContract(ABC):
    """Inherit, say how a bus is made, and pytest runs the contract."""

    @abstractmethod
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        """A fresh bus: mailboxes of `capacity` messages, publishers that wait `patience` seconds."""

    def _with_bus(
        self, scene: Callable[[MessageBus], Awaitable[None]], *, capacity: int = 64, patience: float = _SOON
    ) -> None:
        async def run() -> None:
            bus = self.make_bus(capacity=capacity, patience=patience)
            try:
                await scene(bus)
            finally:
                await bus.close()

        asyncio.run(run())

    def test_a_message_reaches_its_recipient_and_those_who_hear_everyone(self) -> None:
        """Addresses are kept apart; `EVERYONE` hears all."""

        async def scene(bus: MessageBus) -> None:
            mine, other, tap = bus.subscribe("follower"), bus.subscribe("commander"), bus.subscribe(EVERYONE)
            await bus.publish(_said(0, to="follower"))
            await bus.publish(_said(1, to="commander"))
            await bus.publish(_said(2))
            assert await _take(mine, 1) == [0]
            assert await _take(other, 1) == [1]
            assert await _take(tap, 3) == [0, 1, 2]

        self._with_bus(scene)

    def test_a_subscription_to_one_session_hears_no_other(self) -> None:
        """Sessions share a bus without mixing."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE, session="a")
            await bus.publish(_said(0, session="b"))
            await bus.publish(_said(1, session="a"))
            assert await _take(box, 1) == [1]

        self._with_bus(scene)

    def test_order_within_a_session_survives_back_pressure(self) -> None:
        """Publishers that wait for room do not overtake one another."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            publishers = [asyncio.create_task(bus.publish(_said(number))) for number in range(40)]
            assert await _take(box, 40) == list(range(40))
            await asyncio.gather(*publishers)

        self._with_bus(scene, capacity=2)

    def test_a_newcomer_does_not_overtake_a_publisher_that_waits_for_room(self) -> None:
        """Not even where room was made just before it came."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            await bus.publish(_said(0))
            waiting = asyncio.create_task(bus.publish(_said(1)))
            await asyncio.sleep(_DELIVERED)
            newcomer = asyncio.create_task(bus.publish(_said(2)))
            assert (await box.receive()).sequence == 0
            assert await _take(box, 2) == [1, 2]
            await asyncio.gather(waiting, newcomer)

        self._with_bus(scene, capacity=1)

    def test_a_full_mailbox_raises_where_the_message_was_published(self) -> None:
        """A listener that never reads stops the publisher, loudly."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            await bus.publish(_said(0))
            await _raises(BusFullError, bus.publish(_said(1)))
            assert await _take(box, 1) == [0]
            await bus.publish(_said(2))
            assert await _take(box, 1) == [2]

        self._with_bus(scene, capacity=1, patience=0.05)

    def test_a_message_for_nobody_raises(self) -> None:
        """Nothing is lost silently."""

        async def scene(bus: MessageBus) -> None:
            await _raises(BusError, bus.publish(_said(0, to="follower")))

        self._with_bus(scene)

    def test_replies_find_their_requests_in_any_order(self) -> None:
        """Correlation joins a reply to its request."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("follower")
            asked = [asyncio.create_task(bus.request(_request(number), timeout=_SOON)) for number in (1, 2)]
            requests = [await asyncio.wait_for(box.receive(), _SOON) for _ in asked]
            for number, request in enumerate(reversed(requests)):
                await bus.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=number))
            assert [(await task).correlation for task in asked] == ["c1", "c2"]

        self._with_bus(scene)

    def test_a_request_without_a_reply_times_out_and_a_late_reply_raises(self) -> None:
        """Neither side waits for ever or loses a message unawares."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("follower")
            await _raises(RequestTimeoutError, bus.request(_request(1), timeout=0.05))
            request = await asyncio.wait_for(box.receive(), _SOON)
            await _raises(BusError, bus.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=0)))

        self._with_bus(scene)

    def test_closing_wakes_everyone_who_waits(self) -> None:
        """Requests, receivers and later publishers get `BusClosedError`; what was delivered is still received."""

        async def scene(bus: MessageBus) -> None:
            box, idle = bus.subscribe("follower"), bus.subscribe("commander")
            asked = asyncio.create_task(bus.request(_request(1), timeout=_SOON))
            waiting = asyncio.create_task(idle.receive())
            await asyncio.sleep(_DELIVERED)
            await bus.close()
            await bus.close()
            await _raises(BusClosedError, asked)
            await _raises(BusClosedError, waiting)
            assert await _take(box, 1) == [1]
            await _raises(BusClosedError, box.receive())
            await _raises(BusClosedError, bus.publish(_said(2)))
            assert [message async for message in idle] == []

        self._with_bus(scene)

    def test_a_closed_subscription_holds_nobody_up(self) -> None:
        """A publisher that waits for a listener who leaves goes on."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            await bus.publish(_said(0))
            publisher = asyncio.create_task(bus.publish(_said(1)))
            await asyncio.sleep(0.01)
            box.close()
            box.close()
            await asyncio.wait_for(publisher, _SOON)

        self._with_bus(scene, capacity=1)
