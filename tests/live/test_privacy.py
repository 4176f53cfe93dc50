"""What people say is nobody else's: logs hold none of it, and whose machines it is sent to is known."""

from __future__ import annotations

import ast
import logging
from pathlib import Path

import pytest

import teach_agents
from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.errors import InputError, trace_of
from teach_agents.live import sends_to
from teach_agents.observations import Observation
from tests.live.support import heard, held, run, setting

SECRET = "my password is swordfish"
_ROOT = Path(teach_agents.__file__).parents[1]
_TELLING = [
    path
    for folder in ("teach_agents/live", "teach_agents/chat", "teach_agents/agents", "serve/teach_agents_serve")
    for path in sorted((_ROOT / folder).rglob("*.py"))
]


class Blabber(Agent):
    """Raises what was said to it."""

    def act(self, observation: Observation) -> Action:
        if said := observation.heard():
            try:
                raise KeyError(said)
            except KeyError as error:
                raise InputError("reading", "is not understood", value=said) from error
        return Action.wait()


def test_logs_hold_nothing_that_was_said(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with held(setting(follower="mine"), None, lambda role, spec: Blabber()) as live:
            await live.say(Role.COMMANDER, SECRET)
            failed = await heard(live, "failed")
            assert SECRET in failed.data["problem"], "whoever sits there is told"

    with caplog.at_level(logging.DEBUG):
        run(play)
    assert "InputError" in caplog.text and "KeyError" in caplog.text and "test_privacy.py" in caplog.text
    assert "swordfish" not in caplog.text


def test_traces_name_kinds_and_places_alone() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise InputError("reading", SECRET) from error
    except InputError as error:
        told = trace_of(error)
    assert told.splitlines()[0] == "InputError" and "KeyError" in told and "swordfish" not in told


@pytest.mark.parametrize("path", _TELLING, ids=lambda path: path.relative_to(_ROOT).as_posix())
def test_no_log_is_handed_a_whole_exception(path: Path) -> None:
    """A traceback with its message may hold what was said."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ast.unparse(node.func.value) == "_LOG"
        ):
            assert node.func.attr != "exception" and not any(one.arg == "exc_info" for one in node.keywords)


@pytest.mark.parametrize(
    ("spec", "host"),
    [
        ("planner", ""),
        ("lm:model=default", ""),
        ("lm:model=https://me:secret@api.example.com:8443/v1#large", "api.example.com"),
        ('lm:model="http://localhost:8000/v1#small"', ""),
        ('lm:model="http://127.0.0.1:8000/v1#small"', ""),
        ('lm:model="langchain:openai:gpt-5,attempts=2"', "openai"),
        ('lm:model="langchain:ollama:small"', ""),
        ("https://agents.example.org/follower", "agents.example.org"),
        ('planner:understanding="lm:model=https://b.example/v1#x"', "b.example"),
        ('lm:model=https://a.example/v1#x,understanding="lm:model=https://b.example/v1#x"', "a.example and b.example"),
    ],
)
def test_whose_machines_hear_what_is_said_follows_from_the_spec(spec: str, host: str) -> None:
    assert sends_to(spec) == host
