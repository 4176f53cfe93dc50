"""A worker process: it answers payloads one by one, and is killed and replaced when one outlives its time."""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
import traceback
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from teach_agents.benchmarks.engines.contract import TIMED_OUT, Job, JobResult

__all__ = ["WorkerProcess"]

_GRACE_S = 5.0
_THRESHOLDS = (20_000, 5, 2)
"""After how many new containers, and rounds of the younger generation, the collector looks through each generation."""


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
    """What the first job loaded (modules, tables, kernels) stays: the collector need not look through it again.

    It looks less often, too: of what a job makes nearly all goes without it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def _end_with_parent() -> None:
    """A run that is killed takes its workers along, so that none of them writes into the folder of the next."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


class WorkerProcess:
    """One process and the job it holds. `pipe` has something to read when the job is over."""

    def __init__(self, worker: str) -> None:
        self._worker = worker
        self.job: Job | None = None
        self._started_at = 0.0
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_serve, args=(self._worker, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def take(self, job: Job) -> None:
        """Begin a job."""
        self.job = job
        self._started_at = time.monotonic()
        try:
            self.pipe.send(job.payload)
        except (BrokenPipeError, OSError):
            self.restart()
            self.pipe.send(job.payload)

    @property
    def age(self) -> float:
        """Seconds since the job began."""
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

    def expire(self, limit_s: float) -> JobResult:
        """Kill a job that outlived its time."""
        assert self.job is not None
        result = JobResult(self.job.job_id, TIMED_OUT, reason=f"no result within {limit_s:g} s", wall_s=self.age)
        self.job = None
        self.restart()
        return result

    def carry_out(self, job: Job, limit_s: float) -> JobResult:
        """Begin a job and wait for its result."""
        self.take(job)
        return self.collect() if self.pipe.poll(limit_s) else self.expire(limit_s)

    def restart(self) -> None:
        """A fresh process in place of this one."""
        self.stop()
        self._start()

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self._process.terminate()
        self._process.join(_GRACE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_GRACE_S)
