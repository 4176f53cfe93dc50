"""The same seed gives the same bytes: in other processes, under other hash seeds, threads and processors."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.simulator.embedded import golden

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
        seen.update(repr(simulator.step(SimulatorAction("GetVisibleObjects"))).encode())
        frame = simulator.view(follower_camera(simulator.state.agent), frozenset(Channel), size=160)
        for channel in (frame.rgb, frame.ids, frame.depth):
            seen.update(channel.tobytes())
    for state in simulator.state.objects.values():
        seen.update(repr(state).encode())
print(seen.hexdigest())
"""
PLAIN = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-AVX512F",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
}
"""A processor without wide vectors and fused multiplication, to numba, to the C library and to numpy.

Numba keeps the kernels of every processor apart; `make kernels` compiles these, too.
"""


def _output(arguments: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.strip()


def _digest(**environment: str) -> str:
    return _output(["-c", SCRIPT], environment)


def test_states_and_pictures_repeat_in_other_processes() -> None:
    one = _digest(PYTHONHASHSEED="1", NUMBA_NUM_THREADS="2")
    assert len(one) == 64
    assert _digest(PYTHONHASHSEED="2", NUMBA_NUM_THREADS="1") == one


def test_pictures_are_those_that_were_kept() -> None:
    """`python tests/simulator/embedded/golden.py --update` keeps new ones when looks were changed on purpose."""
    assert golden.drawn() == json.loads(golden.KEPT.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_states_and_pictures_do_not_depend_on_the_processor() -> None:
    assert _digest(**PLAIN) == _digest()


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
def test_known_pictures_are_drawn_by_any_processor_and_number_of_threads(threads: str) -> None:
    there = _output([str(golden.__file__)], {**PLAIN, "NUMBA_NUM_THREADS": threads})
    assert json.loads(there) == golden.drawn()
