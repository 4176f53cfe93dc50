"""Randomised states: as many and as varied as TEACh's, in place, and the same for the same seed everywhere."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from teach_agents.simulator import EmbeddedSimulator, Scene, SimulatorAction
from teach_agents.simulator.contract import SimulatorState
from teach_agents.simulator.embedded.world import digest

_DIGEST = """
from teach_agents.simulator import EmbeddedSimulator, Scene
from teach_agents.simulator.embedded.world import digest
simulator = EmbeddedSimulator()
simulator.reset(Scene("FloorPlan401", randomize=True), seed=5)
print(digest(simulator.state))
"""


def _randomized(room: str, seed: int) -> SimulatorState:
    simulator = EmbeddedSimulator()
    simulator.reset(Scene(room, randomize=True), seed=seed)
    return simulator.state


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    ours = digest(_randomized("FloorPlan401", 5))
    for hash_seed in ("1", "2"):
        theirs = subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert theirs.stdout.strip() == ours


def test_worlds_of_the_same_room_and_seed_are_alike_and_apart() -> None:
    one, other = EmbeddedSimulator(), EmbeddedSimulator()
    for simulator in (one, other):
        simulator.reset(Scene("FloorPlan401", randomize=True), seed=5)
    before = digest(other.state)
    assert digest(one.state) == before
    one.step(SimulatorAction("RotateRight"))
    assert digest(one.state) != digest(other.state) == before


def test_seeds_differ() -> None:
    assert len({digest(_randomized("FloorPlan402", seed)) for seed in range(4)}) == 4


@pytest.mark.parametrize("room", ["FloorPlan1", "FloorPlan212", "FloorPlan305", "FloorPlan411"])
def test_a_randomised_room_keeps_its_furniture_and_holds_one_to_three_of_a_type(room: str) -> None:
    plain, mixed = EmbeddedSimulator(), _randomized(room, 2)
    plain.reset(Scene(room))
    for object_id, obj in plain.state.objects.items():
        if not obj.kind.pickupable:
            assert mixed.objects[object_id].position == obj.position
    before = Counter(o.object_type for o in plain.state.objects.values() if o.kind.pickupable)
    after = Counter(o.object_type for o in mixed.objects.values() if o.kind.pickupable)
    assert after.keys() == before.keys()
    assert all(before[kind] <= count <= max(3, before[kind]) for kind, count in after.items())


def test_ids_are_in_the_format_of_files_and_consistent() -> None:
    state = _randomized("FloorPlan3", 1)
    for object_id, obj in state.objects.items():
        assert object_id == obj.object_id
        if obj.kind.pickupable:
            assert len(object_id.split("|")) == 4
            assert object_id.split("|")[0] == obj.object_type
        assert all(object_id in state.objects[parent].contents for parent in obj.parents)
        assert all(object_id in state.objects[inner].parents for inner in obj.contents)


def test_most_things_move_and_lie_inside_their_receptacle() -> None:
    plain = EmbeddedSimulator()
    plain.reset(Scene("FloorPlan1"))
    places = {tuple(obj.position) for obj in plain.state.objects.values()}
    things = [obj for obj in _randomized("FloorPlan1", 7).objects.values() if obj.kind.pickupable]
    moved = [obj for obj in things if tuple(obj.position) not in places]
    assert len(moved) > 0.7 * len(things)
    state = _randomized("FloorPlan1", 7)
    for obj in moved:
        box = state.objects[obj.parents[0]].box
        assert box.low.x - 0.05 < obj.box.center.x < box.high.x + 0.05
        assert box.low.z - 0.05 < obj.box.center.z < box.high.z + 0.05


def test_coins_are_fair_and_burners_are_hot_where_their_knob_is_on() -> None:
    dirty: Counter[bool] = Counter()
    for seed in range(6):
        state = _randomized("FloorPlan5", seed)
        for obj in state.objects.values():
            if obj.kind.dirtyable:
                dirty[obj.is_dirty] += 1
            for burner in obj.kind.controls:
                assert (state.objects[burner].temperature == "Hot") is obj.is_toggled
    assert 0.2 < dirty[True] / dirty.total() < 0.8


def test_the_body_stands_on_a_reachable_cell_and_faces_a_quarter() -> None:
    simulator = EmbeddedSimulator()
    simulator.reset(Scene("FloorPlan220", randomize=True), seed=3)
    positions = simulator.step(SimulatorAction("GetReachablePositions")).value
    assert isinstance(positions, tuple)
    assert simulator.state.agent.position in positions
    assert simulator.state.agent.yaw % 90.0 == 0.0


def test_the_spawn_action_moves_things_but_makes_none() -> None:
    simulator = EmbeddedSimulator()
    simulator.reset(Scene("FloorPlan404"))
    before = {i: o.position for i, o in simulator.state.objects.items()}
    assert simulator.step(SimulatorAction("InitialRandomSpawn", magnitude=4)).success
    assert simulator.state.objects.keys() == before.keys()
    assert any(obj.position != before[i] for i, obj in simulator.state.objects.items())
