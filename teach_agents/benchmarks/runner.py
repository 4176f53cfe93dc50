"""Many jobs over several processes: every result durable, every job within its time, no job lost.

A job is an id and a picklable payload; the worker is a function named `module:function` that turns a payload into a
JSON object. A worker that raises, dies or outlives its time yields a failed result with the reason; a fresh process
takes its place, as it does when a value's own `status` is `timed_out`: what hung may still be running in there. Results
come in the order they finish. No worker outlives the process that started it, however that one ends.
"""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

__all__ = ["Job", "JobResult", "run_jobs"]

TIMED_OUT = "timed_out"
_GRACE_S = 5.0
_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: `payload` is sent to a worker process."""

    job_id: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JobResult:
    """What became of a job. `status` is `done`, `crashed` or `timed_out`; `value` is the worker's JSON when done."""

    job_id: str
    status: str
    value: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    wall_s: float = 0.0


def _serve(worker: str, pipe: Connection) -> None:
    """The life of a worker process: answer payloads until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    module, _, name = worker.partition(":")
    function = getattr(import_module(module), name)
    while True:
        try:
            payload = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(("done", function(payload), ""))
        except Exception:  # noqa: BLE001  # a job's failure is its result, with the whole reason
            pipe.send(("crashed", {}, traceback.format_exc()))
        _settle_memory()


@cache
def _settle_memory() -> None:
    """What the first job loaded (modules, tables, kernels) stays: the collector need not look through it again."""
    gc.collect()
    gc.freeze()


def _end_with_parent() -> None:
    """A run that is killed takes its workers along, so that none of them writes into the folder of the next."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


class _Worker:
    """One process and the job it holds."""

    def __init__(self, worker: str) -> None:
        self._function = worker
        self.job: Job | None = None
        self._started_at = 0.0
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_serve, args=(self._function, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def take(self, job: Job) -> None:
        self.job = job
        self._started_at = time.monotonic()
        try:
            self.pipe.send(job.payload)
        except (BrokenPipeError, OSError):
            self.restart()
            self.pipe.send(job.payload)

    @property
    def age(self) -> float:
        return time.monotonic() - self._started_at

    def collect(self) -> JobResult:
        """The result that the pipe announces; an end of file means that the process died."""
        assert self.job is not None
        job, age = self.job, self.age
        self.job = None
        try:
            status, value, reason = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join(_GRACE_S)
            code = self._process.exitcode
            self.restart()
            return JobResult(job.job_id, "crashed", reason=f"the worker process died (exit code {code})", wall_s=age)
        if value.get("status") == TIMED_OUT:
            self.restart()
        return JobResult(job.job_id, status, value, reason, age)

    def expire(self, limit: float) -> JobResult:
        """Kill a job that outlived its time."""
        assert self.job is not None
        result = JobResult(self.job.job_id, TIMED_OUT, reason=f"no result within {limit:g} s", wall_s=self.age)
        self.job = None
        self.restart()
        return result

    def restart(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join(_GRACE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_GRACE_S)


def run_jobs(
    jobs: Sequence[Job], worker: str, *, workers: int = 1, time_limit_s: float = 1800.0
) -> Iterator[JobResult]:
    """Yield every job's result as it finishes. Closing the iterator, or an interrupt, stops all processes.

    `worker` is `module:function`; `time_limit_s` bounds one job's wall time, process start included. A process gets its
    next job before its result is yielded, so that it does not wait while the caller stores that.
    """
    waiting = list(reversed(jobs))
    pool = [_Worker(worker) for _ in range(min(workers, len(jobs)))]
    try:
        for one in pool:
            one.take(waiting.pop())
        while any(one.job for one in pool):
            for one, result in _finished(pool, time_limit_s):
                if waiting:
                    one.take(waiting.pop())
                yield result
    finally:
        for one in pool:
            one.stop()


def _finished(pool: Sequence[_Worker], time_limit_s: float) -> Iterator[tuple[_Worker, JobResult]]:
    busy = {one.pipe: one for one in pool if one.job}
    for pipe in multiprocessing.connection.wait(list(busy), timeout=_POLL_S):
        done = busy[pipe]  # type: ignore[index]  # wait returns the connections it was given
        yield done, done.collect()
    for one in pool:
        if one.job and one.age > time_limit_s:
            yield one, one.expire(time_limit_s)
