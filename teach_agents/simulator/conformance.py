"""What every simulator must do, as tests that an implementation inherits: `RoomContract` in a room of any kind.

```python
class TestMySimulator(RoomContract):
    room = "Workshop"
    lacks = frozenset({"sliceable"})

    def make_simulator(self) -> Simulator:
        return MySimulator()
```

`KitchenContract` asks for AI2-THOR's words and rules too, in a kitchen of iTHOR with a fridge, a faucet and food; it
holds `RoomContract`. Nothing here asks for geometry beyond the contract: actions on objects are forced, so that a
simulator's own idea of what is in view does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import partial

from teach_agents.errors import ActionError, SceneError
from teach_agents.simulator.body_conformance import BodyContract, check_state, stepped
from teach_agents.simulator.contract import HOUSEHOLD_ACTIONS, ObjectState, Outcome, Scene, Simulator, SimulatorAction


class RoomContract(BodyContract):
    """Inherit, say how the simulator is made and which room it loads, and pytest runs the contract."""

    def test_a_room_holds_objects_with_their_own_ids(self) -> None:
        """The hand is empty, the body stands somewhere."""
        state = self._ready().state
        assert state.room == self.room
        assert state.held is None
        assert state.objects

    def test_parents_and_contents_are_inverse(self) -> None:
        """What an object lists as its parent lists the object as content, and the other way round."""
        check_state(self._ready().state)

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

    def test_everything_that_a_household_asks_for_is_known(self) -> None:
        """Each is carried out or refused, whatever it is done to; none raises."""
        simulator = self._ready()
        for name in HOUSEHOLD_ACTIONS:
            for object_id in list(simulator.state.objects)[:3]:
                stepped(simulator, SimulatorAction(name, object_id, force=True, liquid="water"))

    def test_the_same_seed_gives_the_same_state(self) -> None:
        """As it ships and randomised, however it was left."""
        simulator = self.make_simulator()
        for scene in (Scene(self.room), Scene(self.room, randomize=True)) if self.repeatable else ():
            first = _loaded(simulator, scene, 3)
            stepped(simulator, SimulatorAction("RotateRight"))
            assert _loaded(simulator, scene, 3) == first

    def test_an_object_state_cannot_be_changed(self) -> None:
        """States are values; one read earlier stays what it was."""
        simulator = self._ready()
        for obj in self._some(simulator, "openable"):
            assert _raised((FrozenInstanceError, AttributeError), partial(setattr, obj, "openness", 1.0))
            opened = _done(simulator, "OpenObject", obj)
            assert opened.is_open and not obj.is_open
            assert not _done(simulator, "CloseObject", obj).is_open

    def test_an_unchanged_object_keeps_its_identity(self) -> None:
        """Opening one thing leaves what does not touch it the same objects, and the version grows."""
        simulator = self._ready()
        for obj in self._some(simulator, "openable"):
            version, before = simulator.state.version, dict(simulator.state.objects)
            _done(simulator, "OpenObject", obj)
            assert simulator.state.version > version
            changed = {i for i, now in simulator.state.objects.items() if before[i] is not now}
            assert obj.object_id in changed
            assert len(changed) < len(before)

    def test_what_is_picked_up_is_held_and_nowhere_else(self) -> None:
        """It has no parents, nothing contains it, and the hand takes no second thing."""
        simulator = self._ready()
        for first in self._some(simulator, "pickupable"):
            second = next(obj for obj in self.things(simulator, "pickupable") if obj is not first)
            _done(simulator, "PickupObject", first)
            assert simulator.state.held == first.object_id
            _refused(simulator, "PickupObject", second)
            assert simulator.state.held == first.object_id
            assert stepped(simulator, SimulatorAction("RotateRight")).success
            assert simulator.state.held == first.object_id

    def test_what_is_put_down_is_in_what_takes_it(self) -> None:
        """The receptacle is among its parents, the hand is empty; what is not held cannot be put down."""
        simulator = self._ready()
        for thing in self._some(simulator, "pickupable"):
            targets = [obj for obj in self.things(simulator, "receptacle") if obj.object_id != thing.object_id]
            _refused(simulator, "PutObject", targets[0])
            _done(simulator, "PickupObject", thing)
            taken = next(obj for obj in targets if _forced(simulator, "PutObject", obj).success)
            assert simulator.state.held is None
            assert taken.object_id in simulator.state.objects[thing.object_id].parents

    def test_a_switch_is_on_or_off(self) -> None:
        """Switching on twice is refused."""
        simulator = self._ready()
        for switch in self._some(simulator, "toggleable"):
            assert _done(simulator, "ToggleObjectOn", switch).is_toggled
            _refused(simulator, "ToggleObjectOn", switch)
            assert not _done(simulator, "ToggleObjectOff", switch).is_toggled

    def test_what_is_filled_holds_a_liquid(self) -> None:
        """Until it is emptied; a full thing takes no more."""
        simulator = self._ready()
        for vessel in self._some(simulator, "fillable"):
            fill = SimulatorAction("FillObjectWithLiquid", vessel.object_id, liquid="water", force=True)
            assert stepped(simulator, fill).success
            full = simulator.state.objects[vessel.object_id]
            assert (full.is_filled, full.liquid) == (True, "water")
            assert not stepped(simulator, fill).success
            assert not _done(simulator, "EmptyLiquidFromObject", vessel).is_filled

    def test_what_is_cleaned_is_clean(self) -> None:
        """And is not cleaned again."""
        simulator = self._ready()
        for thing in self._some(simulator, "dirtyable"):
            assert _forced(simulator, "CleanObject", thing).success is thing.is_dirty
            _refused(simulator, "CleanObject", thing)
            assert not simulator.state.objects[thing.object_id].is_dirty

    def test_a_refusal_changes_no_object(self) -> None:
        """Slicing what cannot be sliced fails, says why, and leaves every object as it was."""
        simulator = self._ready()
        hard = next(obj for obj in simulator.state.objects.values() if not obj.kind.sliceable)
        before = tuple(simulator.state.objects.values())
        _refused(simulator, "SliceObject", hard)
        assert tuple(simulator.state.objects.values()) == before

    def test_a_sliced_base_stays_in_the_list(self) -> None:
        """Slices are new objects behind the others, named after it; the base has no geometry any more."""
        simulator = self._ready()
        for whole in self._some(simulator, "sliceable"):
            ids = frozenset(simulator.state.objects)
            base = _done(simulator, "SliceObject", whole)
            assert base.is_sliced and not base.exists
            new = [i.rpartition("|") for i in simulator.state.objects if i not in ids]
            assert {of for of, _, _ in new} == {whole.object_id}
            assert any("Sliced" in piece or "Cracked" in piece for _, _, piece in new)

    def test_closing_is_possible_at_any_time(self) -> None:
        """Before a reset too."""
        self.make_simulator().close()


class KitchenContract(RoomContract):
    """`RoomContract` in a kitchen of iTHOR, with AI2-THOR's words and rules."""

    room = "FloorPlan1"

    def test_a_kitchen_is_furnished(self) -> None:
        """Randomising it by another seed furnishes it otherwise."""
        simulator = self._ready()
        assert len(simulator.state.objects) > 10
        scene = Scene(self.room, randomize=True)
        assert not self.repeatable or _loaded(simulator, scene, 3) != _loaded(simulator, scene, 4)

    def test_what_is_put_into_a_fridge_is_in_it(self) -> None:
        """An open fridge takes a thing in; the hand is empty afterwards."""
        simulator = self._ready()
        fridge = _first(simulator, lambda o: o.object_type == "Fridge")
        food = _first(simulator, lambda o: o.object_type in ("Apple", "Egg", "Potato", "Tomato") and o.exists)
        _done(simulator, "PickupObject", food)
        _refused(simulator, "PutObject", fridge, "CLOSED")
        _done(simulator, "OpenObject", fridge)
        _done(simulator, "PutObject", fridge)
        assert simulator.state.held is None
        assert fridge.object_id in simulator.state.objects[food.object_id].parents

    def test_refusals_are_in_ai2_thors_words(self) -> None:
        """What an agent is told to do about them depends on it."""
        simulator = self._ready()
        first, second = self.things(simulator, "pickupable")[:2]
        faucet = _first(simulator, lambda o: o.object_type == "Faucet" and not o.is_toggled)
        _done(simulator, "PickupObject", first)
        _done(simulator, "ToggleObjectOn", faucet)
        _refused(simulator, "PickupObject", second, "hand has something in it")
        _refused(simulator, "ToggleObjectOn", faucet, "toggle object on if")
        _refused(simulator, "SliceObject", faucet, "CanBeSliced")

    def test_a_tomato_falls_into_slices(self) -> None:
        """Named as AI2-THOR names them."""
        simulator = self._ready()
        tomato = _first(simulator, lambda o: o.kind.sliceable and o.object_type == "Tomato")
        _done(simulator, "SliceObject", tomato)
        slices = [i for i in simulator.state.objects if i.startswith(f"{tomato.object_id}|")]
        assert slices
        assert all(i.startswith(f"{tomato.object_id}|TomatoSliced_") for i in slices)

    def test_what_is_dirty_is_cleaned(self) -> None:
        """By `DirtyObject` and `CleanObject`."""
        simulator = self._ready()
        plate = _first(simulator, lambda o: o.kind.dirtyable and not o.is_dirty)
        for name, dirty in (("DirtyObject", True), ("CleanObject", False)):
            assert _done(simulator, name, plate).is_dirty is dirty


