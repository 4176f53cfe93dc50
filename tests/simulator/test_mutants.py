"""The conformance suite can fail: simulators with one thing wrong each, and the test that says so."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from teach_agents.errors import ActionError
from teach_agents.observations import Vec3
from teach_agents.simulator.conformance import KitchenContract, RoomContract
from teach_agents.simulator.contract import Box, Camera, Channel, Frame, Outcome, Scene, SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.household.fake import FakeSimulator, shed
from tests.simulator.test_conformance import TestBoxesInAShed as ShedCase
from tests.simulator.test_conformance import TestEmbeddedSimulator as KitchenCase


class Boxes(FakeSimulator):
    """The fake in its shed; a mutant changes what comes before an action, or what becomes of it."""

    def __init__(self) -> None:
        super().__init__(shed)

    def step(self, action: SimulatorAction) -> Outcome:
        found = self.otherwise(action)
        return super().step(action) if found is None else found

    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        """What is done in place of the right thing, or `None`."""
        return None

    def really(self, action: SimulatorAction) -> Outcome:
        """What the fake does."""
        return super().step(action)

    def the(self, object_type: str) -> str:
        return next(obj.object_id for obj in self.world.objects.values() if obj.object_type == object_type)


class NoSuchRoom(Boxes):
    @property
    def state(self) -> Any:
        return replace(self.world, room="FloorPlan0")


class OneWay(Boxes):
    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        super().reset(scene, seed=seed)
        self.change(self.the("Workbench"), contents=())


class HeldInPlace(Boxes):
    def step(self, action: SimulatorAction) -> Outcome:
        outcome = super().step(action)
        if action.name == "PickupObject" and outcome.success:
            self.change(action.object_id, parents=(self.the("Workbench"),))
        return outcome


class Everywhere(Boxes):
    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        super().reset(Scene("Shed"), seed=seed)


class Agreeable(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return Outcome(True) if action.name == "Levitate" else None


class Unhandy(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return self.really(SimulatorAction("CloseJar")) if action.name == "EmptyLiquidFromObject" else None


class Wordless(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return Outcome(False) if action.name == "CleanObject" else None


class Unseeded(Boxes):
    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        super().reset(scene, seed=seed)
        self.world.agent = replace(self.world.agent, yaw=random.uniform(0, 360))


class Writes(Boxes):
    def change(self, object_id: str, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self.world.objects[object_id], name, value)
        self.world.version += 1


class Remakes(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        if action.name == "OpenObject":
            for object_id, obj in self.world.objects.items():
                self.world.objects[object_id] = replace(obj)
        return None


class StandsStill(Boxes):
    def step(self, action: SimulatorAction) -> Outcome:
        version, outcome = self.world.version, super().step(action)
        self.world.version = version
        return outcome


class Turned(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return self.really(SimulatorAction("RotateLeft")) if action.name == "RotateRight" else None


class Crab(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return self.really(SimulatorAction("MoveRight")) if action.name == "MoveLeft" else None


class Stiff(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return Outcome(False, "can't look down") if action.name == "LookDown" else None


class Strays(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        if action.name != "TeleportFull" or action.pose is None:
            return None
        x, y, z = action.pose.position
        return self.really(replace(action, pose=replace(action.pose, position=Vec3(x, y, z + 0.1))))


class TwoHands(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        self.world.held = None if action.name == "PickupObject" else self.world.held
        return None


class Sticky(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        held, outcome = self.world.held, self.really(action)
        self.world.held = held if action.name == "PutObject" else self.world.held
        return outcome


class Elsewhere(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        if action.name != "PutObject" or self.world.held is None:
            return None
        return self.really(replace(action, object_id=self.the("Workbench")))


class OnAndOn(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        on = action.name == "ToggleObjectOn" and self.world.objects[action.object_id].is_toggled
        return Outcome(True) if on else None


class Bottomless(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        full = action.name == "FillObjectWithLiquid" and self.world.objects[action.object_id].is_filled
        return Outcome(True) if full else None


class Scrubs(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        return Outcome(True) if action.name == "CleanObject" else None


class Dents(Boxes):
    def step(self, action: SimulatorAction) -> Outcome:
        outcome = super().step(action)
        if action.name == "SliceObject" and not outcome.success:
            self.change(action.object_id, position=Vec3(0.0, 0.0, 0.0))
        return outcome


class Vanishes(Boxes):
    def step(self, action: SimulatorAction) -> Outcome:
        outcome = super().step(action)
        if action.name == "SliceObject" and outcome.success:
            del self.world.objects[action.object_id]
        return outcome


class Nameless(Boxes):
    def step(self, action: SimulatorAction) -> Outcome:
        outcome = super().step(action)
        if action.name == "SliceObject" and outcome.success:
            new, obj = "Piece", self.world.objects.popitem()[1]
            self.world.objects[new] = replace(obj, kind=replace(obj.kind, object_id=new), parents=())
            bench = self.the("Workbench")
            self.change(bench, contents=tuple(i for i in self.world.objects[bench].contents if i != obj.object_id))
        return outcome


class Stares(Boxes):
    def otherwise(self, action: SimulatorAction) -> Outcome | None:
        self.world.version += action.name == "GetVisibleObjects"
        return None


def _answering(query: str, make: Callable[[Any], object]) -> type[Boxes]:
    class Answers(Boxes):
        def step(self, action: SimulatorAction) -> Outcome:
            outcome = super().step(action)
            return Outcome(True, value=make(outcome.value)) if action.name == query else outcome

    return Answers


class Grey(Boxes):
    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        frame = super().view(camera, channels, size=size)
        return frame if frame.rgb is None else replace(frame, rgb=frame.rgb[:, :, 0])


class Shows(Boxes):
    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        return super().view(camera, frozenset(Channel), size=size)


class Deep(Boxes):
    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        frame = super().view(camera, channels, size=size)
        return frame if frame.depth is None else replace(frame, depth=frame.depth.astype(np.float64))


class Shapeless(Boxes):
    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        super().reset(scene, seed=seed)
        self.change(self.the("Lamp"), box=Box(Vec3(0.0, float("nan"), 0.0), Vec3(0.1, 0.1, 0.1)))


class NeedsAReset(Boxes):
    def close(self) -> None:
        assert self.world.version, "there is nothing to close"


MUTANTS: Mapping[str, Sequence[type[Boxes]]] = {
    "test_a_room_holds_objects_with_their_own_ids": [NoSuchRoom],
    "test_parents_and_contents_are_inverse": [OneWay, Shapeless],
    "test_an_unknown_room_is_refused": [Everywhere],
    "test_an_unknown_action_is_refused": [Agreeable],
    "test_everything_that_a_household_asks_for_is_known": [Unhandy, Wordless],
    "test_the_same_seed_gives_the_same_state": [Unseeded],
    "test_an_object_state_cannot_be_changed": [Writes],
    "test_an_unchanged_object_keeps_its_identity": [Remakes, StandsStill],
    "test_four_quarter_turns_are_none": [Turned],
    "test_a_move_is_one_step_or_none": [Crab],
    "test_looking_ends_at_the_limits": [Stiff],
    "test_a_teleport_goes_where_it_is_sent": [Strays],
    "test_the_body_stands_on_a_reachable_position": [
        _answering("GetReachablePositions", lambda value: [place for place in value if (place.x, place.z) != (0, 0)]),
        _answering("GetReachablePositions", lambda value: [place._asdict() for place in value]),
        _answering("GetReachablePositions", lambda value: [*value, value[0]]),
    ],
    "test_the_map_shows_where_the_body_can_go": [
        _answering("GetMapViewCameraProperties", lambda value: {**value, "orthographicSize": 0.3}),
        _answering("GetMapViewCameraProperties", lambda value: {**value, "position": {"x": 0, "y": 0, "z": 0}}),
    ],
    "test_what_is_visible_is_there": [
        _answering("GetVisibleObjects", lambda value: [*value, "Ghost"]),
        _answering("GetVisibleObjects", lambda value: [*value, *value]),
    ],
    "test_a_query_changes_nothing": [Stares],
    "test_what_is_picked_up_is_held_and_nowhere_else": [HeldInPlace, TwoHands],
    "test_what_is_put_down_is_in_what_takes_it": [Sticky, Elsewhere],
    "test_a_switch_is_on_or_off": [OnAndOn],
    "test_what_is_filled_holds_a_liquid": [Bottomless],
    "test_what_is_cleaned_is_clean": [Scrubs],
    "test_a_refusal_changes_no_object": [Dents],
    "test_a_sliced_base_stays_in_the_list": [Vanishes, Nameless],
    "test_a_view_has_the_channels_asked_for": [Grey, Shows, Deep],
    "test_closing_is_possible_at_any_time": [NeedsAReset],
}
"""The simulators that each test of the general part fails."""
EACH = [(test, simulator) for test, simulators in MUTANTS.items() for simulator in simulators]


@pytest.mark.parametrize(("test", "simulator"), EACH)
def test_what_is_wrong_with_a_simulator_fails_the_test_of_it(test: str, simulator: type[Boxes]) -> None:
    case: Any = ShedCase()
    case.make_simulator = simulator
    with pytest.raises((AssertionError, ActionError, KeyError, StopIteration)):
        getattr(case, test)()


def test_every_test_of_the_general_part_can_fail() -> None:
    assert {name for name in dir(RoomContract) if name.startswith("test_")} == set(MUTANTS)


class OwnWords(EmbeddedSimulator):
    def step(self, action: SimulatorAction) -> Outcome:
        outcome = super().step(action)
        return replace(outcome, error=outcome.error and "no")


class OneSeed(EmbeddedSimulator):
    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        super().reset(scene)


@pytest.mark.parametrize(
    ("test", "simulator"),
    [
        ("test_refusals_are_in_ai2_thors_words", OwnWords),
        ("test_what_is_put_into_a_fridge_is_in_it", OwnWords),
        ("test_a_kitchen_is_furnished", OneSeed),
    ],
)
def test_what_is_wrong_in_a_kitchen_passes_the_general_part(test: str, simulator: type[EmbeddedSimulator]) -> None:
    case: Any = KitchenCase()
    case.make_simulator = simulator
    with pytest.raises(AssertionError):
        getattr(case, test)()
    for name in (name for name in dir(RoomContract) if name.startswith("test_")):
        getattr(case, name)()


def test_the_earlier_name_holds_both_parts() -> None:
    from teach_agents.simulator.conformance import SimulatorContract

    assert issubclass(SimulatorContract, RoomContract)
    assert issubclass(SimulatorContract, KitchenContract)
    assert SimulatorContract.room == "FloorPlan1"


def test_a_thing_that_a_room_lacks_has_to_be_named() -> None:
    case: Any = ShedCase()
    case.things = lambda simulator, affordance: ()
    with pytest.raises(AssertionError, match="nothing in Shed is openable"):
        case.test_an_object_state_cannot_be_changed()
    case.lacks = frozenset({"openable"})
    case.test_an_object_state_cannot_be_changed()
