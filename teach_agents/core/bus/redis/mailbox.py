"""A listener's mailbox: a stream that it alone reads, and acknowledges message by message."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from teach_agents.core.bus.contract import Subscription
from teach_agents.core.bus.redis import scripts
from teach_agents.core.errors import BusClosedError, BusLostError, BusReplacedError
from teach_agents.core.messages import Message

Entry = tuple[bytes, dict[bytes, bytes]]
"""A stream's entry: its id and its fields."""


def quoted(name: str) -> str:
    """A name as it stands in keys."""
    return quote(name, safe="")


@dataclass(frozen=True, slots=True)
class Place:
    """Which mailbox: its name in Redis, where it listens, for how many seconds it is kept without a sign of life.

    A `lasting` one is left to a successor when its process ends.
    """

    name: str
    address: str
    session: str | None
    kept_s: float
    lasting: bool

    @property
    def index(self) -> str:
        """The key (without the bus's prefix) of the mailboxes that listen there too."""
        scope = "any" if self.session is None else f"s:{quoted(self.session)}"
        return f"at|{scope}|{quoted(self.address)}"


class _Station(Protocol):
    """What a mailbox needs of the process that it is in; see `station.Station`."""

    name: str

    async def registered(self) -> None: ...
    async def register(self, box: Mailbox) -> None: ...
    async def run(self, script: str, *arguments: str | bytes | int) -> Any: ...
    async def read(self, name: str) -> Sequence[Entry]: ...
    async def left(self, place: Place, *, remove: bool) -> Sequence[Entry]: ...
    def message(self, found: dict[bytes, bytes]) -> Message: ...
    def forget(self, box: Mailbox) -> None: ...


class Mailbox(Subscription):
    """`receive` acknowledges the message before: what it gave out last is given out again to a successor."""

    def __init__(self, station: _Station, place: Place) -> None:
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
            answer = await station.run(scripts.TAKE, station.name, name, self._handled)
            if answer[0] == b"replaced":
                raise BusReplacedError(f"another process has taken over the mailbox at {at!r}")
            if answer[0] == b"gone":
                await station.register(self)
                continue
            self._handled = b""
            if answer[0] == b"behind":
                raise BusLostError(f"what came while nobody read the mailbox at {at!r} is missing")
            if answer[0] == b"one":
                values = answer[2]
                return self._given(answer[1], dict(zip(values[::2], values[1::2], strict=True)))
            for entry, found in await station.read(name):
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
