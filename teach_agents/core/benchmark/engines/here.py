"""The very process that asks: for whoever has to sit at its terminal."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from time import perf_counter

from teach_agents.core.benchmark.engines.contract import Engine, Job, JobResult


class HereEngine(Engine):
    """Carries jobs out one after another in this process. It has no time limit, and goes down with a job that does."""

    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield one result per job, as it finishes."""
        module, _, name = worker.partition(":")
        carry_out = getattr(import_module(module), name)
        for job in jobs:
            begun = perf_counter()
            try:
                told = JobResult(job.job_id, "done", carry_out(job.payload), wall_s=perf_counter() - begun)
            except Exception:  # noqa: BLE001  # whatever a job raises is its result
                told = JobResult(job.job_id, "crashed", {}, traceback.format_exc(), perf_counter() - begun)
            yield told
