"""Whether a simulator's state keeps what the contract says of it: at one moment, and from one moment to the next."""

from __future__ import annotations

import math
from collections.abc import Iterator

from teach_agents.simulator.contract import ObjectState, Outcome, Simulator, SimulatorAction, SimulatorState

_NEEDS = {
    "is_open": "openable",
    "is_toggled": "toggleable",
    "is_broken": "breakable",
    "is_filled": "fillable",
    "is_dirty": "dirtyable",
    "is_sliced": "sliceable",
    "is_picked_up": "pickupable",
}
"""What only an object of some affordance can be."""
_TEMPERATURES = frozenset({"Cold", "Hot", "RoomTemp"})


def check_state(state: SimulatorState) -> None:
    """Raise `AssertionError`, with what is wrong, for a state that contradicts itself."""
    wrong = [*_body(state), *_hand(state)]
    for object_id, obj in state.objects.items():
        wrong += [f"{object_id} {problem}" for problem in (*_places(state, object_id, obj), *_condition(obj))]
    assert not wrong, "; ".join(wrong)


def _body(state: SimulatorState) -> Iterator[str]:
    agent = state.agent
    if not all(map(math.isfinite, (*agent.position, agent.yaw, agent.horizon))):
        yield f"the body stands nowhere: {agent}"
    if not (0.0 <= agent.yaw <= 360.0 and -30.01 <= agent.horizon <= 60.01):
        yield f"the body looks beyond its limits: {agent}"


def _hand(state: SimulatorState) -> Iterator[str]:
    taken = [object_id for object_id, obj in state.objects.items() if obj.is_picked_up]
    if taken != ([] if state.held is None else [state.held]):
        yield f"the hand holds {state.held}, and picked up are {taken}"


def _places(state: SimulatorState, object_id: str, obj: ObjectState) -> Iterator[str]:
    if object_id != obj.object_id:
        yield f"is listed with the value of {obj.object_id}"
    for others, inverse in ((obj.parents, "contents"), (obj.contents, "parents")):
        if len(set(others)) < len(others) or object_id in others:
            yield f"lists a thing twice, or itself: {others}"
        lost = [i for i in others if i not in state.objects or object_id not in getattr(state.objects[i], inverse)]
        if lost:
            yield f"is not among the {inverse} of {lost}"
    if obj.is_picked_up and obj.parents:
        yield f"is in the hand and in {obj.parents}"
    if not obj.exists and (obj.parents or obj.contents or obj.is_picked_up):
        yield "is gone, and still somewhere"


def _condition(obj: ObjectState) -> Iterator[str]:
    for flag, affordance in _NEEDS.items():
        if getattr(obj, flag) and not getattr(obj.kind, affordance):
            yield f"has {flag}, and is not {affordance}"
    if not all(map(math.isfinite, (*obj.position, *obj.rotation, *obj.box.center, *obj.box.size))):
        yield f"has no place: {obj.position}, {obj.rotation}, {obj.box}"
    if min(obj.box.size) < 0 or (obj.corners is not None and len(obj.corners) != 8):
        yield f"has no shape: {obj.box}, {obj.corners}"
    if not 0.0 <= obj.openness <= 1.0 or obj.temperature not in _TEMPERATURES:
        yield f"is open by {obj.openness}, or of temperature {obj.temperature!r}"
    if obj.liquid is not None and not obj.is_filled:
        yield f"is empty, and holds {obj.liquid}"


def stepped(simulator: Simulator, action: SimulatorAction) -> Outcome:
    """Carry out an action; raise `AssertionError` where what follows from it is not as the contract says."""
    state = simulator.state
    version, rest, objects = state.version, (state.room, state.agent, state.held), dict(state.objects)
    outcome = simulator.step(action)
    assert isinstance(outcome, Outcome)
    assert outcome.success or outcome.error, f"{action} was refused without a word"
    state = simulator.state
    check_state(state)
    changed = [i for i, obj in state.objects.items() if objects.get(i) is not obj]
    assert state.version > version or not (changed or rest != (state.room, state.agent, state.held)), (
        f"{action} changed something, and the version is still {version}"
    )
    assert list(state.objects)[: len(objects)] == list(objects), f"{action} took objects from the list, or moved them"
    same = [i for i in changed if i in objects and objects[i] == state.objects[i]]
    assert not same, f"{action} did not change {same}, whose values are other ones now"
    return outcome
