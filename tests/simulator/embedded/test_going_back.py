"""Dry runs: a moment is remembered, anything happens, and the moment is back bit for bit."""

from __future__ import annotations

import pytest

from teach_agents.errors import SimulatorError
from teach_agents.simulator.contract import Channel, Scene, SimulatorAction, follower_camera
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.simulator.embedded.world import World, digest

IDS = frozenset({Channel.IDS})


def _kitchen() -> EmbeddedSimulator:
    simulator = EmbeddedSimulator()
    simulator.reset(Scene("FloorPlan1"))
    return simulator


def _first(simulator: EmbeddedSimulator, object_type: str) -> str:
    return next(i for i, obj in simulator.state.objects.items() if obj.object_type == object_type)


def _do(simulator: EmbeddedSimulator, name: str, object_type: str) -> None:
    outcome = simulator.step(SimulatorAction(name, object_id=_first(simulator, object_type), force=True))
    assert outcome.success, outcome.error


def _seen(simulator: EmbeddedSimulator) -> set[str]:
    frame = simulator.view(follower_camera(simulator.state.agent), IDS, size=120)
    assert frame.ids is not None
    return {frame.object_ids[index] for index in frame.ids.ravel().tolist() if index >= 0}


def test_a_moment_comes_back_bit_for_bit() -> None:
    simulator = _kitchen()
    _do(simulator, "PickupObject", "Mug")
    before, version = digest(simulator.state), simulator.state.version
    memory = simulator.remember()
    _do(simulator, "PutObject", "CounterTop")
    _do(simulator, "OpenObject", "Fridge")
    simulator.step(SimulatorAction("MoveAhead"))
    assert digest(simulator.state) != before
    simulator.recall(memory)
    assert digest(simulator.state) == before and simulator.state.held == _first(simulator, "Mug")
    assert simulator.state.version > version


def test_a_moment_can_come_back_more_than_once() -> None:
    simulator = _kitchen()
    before = digest(simulator.state)
    memory = simulator.remember()
    for object_type in ("Mug", "Apple"):
        _do(simulator, "PickupObject", object_type)
        simulator.recall(memory)
        assert digest(simulator.state) == before and simulator.state.held is None


def test_slices_are_gone_from_state_and_sight() -> None:
    simulator = _kitchen()
    state = simulator.state
    assert isinstance(state, World)
    _seen(simulator)
    memory = simulator.remember()
    _do(simulator, "SliceObject", "Bread")
    slices = state.of_type("BreadSliced")
    _seen(simulator)
    assert slices
    simulator.recall(memory)
    assert not state.of_type("BreadSliced") and not set(slices) & set(state.objects)
    assert _seen(simulator) <= set(state.objects)
    assert state.objects[_first(simulator, "Bread")].exists


def test_what_follows_a_moment_is_the_same_as_if_nothing_had_been_tried() -> None:
    tried, plain = _kitchen(), _kitchen()
    for simulator in (tried, plain):
        _do(simulator, "ToggleObjectOn", "StoveKnob")
        _do(simulator, "ToggleObjectOff", "StoveKnob")
        simulator.step(SimulatorAction("Pass"))
    memory = tried.remember()
    for _ in range(12):
        tried.step(SimulatorAction("Pass"))
    assert digest(tried.state) != digest(plain.state), "the burner has cooled"
    tried.recall(memory)
    for _ in range(12):
        assert digest(tried.state) == digest(plain.state)
        for simulator in (tried, plain):
            simulator.step(SimulatorAction("Pass"))


def test_the_body_walks_as_before() -> None:
    simulator = _kitchen()
    memory = simulator.remember()
    _do(simulator, "SliceObject", "Apple")
    reachable = simulator.step(SimulatorAction("GetReachablePositions")).value
    simulator.recall(memory)
    assert simulator.step(SimulatorAction("GetReachablePositions")).value == reachable


def test_a_memory_ends_with_its_scene() -> None:
    simulator = _kitchen()
    memory = simulator.remember()
    simulator.reset(Scene("FloorPlan1"))
    with pytest.raises(SimulatorError, match="another scene"):
        simulator.recall(memory)
    with pytest.raises(SimulatorError, match="before reset"):
        EmbeddedSimulator().remember()
