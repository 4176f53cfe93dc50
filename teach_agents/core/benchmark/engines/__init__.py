"""What carries a run's jobs out: processes of this machine, this very one, or a Ray cluster, with the same results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from teach_agents.core.benchmark.engines.contract import Engine, Job, JobResult
from teach_agents.core.benchmark.engines.local import HereEngine, LocalEngine
from teach_agents.core.benchmark.engines.ray import RayEngine
from teach_agents.core.benchmark.engines.serving import once_per_seat
from teach_agents.core.errors import InputError

__all__ = ["ENGINES", "Engine", "Job", "JobResult", "engine_named", "once_per_seat", "run_jobs"]

ENGINES: Mapping[str, type[Engine]] = {"local": LocalEngine, "ray": RayEngine, "here": HereEngine}


def engine_named(engine: str, *, workers: int = 1, time_limit_s: float = 1800.0, concurrent: int = 1) -> Engine:
    """An engine by its name.

    Raises `InputError` where there is none of that name, or it cannot do several jobs at a time in a process, and
    `MissingExtraError` where it needs a package that is missing.
    """
    if engine not in ENGINES:
        raise InputError("--engine", "there is no such engine", value=engine, valid=ENGINES)
    return ENGINES[engine](workers=workers, time_limit_s=time_limit_s, concurrent=concurrent)


def run_jobs(
    jobs: Sequence[Job],
    worker: str,
    *,
    workers: int = 1,
    time_limit_s: float = 1800.0,
    engine: str = "local",
    concurrent: int = 1,
) -> Iterator[JobResult]:
    """Carry jobs out on an engine; see `Engine.run`.

    `worker` is `module:function`. Raises what `engine_named` raises.
    """
    return engine_named(engine, workers=workers, time_limit_s=time_limit_s, concurrent=concurrent).run(jobs, worker)
