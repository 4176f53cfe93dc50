"""A thread of an agent's own: calls made one after another, each of which may be given up on."""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
from collections.abc import Callable

__all__ = ["AgentThread", "Told"]

Told = Callable[[object, BaseException | None], None]
"""Hears what a call returned, or what it raised; called in the agent's thread, so it must return at once."""


class AgentThread:
    """Runs an agent's calls one after another, coroutines in an event loop of its own.

    Nothing can stop a thread that hangs: it is left behind as a daemon and ends when its call does.
    """

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], object], Told] | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[object] | None = None
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def start(self, call: Callable[[], object], told: Told) -> None:
        """Start a call when those before it are over. Whatever it raises is told, `SystemExit` included."""
        self._jobs.put((call, told))

    def stop(self) -> None:
        """End when idle; a coroutine that still runs is cancelled."""
        self._jobs.put(None)
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            try:
                loop.call_soon_threadsafe(task.cancel)
            except RuntimeError:
                pass  # the loop closed a moment ago: nothing is left to cancel

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            call, told = job
            try:
                value = self.settled(call)
            except BaseException as raised:  # noqa: BLE001  # whatever an agent raises is told, SystemExit included
                told(None, raised)
            else:
                told(value, None)
            del job, call, told
        if self._loop is not None:
            self._loop.close()

    def settled(self, call: Callable[[], object]) -> object:
        """Make a call, from within this thread: what it returns, or what the coroutine that it returns does."""
        answer = call()
        if not inspect.isawaitable(answer):
            return answer
        if self._loop is None:
            self._loop = asyncio.new_event_loop()

        async def awaited() -> object:
            self._task = asyncio.current_task()
            try:
                return await answer
            finally:
                self._task = None

        return self._loop.run_until_complete(awaited())
