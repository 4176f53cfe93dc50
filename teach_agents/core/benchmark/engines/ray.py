"""A Ray cluster. Jobs are Ray tasks; each keeps a worker process of its own, where the agents and their time limit are.

So whatever an agent does to its process (it raises, dies, hangs) is found out beside it, in the same words as without
Ray, and never brings a Ray worker down. What Ray itself loses, a machine or a worker that used up the memory, it tries
again elsewhere; a job that was lost at every try has crashed. Payloads carry paths: games and the folder of the run
must be at the same place on every machine.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any

from teach_agents.core.benchmark.engines.contract import Engine, Job, JobResult
from teach_agents.core.benchmark.engines.local import WorkerProcess
from teach_agents.core.errors import InputError, MissingExtraError, TeachAgentsError

_TRIES_AGAIN = 3
_POLL_S = 0.5
_CALL_S = 10.0
_ADDRESS = re.compile(r"(?:ray://)?\[?([^\[\]/]+)\]?:(\d+)")
_OBJECT_STORE = 100 << 20
"""Bytes; results are small, and a Ray of our own need not take a third of the memory."""


@dataclass(kw_only=True)
class RayEngine(Engine):
    """Up to `workers` tasks at a time, one CPU each, on the Ray that `RAY_ADDRESS` names or that runs on this machine.

    Where there is none one is started here, with `workers` CPUs, and stopped in the end. Raises `MissingExtraError`
    without Ray, `InputError` for `concurrent` jobs: a task is one job, and `TeachAgentsError` where the cluster that
    was named does not answer, or cannot run our tasks.
    """

    def __post_init__(self) -> None:
        if self.concurrent != 1:
            problem = "a Ray task plays one at a time: leave it out, or take --engine local"
            raise InputError("--concurrent", problem, value=self.concurrent)
        try:
            import ray
        except ImportError as error:
            raise MissingExtraError("ray", "ray") from error
        self._ray: ModuleType = ray

    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield every job's result as it finishes."""
        if not jobs:
            return
        ray = self._ray
        with _connected(ray, self.workers):
            task = ray.remote(num_cpus=1, max_retries=_TRIES_AGAIN)(_carry_out)
            waiting = iter(jobs)
            running: dict[Any, Job] = {}

            def begin(most: int) -> None:
                for job in islice(waiting, most):
                    running[task.remote(job, worker, self.time_limit_s)] = job

            try:
                begin(self.workers)
                while running:
                    finished, _ = ray.wait(list(running), timeout=_POLL_S)
                    for reference in finished:
                        job = running.pop(reference)
                        begin(1)
                        yield _result(ray, reference, job)
            finally:
                for reference in running:
                    ray.cancel(reference, force=True)


def _carry_out(job: Job, worker: str, limit_s: float) -> JobResult:
    """The task, in a Ray worker, which serves one after the other."""
    return _process(worker).carry_out(job, limit_s)


@cache
def _process(worker: str) -> WorkerProcess:
    """One worker process a Ray worker; it ends with it."""
    return WorkerProcess(worker)


def _result(ray: ModuleType, reference: Any, job: Job) -> JobResult:
    """What a task came to. Raises `TeachAgentsError` where it could not run at all: that is not the agents' doing."""
    lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError)
    try:
        result: JobResult = ray.get(reference)
    except lost as error:
        return JobResult(job.job_id, "crashed", reason=f"lost {_TRIES_AGAIN + 1} times by Ray: {type(error).__name__}")
    except ray.exceptions.RayError as error:
        raise TeachAgentsError(f"--engine ray: {job.job_id} could not be run: {error}") from error
    return result


@contextmanager
def _connected(ray: ModuleType, cpus: int) -> Iterator[None]:
    """Be connected to a Ray. Who has connected already keeps the connection; otherwise it ends here."""
    if ray.is_initialized():
        yield
        return
    named = os.environ.get("RAY_ADDRESS", "")
    _call(named)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent to anybody
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        try:
            ray.init(address="auto", **quiet)
        except ConnectionError as error:
            if named:
                raise TeachAgentsError(f"--engine ray: no Ray answers at RAY_ADDRESS={named}: {error}") from error
            own = {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": _OBJECT_STORE}
            ray.init(address="local", **own, **quiet)
        yield
    finally:
        ray.shutdown()


def _call(address: str) -> None:
    """See whether anybody listens at an address with a port: Ray itself would ask for a quarter of an hour."""
    found = _ADDRESS.fullmatch(address)
    if not found:
        return
    try:
        socket.create_connection((found[1], int(found[2])), timeout=_CALL_S).close()
    except OSError as error:
        raise TeachAgentsError(f"--engine ray: nobody listens at RAY_ADDRESS={address}: {error}") from error
