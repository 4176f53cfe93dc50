"""The process runner: no job is lost, whatever a worker does."""

from __future__ import annotations

from teach_agents.benchmarks.runner import Job, JobResult, run_jobs

WORKER = "tests.benchmarks.workers:behave"


def _run(jobs: list[Job], workers: int = 2, time_limit_s: float = 60.0) -> dict[str, JobResult]:
    return {result.job_id: result for result in run_jobs(jobs, WORKER, workers=workers, time_limit_s=time_limit_s)}


def test_every_job_gives_its_result() -> None:
    results = _run([Job(str(n), {"kind": "answer", "n": n}) for n in range(7)])
    assert {key: result.value["square"] for key, result in results.items()} == {str(n): n * n for n in range(7)}
    assert {result.status for result in results.values()} == {"done"}


def test_a_worker_that_raises_dies_or_hangs_fails_its_own_job_only() -> None:
    kinds = ("raise", "answer", "die", "answer", "hang", "answer")
    jobs = [Job(f"{n}-{kind}", {"kind": kind, "n": n}) for n, kind in enumerate(kinds)]
    results = _run(jobs, time_limit_s=10.0)
    assert len(results) == len(jobs)
    assert results["0-raise"].status == "crashed" and "the agent fell over" in results["0-raise"].reason
    assert results["2-die"].status == "crashed" and "exit code 7" in results["2-die"].reason
    assert results["4-hang"].status == "timed_out" and "10 s" in results["4-hang"].reason
    assert [results[f"{n}-answer"].value["square"] for n in (1, 3, 5)] == [1, 9, 25]


def test_the_process_of_a_job_that_left_something_running_is_replaced() -> None:
    jobs = [Job(f"{n}-{kind}", {"kind": kind, "n": n}) for n, kind in enumerate(("answer", "late", "answer"))]
    first, late, last = (result.value["process"] for result in _run(jobs, workers=1).values())
    assert first == late != last


def test_closing_the_iterator_stops_the_work() -> None:
    running = run_jobs([Job(str(n), {"kind": "answer", "n": n}) for n in range(50)], WORKER, workers=1)
    assert next(running).status == "done"
    running.close()  # type: ignore[attr-defined]  # a generator
    assert list(running) == []


def test_no_jobs_give_no_results() -> None:
    assert _run([]) == {}
