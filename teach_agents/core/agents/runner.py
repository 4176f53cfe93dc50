"""The one place where agents are called: in a thread of their own, each call within its time.

Work runs in the runner's thread and calls agents there, one after another, without anything changing hands; whoever
waits for the work watches how long the present call takes and gives up on one that takes too long. What hangs is left
behind as a daemon thread and touches nothing any more: work ends at an agent's call that nobody waits for.
"""

from __future__ import annotations

import asyncio
import contextvars
import math
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

_T = TypeVar("_T")
_PARTING_S = 5.0
"""Seconds that work has to come to its next call, or its end, once nobody waits for it."""
_SOON_S = 0.005


class RaisedError(Exception):
    """Carries what an agent raised, so that nothing of an agent's acts on whoever asked."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class LateError(Exception):
    """A call took longer than it may: `what` says what was not done, `limit_s` how long there was."""

    def __init__(self, what: str, limit_s: float) -> None:
        super().__init__(f"{what} within {limit_s:g} s")
        self.what = what
        self.limit_s = limit_s


class _GivenUp(BaseException):
    """Nobody waits for this work any longer; no handler of exceptions may keep it going."""


class _Call:
    """One call of an agent that is under way."""

    __slots__ = ("limit_s", "until", "what")

    def __init__(self, limit_s: float | None, what: str) -> None:
        self.limit_s = limit_s
        self.what = what
        self.until = math.inf if limit_s is None else monotonic() + limit_s


class _Job:
    """A piece of work: what it came to, and the call that it is at. `wake` lets who waits look again."""

    def __init__(self, work: Callable[[], Any], wake: Callable[[], None], first: _Call | None) -> None:
        self.work = work
        self.wake = wake
        self.value: Any = None
        self.error: BaseException | None = None
        self.over = False
        self.call = first
        self._lock = threading.Lock()
        self._given_up = False
        self._wakes_at = math.inf

    def enter(self, call: _Call) -> None:
        """A call begins. Raises `_GivenUp` where nobody waits any more."""
        with self._lock:
            if self._given_up:
                raise _GivenUp
            self.call = call
        if call.until < self._wakes_at:  # who waits would look too late
            self.wake()

    def leave(self) -> None:
        """The call is over."""
        with self._lock:
            self.call = None
            if self._given_up:
                raise _GivenUp

    def left_s(self) -> float | None:
        """Seconds until who waits has to look whether a call is overdue; `None` is until it is waked."""
        self._wakes_at = math.inf  # in this order: a call that begins meanwhile wakes
        call = self.call
        if call is None or call.until == math.inf:
            return None
        self._wakes_at = call.until
        return min(max(call.until - monotonic(), 0.0), threading.TIMEOUT_MAX)

    def check(self) -> None:
        """Give up on a call that is overdue. Raises `LateError`."""
        with self._lock:
            call = self.call
            if call is not None and call.limit_s is not None and call.until <= monotonic():
                self._given_up = True
                raise LateError(call.what, call.limit_s)

    def pending(self) -> Iterator[float | None]:
        """Seconds to wait before looking again, until the work is over. Raises `LateError`."""
        while not self.over:
            yield self.left_s()
            self.check()

    def parting(self) -> Iterator[None]:
        """Wait for the work no longer, but for a moment until it is at an agent's call, and so touches nothing."""
        until = monotonic() + _PARTING_S
        while not self._give_up() and not self.over and monotonic() < until:
            yield

    def _give_up(self) -> bool:
        with self._lock:
            self._given_up = True
            return self.call is not None

    def came_to(self) -> Any:
        """What the work came to; raises what it raised."""
        if self.error is not None:
            raise self.error
        return self.value


