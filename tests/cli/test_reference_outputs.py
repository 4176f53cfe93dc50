"""`--reference-outputs` and `--view-size` on the commands of the three benchmarks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.data.inference import METRICS_FILE, read_metrics, read_outputs
from tests.conventions.sessions import written

pytestmark = pytest.mark.usefixtures("warm_workers")


def test_runs_leave_what_teachs_runner_leaves(tmp_path: Path) -> None:
    data, stop = written(tmp_path / "teach"), tmp_path / "stop.json"
    stop.write_text('[{"name": "Turn Left"}, {"name": "Stop"}]')
    pair = ["--commander", "silent", "--follower", f"scripted:file={stop}"]
    runs = {
        "edh": ["--instances", str(data / "edh_instances"), "--limit", "1", "--follower", "idle"],
        "tatc": ["--games", str(data / "games"), *pair, "--pictures", "0"],
    }
    for kind, words in runs.items():
        out, outputs = tmp_path / kind, tmp_path / f"{kind}_outputs"
        more = ["--out", str(out), "--reference-outputs", str(outputs), "--view-size", "60"]
        done = CliRunner().invoke(app, [kind, *words, *more])
        assert done.exit_code == 0, done.output
        metrics = read_metrics(outputs / METRICS_FILE)
        (found,) = read_outputs(outputs).values()
        assert list(metrics["traj_stats"]) == [found.instance_id]
        assert metrics["num_predicted_stops"] == 1 and found.steps
        assert (outputs / f"{METRICS_FILE}.json.0").is_file()
        assert json.loads((out / "settings.json").read_bytes())["settings"]["view_size"] == 60
