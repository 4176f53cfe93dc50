"""What buses with bounded mailboxes share: the order of what one sender publishes, and what they refuse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager

from teach_agents.core.bus.contract import MessageBus
from teach_agents.core.errors import BusClosedError, BusError, BusFullError, NobodyListensError, RequestTimeoutError
from teach_agents.core.messages import Message


class Turnstiles:
    """What one sender publishes in one session goes one after another, in the order in which it came."""

    def __init__(self) -> None:
        self._locks: dict[tuple[str, str], tuple[asyncio.Lock, int]] = {}

    def busy(self, message: Message) -> bool:
        """Whether somebody passes, or waits to."""
        return (message.session, message.sender) in self._locks

    @asynccontextmanager
    async def of(self, message: Message) -> AsyncIterator[None]:
        """Pass when those who came before have passed."""
        key = message.session, message.sender
        lock, users = self._locks.get(key) or (asyncio.Lock(), 0)
        self._locks[key] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(key)
            if users > 1:
                self._locks[key] = (lock, users - 1)


class BoundedBus(MessageBus):
    """A bus whose mailboxes hold `capacity` messages; publishers wait `patience` seconds for room in one."""

    def __init__(self, capacity: int, patience: float) -> None:
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, got {capacity!r}")
        self._capacity = capacity
        self._patience = patience
        self._turnstiles = Turnstiles()
        self._closed = False

    def _check_open(self) -> None:
        if self._closed:
            raise BusClosedError("the bus is closed")

    def _stayed_full(self, message: Message) -> BusFullError:
        return BusFullError(
            f"the mailbox at {message.recipient!r} stayed full ({self._capacity} messages) for "
            f"{self._patience:g} s; {message.kind!r} was not delivered"
        )


def nobody_listens(message: Message) -> NobodyListensError:
    """The error of a message for nobody."""
    return NobodyListensError(f"nobody listens at {message.recipient!r}: {message.kind!r} was not delivered")


def no_reply(message: Message, timeout: float | None) -> RequestTimeoutError:
    """The error of a request that nobody answers in time."""
    return RequestTimeoutError(f"no reply to {message.kind!r} from {message.recipient!r} within {timeout:g} s")


def used(message: Message) -> BusError:
    """The error of a correlation that is in use."""
    return BusError(f"correlation {message.correlation!r} is already used by a request that waits")


def request_key(message: Message, waiting: Container[tuple[str, str]]) -> tuple[str, str]:
    """What a request waits by. Raises `BusError` for a correlation that is none, or that one which waits has."""
    if not message.correlation:
        raise BusError(f"a request needs a correlation; {message.kind!r} to {message.recipient!r} has none")
    key = message.session, message.correlation
    if key in waiting:
        raise used(message)
    return key
