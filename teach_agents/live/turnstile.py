"""Lets one through at a time, the urgent first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class Turnstile:
    """An `asyncio.Lock` that whoever is urgent gets before all who are not; among equals, who came first.

    Belongs to one event loop.
    """

    def __init__(self) -> None:
        self._busy = False
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._count = count()

    @property
    def free(self) -> bool:
        """Whether nobody is in, and nobody waits."""
        return not self._busy

    @asynccontextmanager
    async def passed(self, *, urgent: bool = False) -> AsyncIterator[None]:
        """Wait for one's turn; the next one's comes when the block is left."""
        await self._enter(urgent)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, urgent: bool) -> None:
        if not self._busy:
            self._busy = True
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (not urgent, next(self._count), mine))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._leave()  # it had just become one's turn
            raise

    def _leave(self) -> None:
        while self._waiting:
            _, _, following = heappop(self._waiting)
            if not following.done():
                following.set_result(None)
                return
        self._busy = False
