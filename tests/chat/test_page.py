"""`teach-agents chat` without a terminal: a server of one's own, a session in it, a browser that is shown the link."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import InputError, MissingExtraError
from tests.chat.test_terminal import COFFEE, PATIENCE_S, RUN
from tests.serve.serving import request

COMMAND = [part for part in RUN if part != "--terminal"]


def test_the_browser_is_shown_the_commanders_chair_of_a_session(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "BROWSER": str(browser)}
    with subprocess.Popen([*COMMAND, *COFFEE], env=env, stdout=subprocess.PIPE, text=True) as command:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not opened.exists() and time.monotonic() < deadline and command.poll() is None:
                time.sleep(0.05)
            link = opened.read_text().strip()
            assert command.stdout is not None and link in command.stdout.readline()
            url, _, seat = link.partition("/#/live/")
            session, _, key = seat.partition("?key=")
            mine = {"Authorization": f"Bearer {key}"}
            told = json.loads(request(url, "GET", f"/v1/live/{session}", headers=mine).text)
            assert (told["you"], told["task_name"]) == ("commander", "Coffee")
            assert told["chairs"] == {"commander": "human", "follower": "planner"}
            assert "<html" in request(url, "GET", "/", headers={"Accept": "text/html"}).text
        finally:
            command.send_signal(signal.SIGINT)
            assert command.wait(PATIENCE_S) == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--record", "x.jsonl"], "goes with --terminal"),
        (["--task", "No Such Task", "--terminal"], "is not known"),
        (["--room", "FloorPlan999", "--terminal"], "FloorPlan999"),
        (["--follower", "nobody", "--terminal"], "nobody"),
        (["--record", "x.jsonl", "--resume", "y.jsonl", "--terminal"], "stays in its file"),
        (["--resume", "missing.jsonl", "--terminal"], "cannot be read"),
        (["--follower", "nobody"], "nobody"),
        (["--hook", "nothing"], "nothing"),
        (["--hook", "nothing", "--terminal", "--record", "x.jsonl"], "nothing"),
        (["--hook", "recovery", "--resume", "y.jsonl", "--terminal"], "keeps its hooks"),
        (["--game", "missing.json"], "missing.json: no such file"),
    ],
)
def test_what_cannot_be_is_refused(options: list[str], problem: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["chat", *options])
    assert isinstance(result.exception, InputError) and problem in str(result.exception)
    assert not [*tmp_path.iterdir()]


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teach_agents.cli.mcp.find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["mcp"])
    assert isinstance(result.exception, MissingExtraError) and "teach-agents[mcp]" in str(result.exception)
