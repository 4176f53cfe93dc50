"""The events of one session, in order, for any number of readers."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter

from teach_agents.live.events import LiveEvent, Told

__all__ = ["Telling"]


class Telling:
    """Numbers and keeps events; readers take them at their own speed. Belongs to one event loop.

    Times grow strictly: while something is under way that has its time already (`holding`), what else happens is told
    right after it.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._events: list[LiveEvent] = []
        self._waiting: list[Told] | None = None
        self._news = asyncio.Event()
        self._over = False
        self.next_seq = 0

    @property
    def events(self) -> Sequence[LiveEvent]:
        """All so far; read-only."""
        return self._events

    @contextmanager
    def holding(self) -> Iterator[None]:
        """While inside, only `add` tells."""
        self._waiting = []
        try:
            yield
        finally:
            waiting, self._waiting = self._waiting, None
            for told in waiting:
                self.tell(told)

    def tell(self, told: Told) -> None:
        """Tell now, or as soon as what is under way was told. Nothing is told of a session that is over."""
        if self._waiting is not None:
            self._waiting.append(told)
        elif not self._over:
            self.add(told, self._now_ms())

    def add(self, told: Told, time_ms: int) -> LiveEvent:
        """Tell of something that happened at `time_ms`."""
        event = LiveEvent(self.next_seq, time_ms, told.kind, told.role, told.data)
        self.next_seq += 1
        self._events.append(event)
        self._wake()
        return event

    def finish(self) -> None:
        """There will be no more."""
        self._over = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def follow(self, after: int = -1) -> AsyncIterator[LiveEvent]:
        """Every event with a number above `after`, then those to come, until there will be no more."""
        at = bisect_right(self._events, after, key=attrgetter("seq"))
        while True:
            while at < len(self._events):
                at += 1
                yield self._events[at - 1]
            if self._over:
                return
            await self._news.wait()
