"""Property tests: whatever is done in whatever room, the world stays a world."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teach_agents.simulator import EmbeddedSimulator, ObjectState, Scene, SimulatorAction
from teach_agents.simulator.contract import SimulatorState
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
from teach_agents.simulator.embedded.world import digest

_MOTIONS = ("MoveAhead", "MoveBack", "MoveLeft", "MoveRight", "RotateLeft", "RotateRight", "LookUp", "LookDown", "Pass")
_ON_OBJECTS = (
    "PickupObject",
    "PutObject",
    "OpenObject",
    "CloseObject",
    "ToggleObjectOn",
    "ToggleObjectOff",
    "SliceObject",
    "BreakObject",
    "CookObject",
    "DirtyObject",
    "CleanObject",
    "FillObjectWithLiquid",
    "EmptyLiquidFromObject",
    "UseUpObject",
)
_ONE_WAY = ("is_sliced", "is_broken", "is_cooked", "is_used_up")

rooms = st.sampled_from(ROOM_NAMES)
seeds = st.integers(min_value=0, max_value=2**32 - 1)
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _draw(rng: random.Random, state: SimulatorState) -> SimulatorAction:
    """A motion, a drop, or an action on some object, forced half of the time."""
    if rng.random() < 0.2:
        return SimulatorAction(rng.choice((*_MOTIONS, "DropHeldObject")))
    name = rng.choice(_ON_OBJECTS)
    wanted = _LIKELY.get(name)
    ids = [i for i, o in state.objects.items() if wanted is None or wanted(o)] or list(state.objects)
    return SimulatorAction(name, rng.choice(ids), force=rng.random() < 0.8, liquid=rng.choice(("water", "coffee")))


_LIKELY = {
    "PickupObject": lambda o: o.kind.pickupable,
    "PutObject": lambda o: o.kind.receptacle,
    "OpenObject": lambda o: o.kind.openable,
    "CloseObject": lambda o: o.is_open,
    "ToggleObjectOn": lambda o: o.kind.toggleable,
    "SliceObject": lambda o: o.kind.sliceable,
    "BreakObject": lambda o: o.kind.breakable,
    "FillObjectWithLiquid": lambda o: o.kind.fillable,
    "DirtyObject": lambda o: o.kind.dirtyable,
}


def _started(room: str) -> EmbeddedSimulator:
    simulator = EmbeddedSimulator(breakable=True)
    simulator.reset(Scene(room))
    return simulator


def _check_places(state: SimulatorState) -> None:
    held = [i for i, o in state.objects.items() if o.is_picked_up]
    assert held == ([state.held] if state.held else [])
    for object_id, obj in state.objects.items():
        assert object_id == obj.object_id
        assert len(set(obj.parents)) == len(obj.parents)
        assert len(set(obj.contents)) == len(obj.contents)
        assert all(object_id in state.objects[parent].contents for parent in obj.parents)
        assert all(object_id in state.objects[inner].parents for inner in obj.contents)
        if obj.is_picked_up or not obj.exists:
            assert obj.parents == ()
        if not obj.exists:
            assert obj.contents == ()
            assert obj.is_sliced or obj.is_broken


@few
@given(rooms, seeds)
def test_objects_are_conserved_and_have_one_place(room: str, seed: int) -> None:
    simulator, rng = _started(room), random.Random(seed)
    for _ in range(60):
        before = dict(simulator.state.objects)
        simulator.step(_draw(rng, simulator.state))
        after = simulator.state.objects
        assert list(after)[: len(before)] == list(before)
        new = [i for i in after if i not in before]
        bases = {i.rpartition("|")[0] for i in new}
        assert all(base in before and before[base].exists and not after[base].exists for base in bases)
        _check_places(simulator.state)


def _effects(before: ObjectState, after: ObjectState) -> list[str]:
    return [name for name in _ONE_WAY if getattr(before, name) and not getattr(after, name)]


@few
@given(rooms, seeds)
def test_one_way_states_are_never_undone_and_kinds_never_change(room: str, seed: int) -> None:
    simulator, rng = _started(room), random.Random(seed)
    for _ in range(60):
        before = dict(simulator.state.objects)
        simulator.step(_draw(rng, simulator.state))
        for object_id, was in before.items():
            now = simulator.state.objects[object_id]
            assert now.kind is was.kind
            assert _effects(was, now) == []
            assert was.exists or not now.exists


@few
@given(rooms, seeds)
def test_states_stay_within_what_a_kind_can_be(room: str, seed: int) -> None:
    simulator, rng = _started(room), random.Random(seed)
    for _ in range(60):
        simulator.step(_draw(rng, simulator.state))
    for obj in simulator.state.objects.values():
        assert obj.kind.openable or not obj.is_open
        assert obj.kind.toggleable or not obj.is_toggled
        assert obj.kind.dirtyable or not obj.is_dirty
        assert (obj.liquid is not None) is obj.is_filled
        assert obj.kind.fillable or not obj.is_filled
        assert obj.kind.cookable or not obj.is_cooked
        assert obj.kind.pickupable or not obj.is_picked_up
        assert obj.temperature in ("RoomTemp", "Hot", "Cold")


@few
@given(rooms, seeds)
def test_a_refused_action_changes_no_object_but_by_time(room: str, seed: int) -> None:
    simulator, rng = _started(room), random.Random(seed)
    for _ in range(40):
        before = dict(simulator.state.objects)
        pose = simulator.state.agent
        outcome = simulator.step(_draw(rng, simulator.state))
        if not outcome.success:
            assert outcome.error
            assert simulator.state.agent == pose
            changed = [i for i, o in simulator.state.objects.items() if o is not before.get(i)]
            assert all(
                before[i].temperature != "RoomTemp" and simulator.state.objects[i].temperature == "RoomTemp"
                for i in changed
            )


@settings(max_examples=12, deadline=None)
@given(rooms, seeds)
def test_the_same_actions_give_the_same_bytes(room: str, seed: int) -> None:
    digests = []
    for _ in range(2):
        simulator, rng = _started(room), random.Random(seed)
        for _ in range(40):
            simulator.step(_draw(rng, simulator.state))
        digests.append(digest(simulator.state))
    assert digests[0] == digests[1]
