"""What every simulator must do, as tests that an implementation inherits.

```python
class TestMySimulator(SimulatorContract):
    def make_simulator(self) -> Simulator:
        return MySimulator()
```

The room must be a kitchen of iTHOR with a fridge, a faucet and something to pick up. Nothing here asks for geometry
beyond the contract: actions on objects are forced, so that a simulator's own idea of what is in view does not matter.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import ClassVar

from teach_agents.errors import ActionError, SceneError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import (
    Channel,
    ObjectState,
    Outcome,
    Scene,
    Simulator,
    SimulatorAction,
    follower_camera,
)

__all__ = ["SimulatorContract"]

_STEP = 0.25
_CLOSE = 1e-3


class SimulatorContract(ABC):
    """Inherit, say how the simulator is made, and pytest runs the contract."""

    room: ClassVar[str] = "FloorPlan1"
    repeatable: ClassVar[bool] = True
    """Whether the same scene and seed give the same state, bit for bit."""
    draws: ClassVar[bool] = True
    """Whether `view` is to be tested."""

    @abstractmethod
    def make_simulator(self) -> Simulator:
        """A fresh simulator."""

    def _ready(self) -> Simulator:
        simulator = self.make_simulator()
        simulator.reset(Scene(self.room))
        return simulator

    def test_a_room_holds_objects_with_their_own_ids(self) -> None:
        """Keys are ids, the hand is empty, the body stands somewhere."""
        simulator = self._ready()
        state = simulator.state
        assert state.room == self.room
        assert state.held is None
        assert all(key == obj.object_id for key, obj in state.objects.items())
        assert len(state.objects) > 10
        assert all(map(math.isfinite, (*state.agent.position, state.agent.yaw, state.agent.horizon)))

    def test_parents_and_contents_are_inverse(self) -> None:
        """What an object lists as its parent lists the object as content, and the other way round."""
        simulator = self._ready()
        _check_places(simulator)

    def test_an_unknown_room_is_refused(self) -> None:
        """With `SceneError`."""
        simulator = self.make_simulator()
        assert _raised(SceneError, lambda: simulator.reset(Scene("FloorPlan999")))

    def test_an_unknown_action_is_refused(self) -> None:
        """With `ActionError`, and nothing changes."""
        simulator = self._ready()
        before = simulator.state.version
        assert _raised(ActionError, lambda: simulator.step(SimulatorAction("Levitate")))
        assert simulator.state.version == before

    def test_the_same_seed_gives_the_same_state(self) -> None:
        """For a randomised scene; another seed gives another one."""
        if not self.repeatable:
            return
        simulator = self.make_simulator()
        states = []
        for seed in (3, 3, 4):
            simulator.reset(Scene(self.room, randomize=True), seed=seed)
            states.append((simulator.state.agent, tuple(simulator.state.objects.values())))
        assert states[0] == states[1]
        assert states[0] != states[2]

    def test_an_object_state_cannot_be_changed(self) -> None:
        """States are values; one read earlier stays what it was."""
        simulator = self._ready()
        obj = _first(simulator, lambda o: o.kind.openable and not o.is_open)
        assert _raised((FrozenInstanceError, AttributeError), lambda: setattr(obj, "openness", 1.0))
        assert _forced(simulator, "OpenObject", obj).success
        assert not obj.is_open
        assert simulator.state.objects[obj.object_id].is_open

    def test_an_unchanged_object_keeps_its_identity(self) -> None:
        """Opening one thing leaves the other values the same objects, and the version grows."""
        simulator = self._ready()
        obj = _first(simulator, lambda o: o.kind.openable and not o.is_open)
        other = _first(simulator, lambda o: o.kind.toggleable)
        version = simulator.state.version
        assert _forced(simulator, "OpenObject", obj).success
        assert simulator.state.version > version
        assert simulator.state.objects[other.object_id] is other

    def test_four_quarter_turns_are_none(self) -> None:
        """Turning right four times comes back to the same heading, each time by 90 degrees."""
        simulator = self._ready()
        start = simulator.state.agent.yaw
        for quarter in range(1, 5):
            assert simulator.step(SimulatorAction("RotateRight")).success
            assert abs((simulator.state.agent.yaw - start - 90 * quarter + 180) % 360 - 180) < _CLOSE

    def test_a_move_is_one_step_or_none(self) -> None:
        """A success moves by exactly 0.25 m along the heading; a refusal by nothing, and says why."""
        simulator = self._ready()
        for name in ("MoveAhead", "MoveLeft", "MoveBack", "MoveRight") * 3:
            before = simulator.state.agent.position
            outcome = simulator.step(SimulatorAction(name))
            moved = math.dist(before, simulator.state.agent.position)
            assert abs(moved - (_STEP if outcome.success else 0.0)) < _CLOSE
            assert outcome.success or outcome.error

    def test_looking_ends_at_the_limits(self) -> None:
        """Up to 30 degrees up and 60 down."""
        simulator = self._ready()
        for name, limit in (("LookUp", -30.0), ("LookDown", 60.0)):
            for _ in range(6):
                last = simulator.step(SimulatorAction(name))
            assert not last.success
            assert abs(simulator.state.agent.horizon - limit) < _CLOSE

    def test_a_teleport_goes_where_it_is_sent(self) -> None:
        """To any reachable position, in any heading."""
        simulator = self._ready()
        place = _positions(simulator)[-1]
        pose = Pose(place, 180.0, 0.0)
        assert simulator.step(SimulatorAction("TeleportFull", pose=pose)).success
        assert math.dist(simulator.state.agent.position, place) < _CLOSE
        assert simulator.state.agent.yaw == 180.0

    def test_the_body_stands_on_a_reachable_position(self) -> None:
        """`GetReachablePositions` answers points 0.25 m apart, the body's own among them."""
        simulator = self._ready()
        x, _, z = simulator.state.agent.position
        assert any(math.hypot(p.x - x, p.z - z) < _CLOSE for p in _positions(simulator))

    def test_a_query_changes_nothing(self) -> None:
        """Neither the map view nor the positions."""
        simulator = self._ready()
        version = simulator.state.version
        for name in ("GetReachablePositions", "GetMapViewCameraProperties"):
            assert simulator.step(SimulatorAction(name)).success
        assert simulator.state.version == version

    def test_what_is_picked_up_is_held_and_nowhere_else(self) -> None:
        """It has no parents, nothing contains it, and the hand takes no second thing."""
        simulator = self._ready()
        first, second = _portable(simulator)[:2]
        assert _forced(simulator, "PickupObject", first).success
        assert simulator.state.held == first.object_id
        held = simulator.state.objects[first.object_id]
        assert held.is_picked_up
        assert held.parents == ()
        _check_places(simulator)
        refused = _forced(simulator, "PickupObject", second)
        assert not refused.success
        assert "hand has something in it" in refused.error
        assert simulator.state.held == first.object_id

    def test_what_is_put_into_a_fridge_is_in_it(self) -> None:
        """An open fridge takes a thing in; the hand is empty afterwards."""
        simulator = self._ready()
        fridge = _first(simulator, lambda o: o.object_type == "Fridge")
        food = _first(simulator, lambda o: o.object_type in ("Apple", "Egg", "Potato", "Tomato") and o.exists)
        assert _forced(simulator, "PickupObject", food).success
        closed = _forced(simulator, "PutObject", fridge)
        assert "CLOSED" in closed.error
        assert _forced(simulator, "OpenObject", fridge).success
        assert _forced(simulator, "PutObject", fridge).success
        assert simulator.state.held is None
        assert fridge.object_id in simulator.state.objects[food.object_id].parents
        _check_places(simulator)

    def test_a_switch_is_on_or_off(self) -> None:
        """Switching on twice is refused in AI2-THOR's words."""
        simulator = self._ready()
        faucet = _first(simulator, lambda o: o.object_type == "Faucet" and not o.is_toggled)
        assert _forced(simulator, "ToggleObjectOn", faucet).success
        assert simulator.state.objects[faucet.object_id].is_toggled
        assert "toggle object on if" in _forced(simulator, "ToggleObjectOn", faucet).error
        assert _forced(simulator, "ToggleObjectOff", faucet).success

    def test_a_refusal_changes_no_object(self) -> None:
        """Slicing a fridge fails, says why, and leaves every object as it was."""
        simulator = self._ready()
        fridge = _first(simulator, lambda o: o.object_type == "Fridge")
        before = tuple(simulator.state.objects.values())
        outcome = _forced(simulator, "SliceObject", fridge)
        assert not outcome.success
        assert "CanBeSliced" in outcome.error
        assert tuple(simulator.state.objects.values()) == before

    def test_a_sliced_base_stays_in_the_list(self) -> None:
        """Slices are new objects; the base has no geometry any more."""
        simulator = self._ready()
        tomato = _first(simulator, lambda o: o.kind.sliceable and o.object_type == "Tomato")
        ids = frozenset(simulator.state.objects)
        assert _forced(simulator, "SliceObject", tomato).success
        base = simulator.state.objects[tomato.object_id]
        assert base.is_sliced
        assert not base.exists
        new = [i for i in simulator.state.objects if i not in ids]
        assert new
        assert all(i.startswith(f"{tomato.object_id}|TomatoSliced_") for i in new)

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

    def test_closing_is_possible_at_any_time(self) -> None:
        """Before a reset too."""
        self.make_simulator().close()


def _raised(kind: type[BaseException] | tuple[type[BaseException], ...], call: Callable[[], object]) -> bool:
    try:
        call()
    except kind:
        return True
    return False


def _forced(simulator: Simulator, name: str, obj: ObjectState) -> Outcome:
    return simulator.step(SimulatorAction(name, object_id=obj.object_id, force=True))


def _first(simulator: Simulator, test: Callable[[ObjectState], bool]) -> ObjectState:
    return next(obj for obj in simulator.state.objects.values() if test(obj))


def _portable(simulator: Simulator) -> list[ObjectState]:
    return [o for o in simulator.state.objects.values() if o.kind.pickupable and o.exists and not o.contents]


def _positions(simulator: Simulator) -> list[Vec3]:
    value = simulator.step(SimulatorAction("GetReachablePositions")).value
    assert isinstance(value, tuple | list)
    return list(value)


def _check_places(simulator: Simulator) -> None:
    objects = simulator.state.objects
    for object_id, obj in objects.items():
        assert len(set(obj.parents)) == len(obj.parents)
        assert all(object_id in objects[parent].contents for parent in obj.parents)
        assert all(object_id in objects[inner].parents for inner in obj.contents)
        assert object_id not in (*obj.parents, *obj.contents)
