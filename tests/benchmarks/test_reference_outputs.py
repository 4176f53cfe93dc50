"""What TEACh's runner would leave behind: written, read again, and counted again from the files alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import ACTION_TYPES, Role
from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status, aggregate, measure
from teach_agents.benchmarks.reference_outputs import outcome_of, write_run_metrics
from teach_agents.benchmarks.solo.judging import judging_task
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tatc.instances import game_instances
from teach_agents.benchmarks.tatc.records import outcome_of_pairs, write_run_outputs
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.core.benchmark.folder import Journal
from teach_agents.core.benchmark.run import work
from teach_agents.core.benchmark.stored import read_run
from teach_agents.data import read_game
from teach_agents.data.edh import read_edh
from teach_agents.data.games import read_json
from teach_agents.data.inference import (
    METRICS_FILE,
    InferenceOutput,
    read_metrics,
    read_output,
    read_outputs,
)
from teach_agents.data.tfd import read_tfd
from teach_agents.errors import GameFileError
from teach_agents.installed import installed_tasks
from tests.conventions.sessions import written


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield written(tmp_path_factory.mktemp("teach"))


def _played(kind: str, references: list[Reference], follower: str, folder: Path, **more: Any) -> dict[str, Outcome]:
    """Play in this process what a run would play in its workers, and finish the run's folder."""
    settings = Settings(follower, view_size=60, max_steps=60, **more)
    run = FollowerRun(folder / "run", kind, settings, references, reference_outputs=folder / "out")
    for one in references:
        line = work(run._payload(one))
        Journal(folder / "run" / "records.jsonl").append(line)
    write_run_metrics(folder / "out", read_run(folder / "run"), processes=2)
    return {one.instance_id: one for one in run.outcomes()}


def _plain(outcome: Outcome) -> Outcome:
    """Without what the reference's files do not say."""
    return replace(outcome, costs=Costs(), cluster="", task_name="", reason="")


def _edh_again(output: InferenceOutput, data: Path) -> Outcome:
    instance = read_edh(data / "edh_instances" / "train" / f"{output.instance_id}.json")
    assert instance.state_changes is not None and instance.future is not None
    assert instance.goal_conditions_total is not None and instance.goal_conditions_satisfied is not None
    task = judging_task({"state_changes": instance.state_changes.objects})
    stated = GoalCounts(instance.goal_conditions_total, instance.goal_conditions_satisfied)
    return outcome_of(output, task, reference_length=len(instance.future), stated=stated)


def _tfd_again(output: InferenceOutput, data: Path) -> Outcome:
    instance = read_tfd(data / "tfd_instances" / "train" / f"{output.instance_id}.json")
    assert instance.future is not None
    task = installed_tasks(()).task(output.game.task.task_name, list(output.game.task.task_params))
    return outcome_of(output, task, reference_length=len(instance.future))


@pytest.mark.parametrize("follower", ["recorded", "random:stops=false", "idle", "tests.serve.agents:unwell"])
def test_edh_is_counted_again_from_the_files_alone(data: Path, tmp_path: Path, follower: str) -> None:
    references = edh_references(instances=str(data / "edh_instances"))
    known = _played("edh", references, follower, tmp_path)
    outputs = read_outputs(tmp_path / "out")
    assert list(outputs) == list(known)
    again = {name: _edh_again(output, data) for name, output in outputs.items()}
    assert {name: _plain(one) for name, one in again.items()} == {name: _plain(one) for name, one in known.items()}
    metrics = read_metrics(tmp_path / "out" / METRICS_FILE)
    assert json.loads(json.dumps(aggregate([measure(one) for one in again.values()], max_steps=60))) == metrics


@pytest.mark.parametrize("follower", ["recorded", "random:stops=false"])
def test_tfd_is_counted_again_from_the_files_alone(data: Path, tmp_path: Path, follower: str) -> None:
    references = tfd_references(instances=str(data / "tfd_instances"))
    known = _played("tfd", references, follower, tmp_path)
    output = read_output(tmp_path / "out", "recorded.tfd")
    assert _plain(_tfd_again(output, data)) == _plain(known["recorded.tfd"])
    assert output.game.task.task_name == "Coffee" and output.game.game_id == "recorded"


def test_the_files_have_the_references_form(data: Path, tmp_path: Path) -> None:
    references = edh_references(instances=str(data / "edh_instances"))
    known = _played("edh", references, "random:stops=false", tmp_path)
    instance = read_edh(data / "edh_instances" / "train" / "recorded.edh1.json")
    raw = json.loads((tmp_path / "out" / "inference__recorded.edh1.json").read_bytes())
    (task,) = raw["tasks"]
    assert (task["task_id"], task["task_name"]) == (0, "edh_custom")
    for name, component in task["components"].items():
        assert name.startswith("('") and type(component["determiner"]) is int
    (episode,) = task["episodes"]
    assert episode["initial_state"]["custom_object_metadata"] == episode["final_state"]["custom_object_metadata"]
    first = read_game(data / "games" / "train" / "recorded.game.json").episode.initial_state
    assert [one["objectId"] for one in episode["initial_state"]["objects"]] == [
        one["objectId"] for one in first.objects
    ]
    assert "axisAlignedBoundingBox" in episode["final_state"]["objects"][0]
    replayed = [one for one in instance.interactions[: instance.pred_start_idx] if one.success]
    steps = json.loads((tmp_path / "out" / "pred_actions__recorded.edh1.json").read_bytes())
    assert len(episode["interactions"]) >= len(replayed) + len(steps)
    assert len(steps) > 30 and all(list(one) == ["action", "obj_relative_coord"] for one in steps)
    predicted = known["recorded.edh1"].predicted
    assert [(one["action"], one["obj_relative_coord"]) for one in steps] == [
        (name, click and list(click)) for name, click in predicted
    ]
    last = episode["interactions"][-len(steps) :]
    for step, one in zip(steps, last, strict=True):
        assert one["action_id"] == ACTION_TYPES[step["action"]].action_id and one["agent_id"] == 1
        if step["obj_relative_coord"]:
            assert [one["y"], one["x"]] == step["obj_relative_coord"], "rows first there, x and y here"
    metrics = read_metrics(tmp_path / "out" / METRICS_FILE)
    files = [tmp_path / "out" / f"{METRICS_FILE}.json.{index}" for index in (0, 1)]
    first, second = map(read_json, files)
    assert {**first, **second} == metrics["traj_stats"]
    assert (len(first), len(second)) == (2, 0), "int(n / p) + 1 to each process"


