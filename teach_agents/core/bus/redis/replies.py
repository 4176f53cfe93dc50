"""Requests that wait for their replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from teach_agents.core.errors import BusClosedError, BusError
from teach_agents.core.messages import Message, UnknownPayload

_Key = tuple[str, str]
_Read = Callable[[bytes], Awaitable[list[tuple[bytes, Message]]]]
_Drop = Callable[[list[bytes]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it was sent, and its reply to come."""

    message: Message
    packed: bytes
    reply: asyncio.Future[Message]

    @property
    def answered(self) -> bool:
        """Whether the reply came, or an error in its place."""
        return self.reply.done() and not self.reply.cancelled()

    def take(self, reply: Message) -> None:
        """The reply is there; one that cannot be read is an error."""
        if isinstance(reply.payload, UnknownPayload):
            who, why = f"the reply {reply.kind!r} of {reply.sender!r}", reply.payload.problem or "nobody knows its kind"
            self.fail(BusError(f"{who} cannot be read: {why}"))
        else:
            self.reply.set_result(reply)

    def fail(self, error: BusError) -> None:
        """There will be no reply."""
        if not self.reply.done():
            self.reply.set_exception(error)
            self.reply.exception()  # looked at: who gave up waiting leaves no warning


class Replies:
    """Reads the replies that come for one bus while somebody waits for one.

    `read` gives those behind an entry (waiting a while for them), `drop` takes entries out that were read.
    """

    def __init__(self, read: _Read, drop: _Drop) -> None:
        self._read = read
        self._drop = drop
        self._asked: dict[_Key, Asked] = {}
        self._reading: asyncio.Task[None] | None = None
        self._last = b"0-0"

    @property
    def unanswered(self) -> list[Asked]:
        """The requests without a reply so far."""
        return [one for one in self._asked.values() if not one.reply.done()]

    @asynccontextmanager
    async def expected(self, message: Message, packed: bytes) -> AsyncIterator[Asked]:
        """Wait for the reply to a request in here. Raises `BusError` for a correlation that is none, or is in use."""
        key = (message.session, message.correlation)
        if not message.correlation:
            raise BusError(f"a request needs a correlation; {message.kind!r} to {message.recipient!r} has none")
        if key in self._asked:
            raise BusError(f"correlation {message.correlation!r} is already used by a request that waits")
        asked = Asked(message, packed, asyncio.get_running_loop().create_future())
        self._asked[key] = asked
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_on())
        try:
            yield asked
        finally:
            del self._asked[key]

    async def _read_on(self) -> None:
        try:
            while self._asked:
                found = await self._read(self._last)
                for entry, message in found:
                    self._last = entry
                    asked = self._asked.get((message.session, message.correlation))
                    if asked is not None and not asked.reply.done():
                        asked.take(message)
                if found:
                    await self._drop([entry for entry, _ in found])
        except BusError as error:
            self._fail(error)

    def restart(self) -> None:
        """Redis counts from the beginning again."""
        self._last = b"0-0"

    async def close(self) -> None:
        """Whoever waits gets `BusClosedError`."""
        self._fail(BusClosedError("the bus was closed while a request waited"))
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})

    def _fail(self, error: BusError) -> None:
        for asked in self.unanswered:
            asked.fail(error)
