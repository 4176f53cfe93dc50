"""The same seed gives the same bytes: in other processes, under other hash seeds, threads and processors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import hashlib
from teach_agents.simulator.contract import Channel, Scene, SimulatorAction, follower_camera
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

seen = hashlib.sha256()
simulator = EmbeddedSimulator()
for room, seed in (("FloorPlan1", 0), ("FloorPlan212", 3), ("FloorPlan305", 4), ("FloorPlan410", 5)):
    simulator.reset(Scene(room, randomize=True), seed=seed)
    for name in ("RotateLeft", "MoveAhead", "LookDown"):
        seen.update(repr(simulator.step(SimulatorAction(name))).encode())
        frame = simulator.view(follower_camera(simulator.state.agent), frozenset(Channel), size=160)
        for channel in (frame.rgb, frame.ids, frame.depth):
            seen.update(channel.tobytes())
    for state in simulator.state.objects.values():
        seen.update(repr(state).encode())
print(seen.hexdigest())
"""


def _digest(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.strip()


def test_states_and_pictures_repeat_in_other_processes() -> None:
    one = _digest(PYTHONHASHSEED="1")
    assert len(one) == 64
    assert _digest(PYTHONHASHSEED="2", NUMBA_NUM_THREADS="1") == one


@pytest.mark.slow
def test_pictures_do_not_depend_on_the_processor(tmp_path: Path) -> None:
    assert _digest(NUMBA_CPU_NAME="generic", NUMBA_CACHE_DIR=str(tmp_path)) == _digest()
