"""Publishers of one session go one after another, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Turnstiles"]


class Turnstiles:
    """A lock per session, as long as somebody uses it."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    def busy(self, session: str) -> bool:
        """Whether somebody passes, or waits to."""
        return session in self._locks

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[None]:
        """Pass when those who came before have passed."""
        lock, users = self._locks.get(session) or (asyncio.Lock(), 0)
        self._locks[session] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(session)
            if users > 1:
                self._locks[session] = (lock, users - 1)
