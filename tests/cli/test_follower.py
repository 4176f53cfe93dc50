"""`teach-agents edh` and `teach-agents tfd` as a user runs them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.data import write_game
from tests import warm
from tests.benchmarks.edh.sessions import errand

COMMAND = [sys.executable, "-c", "from teach_agents.cli.main import main; main()"]


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one session."""
    folder = tmp_path_factory.mktemp("teach")
    write_game(errand(), folder / "games" / "train" / "recorded.game.json")
    return folder


def test_a_run_says_where_its_summary_is_and_goes_on_where_it_stopped(data: Path) -> None:
    (data / "names.txt").write_text("recorded.edh0.json\nrecorded.edh1.json\n")
    arguments = ("edh", "--games", "games", "--names", "names.txt", "--out", "run")
    done = _run(*arguments, cwd=data)
    assert done.returncode == 0, done.stderr
    assert "run/summary.json" in done.stdout
    summary = json.loads((data / "run" / "summary.json").read_text())
    assert (summary["n"], summary["success"]["success_rate"], summary["complete"]) == (2, 1.0, True)
    assert list(summary["traj_stats"]) == ["recorded.edh0", "recorded.edh1"]

    records = (data / "run" / "records.jsonl").read_bytes()
    assert warm.command_line(*arguments, cwd=data).returncode == 0
    assert (data / "run" / "records.jsonl").read_bytes() == records
    other = warm.command_line(*arguments, "--seed", "1", cwd=data)
    assert other.returncode == 2 and "a run with other settings" in other.stderr


def test_mistakes_name_the_option_and_what_would_be_valid(data: Path) -> None:
    mistakes = {
        ("edh", "--games", "absent"): "--games: no such file or folder",
        ("tfd", "--instances", "absent"): "--instances: no such file or folder",
        ("edh", "--games", "games", "--names", "edh_valid_seen_20"): "did you mean 'edh_valid_seen_200'",
        ("edh", "--games", "games", "--names", "valid_seen_60"): "must be named '<game_id>.edh<N>'",
        ("edh", "--games", "games", "--follower", "randon"): "did you mean 'random'",
        ("edh", "--games", "games", "--simulator", "unity"): "no simulator of this name is registered",
    }
    for words, expected in mistakes.items():
        done = warm.command_line(*words, "--out", "mistaken", cwd=data)
        assert done.returncode == 2 and expected in done.stderr, done.stderr
        assert not (data / "mistaken").exists()


def test_a_run_in_which_everything_broke_down_says_so_by_its_status(data: Path) -> None:
    done = _run("tfd", "--games", "games", "--follower", "tests.serve.agents:broken", "--out", "broken", cwd=data)
    assert done.returncode == 3, done.stderr
    assert "No instance came to an end of its own" in done.stderr and "broken/summary.json" in done.stdout
    assert json.loads((data / "broken" / "summary.json").read_text())["status"]["crashed"] == 1
    again = warm.command_line("tfd", "--out", "broken", "--resume", cwd=data)
    assert again.returncode == 3 and (data / "broken" / "report.html").exists()


def test_a_shard_and_an_id_choose(data: Path) -> None:
    done = warm.command_line(
        "tfd", "--games", "games", "--id", "recorded.tfd", "--shard", "1/2", "--out", "shard", cwd=data
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((data / "shard" / "summary.json").read_text())["n"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("concurrent", ["1", "3"])
def test_a_run_that_is_killed_three_times_ends_with_the_summary_of_one_that_was_not(
    tmp_path: Path, concurrent: str
) -> None:
    for number in range(10):
        game = replace(errand().episode, episode_id=f"game{number}")
        write_game(replace(errand(), episodes=(game,)), tmp_path / "games" / "train" / f"game{number}.game.json")
    arguments = ("tfd", "--games", "games", "--shard", "1/2", "--follower", "random", "--out")
    records = tmp_path / "killed" / "records.jsonl"
    for kept in (1, 2, 4):
        again = ["--resume"] if records.exists() else []
        process = subprocess.Popen(
            [*COMMAND, *arguments, "killed", "--concurrent", concurrent, *again],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 200
        while (not records.exists() or records.read_bytes().count(b"\n") < kept) and time.monotonic() < deadline:
            assert process.poll() is None, "it ended by itself"
            time.sleep(0.004)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert warm.command_line("tfd", "--out", "../killed", "--resume", cwd=elsewhere).returncode == 0
    assert warm.command_line(*arguments, "whole", cwd=tmp_path).returncode == 0
    summaries = [(tmp_path / folder / "summary.json").read_bytes() for folder in ("killed", "whole")]
    assert summaries[0] == summaries[1]
    assert json.loads(summaries[0])["n"] == 5


def test_mistakes_are_one_line_and_start_nothing(data: Path) -> None:
    games = ("--games", "games")
    mistakes = {
        ("tfd",): "needs instances=FOLDER",
        ("tfd", "--games", "absent"): "no such file or folder",
        ("tfd", *games, "--shard", "3"): "--shard: must be i/n",
        ("tfd", *games, "--shard", "2/2"): "has none of the 1 instances",
        ("tfd", *games, "--only", "recorded.tdf"): "No such option",
        ("tfd", *games, "--id", "recorded.tdf"): "did you mean 'recorded.tfd'",
        ("tfd", *games, "--follower", "randm"): "did you mean 'random'",
        ("edh", *games, "--simulator", "unity"): "'unity'",
    }
    for arguments, expected in mistakes.items():
        done = warm.command_line(*arguments, "--out", "wrong", cwd=data)
        assert done.returncode == 2, (arguments, done.stderr)
        assert expected in done.stderr, done.stderr
    assert not (data / "wrong").exists()
