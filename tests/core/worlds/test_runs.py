"""Benchmarks of worlds that the core does not know: run in processes, interrupted, scored, reported, compared."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from teach_agents import Benchmark
from teach_agents.cli.main import app
from teach_agents.core.benchmark.conformance import BenchmarkContract
from tests.core.worlds import benchmarks
from tests.core.worlds.example import two_rooms

pytestmark = pytest.mark.usefixtures("warm_workers")
NAMES = ("Jobs", "Errands", "Probes", "Pots")


def _ran(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module", params=NAMES)
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A benchmark and a run of it, in two processes; not to be changed."""
    out = tmp_path_factory.mktemp(request.param) / "run"
    name = f"{benchmarks.__name__}:{request.param}"
    _ran("run", name, "--workers", 2, "--seed", 3, "--out", out)
    return name, out


def test_a_run_that_was_cut_off_anywhere_goes_on_to_the_same_bytes(finished: tuple[str, Path], tmp_path: Path) -> None:
    name, whole = finished
    journal = (whole / "episodes.jsonl").read_bytes()
    for number in range(3):
        out = Path(shutil.copytree(whole, tmp_path / str(number)))
        (out / "summary.json").unlink()
        (out / "episodes.jsonl").write_bytes(journal[: random.randrange(len(journal))])
        _ran("run", name, "--out", out, "--resume")
        for path in (path.relative_to(whole) for path in whole.rglob("*") if path.parent.name == "records"):
            assert (out / path).read_bytes() == (whole / path).read_bytes()
        assert (out / "summary.json").read_bytes() == (whole / "summary.json").read_bytes()


def test_it_is_reported_and_rescored_and_agrees_with_itself(finished: tuple[str, Path]) -> None:
    name, whole = finished
    _ran("report", whole)
    assert "The figures agree" in _ran("rescore", whole)
    assert all(one["difference"] == 0 for one in json.loads(_ran("compare", whole, whole, "--json")))


def _summary(finished: tuple[str, Path]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((finished[1] / "summary.json").read_text())
    return found


@pytest.mark.parametrize("finished", ["Jobs"], indirect=True)
def test_phases_that_were_ended_by_force_are_counted(finished: tuple[str, Path]) -> None:
    summary = _summary(finished)
    assert (summary["n"], summary["success_rate"], summary["end_reasons"]) == (6, 4 / 6, {"built": 6})
    assert summary["scores"]["forced"]["mean"] == 2 / 6


@pytest.mark.parametrize("finished", ["Errands"], indirect=True)
def test_what_questions_cost_is_scored(finished: tuple[str, Path]) -> None:
    summary = _summary(finished)
    assert (summary["n"], summary["success_rate"]) == (6, 1.0)
    assert summary["scores"]["charged"]["mean"] == 21.0


@pytest.mark.parametrize("finished", ["Pots"], indirect=True)
def test_time_passes_in_a_run_whether_somebody_acts_or_not(finished: tuple[str, Path]) -> None:
    summary = _summary(finished)
    assert (summary["success_rate"], summary["end_reasons"]) == (0.75, {"lost": 1, "off": 3})
    lines = (finished[1] / "records" / "pot-30.jsonl").read_text().splitlines()
    turns = [json.loads(line) for line in lines[1:-1]]
    assert [turn.get("passed_s") for turn in turns] == [0.5] * 4 + [None], "behind the end none does"
    assert [bool(turn["done"]) for turn in turns] == [False, False, False, True, True]
    assert [one["kind"] for turn in turns for one in turn.get("events", ())] == ["hot"]


def test_paired_runs_are_compared_by_what_a_sentence_changes(tmp_path: Path) -> None:
    name = f"{benchmarks.__name__}:Probes"
    _ran("run", name, "--out", tmp_path / "without")
    _ran("run", name, "--more", "You are there.", "--workers", 2, "--out", tmp_path / "with")
    found = {
        one["figure"]: one for one in json.loads(_ran("compare", tmp_path / "without", tmp_path / "with", "--json"))
    }
    assert found["stop"]["a"] == pytest.approx(0.1) and found["stop"]["b"] == pytest.approx(0.6)
    assert found["stop"]["difference"] == pytest.approx(0.5) and found["stop"]["clusters"] == 4
    assert found["ahead"]["difference"] < 0
    ids = [[json.loads(line)["instance_id"] for line in _journal(tmp_path / one)] for one in ("with", "without")]
    assert sorted(ids[0]) == sorted(ids[1]) and len(ids[0]) == 8


def _journal(run: Path) -> list[str]:
    return (run / "episodes.jsonl").read_text().splitlines()


@pytest.mark.parametrize(
    ("agent", "how"), [("random", "one_hot"), ("lm:model=uniform", "distribution"), ("", "distribution")]
)
def test_whoever_plays_is_read_and_it_is_told_how(tmp_path: Path, agent: str, how: str) -> None:
    spec = agent or f"{benchmarks.__name__}:Walker"
    _ran("run", f"{benchmarks.__name__}:Probes", "--limit", 1, "--agent", f"walker={spec}", "--out", tmp_path / "run")
    (record,) = (tmp_path / "run" / "records").iterdir()
    (reading,) = (one for line in record.read_text().splitlines()[1:-1] for one in json.loads(line).get("events", ()))
    assert reading["data"]["how"] == how and sum(share for _, share in reading["data"]["chances"]) == pytest.approx(1)


class TestEscape(BenchmarkContract):
    """The benchmark of the example."""

    def make_benchmark(self) -> Benchmark[Any, Any]:
        made: Benchmark[Any, Any] = two_rooms.Escape()
        made.agents = {"guide": "two_rooms:Guide", "walker": "two_rooms:Walker"}
        return made


class TestJobs(BenchmarkContract):
    """That of phases."""

    def make_benchmark(self) -> Benchmark[Any, Any]:
        return benchmarks.Jobs()


class TestErrands(BenchmarkContract):
    """That of questions."""

    def make_benchmark(self) -> Benchmark[Any, Any]:
        return benchmarks.Errands()


class TestProbes(BenchmarkContract):
    """That of a graph."""

    def make_benchmark(self) -> Benchmark[Any, Any]:
        return benchmarks.Probes()


class TestPots(BenchmarkContract):
    """That of a clock."""

    def make_benchmark(self) -> Benchmark[Any, Any]:
        return benchmarks.Pots()
