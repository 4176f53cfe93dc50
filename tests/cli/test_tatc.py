"""`teach-agents` as a user runs it, `tatc` above all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.data import write_game
from tests import warm
from tests.benchmarks.edh.sessions import errand

SCRIPT = """
import signal
from teach_agents.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs are started with it ignored
main()
"""
COMMAND = [sys.executable, "-c", SCRIPT, "tatc"]


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


def test_a_run_says_where_summary_and_report_are(tmp_path: Path) -> None:
    done = _run("--task", "Water Plant", "--generate", "1", "--seed", "5", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "run/summary.json" in done.stdout and "run/report.html" in done.stdout
    row = next(line for line in done.stderr.splitlines() if "Water Plant" in line and "│" in line)
    assert row.split("│")[-2].strip() == "–" and "100.0 – 100.0" not in row
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["n"] == 1 and summary["by_task"]["Water Plant"]["n"] == 1
    assert summary["seed"] == 5 and summary["crashed"] == summary["timed_out"] == 0


def test_mistakes_are_one_line_and_start_nothing(tmp_path: Path) -> None:
    mistakes = {
        ("--task", "Cofee"): "did you mean 'Coffee'",
        ("--task", "Boil X:Mug"): "no such object can be boiled; got 'Mug'; valid: ",
        ("--room", "FloorPlan99"): "'FloorPlan99'",
        ("--follower", "plannner"): "did you mean 'planner'",
        ("--follower", "planner:mod=low"): "'mod'",
        ("--follower", "planner:mode=loud"): "'loud'",
        ("--follower", "silent"): "commander",
        ("--follower", "nowhere:Agent"): "No module named 'nowhere'",
        ("--follower", "https://example.org/agent"): "remote",
        ("--follower", "json:JSONDecoder"): "Agent",
        ("--hook", "mumbling"): "noisy_speech",
        ("--simulator", "unity"): "'unity'",
        ("--games", "absent"): "--games: no such file or folder",
        ("--names", "valid_seen_60"): "say with --games where they are",
        ("--generate", "0"): "at least 1",
        ("--generate", "2", "--shard", "3/3"): "has none of the 2 instances",
        ("--shard", "0/3"): "must be i/n",
        ("--engine", "rey"): "did you mean 'ray'",
        ("--resume",): "there is no run to go on with",
    }
    for arguments, expected in mistakes.items():
        done = warm.command_line("tatc", *arguments, cwd=tmp_path)
        assert done.returncode == 2, (arguments, done.stderr)
        assert expected in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    done = warm.command_line("tatc", "--generate", "1", "--out", "taken", cwd=tmp_path)
    assert done.returncode == 2 and "taken" in done.stderr and "cannot be written" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_that_cannot_be_written_is_one_line_whatever_the_command(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    done = warm.command_line("data", "get", "taken/below", cwd=tmp_path)
    assert done.returncode == 2 and done.stderr == "teach-agents: taken/below: Not a directory\n"


@pytest.mark.slow
def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    arguments = ["--commander", "silent", "--follower", "random", "--generate", "12", "--pictures", "0", "--out", "run"]
    process = subprocess.Popen([*COMMAND, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    episodes = tmp_path / "run" / "episodes.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (episodes.exists() and episodes.read_text().count("\n") >= 2):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and b"teach-agents tatc --out run --resume" in errors
    interrupted = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert interrupted["n"] == 12 and interrupted["missing"] > 0 and not interrupted["complete"]
    done = _run("--out", "run", "--resume", "--workers", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    finished = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert (finished["complete"], finished["follower"], finished["n"]) == (True, "random", 12)


def _alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[:1]


def _eventually(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="workers are found through /proc")
def test_a_run_that_is_killed_takes_its_workers_along_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "sleeper.py").write_text(
        "import os, time\n\ndef sleep(seen):\n    open('worker', 'w').write(str(os.getpid()))\n    time.sleep(300)\n"
    )
    arguments = ["--task", "Coffee", "--room", "FloorPlan7", "--generate", "1", "--pictures", "0", "--out", "run"]
    agents = ["--commander", "silent", "--follower", "sleeper:sleep"]
    process = subprocess.Popen([*COMMAND, *arguments, *agents], cwd=tmp_path, stderr=subprocess.DEVNULL)
    noted = tmp_path / "worker"
    assert _eventually(lambda: noted.exists() and bool(noted.read_text()))
    second = _run(*arguments, *agents, cwd=tmp_path)
    assert second.returncode == 2 and "another process" in second.stderr
    process.kill()
    process.wait()
    assert _eventually(lambda: not _alive(int(noted.read_text())))
    done = _run(*arguments, "--max-turns", "3", "--commander", "silent", "--follower", "random", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_list_chooses_among_games(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        episode = replace(errand().episode, episode_id=name)
        write_game(replace(errand(), episodes=(episode,)), tmp_path / "games" / f"{name}.game.json")
    (tmp_path / "names.txt").write_text("two.game.json\none\n")
    pair = ("--commander", "silent", "--follower", "tests.serve.agents:broken", "--pictures", "0")
    done = _run("--games", "games", "--names", "names.txt", *pair, "--out", "run", cwd=tmp_path)
    assert done.returncode == 3 and "No instance came to an end of its own" in done.stderr, done.stderr
    episodes = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()
    assert [json.loads(line)["instance_id"] for line in episodes] == ["two", "one"]
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["crashed"] == 2
