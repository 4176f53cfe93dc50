"""`teach-agents fidelity` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from teach_agents.core.benchmark.statistics import wilson
from teach_agents.data import write_game
from tests import warm
from tests.benchmarks.fidelity.recording import AHEAD, BACK, on, record


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sessions that go here as they are recorded."""
    folder = tmp_path_factory.mktemp("games")
    write_game(record(on("Pickup", "Apple"), BACK, AHEAD, on("Place", "CounterTop")), folder / "a.game.json")
    write_game(record(BACK, AHEAD, AHEAD), folder / "b.game.json")
    return folder


def test_a_run_prints_its_figures_and_writes_them(games: Path, tmp_path: Path) -> None:
    done = warm.command_line(
        "fidelity", "--games", str(games), "--json", "deep/f.json", "--out", "run", "--workers", "2", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "over 2 recorded sessions" in done.stdout and "run/report.html" in done.stdout
    found = json.loads((tmp_path / "deep" / "f.json").read_text(encoding="utf8"))
    assert found["sessions"] == 2 and found["clicks"]["all"] == {"value": 1.0, "n": 2, "ci": wilson(1.0, 2)}
    assert found["replay"]["unaided"]["all"]["identical"]["value"] == 1.0
    assert (tmp_path / "run" / "figures.json").read_bytes() == (tmp_path / "deep" / "f.json").read_bytes()
    assert (tmp_path / "run" / "report.html").stat().st_size > 2000


def test_the_first_games_alone_can_be_asked_for(games: Path, tmp_path: Path) -> None:
    done = warm.command_line("fidelity", "--games", str(games), "--limit", "1", "--json", "f.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "f.json").read_text(encoding="utf8"))["sessions"] == 1


def test_a_session_that_cannot_be_replayed_is_named_and_the_rest_is_measured(games: Path, tmp_path: Path) -> None:
    (tmp_path / "a.game.json").write_bytes((games / "a.game.json").read_bytes())
    (tmp_path / "bad.game.json").write_text("{}", encoding="utf8")
    done = warm.command_line("fidelity", "--games", str(tmp_path), "--json", "f.json", cwd=tmp_path)
    assert done.returncode == 1 and "bad crashed" in done.stderr
    found = json.loads((tmp_path / "f.json").read_text(encoding="utf8"))
    assert [one["game_id"] for one in found["failed"]] == ["bad"] and found["sessions"] == 2
    assert found["clicks"]["all"]["n"] == 2 and found["replay"]["unaided"]["all"]["pose_exact"]["value"] == 0.5


def test_mistakes_are_said_before_anything_runs(tmp_path: Path) -> None:
    for arguments, expected in {
        ("--games", "absent"): "no such file or folder",
        ("--games", "."): "holds no file named *.game.json",
        ("--games", ".", "--limit", "0"): "--limit",
        ("--games", ".", "--click-size", "5000"): "--click-size",
        (): "--games",
    }.items():
        done = warm.command_line("fidelity", *arguments, cwd=tmp_path)
        assert done.returncode == 2 and expected in done.stderr, (arguments, done.stderr)
    assert not list(tmp_path.iterdir())
