"""Every engine: no job is lost, whatever a worker does, and both tell the same."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from teach_agents.core.benchmark.engines import Job, JobResult, run_jobs
from teach_agents.errors import InputError, MissingExtraError, TeachAgentsError

WORKER = "tests.benchmarks.engines.workers:behave"


def _run(engine: str, jobs: Sequence[Job], workers: int = 2, time_limit_s: float = 120.0) -> dict[str, JobResult]:
    running = run_jobs(jobs, WORKER, workers=workers, time_limit_s=time_limit_s, engine=engine)
    return {result.job_id: result for result in running}


def test_every_job_gives_its_result(engine: str) -> None:
    results = _run(engine, [Job(str(n), {"kind": "answer", "n": n}) for n in range(7)])
    assert {key: result.value["square"] for key, result in results.items()} == {str(n): n * n for n in range(7)}
    assert {result.status for result in results.values()} == {"done"}


def test_a_worker_that_raises_dies_or_hangs_fails_its_own_job_only(engine: str) -> None:
    kinds = ("raise", "answer", "die", "answer", "hang", "answer")
    jobs = [Job(f"{n}-{kind}", {"kind": kind, "n": n}) for n, kind in enumerate(kinds)]
    results = _run(engine, jobs, time_limit_s=8.0)
    assert len(results) == len(jobs)
    assert results["0-raise"].status == "crashed" and "the agent fell over" in results["0-raise"].reason
    assert results["2-die"].status == "crashed"
    assert results["2-die"].reason == "the worker process died (exit code 7)"
    assert (results["4-hang"].status, results["4-hang"].reason) == ("timed_out", "no result within 8 s")
    assert [results[f"{n}-answer"].value["square"] for n in (1, 3, 5)] == [1, 9, 25]


def test_the_process_of_a_job_that_left_something_running_is_replaced(engine: str) -> None:
    jobs = [Job(f"{n}-{kind}", {"kind": kind, "n": n}) for n, kind in enumerate(("answer", "late", "answer"))]
    first, late, last = (result.value["process"] for result in _run(engine, jobs, workers=1).values())
    assert first == late != last


def test_closing_the_iterator_stops_the_work(engine: str) -> None:
    jobs = [Job(str(n), {"kind": "answer", "n": n}) for n in range(50)]
    running = run_jobs(jobs, WORKER, workers=1, engine=engine)
    assert next(running).status == "done"
    running.close()  # type: ignore[attr-defined]  # a generator
    assert list(running) == []


def test_no_jobs_give_no_results(engine: str) -> None:
    assert _run(engine, []) == {}


def test_an_engine_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="'rya'; did you mean 'ray'"):
        _run("rya", [])


def test_without_ray_its_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"teach-agents\[ray\]"):
        _run("ray", [])


def test_a_job_that_ray_cannot_even_begin_is_no_result(small_ray: None) -> None:
    job = Job("one", {"kind": "answer", "n": lambda: None})
    with pytest.raises(TeachAgentsError, match="one could not be run"):
        _run("ray", [job])
