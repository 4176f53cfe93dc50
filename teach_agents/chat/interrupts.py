"""Ctrl-C at a terminal: who is at work is told to stop; at rest, or pressed again at once, it leaves the session."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from teach_agents.actions import Role
from teach_agents.live import EventKind, LiveError, LiveSession

_AGAIN_S = 2.0
"""Pressed again within so many seconds, it leaves."""
_RESTS_S = 0.8
_POLL_S = 0.02


class Interrupts:
    """What Ctrl-C does for whoever sits in a chair; `note` shows a line. Belongs to one event loop.

    Only the Commander can have the other stop.
    """

    def __init__(self, live: LiveSession, role: Role, note: Callable[[str], None]) -> None:
        self.left = asyncio.Event()
        """Set once the person leaves."""
        self._live = live
        self._role = role
        self._note = note
        self._pressed = -_AGAIN_S
        self._stopping: asyncio.Task[None] | None = None

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Take Ctrl-C meanwhile. The main thread's alone: in any other nothing is taken."""
        loop = asyncio.get_running_loop()
        before = signal.getsignal(signal.SIGINT)
        try:
            signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self.press))
        except ValueError:
            yield
            return
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def press(self) -> None:
        """It was pressed."""
        again = monotonic() - self._pressed < _AGAIN_S
        self._pressed = monotonic()
        if again or self._role is not Role.COMMANDER:
            self.left.set()
        else:
            self._stopping = asyncio.get_running_loop().create_task(self._stop_or_leave())

    async def _stop_or_leave(self) -> None:
        if not await self._at_work():
            self.left.set()
            return
        self._note("Stop. Press Ctrl-C again to leave.")
        try:
            await self._live.say(self._role, "stop")
        except LiveError as error:
            self._note(str(error))

    async def _at_work(self) -> bool:
        """Whether there is something to stop: who has just spoken, and is done, has a moment to come to rest."""
        until = monotonic() + _RESTS_S
        while self._live.at_work(self._role.partner):
            if not self._has_spoken_last() or monotonic() > until:
                return True
            await asyncio.sleep(_POLL_S)
        return False

    def _has_spoken_last(self) -> bool:
        done = (one for one in reversed(self._live.events) if one.kind in (EventKind.UTTERANCE, EventKind.ACTION))
        last = next(done, None)
        return last is not None and last.kind is EventKind.UTTERANCE and last.role is self._role.partner
