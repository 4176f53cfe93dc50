"""Whatever happens to AI2-THOR's process, the caller hears of it soon, and nothing is left behind."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from teach_agents.errors import InputError, SceneError, SimulatorError
from teach_agents.simulator import Scene, SimulatorAction
from teach_agents.simulator.thor import ThorSimulator
from tests.simulator.thor.support import QUIET, alive, children, gone_within

pytest.importorskip("ai2thor")
pytestmark = QUIET

_SOON = 5.0


@pytest.fixture
def thor() -> Iterator[ThorSimulator]:
    """A simulator on the double, with a scene; gone afterwards without a trace."""
    before, files = children(), _pipes()
    simulator = ThorSimulator(executable="double", start_time=120.0, step_time=60.0)
    simulator.reset(Scene("FloorPlan1"))
    yield simulator
    simulator.close()
    assert children() == before
    assert _pipes() == files


def _pipes() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("tmp*/server.pipe"))


def _process(simulator: ThorSimulator) -> int:
    assert simulator.process_id is not None
    return simulator.process_id


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_a_process_that_was_killed_is_an_error_at_the_next_action(thor: ThorSimulator, blow: int) -> None:
    os.kill(_process(thor), blow)
    began = time.monotonic()
    with pytest.raises(SimulatorError, match="RotateRight"):
        for _ in range(2):
            thor.step(SimulatorAction("RotateRight"))
    assert time.monotonic() - began < _SOON


@pytest.mark.parametrize("delay", [0.0, 0.013, 0.05, 0.11])
def test_a_process_killed_in_the_midst_of_an_action_is_an_error(thor: ThorSimulator, delay: float) -> None:
    killed: list[float] = []

    def kill(pid: int) -> None:
        killed.append(time.monotonic())
        os.kill(pid, signal.SIGKILL)

    threading.Timer(delay, kill, [_process(thor)]).start()
    with pytest.raises(SimulatorError):
        while True:
            thor.step(SimulatorAction("RotateRight"))
    assert time.monotonic() - killed[0] < _SOON


def test_a_process_that_hangs_is_ended(thor: ThorSimulator) -> None:
    thor.close()
    quick = ThorSimulator(executable="double", start_time=120.0, step_time=1.0)
    quick.reset(Scene("FloorPlan1"))
    pid = _process(quick)
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(SimulatorError, match="took longer than 1 s and was ended"):
        quick.step(SimulatorAction("RotateRight"))
    assert time.monotonic() - began < _SOON
    assert not alive(pid)


def test_after_an_error_the_next_reset_starts_anew(thor: ThorSimulator) -> None:
    first = _process(thor)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(SimulatorError):
        thor.step(SimulatorAction("Pass"))
    with pytest.raises(SimulatorError, match="before reset|was closed"):
        thor.step(SimulatorAction("Pass"))
    thor.reset(Scene("FloorPlan2"))
    assert thor.state.room == "FloorPlan2"
    assert _process(thor) != first


@pytest.mark.parametrize("executable", ["/bin/false --", "/bin/sh -c 'sleep 0.3' --"])
def test_an_executable_that_ends_at_once_is_an_error(executable: str) -> None:
    began = time.monotonic()
    with pytest.raises(SimulatorError, match="start AI2-THOR: .*doctor"):
        ThorSimulator(executable=executable).reset(Scene("FloorPlan1"))
    assert time.monotonic() - began < _SOON + 10.0  # the package's own import included


def test_an_executable_that_never_speaks_is_ended() -> None:
    before = children()
    with pytest.raises(SimulatorError, match="took longer than 1 s"):
        ThorSimulator(executable="/bin/sh -c 'sleep 100' --", start_time=1.0).reset(Scene("FloorPlan1"))
    assert children() == before


def test_an_executable_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SimulatorError, match="No such file"):
        ThorSimulator(executable="/nowhere/unity").reset(Scene("FloorPlan1"))


def test_two_at_once_do_not_disturb_each_other(thor: ThorSimulator) -> None:
    other = ThorSimulator(executable="double", start_time=120.0, step_time=60.0)
    other.reset(Scene("FloorPlan201"))
    assert thor.step(SimulatorAction("RotateRight")).success
    assert (thor.state.room, other.state.room) == ("FloorPlan1", "FloorPlan201")
    pid = _process(other)
    other.close()
    assert gone_within(pid, 10.0)
    assert thor.step(SimulatorAction("RotateRight")).success


def test_a_simulator_that_is_let_go_leaves_no_process() -> None:
    simulator = ThorSimulator(executable="double", start_time=120.0)
    simulator.reset(Scene("FloorPlan1"))
    pid = _process(simulator)
    del simulator
    gc.collect()
    assert gone_within(pid, 10.0)


def test_the_scene_survives_an_unknown_room(thor: ThorSimulator) -> None:
    with pytest.raises(SceneError, match="FloorPlan999"):
        thor.reset(Scene("FloorPlan999"))
    thor.reset(Scene("FloorPlan2"))
    assert thor.state.room == "FloorPlan2"


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="step_time"):
        ThorSimulator(step_time=0.0)
