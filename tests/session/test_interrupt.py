"""Ctrl-C in the middle of a session, as it happens: a signal to a process."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from teach_agents.actions import Action
from teach_agents.agents import ScriptedAgent
from teach_agents.session import EndReason, read_record, replay, resume_session
from tests.session.support import small_household

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """
import signal, sys, time
from teach_agents import Action, ScriptedAgent, run_session
from tests.session.support import scenario, small_household

class Slow(ScriptedAgent):
    def act(self, observation):
        time.sleep(0.02)
        return super().act(observation)

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs are started with it ignored
run_session(small_household(), Slow([]), Slow([Action("Turn Left")] * 900), scenario(), record=sys.argv[1])
"""


def test_a_session_that_is_interrupted_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    running = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path)], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not path.exists() or path.read_bytes().count(b"\n") < 6):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=30)
    assert running.returncode != 0
    assert "KeyboardInterrupt" in errors
    record = read_record(path)
    assert record.result is None
    assert len(record.turns) >= 5
    assert replay(record, small_household()).identical

    class Slow(ScriptedAgent):
        """Goes by the same name as the agent of the interrupted process."""

    stopping = Slow([Action("Turn Left")] * len(record.turns), then=Action.stop())
    result = resume_session(small_household(), Slow([]), stopping, path)
    assert (result.end_reason, result.turns) == (EndReason.STOPPED, len(record.turns) + 1)
