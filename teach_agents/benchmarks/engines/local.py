"""Processes on this machine. No worker outlives the process that started it, however that one ends."""

from __future__ import annotations

import multiprocessing.connection
from collections.abc import Iterator, Sequence

from teach_agents.benchmarks.engines.contract import Engine, Job, JobResult
from teach_agents.benchmarks.engines.process import WorkerProcess

__all__ = ["LocalEngine"]

_POLL_S = 0.5


class LocalEngine(Engine):
    """A pool of `workers` processes."""

    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield every job's result as it finishes.

        A process gets its next job before its result is yielded, so that it does not wait while the caller stores that.
        """
        waiting = list(reversed(jobs))
        pool = [WorkerProcess(worker) for _ in range(min(self.workers, len(jobs)))]
        try:
            for one in pool:
                one.take(waiting.pop())
            while any(one.job for one in pool):
                for one, result in self._finished(pool):
                    if waiting:
                        one.take(waiting.pop())
                    yield result
        finally:
            for one in pool:
                one.stop()

    def _finished(self, pool: Sequence[WorkerProcess]) -> Iterator[tuple[WorkerProcess, JobResult]]:
        busy = {one.pipe: one for one in pool if one.job}
        for pipe in multiprocessing.connection.wait(list(busy), timeout=_POLL_S):
            done = busy[pipe]  # type: ignore[index]  # wait returns the connections it was given
            yield done, done.collect()
        for one in pool:
            if one.job and one.age > self.time_limit_s:
                yield one, one.expire(self.time_limit_s)
