"""A MessageBus in Redis: one per process, made in the event loop that uses it; all of one `namespace` are one bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from time import monotonic

from teach_agents.core.bus.bounded_bus import BoundedBus, no_reply, nobody_listens, request_key, used
from teach_agents.core.bus.contract import OVERHEARING_S, Subscription
from teach_agents.core.bus.redis.codec import MessageCodec
from teach_agents.core.bus.redis.station import KEEP_MS, Station, quoted
from teach_agents.core.errors import BusClosedError, BusError, BusReplacedError
from teach_agents.core.messages import Message, UnknownPayload

_FIRST_POLL_S = 0.002
_LONGEST_POLL_S = 0.05
_PARTING_S = 1.0


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
    """Reads the replies that come for one bus while somebody waits for one."""

    def __init__(self, station: Station) -> None:
        self._station = station
        self._asked: dict[tuple[str, str], Asked] = {}
        self._reading: asyncio.Task[None] | None = None
        self._last = b"0-0"

    @property
    def unanswered(self) -> list[Asked]:
        """The requests without a reply so far."""
        return [one for one in self._asked.values() if not one.reply.done()]

    @asynccontextmanager
    async def expected(self, message: Message, packed: bytes) -> AsyncIterator[Asked]:
        """Wait for the reply to a request in here. Raises `BusError` for a correlation that is none, or is in use."""
        key = request_key(message, self._asked)
        asked = Asked(message, packed, asyncio.get_running_loop().create_future())
        self._asked[key] = asked
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_on())
        try:
            yield asked
        finally:
            del self._asked[key]

    async def _read_on(self) -> None:
        station = self._station
        try:
            while self._asked:
                found = await station.line.read_after(station.replies, self._last)
                for entry, fields in found:
                    self._last, message = entry, station.message(fields)
                    asked = self._asked.get((message.session, message.correlation))
                    if asked is not None and not asked.reply.done():
                        asked.take(message)
                if found:
                    await station.line.drop(station.replies, [entry for entry, _ in found])
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


class RedisBus(BoundedBus):
    """Mailboxes of `capacity` messages in the Redis at `url`; publishers wait `patience` seconds for room in one.

    A message is delivered to all its listeners or to none (but for those that overhear it and do not read). Its JSON
    has the world's values as `codec` writes them; an observation travels beside it, as `codec` packs it, to its
    recipient only. What `receive` gave out is acknowledged when the next message is received.

    A bus with a `worker` name stands in for that worker: it takes over the mailboxes of the name with all that nobody
    acknowledged, and a predecessor that is still alive gets `BusReplacedError`. Its mailboxes outlive it for 15
    minutes, unless it closes the subscription. Mailboxes of others are gone 15 s after their process.

    While Redis does not answer everything waits, up to `outage` seconds, then raises `BusError`. Where Redis was
    restarted without its data, mailboxes are opened again, requests are sent again under their correlation, and
    whoever reads a mailbox gets `BusLostError` once.
    """

    def __init__(
        self,
        url: str,
        *,
        capacity: int = 256,
        patience: float = 30.0,
        outage: float = 60.0,
        worker: str = "",
        codec: MessageCodec | None = None,
        namespace: str = "teach_agents",
    ) -> None:
        super().__init__(capacity, patience)
        self._codec = codec or MessageCodec()
        self._station = Station(
            url, outage=outage, worker=worker, codec=self._codec, namespace=namespace, again=self._ask_again
        )
        self._replies = Replies(self._station)
        self._asking_again: asyncio.Task[None] | None = None
        self._number = 0

    def subscribe(self, address: str, *, session: str | None = None) -> Subscription:
        """Listen at an address; see the contract. Counts for all that this bus publishes from now on."""
        self._check_open()
        return self._station.open(address, session)

    async def publish(self, message: Message) -> None:
        """Deliver a message; see the contract."""
        self._check_open()
        async with self._turnstiles.of(message):
            await self._send(message, self._codec.pack(message), "")

    async def request(self, message: Message, *, timeout: float | None) -> Message:
        """Publish and wait for the reply; see the contract."""
        self._check_open()
        async with self._replies.expected(message, self._codec.pack(message)) as asked:
            try:
                async with asyncio.timeout(timeout):
                    async with self._turnstiles.of(message):
                        await self._send(message, asked.packed, "ask")
                    return await asked.reply
            except TimeoutError:
                raise no_reply(message, timeout) from None
            finally:
                if not (self._closed or asked.answered):
                    await self._forget(message)

    async def _forget(self, message: Message) -> None:
        """Nobody waits for this reply any more; a Redis that is away is not waited for."""
        with suppress(BusError, TimeoutError):
            async with asyncio.timeout(_PARTING_S):
                await self._station.line.run(
                    "forget", self._station.name, f"{quoted(message.session)}|{quoted(message.correlation)}"
                )

    async def present(self, address: str, *, session: str) -> bool:
        """Whether somebody listens at an address of a session: a live process, or a worker that is to be replaced."""
        self._check_open()
        await self._station.registered()
        return bool(await self._station.line.run("present", quoted(session), quoted(address)))

    async def close(self) -> None:
        """Close the bus; see the contract. The mailboxes of a named worker stay for its successor."""
        if self._closed:
            return
        self._closed = True
        await self._replies.close()
        if self._asking_again is not None:
            self._asking_again.cancel()
            await asyncio.wait({self._asking_again})
        await self._station.close()

    async def _send(self, message: Message, packed: bytes, mode: str) -> None:
        """Deliver, waiting for room, and after a restart of Redis for listeners that are on their way back."""
        station = self._station
        await station.registered()
        self._number += 1
        names = map(quoted, (message.session, message.recipient, message.sender, message.correlation))
        text = message.model_dump_json(context=self._codec)
        arguments: tuple[str | bytes | int, ...] = (self._number, mode, *names, text, packed, self._capacity, KEEP_MS)
        begun, wait, waited_ms = monotonic(), _FIRST_POLL_S, 0
        overhearing_ms = int(1000 * min(self._patience, OVERHEARING_S))
        while True:
            self._check_open()
            answer = (
                await station.line.run("publish", station.name, station.worker, *arguments, waited_ms, overhearing_ms)
            )[0]
            if answer == b"ok":
                return
            if answer == b"replaced":
                raise BusReplacedError(f"another process is worker {station.worker!r} now; nothing was published")
            asked_again = message.correlation and not mode  # a reply: who has lost the request asks again
            if answer == b"nobody" and (asked_again or not await station.returning()):
                raise nobody_listens(message)
            if answer == b"used":
                raise used(message)
            if answer == b"full" and monotonic() + wait > begun + self._patience:
                raise self._stayed_full(message)
            since = monotonic()
            await asyncio.sleep(wait)
            wait, waited_ms = min(2 * wait, _LONGEST_POLL_S), round(1000 * (monotonic() - since))

    def _ask_again(self) -> None:
        """Redis was restarted: whatever request it lost is sent again. A clock that was set back loses no reply."""
        self._replies.restart()
        if self._asking_again is None or self._asking_again.done():
            self._asking_again = asyncio.create_task(self._asked_again())

    async def _asked_again(self) -> None:
        for asked in self._replies.unanswered:
            try:
                async with self._turnstiles.of(asked.message):
                    if not asked.reply.done():
                        await self._send(asked.message, asked.packed, "again")
            except BusError as error:
                asked.fail(error)
