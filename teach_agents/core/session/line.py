"""The bus as the thread sees it in which an episode is played: what happens is published in order, turn by turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from teach_agents.core.messages import Payload
from teach_agents.core.session.post import Post

_T = TypeVar("_T")


class BusLine:
    """Publishes through `post` in its event loop, `loop`; for another thread than the loop's."""

    def __init__(self, post: Post, loop: asyncio.AbstractEventLoop) -> None:
        self._post = post
        self._loop = loop
        self._told: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._answered: Counter[str] = Counter()

    def tell(self, payload: Payload, time_ms: int) -> None:
        """Make something known with the next `flush`."""
        self._told.append(lambda: self._post.tell(payload, time_ms))

    def asked(self, seat: str, question: Payload, answer: Payload, time_ms: int) -> None:
        """Make known, with the next `flush`, what an agent of this process was asked, and what it answered."""
        number = self._answered[seat]
        self._answered[seat] += 1
        self._told.append(lambda: self._post.overheard(seat, question, answer, time_ms, number))

    def flush(self) -> None:
        """Publish what was told since the last time. Raises what `MessageBus.publish` raises."""
        if self._told:
            told, self._told = self._told, []
            self.wait(_all(told))

    def wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What a coroutine comes to in the event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def _all(told: list[Callable[[], Coroutine[Any, Any, None]]]) -> None:
    for one in told:
        await one()
