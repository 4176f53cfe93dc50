"""Several jobs at a time in one process: none is lost, and none pays for another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.benchmark.engines import Job, JobResult, engine_named, local, run_jobs
from teach_agents.errors import InputError

WORKERS = "tests.benchmarks.engines.workers"


def _run(jobs: Sequence[Job], concurrent: int, *, workers: int = 1, limit_s: float = 120.0) -> dict[str, JobResult]:
    how: dict[str, Any] = {"workers": workers, "time_limit_s": limit_s, "concurrent": concurrent}
    return {result.job_id: result for result in run_jobs(jobs, f"{WORKERS}:behave", **how)}


def _jobs(kinds: Sequence[str], seen: Path, after: int = 0, **more: Any) -> list[Job]:
    told = {"seen": str(seen), "after": after, **more}
    return [Job(f"{n}-{kind}", {"kind": kind, "n": n, **told}) for n, kind in enumerate(kinds)]


def _begun(seen: Path) -> dict[str, int]:
    """How often each job began."""
    return {path.name: path.read_text().count("begun") for path in seen.iterdir()}


def test_as_many_jobs_as_asked_for_are_in_one_process_at_a_time_each_with_its_own(tmp_path: Path) -> None:
    jobs = [Job(str(n), {"n": n, "seen": str(tmp_path), "after": 3}) for n in range(3)]
    results = list(run_jobs(jobs, f"{WORKERS}:meet", concurrent=3))
    assert [one.status for one in results] == ["done"] * 3, [one.reason for one in results]
    values = [one.value for one in results]
    assert len({one["process"] for one in values}) == 1
    assert len({one["seat"] for one in values}) == 3
    assert all(one["seat"] == one["again"] for one in values)


def test_processes_share_the_jobs(tmp_path: Path) -> None:
    jobs = [Job(str(n), {"n": n, "seen": str(tmp_path), "after": 4}) for n in range(4)]
    values = [one.value for one in run_jobs(jobs, f"{WORKERS}:meet", workers=2, concurrent=3)]
    assert sorted(Counter(one["process"] for one in values).values()) == [2, 2]


def test_who_hangs_has_timed_out_and_the_others_begin_again(tmp_path: Path) -> None:
    jobs = _jobs(("hang", "slow", "recovers", *["answer"] * 3), tmp_path, s=2.0)
    results = _run(jobs, 2, limit_s=4.0)
    assert len(results) == len(jobs)
    assert (results["0-hang"].status, results["0-hang"].reason) == ("timed_out", "no result within 4 s")
    assert {one.status for name, one in results.items() if name != "0-hang"} == {"done"}
    begun = _begun(tmp_path)
    assert begun.pop("2-recovers") == 2, "it was under way when the process was killed"
    assert set(begun.values()) == {1}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("die", "the worker process died (exit code 7)"), ("killed", "the worker process died (exit code -9)")],
)
def test_of_the_jobs_of_a_process_that_died_the_one_that_does_it_alone_has_crashed(
    tmp_path: Path, kind: str, reason: str
) -> None:
    jobs = [*_jobs(("recovers", kind), tmp_path, after=2), Job("2", {"kind": "answer", "n": 2})]
    results = _run(jobs, 2)
    assert (results[f"1-{kind}"].status, results[f"1-{kind}"].reason) == ("crashed", reason)
    assert sorted(one.status for one in results.values()) == ["crashed", "done", "done"]
    assert _begun(tmp_path)["0-recovers"] == _begun(tmp_path)[f"1-{kind}"] == 2


def test_who_brings_a_process_to_a_stand_is_found_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_GRACE_S", 1.0)
    jobs = [
        Job("0-slow", {"kind": "slow", "n": 0, "s": 0.5, "seen": str(tmp_path), "after": 2}),
        Job("1-stand", {"kind": "stand", "n": 1, "seen": str(tmp_path), "after": 2}),
    ]
    results = _run(jobs, 2, limit_s=4.0)
    assert {name: one.status for name, one in results.items()} == {"0-slow": "done", "1-stand": "timed_out"}


def test_who_raises_or_leaves_fails_alone(tmp_path: Path) -> None:
    results = _run(_jobs(("raise", "answer", "leave", "answer", "answer"), tmp_path), 2)
    assert "the agent fell over" in results["0-raise"].reason
    assert "SystemExit: 4" in results["2-leave"].reason
    assert sorted(one.status for one in results.values()) == ["crashed", "crashed", "done", "done", "done"]
    assert set(_begun(tmp_path).values()) == {1}


def test_a_process_in_which_something_hangs_is_replaced_when_the_others_have_ended(tmp_path: Path) -> None:
    jobs = [
        Job("slow", {"kind": "slow", "n": 0, "s": 1.0, "seen": str(tmp_path), "after": 2}),
        Job("late", {"kind": "late", "n": 1, "seen": str(tmp_path), "after": 2}),
        Job("last", {"kind": "answer", "n": 2}),
    ]
    values = {name: one.value["process"] for name, one in _run(jobs, 2).items()}
    assert values["slow"] == values["late"] != values["last"]


def test_ray_plays_one_at_a_time() -> None:
    pytest.importorskip("ray", reason="needs the extra 'ray'")
    with pytest.raises(InputError, match="--concurrent: a Ray task plays one at a time"):
        engine_named("ray", concurrent=2)
