"""Weights are loaded beside everything else, once it is known that an agent is wanted."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading

import pytest

from teach_agents.core.agents.contract import Agent
from teach_agents.core.agents.preload import preload
from teach_agents.core.errors import TeachAgentsError

LIMIT_S = 20.0


class Heavy(Agent):
    """Loads once it may."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.loaded_by: list[threading.Thread] = []

    def load(self) -> None:
        assert self.may.wait(LIMIT_S)
        self.loaded_by.append(threading.current_thread())

    def act(self, observation: object) -> object:
        return None


def test_an_agent_is_loaded_by_a_thread_that_nobody_waits_for() -> None:
    agent = Heavy()
    loading = preload(agent)
    assert not agent.loaded_by
    agent.may.set()
    loading.join(LIMIT_S)
    assert agent.loaded_by == [loading] != [threading.current_thread()]


def test_what_cannot_be_loaded_is_left_to_be_told_where_it_is_needed(caplog: pytest.LogCaptureFixture) -> None:
    class Missing(Heavy):
        def load(self) -> None:
            raise TeachAgentsError("there are no weights")

    with caplog.at_level(logging.INFO, "teach_agents.core.agents.preload"):
        preload(Missing()).join(LIMIT_S)
    assert "Missing could not be made ready ahead" in caplog.text


ENDING = """
import time
from teach_agents.core.agents.contract import Agent
from teach_agents.core.agents.preload import preload

class Slow(Agent):
    def load(self):
        time.sleep(0.3)
        print("loaded", flush=True)

preload(Slow())
print("over", flush=True)
"""


def test_a_process_ends_when_what_is_being_loaded_is_whole() -> None:
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["over", "loaded"] and not done.stderr
