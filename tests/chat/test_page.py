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


def _page(env: dict[str, str], *options: str) -> Any:
    command = [*COMMAND, *COFFEE, "--no-browser", *options]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def _seat(command: Any) -> tuple[str, str, dict[str, str]]:
    """The server's address, the session, and the header with the chair's key."""
    url, _, seat = command.stdout.readline().removeprefix("Your chair: ").strip().partition("/#/live/")
    session, _, key = seat.partition("?key=")
    return url, session, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}


def _said(command: Any, words: str) -> dict[str, Any]:
    """Say something from one's chair and end the session; the session as it was told of."""
    url, session, mine = _seat(command)
    said = json.dumps({"action": {"name": "Text", "utterance": words}}).encode()
    assert request(url, "POST", f"/v1/live/{session}/act", said, mine).status == 200
    told: dict[str, Any] = json.loads(request(url, "GET", f"/v1/live/{session}", headers=mine).text)
    assert request(url, "POST", f"/v1/live/{session}/end", b"", mine).status == 200
    return told


@pytest.mark.parametrize("kept", [True, False])
def test_what_was_said_is_kept_unless_it_is_not_to_be_and_forgotten_on_request(tmp_path: Path, kept: bool) -> None:
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    with _page(env, *([] if kept else ["--no-record"])) as command:
        try:
            told = _said(command, "my password is swordfish")
            assert told["recorded"] is kept and told["sends_to"] == "" and told["pace_s"] == 0.25
            forgetting = subprocess.run([*COMMAND, "--forget", "--yes"], env=env, capture_output=True, text=True)
            assert ("it stays" if kept else "Nothing was kept") in forgetting.stdout
        finally:
            command.send_signal(signal.SIGINT)
            assert command.wait(PATIENCE_S) == 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(b"swordfish" in path.read_bytes() for path in files) is kept and (kept or not files)
    if not kept:
        return
    for answer, left in (("n", True), ("y", False)):
        asked = subprocess.run([*COMMAND, "--forget"], env=env, input=answer, capture_output=True, text=True)
        assert str(tmp_path) in asked.stdout and "sessions with all that was said" in asked.stdout
        assert any(path.is_file() for path in tmp_path.rglob("*")) is left


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
        (["--no-record", "--record", "x.jsonl", "--terminal"], "does not go with --no-record"),
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
