from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from teach_agents.errors import TeachAgentsError
from teach_agents.workers import Supervisor


def _run(commands: dict[str, Sequence[str]], *, restarts: int = 5) -> tuple[int, list[str]]:
    told: list[str] = []
    supervisor = Supervisor(commands, variables=os.environ, restarts=restarts, told=told.append)
    return asyncio.run(asyncio.wait_for(supervisor.run(), 60)), told


def _sh(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


@pytest.mark.parametrize("status", [0, 3])
def test_the_environment_says_when_it_is_over(status: int) -> None:
    assert _run({"environment": _sh(f"exit {status}"), "commander": _sh("exit 0")})[0] == status


def test_whoever_dies_is_started_again(tmp_path: Path) -> None:
    dies = f"echo x >> {tmp_path}/lives; [ $(wc -l < {tmp_path}/lives) -ge 3 ] || kill -9 $$; exit 0"
    waits = f"while [ $(wc -l < {tmp_path}/lives) -lt 3 ]; do sleep 0.02; done"
    (tmp_path / "lives").touch()
    status, told = _run({"environment": _sh(waits), "follower": _sh(dies)})
    assert status == 0
    assert told.count("follower: ended with signal 9 (SIGKILL); it is replaced") == 2
    assert sum(text.startswith("follower: process ") for text in told) == 3


def test_what_is_refused_or_dies_too_often_ends_all(tmp_path: Path) -> None:
    lasting = [
        sys.executable,
        "-c",
        f"import os, time; open(r'{tmp_path}/pid', 'w').write(str(os.getpid())); time.sleep(90)",
    ]
    waits = f"while ! [ -s {tmp_path}/pid ]; do sleep 0.02; done; exit "
    with pytest.raises(TeachAgentsError, match="the follower cannot be started: exit status 2"):
        _run({"environment": lasting, "follower": _sh(waits + "2")})
    with pytest.raises(TeachAgentsError, match="the follower died 2 times"):
        _run({"environment": lasting, "follower": _sh(waits + "75")}, restarts=1)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_supervisor_that_is_ended_ends_all(tmp_path: Path) -> None:
    lasting = ["/bin/sh", "-c", f"echo $$ > {tmp_path}/$0; exec sleep 90"]

    async def run() -> None:
        commands = {"environment": [*lasting, "environment"], "follower": [*lasting, "follower"]}
        supervisor = Supervisor(commands, variables=os.environ, told=lambda text: None)
        running = asyncio.create_task(supervisor.run())
        for name in commands:
            while not ((tmp_path / name).exists() and (tmp_path / name).read_text()):
                await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(asyncio.wait_for(run(), 60))
    for name in ("environment", "follower"):
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / name).read_text()), 0)
