"""What one sender publishes in one session goes one after another, in the order in which it came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from teach_agents.core.messages import Message


class Turnstiles:
    """A lock per session and sender, as long as somebody uses it."""

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
