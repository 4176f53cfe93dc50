"""`teach-agents report`, `rescore` and `export` as a user runs them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from teach_agents.cli.main import app
from teach_agents.errors import InputError
from tests.benchmarks.runs import follower_run

pytestmark = pytest.mark.usefixtures("warm_workers")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run; not to be changed."""
    return follower_run(tmp_path_factory.mktemp("tfd"))


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_a_run_is_reported_exported_and_judged_again(finished: Path, tmp_path: Path) -> None:
    run = shutil.copytree(finished, tmp_path / "run")
    assert f"Report: {run / 'report.html'}" in _run("report", run).output
    assert (run / "report.html").stat().st_size > 10_000
    for form, name in (("hf", "README.md"), ("jsonl", "chat.jsonl"), ("steps", "steps.jsonl")):
        done = _run("export", run, "--format", form, "--out", tmp_path / form)
        assert done.exit_code == 0 and (tmp_path / form / name).is_file()
        assert "1 instances have no record" in done.output
    done = _run("rescore", run)
    assert done.exit_code == 0 and "2 of 3 instances judged again" in done.output
    assert "The figures agree with summary.json." in done.output and "garbled.tfd" in done.output


def test_figures_that_are_wrong_are_said_and_put_right(finished: Path, tmp_path: Path) -> None:
    run = shutil.copytree(finished, tmp_path / "run")
    summary = json.loads((run / "summary.json").read_text())
    (run / "summary.json").write_text(json.dumps({**summary, "n": 4}))
    done = _run("rescore", run)
    assert done.exit_code == 1 and "Figures that differ from summary.json: n" in done.output
    assert _run("rescore", run, "--write").exit_code == 0
    assert _run("rescore", run).exit_code == 0


def test_intervals_of_an_earlier_rule_are_said_to_be_that(finished: Path, tmp_path: Path) -> None:
    run = shutil.copytree(finished, tmp_path / "run")
    summary = json.loads((run / "summary.json").read_text())
    del summary["interval_rule"]
    (run / "summary.json").write_text(json.dumps({**summary, "success_rate_ci": []}))
    done = _run("rescore", run)
    assert done.exit_code == 0 and "by an earlier rule; no difference: success_rate_ci\n" in done.output
    assert "The figures agree with summary.json." in done.output


def test_what_is_no_run_or_no_format_is_refused(finished: Path, tmp_path: Path) -> None:
    for command in (("report",), ("rescore",), ("export", "--out", tmp_path / "out")):
        refused = _run(command[0], tmp_path, *command[1:]).exception
        assert isinstance(refused, InputError) and "is no folder of a run" in str(refused)
    refused = _run("export", finished, "--format", "parquet", "--out", tmp_path / "out").exception
    assert isinstance(refused, InputError) and "hf" in str(refused)
