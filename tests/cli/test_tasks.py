"""`teach-agents tasks`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from teach_agents.cli.tasks import app
from teach_agents.data import read_game
from teach_agents.errors import DefinitionError
from tests.data.samples import sample_game
from tests.tasks.objects import atom, definition, thing

RUNNER = CliRunner()
GAME_ID = "0123456789abcdef_0123"


def _write_game(folder: Path, game_id: str = GAME_ID, *, task_name: str = "Coffee", **keys: Any) -> Path:
    """A Coffee game whose `custom_object_metadata` describes the end in both states, as in the released files."""
    data = sample_game().to_json()
    task = data["tasks"][0]
    task |= {"task_name": task_name, "task_params": keys.get("params", []), "task_nparams": len(keys.get("params", []))}
    mug = {**thing("Mug", 1), "name": "Mug_1", "rotation": {"x": 0, "y": 0, "z": 0}}
    end = {"simbotIsFilledWithCoffee": True}
    episode = task["episodes"][0]
    episode["episode_id"] = game_id
    for state, objects in (("initial_state", [mug]), ("final_state", [{**mug, **keys.get("end", end)}])):
        episode[state] |= {"objects": objects, "custom_object_metadata": {mug["objectId"]: end}}
    path = folder / f"{game_id}.game.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert read_game(path).game_id == game_id
    return path


def test_check_prints_one_json_line_per_game_and_state(tmp_path: Path) -> None:
    _write_game(tmp_path)
    done = RUNNER.invoke(app, ["check", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        f'{{"game_id": "{GAME_ID}", "state": "initial", "success": false, '
        '"goal_conditions_total": 3, "goal_conditions_satisfied": 2}',
        f'{{"game_id": "{GAME_ID}", "state": "final", "success": true, '
        '"goal_conditions_total": 3, "goal_conditions_satisfied": 3}',
    ]
    assert done.stderr == ""


def test_check_tells_people_what_is_open_at_the_end(tmp_path: Path) -> None:
    path = _write_game(tmp_path, end={"isDirty": True})
    done = RUNNER.invoke(app, ["check", str(path)])
    assert "final    open      1/3  Coffee" in done.stdout
    assert f"    {thing('Mug', 1)['objectId']}: This mug must be washed under running water." in done.stdout


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_text("{"), "truncated"),
        (lambda path: path.write_text("[]"), str(GAME_ID)),
        (lambda path: path.write_bytes(b"\xff"), "UTF-8"),
    ],
)
def test_a_bad_file_is_named_once_and_the_others_are_judged(tmp_path: Path, spoil: Any, words: str) -> None:
    bad = _write_game(tmp_path)
    _write_game(tmp_path, "fedcba9876543210_3210")
    spoil(bad)
    done = RUNNER.invoke(app, ["check", str(tmp_path), str(tmp_path / "none.json"), "--json"])
    assert done.exit_code == 1
    assert [json.loads(line)["game_id"] for line in done.stdout.splitlines()] == ["fedcba9876543210_3210"] * 2
    assert len(done.stderr.splitlines()) == 2
    assert f"{bad}" in done.stderr
    assert words in done.stderr
    assert f"{tmp_path / 'none.json'}: no such file" in done.stderr


def test_objects_with_properties_of_nonsense_types_are_named(tmp_path: Path) -> None:
    path = _write_game(tmp_path, task_name="Clean All X", params=["Mug"], end={"simbotObjectClass": 3})
    done = RUNNER.invoke(app, ["check", str(path)])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"teach-agents: {path}: an object has a property that cannot be judged (TypeError")


def test_a_game_of_an_unknown_task_is_named(tmp_path: Path) -> None:
    path = _write_game(tmp_path, task_name="Tutorial With Egg")
    done = RUNNER.invoke(app, ["check", str(path)])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"teach-agents: {path}: task: is not known; got 'Tutorial With Egg'")


def test_check_judges_by_other_definitions_when_asked(tmp_path: Path) -> None:
    path = _write_game(tmp_path)
    folder = tmp_path / "definitions"
    folder.mkdir()
    data = definition("Coffee", components={"x": atom({"objectType": "Mug"}, "2")})
    (folder / "1__coffee.json").write_text(json.dumps(data), encoding="utf-8")
    done = RUNNER.invoke(app, ["check", str(path), "--json", "--definitions", str(folder)])
    assert [json.loads(line)["goal_conditions_total"] for line in done.stdout.splitlines()] == [2, 2]


def test_list_names_every_task() -> None:
    done = RUNNER.invoke(app, ["list"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert sum(line.startswith("│") for line in done.stdout.splitlines()) == 26, "TEACh's 25, and free play"


def test_show_explains_parameters_and_puts_them_in_place() -> None:
    written = RUNNER.invoke(app, ["show", "N Slices Of X In Y"], env={"COLUMNS": "200"}).stdout
    assert "#1: #0 x task 'Sliced X' (#1)" in written
    assert "object type" in written
    placed = RUNNER.invoke(app, ["show", "Salad", "1", "2", "0"], env={"COLUMNS": "200"}).stdout
    assert "2 x task 'Sliced X'" in placed
    assert "Potato" not in placed


def test_show_refuses_what_it_does_not_know() -> None:
    done = RUNNER.invoke(app, ["show", "Salat"])
    assert isinstance(done.exception, DefinitionError)
    assert "did you mean 'Salad'" in str(done.exception)


@pytest.mark.data
def test_check_reads_released_games(teach_data: Path) -> None:
    games = sorted((teach_data / "games" / "valid_seen").glob("*.game.json"))[:25]
    done = RUNNER.invoke(app, ["check", *map(str, games), "--json"])
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["state"] for line in lines] == ["initial", "final"] * 25
    assert all(line["success"] for line in lines if line["state"] == "final")
