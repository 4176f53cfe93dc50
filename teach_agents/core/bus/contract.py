"""The MessageBus contract. Messages of one session reach every listener in the order in which they were published;
nothing is lost silently: a message that cannot be delivered raises where it was published. Strangers harm nobody: who
only listens holds nobody up for long and gets nothing that is for somebody else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator

from teach_agents.core.errors import BusClosedError
from teach_agents.core.messages import Message

OVERHEARING_S = 1.0
"""So long in all publishers wait for who overhears messages, between two moments at which it had read everything."""


class Subscription(ABC):
    """One listener's mailbox. `async for` yields messages until the subscription or the bus is closed."""

    @abstractmethod
    async def receive(self) -> Message:
        """The next message. What was delivered before the close is still received; then `BusClosedError`.

        Raises `BusLostError` where messages are missing: once, and where they would have come.
        """

    @abstractmethod
    def close(self) -> None:
        """Listen no longer; what was not yet received is gone with the listener. Closing twice is allowed."""

    async def __aiter__(self) -> AsyncIterator[Message]:
        while True:
            try:
                message = await self.receive()
            except BusClosedError:
                return
            yield message


class MessageBus(ABC):
    """Where environment, agents and observers meet. Used from one event loop."""

    @abstractmethod
    async def publish(self, message: Message) -> None:
        """Deliver to the subscriptions of the message's recipient, and to those that hear everyone.

        It is for whoever has listened at the address for longest, in this session before all sessions; others who
        listen there, and those who hear everyone, overhear it: without what its payload holds for the recipient only.
        A reply reaches the request that waits for it, not a mailbox.

        Waits while a mailbox is full. Raises `BusFullError` when that of the recipient stays full (the message then
        reached nobody); who overhears and does not read for `OVERHEARING_S` misses what comes until it has read what
        there is, and is told then. Only messages of the same sender in the same session wait meanwhile. Raises
        `BusClosedError` after `close`, and `NobodyListensError` when the recipient is a name at which nobody listens.
        """

    @abstractmethod
    def subscribe(self, address: str, *, session: str | None = None) -> Subscription:
        """Listen at an address, in one session or in all. `EVERYONE` hears every message, whoever it is for.

        Raises `BusClosedError` after `close`.
        """

    @abstractmethod
    async def request(self, message: Message, *, timeout: float | None) -> Message:
        """Publish a request and wait for the reply: with its correlation, from its recipient to its sender.

        Raises `RequestTimeoutError` after `timeout` seconds (`None` waits for ever), `BusClosedError` when the bus
        closes meanwhile, `BusError` for a correlation that a request waits with already, and what `publish` raises. A
        reply that comes too late raises `BusError` where it is published.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close: waiters get `BusClosedError`, nothing can be published any more. Closing twice is allowed."""
