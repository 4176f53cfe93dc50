"""`teach-agents train`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import write_demonstrations
from teach_agents.learning.gathering import DEMONSTRATIONS
from tests.learning.conftest import sessions
from tests.models import tiny

RUNNER = CliRunner()


def test_its_help_teaches() -> None:
    words = " ".join(RUNNER.invoke(app, ["train", "commander", "--help"], env={"COLUMNS": "200"}).output.split())
    for part in ("teach-agents train commander --data", "--resume", "training.json", "--held-out", "lm:model="):
        assert part in words


def test_it_trains_goes_on_with_nothing_but_the_folder_and_plays_if_asked(tmp_path: Path) -> None:
    pytest.importorskip("peft")
    base = tiny.build_chat(tmp_path / "base")
    data = tmp_path / "play"
    data.mkdir()
    write_demonstrations(data / DEMONSTRATIONS, sessions(12))
    out = tmp_path / "out"
    words = ["train", "follower", "--out", str(out), "--minutes", "0.00001", "--device", "cpu", "--checks", "1"]
    said = RUNNER.invoke(app, [*words, "--data", str(data), "--base", f"hf:{base}", "--held-out", "0.2", "--rank", "2"])
    assert said.exit_code == 0, said.output
    assert f"teach-agents train follower --out {out} --resume" in said.output
    assert json.loads((out / "training.json").read_text("utf8"))["ended"] == "time"
    gone_on = RUNNER.invoke(app, ["train", "follower", "--out", str(out), "--resume", "--check-games", "1"])
    assert gone_on.exit_code == 0, gone_on.output
    assert "held-out decisions: loss" in gone_on.output and f"adapter={out}" in gone_on.output
    made = json.loads((out / "training.json").read_text("utf8"))
    assert (made["ended"], made["settings"]["rank"]) == ("finished", 2)
    assert "TATC with the planner:" in gone_on.output and (made["games"]["n"], made["games"]["partner"]) == (
        1,
        "planner",
    )


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--data", "x.jsonl"], "--out"),
        (["--out", "OUT"], "--data"),
        (["--out", "OUT", "--resume"], "no training in this folder"),
        (["--out", "OUT", "--data", "OUT/none.jsonl"], "none.jsonl"),
        (["--out", "OUT", "--data", "x.jsonl", "--rank", "0"], "--rank"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, words: list[str], problem: str) -> None:
    given = [word.replace("OUT", str(tmp_path)) for word in words]
    done = RUNNER.invoke(app, ["train", "follower", *given])
    assert isinstance(done.exception, InputError) and problem in str(done.exception)
