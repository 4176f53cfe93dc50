"""`teach-agents compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import InputError
from tests.benchmarks.outcomes import outcome


def _run_of(folder: Path, *, success: bool, kind: str = "edh") -> Path:
    names = [f"game{number}.edh0" for number in range(6)]
    folder.mkdir()
    claim = {"benchmark": kind, "settings": {}, "instances": names}
    (folder / "settings.json").write_text(json.dumps(claim))
    made = [outcome(name, cluster=f"FloorPlan{number}", success=success) for number, name in enumerate(names)]
    (folder / "records.jsonl").write_text("".join(json.dumps({"outcome": one.to_json()}) + "\n" for one in made))
    return folder


def test_two_runs_are_set_side_by_side(tmp_path: Path) -> None:
    worse, better = _run_of(tmp_path / "a", success=False), _run_of(tmp_path / "b", success=True)
    shown = CliRunner().invoke(app, ["compare", str(worse), str(better)], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    assert "6 instances in 6 rooms" in shown.output
    assert "success_rate" in shown.output and "0.0312" in shown.output
    told = json.loads(CliRunner().invoke(app, ["compare", str(worse), str(better), "--json"]).output)
    assert told[0]["figure"] == "success_rate"
    assert (told[0]["difference"], told[0]["p_value"], told[0]["higher"]) == (1.0, 2 / 2**6, 6)


def test_runs_that_do_not_differ_may_still_and_where_nothing_is_known_no_interval_stands(tmp_path: Path) -> None:
    one, other = _run_of(tmp_path / "a", success=True), _run_of(tmp_path / "b", success=True)
    shown = CliRunner().invoke(app, ["compare", str(one), str(other)], env={"COLUMNS": "200"}).output
    success, steps = (next(line for line in shown.splitlines() if name in line) for name in ("success_rate", "steps"))
    assert "-0.390 – 0.390" in success and "│ – │" in " ".join(steps.split())
    assert "–: no interval" in shown


def test_runs_of_two_benchmarks_are_not_compared(tmp_path: Path) -> None:
    edh, tfd = _run_of(tmp_path / "a", success=True), _run_of(tmp_path / "b", success=True, kind="tfd")
    refused = CliRunner().invoke(app, ["compare", str(edh), str(tfd)])
    assert isinstance(refused.exception, InputError)
    assert "is a run of edh" in str(refused.exception)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder of a run"):
        CliRunner().invoke(app, ["compare", str(tmp_path), str(tmp_path)], catch_exceptions=False)
