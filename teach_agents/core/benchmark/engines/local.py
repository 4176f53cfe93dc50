"""Engines of this machine: the very process that asks, or worker processes, killed and replaced when a job is late.

No worker outlives the process that started it, however that one ends.
"""

from __future__ import annotations

import multiprocessing
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from teach_agents.core.benchmark.engines.contract import TIMED_OUT, Engine, Job, JobResult
from teach_agents.core.benchmark.engines.serving import ALIVE, serve
from teach_agents.core.errors import InputError

_POLL_S = 0.5
_GRACE_S = 5.0


@dataclass(kw_only=True)
class HereEngine(Engine):
    """Carries jobs out one after another in this process, for whoever has to sit at its terminal.

    It has no time limit, and goes down with a job that does. Asked to be several it raises `InputError`.
    """

    def __post_init__(self) -> None:
        for name, asked in (("--workers", self.workers), ("--concurrent", self.concurrent)):
            if asked > 1:
                raise InputError(
                    name, "the engine 'here' plays one instance after another in this process", value=asked
                )

    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield one result per job, as it finishes."""
        module, _, name = worker.partition(":")
        carry_out = getattr(import_module(module), name)
        for job in jobs:
            begun = time.perf_counter()
            try:
                told = JobResult(job.job_id, "done", carry_out(job.payload), wall_s=time.perf_counter() - begun)
            except Exception:  # noqa: BLE001  # whatever a job raises is its result
                told = JobResult(job.job_id, "crashed", {}, traceback.format_exc(), time.perf_counter() - begun)
            yield told


class LocalEngine(Engine):
    """A pool of `workers` processes, each of which carries out up to `concurrent` jobs at a time, in threads.

    A job that outlives its time takes its process down, and the others in there begin again. Of several jobs that were
    in a process that died each is played again alone, so that it is known which of them does that.
    """

    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield every job's result as it finishes.

        A process gets its next job before its result is yielded, so that it does not wait while the caller stores that.
        """
        waiting, suspects = deque(jobs), deque[Job]()
        pool = [WorkerProcess(worker, self.concurrent) for _ in range(min(self.workers, len(jobs)))]
        try:
            _deal(pool, waiting, suspects)
            while any(one.load for one in pool):
                for ended in self._ended(pool):
                    waiting.extendleft(reversed(ended.again))
                    suspects.extend(ended.suspects)
                    _deal(pool, waiting, suspects)
                    yield from ended.results
        finally:
            for one in pool:
                one.stop()

    def _ended(self, pool: Sequence[WorkerProcess]) -> Iterator[Ended]:
        busy = {one.pipe: one for one in pool if one.load}
        for pipe in wait(list(busy), timeout=_POLL_S):
            yield busy[pipe].collect()  # type: ignore[index]  # wait returns the connections it was given
        for one in pool:
            if one.is_late(self.time_limit_s):
                yield one.expire(self.time_limit_s)


def _deal(pool: Sequence[WorkerProcess], waiting: deque[Job], suspects: deque[Job]) -> None:
    """Give suspects to processes that hold nothing, the others to those that hold the fewest."""
    for one in pool:
        if suspects and one.load == 0:
            one.take(suspects.popleft(), alone=True)
    while waiting and (ready := [one for one in pool if one.has_room]):
        min(ready, key=lambda one: one.load).take(waiting.popleft())


@dataclass(slots=True)
class Ended:
    """What became of jobs: results, and those that went down with the process of another.

    `again` are jobs that had no part in it; of `suspects` one had, nobody knows which: the one that fails alone.
    """

    results: list[JobResult] = field(default_factory=list)
    again: list[Job] = field(default_factory=list)
    suspects: list[Job] = field(default_factory=list)


