from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from teach_agents.actions import Action
from teach_agents.agents import RandomCommander, RandomFollower
from teach_agents.cli.replay import replay
from teach_agents.data import game_files, read_game
from teach_agents.errors import InputError, RecordError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.session import run_session
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

app = typer.Typer()
app.command()(replay)


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "session.jsonl"
    scenario = Scenario("s1", "Coffee", (), Scene("FloorPlan1", randomize=True), 3)
    agents = RandomCommander(), RandomFollower(stops=False)
    limits = Limits(max_turns=40, max_failures=None)
    run_session(Household(EmbeddedSimulator(), view_size=100), *agents, scenario, limits=limits, record=path)
    return path


def test_a_record_replays_to_the_identical_state(record: Path) -> None:
    done = _run(record, "--verify")
    assert done.exit_code == 0, done.output
    assert "Coffee in FloorPlan1: 40 turns, turn_limit" in done.output
    assert "identical" in done.output


def test_a_record_that_was_tampered_with_is_found_out(record: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    lines = record.read_text().splitlines(keepends=True)
    action = Action("Turn Left").to_json()
    line = next(number for number, text in enumerate(lines) if f'"name":"{action["name"]}"' in text)
    lines[line] = lines[line].replace('"Turn Left"', '"Turn Right"')
    other.write_text("".join(lines))
    assert _run(other).exit_code == 0
    done = _run(other, "--verify")
    assert done.exit_code == 1
    assert "The replay parts from the record" in done.output


def test_a_record_becomes_a_game_that_replays_too(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "s1.game.json"
    assert f"Written: {file}" in _run(record, "--to-game", file).output
    assert read_game(file).task.task_name == "Coffee"
    done = _run(file)
    assert done.exit_code == 0, done.output
    assert "recorded actions carried out" in done.output
    again = _run(file, "--to-game", tmp_path / "again.game.json")
    assert isinstance(again.exception, InputError)


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello\n")
    assert isinstance(_run(tmp_path / "x").exception, RecordError)


@pytest.mark.data
def test_people_are_replayed_on_the_embedded_simulator(teach_data: Path) -> None:
    first = next(iter(game_files(teach_data / "games" / "valid_seen")))
    done = _run(first)
    assert done.exit_code == 0, done.output
    assert "Recorded:    the task is complete" in done.output
