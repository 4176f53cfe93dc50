from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents import EmbeddedSimulator, Household, Session
from teach_agents.cli.main import app
from teach_agents.core.specs import build
from teach_agents.live import make_scenario
from tests.bus.redis_server import RedisServer, redis_server

_LIMIT_S = 240


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


def _undisturbed(path: Path) -> bytes:
    commander, follower = (build("agent", "planner", role=role) for role in ("commander", "follower"))
    session = Session(Household(EmbeddedSimulator()), commander, follower, record=path)
    asyncio.run(session.run(make_scenario("Coffee", room="FloorPlan7"), session_id="s1"))
    return path.read_bytes()


@pytest.mark.slow
def test_each_of_the_four_is_killed_in_the_middle_and_the_record_is_the_same(
    server: RedisServer, tmp_path: Path
) -> None:
    record = tmp_path / "s1.jsonl"
    command = [sys.executable, "-c", "from teach_agents.cli.main import main; main()", "worker", "all", "--json"]
    command += ["--record", str(record), "--task", "Coffee", "--room", "FloorPlan7", "--views", "none"]
    variables = {**os.environ, "TEACH_AGENTS_BUS": server.url}
    running = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    try:
        killed = _kill_each(running.stderr, record, {5: ("follower", "commander"), 15: ("environment", "recorder")})
        said, words = running.communicate(timeout=_LIMIT_S)
    finally:
        running.kill()
    assert sorted(killed) == ["commander", "follower"]
    assert "environment: ended with signal 9" in words and "recorder: ended with signal 9" in words
    assert running.returncode == 0
    assert json.loads(said)["success"] is True
    assert record.read_bytes() == _undisturbed(tmp_path / "near.jsonl")


def _kill_each(told: Iterator[str], record: Path, plan: dict[int, tuple[str, ...]]) -> list[str]:
    """Kill workers when the record has so many lines; the supervisor's words say who they are, and that they died."""
    processes: dict[str, int] = {}
    killed: list[str] = []
    for lines, names in plan.items():
        while len(processes) < 4:
            found = re.match(r"(\w+): (process|ended with signal) (\d+)", next(told))
            assert found is not None
            name, what, number = found.groups()
            if what == "process":
                processes[name] = int(number)
            else:
                killed.append(name)
        while not record.exists() or record.read_bytes().count(b"\n") < lines:
            time.sleep(0.002)
        for name in names:
            os.kill(processes.pop(name), signal.SIGKILL)
    return killed


def _refused(*words: str, variables: dict[str, str] | None = None) -> tuple[int, str]:
    command = [sys.executable, "-c", "from teach_agents.cli.main import main; main()", "worker", *words]
    done = subprocess.run(command, env={**os.environ, **(variables or {})}, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def test_a_redis_that_is_not_there_is_said_without_its_password() -> None:
    variables = {"TEACH_AGENTS_BUS": "redis://:secret@127.0.0.1:1/0"}
    for words in (["follower", "--session", "s"], ["all", "--record", "s.jsonl"]):
        status, said = _refused(*words, "--outage", "0.2", variables=variables)
        assert status == 75
        assert "redis://...@127.0.0.1:1/0 has not answered for 0.2 s" in said
        assert "secret" not in said


def test_what_is_no_picture_or_no_address_is_refused() -> None:
    runner = CliRunner()
    for words, problem in (
        (["commander", "--session", "s", "--views", "inside"], "no such picture"),
        (["commander", "--session", "s", "--bus", "localhost"], "needs an address redis://"),
        (["commander", "--session", "s", "--agent", "nobody"], "nobody"),
    ):
        done = runner.invoke(app, ["worker", *words])
        assert problem in str(done.exception)


def test_help_teaches() -> None:
    runner = CliRunner()
    for name in ("all", "environment", "commander", "follower", "recorder"):
        done = runner.invoke(app, ["worker", name, "--help"])
        assert done.exit_code == 0, done.exception
        assert f"teach-agents worker {name} --" in done.output
