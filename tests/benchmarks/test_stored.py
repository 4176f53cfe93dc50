"""Runs read from their folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.summary import summarize
from teach_agents.benchmarks.tatc.summary import outcome_of
from teach_agents.core.benchmark.comparison import compare
from teach_agents.core.benchmark.stored import read_run
from teach_agents.errors import InputError
from tests.benchmarks.outcomes import outcome


def _write(folder: Path, settings: dict[str, Any], name: str, *lines: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(settings))
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_a_run_of_a_follower_is_read_with_what_is_missing(tmp_path: Path) -> None:
    settings = {"benchmark": "edh", "settings": {"seed": 3}, "instances": ["a.edh0", "b.edh0"]}
    record = {"outcome": outcome("b.edh0").to_json()}
    run = read_run(
        _write(tmp_path, settings, "records.jsonl", {"outcome": outcome("b.edh0", steps=1).to_json()}, record)
    )
    assert (run.benchmark, run.settings) == ("edh", {"seed": 3})
    missing, found = run.outcomes
    assert found == outcome("b.edh0")
    assert (missing.instance_id, missing.game_id, missing.status) == ("a.edh0", "a", Status.MISSING)


def test_a_run_of_tatc_is_read_as_outcomes(tmp_path: Path) -> None:
    settings = {"settings": {}, "instances": [{"instance_id": "one"}, {"instance_id": "two"}]}
    episode = {
        "instance_id": "one",
        "status": "done",
        "reason": "",
        "task_name": "Coffee",
        "room": "FloorPlan3",
        "success": True,
        "initial": {"total": 4, "satisfied": 1},
        "final": {"total": 4, "satisfied": 4},
        "length": 30,
        "reference_length": None,
        "failures": {"commander": 1, "follower": 2},
        "utterances": {"commander": 3, "follower": 4},
        "wall_s": 0.5,
    }
    crashed = {"instance_id": "two", "status": "crashed", "reason": "it broke", "wall_s": 0.1}
    run = read_run(_write(tmp_path, settings, "episodes.jsonl", episode, crashed))
    one, two = run.outcomes
    assert run.benchmark == "tatc"
    assert (one.success, one.cluster, one.final, one.steps) == (True, "FloorPlan3", GoalCounts(4, 4), 30)
    assert (one.failed_actions, one.costs.utterances, one.reference_length) == (3, 7, 0)
    assert (two.status, two.reason, two.success) == (Status.CRASHED, "it broke", False)
    assert isinstance(two, Outcome) and two.task_name == "unknown"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"settings": {}}'])
def test_another_folder_is_refused_by_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="is no folder of a run"):
        read_run(tmp_path)
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(InputError, match="is no folder of a run"):
        read_run(tmp_path)


def _never_started(name: str) -> dict[str, Any]:
    return {"instance_id": name, "status": "crashed", "reason": "it broke", "task_name": "Coffee"}


def test_sessions_whose_room_is_not_known_are_resampled_one_by_one_everywhere(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(6)]
    settings = {"settings": {}, "instances": [{"instance_id": name} for name in names]}
    lines = [_never_started(name) for name in names[:3]]
    run = read_run(_write(tmp_path, settings, "episodes.jsonl", *lines))
    assert [one.cluster for one in run.outcomes] == ["unknown"] * 6
    units = {one.unit for one in run.outcomes}
    assert len(units) == 6 and {outcome_of(line).unit for line in lines} <= units
    assert {one.clusters for one in compare(run.outcomes, run.outcomes)} == {6}
    assert summarize(run.outcomes)["rooms"] == 6


def test_a_room_that_one_of_two_runs_knows_is_the_room_of_the_pair() -> None:
    known = [outcome(name) for name in "abc"]
    lost = [Outcome.blank(name, Status.MISSING) for name in "abc"]
    assert {one.clusters for one in (*compare(known, lost), *compare(lost, known))} == {1}
