"""A server without a store: sessions are played as anywhere, and nothing of them reaches the disk."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from teach_agents_serve import create_app
from teach_agents_serve.live_serving import LiveServing

from teach_agents.actions import Role
from tests.serve.live import made, running
from tests.serve.serving import request

_SAID = "my password is swordfish"
_REMOTE = "lm:model=https://me:secret@models.example.org/v1#large"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a server might write."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "TMPDIR", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def test_nothing_is_written(home: Path) -> None:
    agents = {Role.COMMANDER: {}, Role.FOLLOWER: {"planner": "planner"}}
    with running(create_app(live=LiveServing(None, agents))) as url:
        session = made(url, task="Coffee", room="FloorPlan1", commander="human", follower="planner")
        assert session.told()["recorded"] is False and session.told()["sends_to"] == ""
        act = {"action": {"name": "Text", "utterance": _SAID}}
        assert session.ask("POST", "/act", "commander", act).status == 200
        chat = {"model": "teach-follower", "messages": [{"role": "user", "content": _SAID}]}
        answer = request(
            url, "POST", "/v1/chat/completions", json.dumps(chat).encode(), {"Content-Type": "application/json"}
        )
        assert answer.status == 200, answer.text
        assert session.ask("POST", "/end", "commander").status == 200
        for route in ("/game", "/record", "/replay"):
            gone = session.ask("GET", route)
            assert gone.status == 404 and json.loads(gone.body)["error"] == "not_kept", gone.text
        assert session.told()["status"] == "ended"
    assert not [
        path
        for folder, _, files in os.walk(home)
        for path in files
        if _SAID.encode() in (Path(folder) / path).read_bytes()
    ]
    assert not list(home.rglob("*.sqlite*"))


def test_whose_machines_hear_what_is_said_is_told_without_secrets(tmp_path: Path) -> None:
    agents = {Role.COMMANDER: {}, Role.FOLLOWER: {"large": _REMOTE}}
    with running(create_app(live=LiveServing(tmp_path, agents))) as url:
        session = made(url, room="FloorPlan1", commander="human", follower="large")
        told = session.ask("GET", "", "commander")
        assert json.loads(told.body)["sends_to"] == "models.example.org" and "secret" not in told.text