SimulatorContract = KitchenContract
"""The name from before rooms of other kinds had a part of their own."""


def _raised(kind: type[BaseException] | tuple[type[BaseException], ...], call: Callable[[], object]) -> bool:
    try:
        call()
    except kind:
        return True
    return False


def _forced(simulator: Simulator, name: str, obj: ObjectState) -> Outcome:
    return stepped(simulator, SimulatorAction(name, object_id=obj.object_id, force=True))


def _done(simulator: Simulator, name: str, obj: ObjectState) -> ObjectState:
    """Carry out what must go well; the object as it is then."""
    outcome = _forced(simulator, name, obj)
    assert outcome.success, f"{name} {obj.object_id}: {outcome.error}"
    return simulator.state.objects[obj.object_id]


def _refused(simulator: Simulator, name: str, obj: ObjectState, words: str = "") -> None:
    outcome = _forced(simulator, name, obj)
    assert not outcome.success and words in outcome.error, f"{name} {obj.object_id}: {outcome}"


def _loaded(simulator: Simulator, scene: Scene, seed: int) -> tuple[object, ...]:
    simulator.reset(scene, seed=seed)
    return simulator.state.agent, *simulator.state.objects.values()


def _first(simulator: Simulator, test: Callable[[ObjectState], bool]) -> ObjectState:
    return next(obj for obj in simulator.state.objects.values() if test(obj))