def test_what_never_began_leaves_no_files_and_counts(data: Path, tmp_path: Path) -> None:
    references = edh_references(instances=str(data / "edh_instances"))
    broken = [references[0], replace(references[1], game=str(tmp_path / "nowhere.game.json"))]
    _played("edh", broken, "recorded", tmp_path)
    assert list(read_outputs(tmp_path / "out")) == [references[0].instance_id]
    metrics = read_metrics(tmp_path / "out" / METRICS_FILE)
    assert metrics["success"]["num_evals"] == 2
    assert metrics["traj_stats"][references[1].instance_id]["init_success"] is False


def test_what_a_follower_that_hangs_left_is_written_too(data: Path, tmp_path: Path) -> None:
    references = edh_references(instances=str(data / "edh_instances"))
    known = _played("edh", references, "tests.serve.agents:late", tmp_path, call_time_limit_s=0.2)
    assert {one.status for one in known.values()} == {Status.TIMED_OUT}
    for output in read_outputs(tmp_path / "out").values():
        assert output.predicted == (("Turn Left", None), ("", None))
        assert output.game.episode.interactions[-1].action == "Turn Left"
    assert read_metrics(tmp_path / "out" / METRICS_FILE)["num_fails_by_error"] == 2


def test_tatc_is_counted_again_from_the_files_alone(data: Path, tmp_path: Path) -> None:
    instances = game_instances([data / "games"])
    settings = TatcSettings("random:seed=3", "random:seed=4,stops=false", view_size=60, max_turns=50, pictures=0)
    run = TatcRun(tmp_path / "run", settings, instances)
    Journal(tmp_path / "run" / "episodes.jsonl").append({**work(run._payload(instances[0])), "wall_s": 0.0})
    write_run_outputs(tmp_path / "out", read_run(tmp_path / "run"))
    output = read_output(tmp_path / "out", "recorded")
    pairs, episode = output.pairs, output.game.episode
    assert all(list(one) == ["action", "obj_cls", "utterance", "success"] for one, _ in pairs)
    assert all(list(one) == ["action", "predicted_click", "utterance", "success"] for _, one in pairs)
    task = installed_tasks(()).task("Coffee", [])
    counts = []
    for state in (episode.initial_state, episode.final_state):
        found = task.check(state.objects, agent_position=state.follower.position)
        counts.append(GoalCounts(found.goal_conditions_total, found.goal_conditions_satisfied))
    length = len(read_game(data / "games" / "train" / "recorded.game.json").episode.interactions)
    (known,) = read_run(tmp_path / "run").outcomes
    again = replace(known, initial=counts[0], final=counts[1], reference_length=length, success=found.success)
    record = measure(outcome_of_pairs(again, pairs)).to_json() | {"pred_actions": [list(one) for one in pairs]}
    metrics = read_metrics(tmp_path / "out" / METRICS_FILE)
    assert metrics["traj_stats"] == {"recorded": record}
    assert record["traj_len"] == len(pairs) and 0 < record["num_api_fails"] <= 50
    acted = [one for one in episode.interactions if one.role is Role.FOLLOWER]
    assert len(acted) == len(pairs), "the random Follower never waits"


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ({"action": "Stop"}, "must hold a list"),
        ([["Stop", None]], "must be an object"),
        ([{"action": "Stop"}], "missing key 'obj_relative_coord'"),
        ([{"action": "Stop", "obj_relative_coord": [0.5]}], r"must be \[row, column\] or null"),
    ],
)
def test_files_of_another_form_are_refused(data: Path, tmp_path: Path, steps: Any, words: str) -> None:
    game = (data / "games" / "train" / "recorded.game.json").read_bytes()
    (tmp_path / "inference__x.json").write_bytes(game)
    (tmp_path / "pred_actions__x.json").write_text(json.dumps(steps))
    with pytest.raises(GameFileError, match=words):
        assert read_output(tmp_path, "x").predicted
    (tmp_path / "pred_actions__x.json").write_text(json.dumps([{"action": None, "obj_relative_coord": None}]))
    assert read_output(tmp_path, "x").predicted == (("", None),)
    with pytest.raises(GameFileError, match="must hold pairs"):
        assert read_output(tmp_path, "x").pairs


def test_a_metrics_file_without_one_of_the_references_keys_is_refused(tmp_path: Path) -> None:
    path = tmp_path / METRICS_FILE
    path.write_text('{"success": {}}')
    with pytest.raises(GameFileError, match="missing key 'goal_condition_success'"):
        read_metrics(path)
