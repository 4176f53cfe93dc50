"""`teach-agents train data` and `train export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.actions import Role
from teach_agents.cli.main import app
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration, write_demonstrations

RUNNER = CliRunner()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "made.jsonl.gz"
    choices = ("wash the mug", "wait")
    made = [
        Demonstration(f"s{n}", "self-play", role, "Do it.", "Well?", choices, "wait") for n, role in enumerate(Role)
    ]
    write_demonstrations(path, made)
    return path


def test_help_teaches() -> None:
    for command in ("people", "self-play"):
        words = RUNNER.invoke(app, ["train", "data", command, "--help"], env={"COLUMNS": "200"}).output
        assert f"teach-agents train data {command}" in words
    assert "--show-choices" in RUNNER.invoke(app, ["train", "export", "--help"], env={"COLUMNS": "200"}).output


def test_chats_hold_the_prompt_the_right_choice_and_what_was_offered(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "chats" / "some.jsonl"
    said = RUNNER.invoke(app, ["train", "export", "--data", str(data), "--out", str(out)])
    assert said.exit_code == 0, said.output
    rows = [json.loads(line) for line in out.read_text("utf8").splitlines()]
    assert [row["metadata"]["role"] for row in rows] == ["commander", "follower"]
    assert rows[0]["messages"] == [
        {"role": "system", "content": "Do it."},
        {"role": "user", "content": "Well?"},
        {"role": "assistant", "content": "wait"},
    ]
    assert rows[0]["metadata"]["choices"] == ["wash the mug", "wait"]


def test_one_role_with_the_choices_in_the_prompt(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "some.jsonl"
    words = ["train", "export", "--data", str(data), "--out", str(out), "--role", "follower", "--show-choices"]
    assert RUNNER.invoke(app, words).exit_code == 0
    (row,) = map(json.loads, out.read_text("utf8").splitlines())
    assert row["metadata"]["role"] == "follower"
    assert "wash the mug" in row["messages"][1]["content"]


def test_what_cannot_be_exported_is_refused(data: Path, tmp_path: Path) -> None:
    for words, told in (
        (["--data", str(data), "--role", "cook"], "--role"),
        (["--data", str(tmp_path / "absent")], "absent"),
    ):
        said = RUNNER.invoke(app, ["train", "export", *words, "--out", str(tmp_path / "out.jsonl")])
        assert isinstance(said.exception, InputError)
        assert told in str(said.exception)
    assert not (tmp_path / "out.jsonl").exists()


def test_sessions_that_agents_are_judged_by_are_refused(tmp_path: Path) -> None:
    games = tmp_path / "test_seen"
    games.mkdir()
    (games / "a.game.json").write_text("{}")
    for command in ("people", "self-play"):
        words = ["train", "data", command, "--games", str(games), "--out", str(tmp_path / "out")]
        said = RUNNER.invoke(app, words)
        assert isinstance(said.exception, InputError)
        assert "test_seen" in str(said.exception)
