"""A TATC run: durable, resumable, and nothing an agent does can lose a session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.tatc.instances import game_instances, generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.core.benchmark.reporting.page import write_report
from teach_agents.core.benchmark.statistics import wilson
from teach_agents.data import read_game
from teach_agents.errors import InputError

BAD = "tests.benchmarks.tatc.bad_agents"


def _run(folder: Path, follower: str = "random", count: int = 2, **settings: Any) -> TatcRun:
    instances = generated_instances(count, seed=3, tasks=["Coffee", "Water Plant"])
    chosen = TatcSettings(commander="silent", follower=follower, **{"max_turns": 12, "pictures": 1, **settings})
    return TatcRun(folder, chosen, instances)


def _played(folder: Path, follower: str = "random", time_limit_s: float = 120.0, **settings: Any) -> dict[str, Any]:
    run = _run(folder, follower, **settings)
    run.play(workers=1, time_limit_s=time_limit_s)
    return run.summary()


def test_a_run_leaves_summary_report_records_and_games(tmp_path: Path) -> None:
    run = _run(tmp_path)
    seen: list[str] = []
    run.play(workers=2, on_episode=lambda episode: seen.append(episode["instance_id"]))
    summary = run.summary()
    assert sorted(seen) == ["generated-3-0000", "generated-3-0001"]
    assert summary["simulator"] == "embedded" and summary["n"] == 2 and summary["complete"]
    assert summary["success_rate"] == 0.0 and summary["success_rate_ci"] == wilson(0.0, 2)
    assert set(summary["by_task"]) == {"Coffee", "Water Plant"}
    assert summary["by_task"]["Coffee"]["n"] == 1
    assert summary["privileges"] == {"commander": [], "follower": []}
    page = write_report(run.folder).read_text(encoding="utf8")
    assert 5 <= page.count("data:image/jpeg") <= 11 and "rule-based pair" in page and "http" not in page
    assert [episode["replay_differences"] for episode in run.episodes().values()] == [[], []]
    game = read_game(tmp_path / "games" / "generated-3-0000.game.json")
    assert game.task.task_name == "Coffee" and game.episode.interactions


def test_a_run_that_was_cut_off_goes_on_to_the_same_summary(tmp_path: Path) -> None:
    whole = _played(tmp_path / "whole", count=3)
    cut = tmp_path / "cut"
    _run(cut, count=3).play(workers=1)
    episodes = cut / "episodes.jsonl"
    text = episodes.read_text()
    episodes.write_text(text[: text.index("\n") + 40])
    assert _played(cut, count=3) == whole
    assert len(_run(cut, count=3).episodes()) == 3


def test_a_folder_with_another_run_is_refused(tmp_path: Path) -> None:
    run = _run(tmp_path, count=1)
    run.play()
    with pytest.raises(InputError, match="other settings"):
        _run(tmp_path, count=1, max_turns=13)
    with pytest.raises(InputError, match="other instances"):
        _run(tmp_path, count=3)
    with pytest.raises(InputError, match="other instances"):
        TatcRun(tmp_path, run.settings, generated_instances(1, seed=3, tasks=["Salad"]))
    (tmp_path / "settings.json").write_text("{'garbled")
    with pytest.raises(InputError, match="cannot be read"):
        _run(tmp_path, count=1)


def test_a_folder_in_which_nothing_was_played_may_be_taken_over(tmp_path: Path) -> None:
    _run(tmp_path)
    assert _run(tmp_path, max_turns=13).settings.max_turns == 13
    assert json.loads((tmp_path / "settings.json").read_text())["settings"]["max_turns"] == 13


def test_lines_that_are_no_episodes_are_passed_over(tmp_path: Path) -> None:
    _run(tmp_path, count=1).play()
    episodes = tmp_path / "episodes.jsonl"
    episodes.write_bytes(b'[1]\n{"a": 1}\n\xff\x00\n' + episodes.read_bytes())
    assert list(_run(tmp_path, count=1).episodes()) == ["generated-3-0000"]


def test_an_unfinished_run_counts_what_is_missing_as_failed(tmp_path: Path) -> None:
    summary = _run(tmp_path).summary()
    assert summary["n"] == 2 and summary["missing"] == 2 and not summary["complete"]
    assert summary["success_rate"] == 0.0


@pytest.mark.parametrize(
    ("agent", "limit", "status", "reason"),
    [
        ("Raises", 120.0, "crashed", "my planner found no plan"),
        ("Dies", 120.0, "crashed", "exit code 3"),
        ("Hangs", 3.0, "timed_out", "no result within 3 s"),
    ],
)
def test_an_agent_that_goes_wrong_fails_its_session_with_the_reason(
    tmp_path: Path, agent: str, limit: float, status: str, reason: str
) -> None:
    summary = _played(tmp_path, f"{BAD}:{agent}", time_limit_s=limit, count=1)
    assert (summary["n"], summary["success_rate"], summary[status]) == (1, 0.0, 1)
    episode = json.loads((tmp_path / "episodes.jsonl").read_text())
    assert episode["status"] == status and reason in episode["reason"]
    assert episode["task_name"] == "Coffee"
    run = _run(tmp_path, f"{BAD}:{agent}", count=1)
    assert reason in write_report(run.folder).read_text(encoding="utf8")


def test_an_answer_that_takes_too_long_ends_its_session_alone(tmp_path: Path) -> None:
    summary = _played(tmp_path, f"{BAD}:Hangs", count=2, call_time_limit_s=0.5)
    assert (summary["n"], summary["timed_out"]) == (2, 2)
    first = json.loads((tmp_path / "episodes.jsonl").read_text().splitlines()[0])
    assert "follower" in first["reason"] and "0.5" in first["reason"]


def test_answers_that_are_no_action_are_failed_actions(tmp_path: Path) -> None:
    summary = _played(tmp_path, f"{BAD}:TalksNonsense", count=1, max_failures=5)
    episode = json.loads((tmp_path / "episodes.jsonl").read_text())
    assert summary["crashed"] == 0 and episode["end_reason"] == "failure_limit"
    assert episode["failures"]["follower"] == 5


def test_an_unknown_agent_is_a_crash_that_names_it(tmp_path: Path) -> None:
    _played(tmp_path, "plannner", count=1)
    assert "plannner" in json.loads((tmp_path / "episodes.jsonl").read_text())["reason"]


def test_the_same_seed_plays_the_same_sessions(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _played(tmp_path / name)
    for file in ("records/generated-3-0000.jsonl", "records/generated-3-0001.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_game_whose_episode_dies_counts_with_all_its_goal_conditions(tmp_path: Path) -> None:
    made = _run(tmp_path / "made", count=1)
    made.play()
    whole = made.episodes()["generated-3-0000"]
    games = game_instances([tmp_path / "made" / "games"])
    run = TatcRun(tmp_path / "dies", TatcSettings(commander="silent", follower=f"{BAD}:Dies", pictures=0), games)
    run.play()
    episode = run.episodes()["generated-3-0000"]
    assert (episode["status"], episode["initial"]) == ("crashed", whole["initial"])
    assert episode["reference_length"] == whole["length"]
    summary = run.summary()
    assert summary["goal_condition_success_micro"] == 0.0 and summary["path_weighted_n"] == 1


def test_a_garbled_game_fails_alone_and_says_why(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    run = _run(tmp_path / "made", count=1)
    run.play()
    good = (tmp_path / "made" / "games" / "generated-3-0000.game.json").read_text()
    (games / "good.game.json").write_text(good)
    (games / "cut.game.json").write_text(good[: len(good) // 2])
    (games / "other.game.json").write_text('{"tasks": []}')
    chosen = TatcSettings(commander="silent", follower="random", max_turns=5, pictures=0)
    mixed = TatcRun(tmp_path / "mixed", chosen, game_instances([games]))
    mixed.play()
    episodes = mixed.episodes()
    assert [episodes[name]["status"] for name in ("cut", "good", "other")] == ["crashed", "done", "crashed"]
    assert "cut.game.json" in episodes["cut"]["reason"] and "GameFileError" in episodes["cut"]["reason"]
    summary = mixed.summary()
    assert (summary["n"], summary["crashed"]) == (3, 2)
    assert not list((tmp_path / "mixed").rglob("*.part"))
