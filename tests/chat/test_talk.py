"""Leaving a talk: nothing that happens at that moment keeps it from ending."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

from teach_agents.actions import Role
from teach_agents.chat.talk import Talk
from teach_agents.live import EventKind, LiveEvent


class _Busy:
    """A session in which something happens all the time."""

    status = "running"
    events = (LiveEvent(0, 0, EventKind.UTTERANCE, Role.FOLLOWER, {"text": "Hello."}),)

    async def follow(self, after: int) -> AsyncIterator[LiveEvent]:
        seq = 0
        while True:
            seq += 1
            yield LiveEvent(seq, seq, EventKind.UTTERANCE, Role.FOLLOWER, {"text": "Hello again."})
            await asyncio.sleep(0)


def test_somebody_leaves_while_something_happens() -> None:
    async def leaving(turns: int) -> None:
        async def read() -> None:
            for _ in range(turns):
                await asyncio.sleep(0)

        terminal: Any = SimpleNamespace(interactive=True, read=read, show=lambda line, speaker: None, note=print)
        live: Any = _Busy()
        async with asyncio.timeout(20):
            await Talk(live, terminal, Role.COMMANDER).run()

    for turns in range(30):
        asyncio.run(leaving(turns))
