"""Processes on this machine. No worker outlives the process that started it, however that one ends."""

from __future__ import annotations

import multiprocessing.connection
from collections import deque
from collections.abc import Iterator, Sequence

from teach_agents.core.benchmark.engines.contract import Engine, Job, JobResult
from teach_agents.core.benchmark.engines.process import Ended, WorkerProcess

_POLL_S = 0.5


class LocalEngine(Engine):
    """A pool of `workers` processes, each of which carries out up to `concurrent` jobs at a time, in threads.

    A job that outlives its time takes its process down, and the others in there begin again. Of several jobs that were
    in a process that died each is played again alone, so that it is known which of them does that.
    """

    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield every job's result as it finishes.

        A process gets its next job before its result is yielded, so that it does not wait while the caller stores that.
        """
        waiting = _Waiting(jobs)
        pool = [WorkerProcess(worker, self.concurrent) for _ in range(min(self.workers, len(jobs)))]
        try:
            waiting.deal(pool)
            while any(one.load for one in pool):
                for ended in self._ended(pool):
                    waiting.take_back(ended)
                    waiting.deal(pool)
                    yield from ended.results
        finally:
            for one in pool:
                one.stop()

    def _ended(self, pool: Sequence[WorkerProcess]) -> Iterator[Ended]:
        busy = {one.pipe: one for one in pool if one.load}
        for pipe in multiprocessing.connection.wait(list(busy), timeout=_POLL_S):
            yield busy[pipe].collect()  # type: ignore[index]  # wait returns the connections it was given
        for one in pool:
            if one.is_late(self.time_limit_s):
                yield one.expire(self.time_limit_s)


class _Waiting:
    """The jobs that no process holds."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = deque(jobs)
        self._suspects: deque[Job] = deque()

    def take_back(self, ended: Ended) -> None:
        """Jobs that were cut short are the next to begin."""
        self._jobs.extendleft(reversed(ended.again))
        self._suspects.extend(ended.suspects)

    def deal(self, pool: Sequence[WorkerProcess]) -> None:
        """Give suspects to processes that hold nothing, the others to those that hold the fewest."""
        for one in pool:
            if self._suspects and one.load == 0:
                one.take(self._suspects.popleft(), alone=True)
        while self._jobs and (ready := [one for one in pool if one.has_room]):
            min(ready, key=lambda one: one.load).take(self._jobs.popleft())
