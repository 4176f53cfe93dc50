"""Many sessions in one process: memory stays where it is. SOAK_SESSIONS lengthens it."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from teach_agents import EmbeddedSimulator, Household, Limits, RandomFollower, Scenario, Scene, SilentCommander
from teach_agents.session import run_session

SESSIONS = int(os.environ.get("SOAK_SESSIONS", "40"))
WARM_UP = 20
ALLOWED_MIB = 20.0 + 0.1 * SESSIONS
"""Caches still fill; a world that outlives its session costs about 0.8 MiB each time."""


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _play(household: Household, number: int) -> None:
    scene = Scene(room=f"FloorPlan{1 + number % 30}", randomize=True)
    scenario = Scenario(f"soak {number}", "Coffee", (), scene, seed=number)
    result = run_session(
        household, SilentCommander(), RandomFollower(), scenario, limits=Limits(max_turns=60, max_failures=60)
    )
    assert not result.end_reason.broken, result.reason


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc to read the memory in use")
def test_memory_does_not_grow_from_session_to_session() -> None:
    household = Household(EmbeddedSimulator())
    for number in range(WARM_UP):
        _play(household, number)
    gc.collect()
    before = _resident_mib()
    for number in range(WARM_UP, WARM_UP + SESSIONS):
        _play(household, number)
    gc.collect()
    assert _resident_mib() - before < ALLOWED_MIB
