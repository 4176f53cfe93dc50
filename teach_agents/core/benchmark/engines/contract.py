"""The Engine contract: many jobs over several processes, every one within its time, none lost.

A job is an id, unlike any other's, and a picklable payload; the worker is a function named `module:function` that turns
a payload into a JSON object. A worker that raises, dies or outlives its time yields a failed result with the reason; a
fresh process takes its place, as it does when a value's own `status` is `timed_out`: what hung may still be running in
there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: `payload` is sent to a worker process, which may be on another machine."""

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


@dataclass(kw_only=True)
class Engine(ABC):
    """Carries jobs out in up to `workers` processes, `concurrent` at a time in each.

    `time_limit_s` bounds one job's wall time; the start of its process counts.
    """

    workers: int = 1
    time_limit_s: float = 1800.0
    concurrent: int = 1

    @abstractmethod
    def run(self, jobs: Sequence[Job], worker: str) -> Iterator[JobResult]:
        """Yield one result per job, as it finishes. Closing the iterator, or an interrupt, stops all processes."""
