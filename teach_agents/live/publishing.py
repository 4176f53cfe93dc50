"""What happens in a live session becomes known: numbered, stamped, kept in the journal, then told to its readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace

from teach_agents.actions import Role
from teach_agents.core.agents.thoughts import state_told
from teach_agents.core.json_types import JsonObject
from teach_agents.core.session.context import RealClock
from teach_agents.errors import explained
from teach_agents.live.events import EventKind, LiveEvent, Told
from teach_agents.live.ledger import Line
from teach_agents.live.setting import Journal


class UnkeptError(Exception):
    """The journal did not take what happened."""


class Publisher:
    """Publishes one thing after another; `order` is held by whoever is about it. Belongs to one event loop.

    `broke` is called when what was to be told in passing (`tell`) could not be kept.
    """

    def __init__(self, journal: Journal | None, broke: Callable[[UnkeptError], None]) -> None:
        self.events: list[LiveEvent] = []
        """All so far. An event's number is its index."""
        self.over = False
        """Whether there will be no more."""
        self._news = asyncio.Event()
        self.order = asyncio.Lock()
        self._journal = journal
        self._broke = broke
        self._clock = RealClock()
        self._notes: list[Told] = []
        self._noting: asyncio.Task[None] | None = None

    def take_up(self, events: Iterable[LiveEvent]) -> None:
        """Go on behind events that were published earlier; time goes on from theirs."""
        self.events += events
        self._clock.begin(1 + self.events[-1].time_ms if self.events else 0)

    def now_ms(self) -> int:
        """Milliseconds since the session began; no two things get the same."""
        return self._clock.now_ms(0)

    def said_at(self, time_ms: int) -> int | None:
        """The number of the utterance of that time, `None` where there is none."""
        last = reversed(self.events)
        return next((one.seq for one in last if one.kind is EventKind.UTTERANCE and one.time_ms == time_ms), None)

    def state_of(self, role: Role) -> JsonObject | None:
        """What the agent in a chair told of its state so far; see `core.agents.contract.Briefing`."""
        thoughts = (one for one in self.events if one.kind is EventKind.THOUGHT and one.role is role)
        return state_told(one.data["thought"] for one in thoughts)

    async def publish(self, told: Iterable[Told], line: Line | None = None, at: int | None = None) -> list[LiveEvent]:
        """Keep what happened, now or at a time, then tell it; whoever calls holds the order. Raises `UnkeptError`."""
        first = len(self.events)
        events = [
            LiveEvent(seq, self.now_ms() if at is None else at, one.kind, one.role, one.data)
            for seq, one in enumerate(told, first)
        ]
        if self._journal is not None:
            kept = replace(line or Line(()), events=tuple(events))
            try:
                await self._journal.append(kept.to_json())
            except Exception as error:
                raise UnkeptError(explained(error)) from error
        self.events += events
        self._wake()
        return events

    def tell(self, told: Told) -> asyncio.Task[None] | None:
        """Publish in passing, once what is under way is over; `None` where nobody listens any more."""
        if self.over:
            return None
        self._notes.append(told)
        if self._noting is None or self._noting.done():
            self._noting = asyncio.create_task(self._note())
        return self._noting

    async def _note(self) -> None:
        async with self.order:
            while self._notes and not self.over:
                try:
                    await self.publish(self.notes())
                except UnkeptError as unkept:
                    self._broke(unkept)

    def notes(self) -> list[Told]:
        """What waits to be told in passing; whoever asks tells it."""
        notes, self._notes = self._notes, []
        return notes

    async def settled(self) -> None:
        """Wait until nothing is being told in passing."""
        if self._noting:
            await asyncio.gather(self._noting, return_exceptions=True)

    def finish(self) -> None:
        """Nothing more will be told."""
        self.over = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def follow(self, after: int = -1) -> AsyncIterator[LiveEvent]:
        """Every event with a number above `after`, then those to come, until there will be no more.

        Readers take them at their own speed.
        """
        at = max(after + 1, 0)
        while True:
            while at < len(self.events):
                at += 1
                yield self.events[at - 1]
            if self.over:
                return
            await self._news.wait()
