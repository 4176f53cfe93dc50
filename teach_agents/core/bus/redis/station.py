"""What one process has in Redis: its mailboxes, streams that it alone reads, and the signs of life that keep them."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from urllib.parse import quote

from pydantic import ValidationError

from teach_agents.core.bus.contract import Subscription
from teach_agents.core.bus.redis.codec import MessageCodec
from teach_agents.core.bus.redis.line import Entry, Line
from teach_agents.core.errors import BusClosedError, BusError, BusLostError, BusReplacedError
from teach_agents.core.messages import Message

_LEASE_MS = 15_000
"""A listener without a name that gives no sign of life for so long is gone; less than publishers wait for room."""
KEEP_MS = 900_000
"""So long the mailboxes of a named worker wait for its successor."""
_RETURN_S = 10.0
"""After a restart of Redis without its data listeners have so long to come back."""


def quoted(name: str) -> str:
    """A name as it stands in keys."""
    return quote(name, safe="")


@dataclass(frozen=True, slots=True)
class Place:
    """Which mailbox: its name in Redis, and where it listens."""

    name: str
    address: str
    session: str | None

    @property
    def index(self) -> str:
        """The key (without the bus's prefix) of the mailboxes that listen there too."""
        scope = "any" if self.session is None else f"s:{quoted(self.session)}"
        return f"at|{scope}|{quoted(self.address)}"


class Mailbox(Subscription):
    """`receive` acknowledges the message before: what it gave out last is given out again to a successor."""

    def __init__(self, station: Station, place: Place) -> None:
        self.place = place
        self._station = station
        self._handled = b""
        self._fetching: asyncio.Task[tuple[bytes, Message]] | None = None
        self._lost = False
        self._closing = False
        self._closed = asyncio.Event()
        self._left: deque[Message] = deque()

    def lose(self) -> None:
        """Redis knows nothing of what lay here any more; whoever reads is told."""
        self._lost = True

    async def receive(self) -> Message:
        """The next message; see the contract. Raises `BusLostError` once where Redis has lost what lay here."""
        while self._listening():
            if self._fetching is None:
                self._fetching = asyncio.create_task(self._fetch())
            fetching = self._fetching
            await asyncio.wait({fetching})
            if fetching is self._fetching:
                self._fetching = None
                self._handled, message = fetching.result()
                return message
        return await self._received_late()

    def _listening(self) -> bool:
        return not self._closing

    async def _received_late(self) -> Message:
        await self._closed.wait()
        if not self._left:
            raise BusClosedError(f"the subscription at {self.place.address!r} is closed")
        return self._left.popleft()

    async def _fetch(self) -> tuple[bytes, Message]:
        """Acknowledge, then wait for the next entry."""
        station, name, at = self._station, self.place.name, self.place.address
        await station.registered()
        while True:
            if self._lost:
                self._lost, self._handled = False, b""
                raise BusLostError(f"Redis was restarted and has lost what lay in the mailbox at {at!r}")
            answer, *given = await station.line.run("take", station.name, name, self._handled)
            if answer == b"replaced":
                raise BusReplacedError(f"another process has taken over the mailbox at {at!r}")
            if answer == b"gone":
                await station.register(self)
                continue
            self._handled = b""
            if answer == b"behind":
                raise BusLostError(f"what came while nobody read the mailbox at {at!r} is missing")
            if answer == b"one":
                return self._given(given[0], fields_of(given[1]))
            for entry, found in await station.line.read(name, station.name):
                return self._given(entry, found)

    def _given(self, entry: bytes, found: dict[bytes, bytes]) -> tuple[bytes, Message]:
        """An entry with its message; what cannot be read is handled by saying so."""
        try:
            return entry, self._station.message(found)
        except BusLostError:
            self._handled = entry
            raise

    def close(self) -> None:
        """Listen no longer; the mailbox is taken out of Redis."""
        self._left.clear()
        if not self._closing:
            self._closing = True
            self._station.forget(self)

    async def shut(self, *, remove: bool, keep: bool) -> None:
        """Close; with `keep` what was delivered can still be received."""
        self._closing = True
        fetching, self._fetching = self._fetching, None
        if fetching is not None:
            fetching.cancel()
            await asyncio.wait({fetching})
        try:
            left = await self._station.left(self.place, remove=remove)
        finally:
            self._closed.set()
        for entry, found in left if keep else ():
            if entry != self._handled:
                with suppress(BusLostError):  # what cannot be read
                    self._left.append(self._station.message(found))


class Station:
    """`name` is this process's own; `worker` whom it stands in for, if anybody; `again` is called after a restart."""

    def __init__(
        self,
        url: str,
        *,
        outage: float,
        worker: str,
        codec: MessageCodec,
        namespace: str,
        again: Callable[[], None],
    ) -> None:
        self.name = secrets.token_hex(8)
        self.worker = quoted(worker)
        self.line = Line(url, f"{quoted(namespace)}:", outage, self._restarted)
        self._codec = codec
        self._kept_ms = KEEP_MS if worker else _LEASE_MS
        self._again = again
        self._boxes: dict[str, Mailbox] = {}
        self._known: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._registering: set[asyncio.Task[None]] = set()
        self._beating: asyncio.Task[None] | None = None
        self._entering = asyncio.create_task(self._enter()) if worker else None
        self._restarted_at = -_RETURN_S

    def open(self, address: str, session: str | None) -> Mailbox:
        """A mailbox, whose registration is under way."""
        if self.worker:
            scope = "any" if session is None else f"s:{quoted(session)}"
            place = Place(f"{self.worker}|{scope}|{quoted(address)}", address, session)
            if place.name in self._boxes:
                raise BusError(f"worker {self.worker!r} listens at {address!r} already")
        else:
            place = Place(f"{self.name}.{secrets.token_hex(4)}", address, session)
        box = self._boxes[place.name] = Mailbox(self, place)
        task = asyncio.create_task(self.register(box))
        self._registering.add(task)
        task.add_done_callback(self._is_registered)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat())
        return box

    def forget(self, box: Mailbox) -> None:
        """Take a mailbox out of Redis, in the background."""
        self._boxes.pop(box.place.name, None)
        task = asyncio.create_task(box.shut(remove=True, keep=False))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_registered(self, task: asyncio.Task[None]) -> None:
        self._registering.discard(task)
        if not task.cancelled():
            task.exception()  # looked at: whoever reads the mailbox registers it again, and is told

    async def registered(self) -> None:
        """Wait until it is known to Redis whom this process stands in for, and what was subscribed so far."""
        if self._entering is not None:
            await asyncio.shield(self._entering)
        while self._registering:
            await asyncio.gather(*self._registering)

    async def _enter(self) -> None:
        await self.line.run("enter", self.name, self.worker, KEEP_MS, "")
        self._entering = None

    async def register(self, box: Mailbox) -> None:
        """Make a mailbox known, or take it over; one that was known and is not is lost."""
        if self._entering is not None:
            await asyncio.shield(self._entering)
        self._registered(box, await self.line.run("listen", *self._listening(box.place)))

    def _listening(self, place: Place) -> tuple[str | int, ...]:
        """A named worker's mailbox is left to a successor when its process ends."""
        return self.name, place.name, place.index, quoted(place.address), self._kept_ms, KEEP_MS, int(bool(self.worker))

    def _registered(self, box: Mailbox, was_there: int) -> None:
        if box.place.name in self._known and not was_there:
            box.lose()
        self._known.add(box.place.name)

    def message(self, found: dict[bytes, bytes]) -> Message:
        """The message of an entry, without what is packed where that cannot be read: whoever needs it asks for it.

        Raises `BusLostError` for what is no message.
        """
        try:
            message = Message.model_validate_json(found[b"text"], context=self._codec)
        except (ValidationError, KeyError) as error:
            raise BusLostError(f"Redis at {self.line.shown} held a message that cannot be read: {error}") from error
        packed = found.get(b"packed", b"")
        with suppress(BusError):
            return self._codec.unpack(message, packed) if packed else message
        return message

    @property
    def replies(self) -> str:
        """The stream of the replies to this process."""
        return f"{self.line.prefix}replies|{self.name}"

    async def left(self, place: Place, *, remove: bool) -> Sequence[Entry]:
        """What a mailbox still holds. Nothing where Redis is away, which then forgets the mailbox by itself."""
        from redis.exceptions import RedisError

        await asyncio.gather(*self._registering, return_exceptions=True)
        try:
            left = await self.line.once("close", self.name, place.name, place.index, int(remove))
        except (RedisError, OSError):
            return []
        return [(entry, fields_of(values)) for entry, values in left]

    async def returning(self) -> bool:
        """Whether Redis was restarted so lately that listeners may be on their way back."""
        await self.line.mend()
        return monotonic() - self._restarted_at < _RETURN_S

    async def _restarted(self) -> None:
        """Redis is another run: open the mailboxes again, before anything else is asked."""
        self._restarted_at = monotonic()
        if self.worker:
            await self.line.once("enter", self.name, self.worker, KEEP_MS, "NX")
        for box in list(self._boxes.values()):
            self._registered(box, await self.line.once("listen", *self._listening(box.place)))
        self._again()

    async def _beat(self) -> None:
        """Signs of life, until cancelled, or until Redis stays away: whoever wants something then is told."""
        while True:
            await asyncio.sleep(_LEASE_MS / 3000)
            boxes = {name: box for name, box in self._boxes.items() if name in self._known}
            told = [(name, box.place.index, self._kept_ms) for name, box in boxes.items()]
            try:
                await self.line.mend()
                for name in await self.line.run(
                    "renew", self.name, self.worker, KEEP_MS, *(part for one in told for part in one)
                ):
                    if name.decode() in self._boxes:
                        await self.register(boxes[name.decode()])
            except BusError:
                continue

    async def close(self) -> None:
        """Close all mailboxes; those of a worker stay for its successor."""
        ending = [task for task in (self._beating, self._entering) if task is not None]
        for task in ending:
            task.cancel()
        boxes, self._boxes = list(self._boxes.values()), {}
        for box in boxes:
            await box.shut(remove=not self.worker, keep=True)
        await asyncio.gather(*self._registering, *self._tasks, *ending, return_exceptions=True)
        await self.line.close()


def fields_of(values: Sequence[bytes]) -> dict[bytes, bytes]:
    """An entry's fields, which scripts give as a list."""
    return dict(zip(values[::2], values[1::2], strict=True))
