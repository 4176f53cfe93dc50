"""What every simulator must do with a body and a camera in a room, and with the three queries.

`check_state` and `stepped` say whether a state keeps what the contract says of it, at one moment and to the next.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import (
    QUERIES,
    Channel,
    ObjectState,
    Outcome,
    Scene,
    Simulator,
    SimulatorAction,
    SimulatorState,
    follower_camera,
)

_STEP = 0.25
_CLOSE = 1e-3
_MOVES: Mapping[str, float] = {"MoveAhead": 0.0, "MoveLeft": -90.0, "MoveBack": 180.0, "MoveRight": 90.0}


class RoomCase(ABC):
    """How a simulator is made, and what in its room may be acted on."""

    room: ClassVar[str]
    """The scene that is loaded."""
    repeatable: ClassVar[bool] = True
    """Whether the same scene and seed give the same state, bit for bit."""
    draws: ClassVar[bool] = True
    """Whether `view` is to be tested."""
    lacks: ClassVar[frozenset[str]] = frozenset()
    """Affordances (`ObjectKind`'s names) that nothing in the room has; what needs one is not tested."""

    @abstractmethod
    def make_simulator(self) -> Simulator:
        """A fresh simulator."""

    def things(self, simulator: Simulator, affordance: str) -> Sequence[ObjectState]:
        """What may be acted on for an affordance: by default whatever has it and is shut, off, empty and whole."""
        return [
            obj
            for obj in simulator.state.objects.values()
            if getattr(obj.kind, affordance)
            and obj.exists
            and not (obj.is_open or obj.is_toggled or obj.is_filled or obj.is_sliced)
            and not (obj.kind.pickupable and obj.contents)
        ]

    def _ready(self) -> Simulator:
        simulator = self.make_simulator()
        simulator.reset(Scene(self.room))
        check_state(simulator.state)
        return simulator

    def _some(self, simulator: Simulator, affordance: str) -> Sequence[ObjectState]:
        found = self.things(simulator, affordance)
        assert found or affordance in self.lacks, f"nothing in {self.room} is {affordance}; say so in `lacks`"
        return found[:1]


class BodyContract(RoomCase):
    """The part about the body, the camera and the queries."""

    def test_four_quarter_turns_are_none(self) -> None:
        """Turning right four times comes back to the same heading, each time by 90 degrees; left is the other way."""
        simulator = self._ready()
        start = simulator.state.agent.yaw
        for name, quarter in (*(("RotateRight", number) for number in (1, 2, 3, 4)), ("RotateLeft", 3)):
            assert stepped(simulator, SimulatorAction(name)).success
            assert abs((simulator.state.agent.yaw - start - 90 * quarter + 180) % 360 - 180) < _CLOSE

    def test_a_move_is_one_step_or_none(self) -> None:
        """A success moves by exactly 0.25 m, the named way from the heading; a refusal by nothing, and says why."""
        simulator = self._ready()
        for name in tuple(_MOVES) * 3:
            before = simulator.state.agent
            outcome = stepped(simulator, SimulatorAction(name))
            length = _STEP if outcome.success else 0.0
            angle = math.radians(before.yaw + _MOVES[name])
            x, y, z = before.position
            there = (x + length * math.sin(angle), y, z + length * math.cos(angle))
            assert math.dist(there, simulator.state.agent.position) < _CLOSE

    def test_looking_ends_at_the_limits(self) -> None:
        """Up to 30 degrees up and 60 down."""
        simulator = self._ready()
        for name, limit in (("LookUp", -30.0), ("LookDown", 60.0)):
            for _ in range(6):
                last = stepped(simulator, SimulatorAction(name))
            assert not last.success
            assert abs(simulator.state.agent.horizon - limit) < _CLOSE

    def test_a_teleport_goes_where_it_is_sent(self) -> None:
        """To any reachable position, in any heading."""
        simulator = self._ready()
        place = _positions(simulator)[-1]
        assert stepped(simulator, SimulatorAction("TeleportFull", pose=Pose(place, 180.0, 0.0))).success
        assert math.dist(simulator.state.agent.position, place) < _CLOSE
        assert simulator.state.agent.yaw == 180.0

    def test_the_body_stands_on_a_reachable_position(self) -> None:
        """`GetReachablePositions` answers points 0.25 m apart, each once, the body's own among them."""
        simulator = self._ready()
        x, _, z = simulator.state.agent.position
        places = _positions(simulator)
        assert any(math.hypot(p.x - x, p.z - z) < _CLOSE for p in places)
        steps = {(round((p.x - x) / _STEP, 2), round((p.z - z) / _STEP, 2)) for p in places}
        assert len(steps) == len(places)
        assert all(right.is_integer() and ahead.is_integer() for right, ahead in steps)

    def test_the_map_shows_where_the_body_can_go(self) -> None:
        """`GetMapViewCameraProperties` answers a square, seen from above, that holds every reachable position."""
        simulator = self._ready()
        value = _answer(simulator, "GetMapViewCameraProperties")
        assert isinstance(value, Mapping)
        place, half = value["position"], float(value["orthographicSize"])
        assert all(max(abs(p.x - place["x"]), abs(p.z - place["z"])) <= half for p in _positions(simulator))
        assert place["y"] > simulator.state.agent.position.y

    def test_what_is_visible_is_there(self) -> None:
        """`GetVisibleObjects` answers ids, each once, of objects that there are; wherever the body looks."""
        simulator = self._ready()
        for _ in range(4):
            value = _answer(simulator, "GetVisibleObjects")
            assert isinstance(value, Collection)
            assert len(set(value)) == len(value)
            assert all(simulator.state.objects[object_id].exists for object_id in value)
            assert stepped(simulator, SimulatorAction("RotateRight")).success

    def test_a_query_changes_nothing(self) -> None:
        """Neither does a view."""
        simulator = self._ready()
        version = simulator.state.version
        for name in QUERIES:
            _answer(simulator, name)
        if self.draws:
            simulator.view(follower_camera(simulator.state.agent), frozenset(Channel), size=32)
        assert simulator.state.version == version

    def test_a_view_has_the_channels_asked_for(self) -> None:
        """With their shapes, types and ranges; others are `None`."""
        if not self.draws:
            return
        simulator = self._ready()
        camera = follower_camera(simulator.state.agent)
        frame = simulator.view(camera, frozenset(Channel), size=64)
        assert frame.rgb is not None and frame.rgb.shape == (64, 64, 3) and frame.rgb.dtype.name == "uint8"
        assert frame.ids is not None and frame.ids.shape == (64, 64) and frame.ids.dtype.name == "int32"
        assert frame.depth is not None and frame.depth.shape == (64, 64) and frame.depth.dtype.name == "float32"
        assert -1 <= int(frame.ids.min()) and int(frame.ids.max()) < len(frame.object_ids)
        assert all(frame.object_ids[int(n)] in simulator.state.objects for n in set(frame.ids.ravel()) - {-1})
        assert 0.0 <= float(frame.depth.min())
        only = simulator.view(camera, frozenset({Channel.RGB}), size=64)
        assert only.ids is None
        assert only.depth is None


def _answer(simulator: Simulator, query: str) -> object:
    outcome = stepped(simulator, SimulatorAction(query))
    assert outcome.success, f"{query}: {outcome.error}"
    return outcome.value


def _positions(simulator: Simulator) -> list[Vec3]:
    value = _answer(simulator, "GetReachablePositions")
    assert isinstance(value, tuple | list)
    assert all(isinstance(place, Vec3) for place in value)
    return list(value)


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
