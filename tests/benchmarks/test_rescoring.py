"""Metrics computed again from records."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.solo.log import log_path
from teach_agents.core.benchmark.reporting.page import write_report
from teach_agents.core.benchmark.rescoring import rescore
from teach_agents.core.benchmark.stored import read_run
from teach_agents.errors import RecordError


@pytest.fixture
def tfd(finished_tfd: Path, tmp_path: Path) -> Path:
    """A TfD run to change."""
    return Path(shutil.copytree(finished_tfd, tmp_path / "tfd"))


@pytest.fixture
def tatc(finished_tatc: Path, tmp_path: Path) -> Path:
    """A TATC run to change."""
    return Path(shutil.copytree(finished_tatc, tmp_path / "tatc"))


def _journal(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_runs_of_each_kind_agree_with_themselves(finished_tfd: Path, finished_tatc: Path) -> None:
    solo, pair = rescore(finished_tfd), rescore(finished_tatc)
    assert (solo.judged, solo.unrecorded, solo.agrees) == (2, ("garbled.tfd",), True)
    assert (pair.judged, pair.unrecorded, pair.agrees) == (2, (), True)
    assert pair.summary["n"] == 2 and solo.summary["n"] == 3


def test_a_changed_figure_is_found_and_written_anew(tfd: Path) -> None:
    summary = tfd / "summary.json"
    right = summary.read_bytes()
    wrong = json.loads(right)
    wrong["success"]["success_rate"] = 0.5
    summary.write_text(json.dumps(wrong))
    found = rescore(tfd)
    assert (found.differences, found.changed) == (("success.success_rate",), ())
    found.write()
    assert summary.read_bytes() == right and rescore(tfd).agrees


def test_a_changed_outcome_is_judged_again(tfd: Path, tatc: Path) -> None:
    def solo(line: dict[str, Any]) -> None:
        if line["outcome"]["instance_id"] == "one.tfd":
            line["outcome"] |= {"success": True, "steps": 1}

    def pair(line: dict[str, Any]) -> None:
        line |= {"success": not line["success"], "length": 1, "final": {"total": 9, "satisfied": 9}}

    for folder, name, change in ((tfd, "records.jsonl", solo), (tatc, "episodes.jsonl", pair)):
        right = read_run(folder).lines
        _journal(folder / name, change)
        found = rescore(folder)
        assert found.changed and not found.differences and not found.agrees
        found.write()
        assert read_run(folder).lines == right


def _change(folder: Path, **changes: Any) -> None:
    path = folder / "summary.json"
    summary = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({key: value for key, value in summary.items() if value is not None}))


def test_intervals_of_an_earlier_rule_are_told_and_are_no_differences(tatc: Path) -> None:
    _change(tatc, interval_rule=None, success_rate_ci=[], goal_condition_success_macro_ci=[1.0, 1.0])
    before = (tatc / "summary.json").read_bytes()
    found = rescore(tatc)
    assert found.agrees and found.wider == ("success_rate_ci", "goal_condition_success_macro_ci")
    write_report(tatc)
    assert (tatc / "summary.json").read_bytes() == before
    found.write()
    assert rescore(tatc).agrees and not rescore(tatc).wider


def test_an_interval_that_no_earlier_rule_gave_is_a_difference(tatc: Path) -> None:
    _change(tatc, success_rate_ci=[])
    assert rescore(tatc).differences == ("success_rate_ci",)
    _change(tatc, interval_rule=None, success_rate_ci=[0.1, 1.1])
    assert (rescore(tatc).differences, rescore(tatc).wider) == (("success_rate_ci",), ())
    _change(tatc, success_rate_ci=0.5)
    assert rescore(tatc).differences == ("success_rate_ci",)


def test_no_summary_is_another_summary(tfd: Path) -> None:
    (tfd / "summary.json").unlink()
    assert "success" in rescore(tfd).differences


def test_instances_that_were_never_run_count_as_the_summary_knows_them(tatc: Path, tfd: Path) -> None:
    for folder, name in ((tatc, "episodes.jsonl"), (tfd, "records.jsonl")):
        path = folder / name
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:1]))
        found = rescore(folder)
        found.write()
        assert not found.summary["complete"] and rescore(folder).agrees


def test_a_damaged_record_is_named(tfd: Path) -> None:
    log_path(tfd, "one.tfd").write_bytes(gzip.compress(b"[]"))
    with pytest.raises(RecordError, match=r"one\.tfd\.json\.gz"):
        rescore(tfd)


def test_no_simulator_is_needed(finished_tfd: Path, finished_tatc: Path) -> None:
    program = (
        "import sys\nfrom teach_agents.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as left:\n    assert not left.code, left.code\n"
        "near = ('teach_agents.simulator.embedded', 'teach_agents.simulator.thor', 'numba', 'ai2thor', 'PIL')\n"
        "loaded = [name for name in sys.modules if name.startswith(near)]\n"
        "assert not loaded, loaded\n"
    )
    for folder in (finished_tfd, finished_tatc):
        command = [sys.executable, "-c", program, "rescore", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert "The figures agree with summary.json." in done.stdout
