"""The events of one session, in order, for any number of readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence

from teach_agents.live.events import LiveEvent


class Telling:
    """Keeps events; readers take them at their own speed. Belongs to one event loop."""

    def __init__(self) -> None:
        self._events: list[LiveEvent] = []
        self._news = asyncio.Event()
        self.over = False
        """Whether there will be no more."""

    @property
    def events(self) -> Sequence[LiveEvent]:
        """All so far; read-only. An event's number is its index."""
        return self._events

    def add(self, events: Iterable[LiveEvent]) -> None:
        """Tell of the events that come next."""
        self._events.extend(events)
        self._wake()

    def finish(self) -> None:
        """There will be no more."""
        self.over = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def follow(self, after: int = -1) -> AsyncIterator[LiveEvent]:
        """Every event with a number above `after`, then those to come, until there will be no more."""
        at = max(after + 1, 0)
        while True:
            while at < len(self._events):
                at += 1
                yield self._events[at - 1]
            if self.over:
                return
            await self._news.wait()
