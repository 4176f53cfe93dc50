"""What is kept of an instance, and that it is enough to judge it again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.log import log_path, read_log
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark, tfd_references
from teach_agents.data import write_game
from teach_agents.errors import RecordError
from tests.benchmarks.edh.sessions import errand


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one session."""
    folder = tmp_path_factory.mktemp("teach")
    write_game(errand(), folder / "games" / "train" / "recorded.game.json")
    return folder / "games"


def _worked(games: Path, folder: Path, follower: str, **more: Any) -> Mapping[str, Any]:
    (reference,) = tfd_references(games=str(games))
    (folder / "records").mkdir(parents=True, exist_ok=True)
    benchmark = TfdBenchmark(follower, **more)
    return benchmark.play(reference, replace(benchmark.setup(), folder=folder, pictures=1))


def test_a_log_judges_its_instance_as_it_was_judged(games: Path, tmp_path: Path) -> None:
    for follower in ("recorded", "random", "idle"):
        line = _worked(games, tmp_path, follower, max_steps=40, max_failures=8)
        log = read_log(log_path(tmp_path, "recorded.tfd"))
        outcome, final = log.judged()
        then = Outcome.from_json(line["outcome"])
        assert outcome == replace(then, costs=replace(then.costs, wall_s=0.0))
        assert then.costs.wall_s > 0 and final.goal_conditions_total == then.final.total  # type: ignore[union-attr]
        assert then.failed_actions == len(line["refused"])


def test_a_log_tells_what_was_said_seen_in_figures_answered_and_done(games: Path, tmp_path: Path) -> None:
    _worked(games, tmp_path, "recorded")
    log = read_log(log_path(tmp_path, "recorded.tfd"))
    said = [(one.speaker, one.text) for one in log.beginning.dialogue]
    assert said[0] == (Role.COMMANDER, "a mug, please") or said[0] == (Role.FOLLOWER, "a mug, please")
    names = [done.action and done.action.name for done in log.played.done]
    assert names[0] == "Pickup" and names[-1] == "Stop" and len(names) == log.played.steps
    assert log.played.done[0].result.object_id is not None
    assert log.played.done[1].pose.yaw != log.beginning.pose.yaw
    assert log.beginning.agent["spec"] == "recorded" and log.beginning.setting["simulator"] == "embedded"
    assert {"provenance", "privileges", "seed"} <= log.beginning.agent.keys()
    assert log.beginning.setting["settings"]["max_steps"] == 1000


def test_the_same_seed_leaves_the_same_log(games: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        _worked(games, tmp_path / name, "random", max_steps=20)
    first, second = (log_path(tmp_path / name, "recorded.tfd").read_bytes() for name in ("one", "two"))
    assert first == second and len(first) < 40_000


def test_pictures_show_the_room_and_the_way_however_long_it_is(games: Path, tmp_path: Path) -> None:
    _worked(games, tmp_path, "random", max_steps=40, max_failures=30)
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    steps = [name.split(".")[2] for name in names if ".room" not in name]
    assert "recorded.tfd.room0.jpg" in names and "recorded.tfd.room1.jpg" in names
    assert steps[0] == "00000" and 5 <= len(steps) <= 9
    _worked(games, tmp_path, "idle")
    again = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert len(again) == 4 and "recorded.tfd.00001.jpg" in again


def test_a_follower_that_hangs_is_timed_out_and_the_run_goes_on(games: Path, tmp_path: Path) -> None:
    settings = Settings("tests.benchmarks.tatc.bad_agents:Hangs", call_time_limit_s=0.5)
    run = FollowerRun(tmp_path, "tfd", settings, tfd_references(games=str(games)))
    run.play(time_limit_s=120)
    (line,) = run.records().values()
    assert line["status"] == Status.TIMED_OUT
    assert line["outcome"]["reason"] == "the follower gave no answer in step 0 within 0.5 s"
    assert run.summary()["status"]["timed_out"] == 1
    log = read_log(log_path(tmp_path, "recorded.tfd"))
    assert (log.played.status, log.played.steps, log.played.done) == (Status.TIMED_OUT, 1, ())


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "cannot be read"),
        (b"no gzip", "cannot be read"),
        (gzip.compress(b"{}", mtime=0), "is no record of an instance"),
        (gzip.compress(json.dumps({"format": "teach_agents.follower", "version": 1}).encode(), mtime=0), "is damaged"),
    ],
)
def test_a_broken_log_is_refused_by_name(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "x.json.gz"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=problem) as refused:
        read_log(path)
    assert "x.json.gz" in str(refused.value)


def test_a_player_goes_on_with_another_household_after_one_that_hung(games: Path) -> None:
    benchmark = TfdBenchmark("tests.benchmarks.tatc.bad_agents:Hangs", games=str(games), call_time_limit_s=0.3)
    (instance,) = benchmark.instances("train")
    for _ in range(2):
        assert benchmark.run(instance)["status"] == Status.TIMED_OUT