class WorkerProcess:
    """One process and the jobs it holds, up to `concurrent`. `pipe` has something to read when one is over."""

    def __init__(self, worker: str, concurrent: int = 1) -> None:
        self._worker = worker
        self._concurrent = concurrent
        self._jobs: dict[str, tuple[Job, float]] = {}
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=serve, args=(self._worker, theirs, self._concurrent), daemon=True
        )
        self._process.start()
        theirs.close()
        self._most = self._concurrent

    @property
    def load(self) -> int:
        """How many jobs it holds."""
        return len(self._jobs)

    @property
    def has_room(self) -> bool:
        """Whether it may take a job: not while one is to be alone in it, nor once something hangs in it."""
        return self.load < self._most

    def take(self, job: Job, *, alone: bool = False) -> None:
        """Begin a job; one that is to be `alone` needs a process that holds none."""
        was_idle = not self._jobs
        self._jobs[job.job_id] = job, time.monotonic()
        try:
            self.pipe.send((job.job_id, job.payload))
        except (BrokenPipeError, OSError):
            if was_idle:  # otherwise its end, which `collect` comes upon, is for all of its jobs to answer for
                self.restart()
                self.pipe.send((job.job_id, job.payload))
        self._most = 1 if alone else self._concurrent

    def is_late(self, limit_s: float) -> bool:
        """Whether a job has outlived its time."""
        return any(_age(begun) > limit_s for _, begun in self._jobs.values())

    def collect(self) -> Ended:
        """What the pipe announces: results; an end of file means that the process died."""
        ended = Ended()
        try:
            self._hear(ended)
        except (EOFError, OSError):
            self._process.join(_GRACE_S)
            reason = f"the worker process died (exit code {self._process.exitcode})"
            lost = self._lost()
            if len(lost) > 1:
                ended.suspects += [job for job, _ in lost]
            else:
                ended.results += [JobResult(job.job_id, "crashed", reason=reason, wall_s=age) for job, age in lost]
        self._renew()
        return ended

    def expire(self, limit_s: float) -> Ended:
        """Kill a job that outlived its time, and its process.

        Where the process has stopped answering, any of its jobs may have brought it to a stand.
        """
        ended = Ended()
        answers = self.load == 1 or self._answers(ended)
        if not answers and self.load > 1:
            ended.suspects += [job for job, _ in self._lost()]
        elif not answers or self.is_late(limit_s):
            for job, age in self._lost():
                if age > limit_s:
                    ended.results.append(
                        JobResult(job.job_id, TIMED_OUT, reason=f"no result within {limit_s:g} s", wall_s=age)
                    )
                else:
                    ended.again.append(job)
        self._renew()
        return ended

    def _hear(self, ended: Ended) -> bool:
        """Take all that the pipe has ready; whether the process told that it is alive."""
        alive = False
        while True:
            told = self.pipe.recv()
            if told == ALIVE:
                alive = True
            else:
                job_id, status, value, reason = told
                _, begun = self._jobs.pop(job_id)
                ended.results.append(JobResult(job_id, status, value, reason, _age(begun)))
                if value.get("status") == TIMED_OUT:
                    self._most = 0
            if not self.pipe.poll():
                return alive

    def _answers(self, ended: Ended) -> bool:
        """Whether the process does what it is told, within the grace time; results on the way are taken."""
        until = time.monotonic() + _GRACE_S
        try:
            self.pipe.send(ALIVE)
            while self.pipe.poll(max(0.0, until - time.monotonic())):
                if self._hear(ended):
                    return True
        except (EOFError, OSError):
            pass
        return False

    def _lost(self) -> list[tuple[Job, float]]:
        """The jobs and their ages, which nobody works at any more: the process is of no use."""
        lost = [(job, _age(begun)) for job, begun in self._jobs.values()]
        self._jobs.clear()
        self._most = 0
        return lost

    def _renew(self) -> None:
        """A fresh process in place of one that is of no use, once that holds nothing."""
        if not self._most and not self._jobs:
            self.restart()

    def carry_out(self, job: Job, limit_s: float) -> JobResult:
        """Begin a job in an idle process and wait for its result."""
        self.take(job)
        return (self.collect() if self.pipe.poll(limit_s) else self.expire(limit_s)).results[0]

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


def _age(begun: float) -> float:
    return time.monotonic() - begun
