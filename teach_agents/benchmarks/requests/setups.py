"""What is done to a room before a case begins, each a line of words such as `put Mug in Sink`, `dirty Plate`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from teach_agents.benchmarks.requests.cases import Case
from teach_agents.benchmarks.requests.moments import Moment, meant
from teach_agents.errors import InputError
from teach_agents.household import Household, Scenario
from teach_agents.household.custom_properties import COFFEE
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Scene, SimulatorAction, StoredState

_FREE = "Free Play"
_TURNS = {"left": "RotateLeft", "right": "RotateRight"}
_CLOSE_M = 0.6
"""What somebody stands near to is at least so far from the middle of the body."""


def scenario_of(case: Case, household: Household, seed: int) -> Scenario:
    """What a case begins with, as a stored state. Raises `InputError` for a setup that cannot be carried out."""
    household.reset(Scenario(case.instance_id, _FREE, (), Scene(room=case.room), seed))
    for line in case.setup:
        _carry_out(f"case {case.instance_id!r}, setup {line!r}", line.split(), household)
    state = household.simulator.state
    rows = list(household.state_record(0.0).to_json()["objects"])
    for row in rows:
        if state.objects[row["objectId"]].liquid == "coffee":
            row[COFFEE] = True  # what people see in a cup, agents that see states are told
    return Scenario(case.instance_id, _FREE, (), Scene(stored=StoredState(case.room, rows, state.agent)), seed)


def _carry_out(where: str, words: Sequence[str], household: Household) -> None:
    if not words or words[0] not in _DOING:
        raise InputError(where, "unknown", value=" ".join(words[:1]), valid=_DOING)
    _DOING[words[0]](where, words[1:], household)


def _one(where: str, noun: str, household: Household, *, holds: bool = False) -> str:
    """The one thing that a noun means, or the first of several; of those that hold something, where they have to."""
    now = Moment.of(household)
    found = [one for one in meant(noun, now) if now.objects[one].exists]
    found = [one for one in found if now.objects[one].kind.receptacle] or found if holds else found
    if not found:
        raise InputError(where, "there is no such thing in the room", value=noun)
    return found[0]


def _step(where: str, household: Household, action: SimulatorAction) -> None:
    outcome = household.simulator.step(replace(action, force=True))
    if not outcome.success:
        raise InputError(where, f"cannot be done: {outcome.error}")


def _simple(name: str, **fields: object) -> Callable[[str, Sequence[str], Household], None]:
    """One action of the simulator on one thing."""

    def do(where: str, words: Sequence[str], household: Household) -> None:
        _step(where, household, SimulatorAction(name, _one(where, " ".join(words), household), **fields))  # type: ignore[arg-type]  # fields of an action

    return do


def _put(where: str, words: Sequence[str], household: Household) -> None:
    """`put Mug in Fridge`: what was shut is shut again."""
    if len(words) != 3 or words[1] not in ("in", "on"):
        raise InputError(where, "is written: put Mug in Sink", value=" ".join(words))
    thing, place = _one(where, words[0], household), _one(where, words[2], household, holds=True)
    if household.simulator.state.held != thing:
        _step(where, household, SimulatorAction("PickupObject", thing))
    shut = household.simulator.state.objects[place]
    if opened := shut.kind.openable and not shut.is_open:
        _step(where, household, SimulatorAction("OpenObject", place, magnitude=1.0))
    box = household.simulator.state.objects[place].box
    _step(where, household, SimulatorAction("PutObject", place, near=Vec3(box.center.x, box.high.y, box.center.z)))
    if opened:
        _step(where, household, SimulatorAction("CloseObject", place))


def _pour(where: str, words: Sequence[str], household: Household) -> None:
    if len(words) != 2:
        raise InputError(where, "is written: fill Mug water", value=" ".join(words))
    action = SimulatorAction("FillObjectWithLiquid", _one(where, words[0], household), liquid=words[1])
    _step(where, household, action)


def _turn(where: str, words: Sequence[str], household: Household) -> None:
    for word in words:
        if word not in _TURNS:
            raise InputError(where, "is written: turn left", value=word, valid=_TURNS)
        _step(where, household, SimulatorAction(_TURNS[word], magnitude=90.0))


def _stand(where: str, words: Sequence[str], household: Household) -> None:
    """`stand near Fridge`: on the nearest free place before it, and facing it."""
    if len(words) != 2 or words[0] != "near":
        raise InputError(where, "is written: stand near Fridge", value=" ".join(words))
    simulator = household.simulator
    goal = simulator.state.objects[_one(where, words[1], household)].box.center
    free = simulator.step(SimulatorAction("GetReachablePositions")).value
    places = [one for one in free if math.hypot(one.x - goal.x, one.z - goal.z) >= _CLOSE_M]  # type: ignore[attr-defined]  # the contract's answer
    x, y, z = min(places, key=lambda one: math.hypot(one.x - goal.x, one.z - goal.z))
    yaw = round(math.degrees(math.atan2(goal.x - x, goal.z - z)) / 90.0) * 90.0 % 360.0
    pose = replace(simulator.state.agent, position=Vec3(x, y, z), yaw=yaw)
    _step(where, household, SimulatorAction("TeleportFull", pose=pose))


_DOING: Mapping[str, Callable[[str, Sequence[str], Household], None]] = {
    "break": _simple("BreakObject"),
    "clean": _simple("CleanObject"),
    "close": _simple("CloseObject"),
    "cook": _simple("CookObject"),
    "dirty": _simple("DirtyObject"),
    "fill": _pour,
    "hold": _simple("PickupObject"),
    "off": _simple("ToggleObjectOff"),
    "on": _simple("ToggleObjectOn"),
    "open": _simple("OpenObject", magnitude=1.0),
    "put": _put,
    "slice": _simple("SliceObject"),
    "stand": _stand,
    "turn": _turn,
}
"""What can be done to a room, by its first word."""
SETUPS = tuple(_DOING)