class Runner:
    """Runs work that calls agents, one piece after another, in a thread. Coroutines run in an event loop there."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._job: _Job | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[object] | None = None
        self._thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._work,), name=name, daemon=True
        )
        self._thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            self._job = job
            try:
                job.value = job.work()
            except BaseException as raised:  # noqa: BLE001  # whatever it is, who waits hears of it
                job.error = raised
            self._job, job.over = None, True
            job.wake()
            del job
        if self._loop is not None:
            self._part(self._loop)
            self._loop.close()

    def _part(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel what agents left running, and give it a moment to clean up."""
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            done, _ = loop.run_until_complete(asyncio.wait(left, timeout=_PARTING_S))
            for task in done:
                _ = task.cancelled() or task.exception()  # asked for, so that nobody is told of it elsewhere

    # from within the work

    def call(self, call: Callable[[], Any], limit_s: float | None, what: str) -> Any:
        """What an agent's call comes to, its coroutine awaited; `what` says what was not done where it is late.

        From within the work. Raises `RaisedError` with whatever the agent raises.
        """
        job = self._job
        assert job is not None, "agents are called from within the work"
        job.enter(_Call(limit_s, what))
        try:
            value = call()
            if hasattr(value, "__await__"):
                value = self._awaited(value)
        except BaseException as error:  # noqa: BLE001  # whatever an agent raises, SystemExit included
            job.leave()
            raise RaisedError(error) from None
        job.leave()
        return value

    def _awaited(self, value: Any) -> Any:
        """What an awaitable comes to; from within an agent's call."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()

        async def awaited() -> Any:
            self._task = asyncio.current_task()
            try:
                return await value
            finally:
                self._task = None

        return self._loop.run_until_complete(awaited())

    # from outside

    def run(self, work: Callable[[], _T], limit_s: float | None = None, what: str = "") -> _T:
        """What work comes to; raises what it raises, and `LateError` where an agent's call takes too long.

        It waits no longer than `limit_s` for the work's own first call; `what` says what was not done by then.
        """
        news = threading.Event()
        job = self._begin(work, news.set, limit_s, what)
        try:
            for left_s in job.pending():
                news.wait(left_s)
                news.clear()
        except BaseException:
            for _ in job.parting():
                news.wait(_SOON_S)
                news.clear()
            raise
        found: _T = job.came_to()
        return found

    async def arun(self, work: Callable[[], _T], limit_s: float | None = None, what: str = "") -> _T:
        """The same from an event loop, which goes on meanwhile. Cancelled, it leaves the work at its next call.

        With a `limit_s` a call of no less time need not wake the loop when it begins.
        """
        loop = asyncio.get_running_loop()
        news = loop.create_future()

        def look() -> None:
            if not news.done():
                news.set_result(None)

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(look)
            except RuntimeError:  # the loop is closed: nobody waits
                pass

        job = self._begin(work, wake, limit_s, what)
        try:
            for left_s in job.pending():
                overdue = None if left_s is None else loop.call_later(left_s, look)
                try:
                    await news
                finally:
                    if overdue is not None:
                        overdue.cancel()
                news = loop.create_future()
        except BaseException:
            for _ in job.parting():
                await asyncio.sleep(_SOON_S)  # the work may need this loop to come to an end
            raise
        found: _T = job.came_to()
        return found

    def ask(self, call: Callable[[], _T], limit_s: float | None, what: str) -> _T:
        """One call of an agent; waiting for those before it counts. Raises `RaisedError` and `LateError`."""
        found: _T = self.run(lambda: self.call(call, limit_s, what), limit_s, what)
        return found

    def leave(self, work: Callable[[], Any]) -> None:
        """Have work done when all before it is over, and wait for nothing."""
        self._begin(work, lambda: None)

    @property
    def busy(self) -> bool:
        """Whether there are coroutines of agents that outlast calls, an agent's `run` for one."""
        return self._loop is not None and self._thread.is_alive() and bool(asyncio.all_tasks(self._loop))

    def join(self) -> None:
        """Wait until the stopped thread has ended: agents' coroutines may clean up, and hang for a moment."""
        self._thread.join(_PARTING_S)

    def stop(self) -> None:
        """End the thread when idle; coroutines that still run are cancelled."""
        self._jobs.put(None)
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            with suppress(RuntimeError):  # the loop closed a moment ago: nothing is left to cancel
                loop.call_soon_threadsafe(task.cancel)

    def _begin(
        self, work: Callable[[], Any], wake: Callable[[], None], limit_s: float | None = None, what: str = ""
    ) -> _Job:
        job = _Job(work, wake, None if limit_s is None else _Call(limit_s, what))
        self._jobs.put(job)
        return job
