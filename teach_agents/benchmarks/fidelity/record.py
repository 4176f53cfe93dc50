"""The record wins: when body and click are where a person's were, and how what a person did is brought about here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from teach_agents.actions import Action, ActionResult
from teach_agents.household import Household
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Channel, Frame, Outcome, Scene, Simulator, SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.simulator.embedded.rooms import type_of
from teach_agents.simulator.embedded.world import World
from teach_agents.tasks.state_diff import base_id

_BASINS = frozenset({"SinkBasin", "BathtubBasin"})


def equivalent(wanted: str, found: str) -> bool:
    """Whether two object ids name the same thing, slices of one base and kind, or a sink or tub and its basin.

    The other half of a sliced loaf, `Bread_0`, is no slice of bread.
    """
    if _whole(wanted) == _whole(found):
        return True
    base = base_id(wanted)
    return base != wanted and base == base_id(found) != found and type_of(wanted) == type_of(found)


def _whole(object_id: str) -> str:
    """The id with a basin's own last part left out: the sink's or tub's."""
    whole, _, last = object_id.rpartition("|")
    return whole if last in _BASINS else object_id


class Insisting(Simulator):
    """The embedded simulator, except that within `insist` no PutObject is refused.

    A placement that the simulator finds no room for is made at the point asked for, drawn into the receptacle's box.
    """

    name = EmbeddedSimulator.name

    def __init__(self, inner: EmbeddedSimulator) -> None:
        self.inner = inner
        self._insists = False

    @contextmanager
    def insist(self) -> Iterator[None]:
        """While this lasts, placements succeed."""
        self._insists = True
        try:
            yield
        finally:
            self._insists = False

    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        """Load a scene."""
        self.inner.reset(scene, seed=seed)

    def step(self, action: SimulatorAction) -> Outcome:
        """Carry out an action; put what is held where it is told to if the simulator would not."""
        outcome = self.inner.step(action)
        if outcome.success or not self._insists or action.name != "PutObject" or self.state.held is None:
            return outcome
        _put_down(self.state, action)
        return self.inner.step(SimulatorAction("Pass"))

    @property
    def state(self) -> World:
        """The world now."""
        state = self.inner.state
        assert isinstance(state, World)
        return state

    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        """Draw what `camera` sees."""
        return self.inner.view(camera, channels, size=size)


def _put_down(world: World, action: SimulatorAction) -> None:
    """Put what is held into the receptacle; nowhere in particular if that is the held object, or lies in it."""
    receptacle = world.objects[action.object_id]
    released = world.release()
    own = {released, *world.cargo(released)}
    obj = world.objects[released]
    low, high = receptacle.box.low, receptacle.box.high
    near = action.near or Vec3(receptacle.box.center.x, high.y, receptacle.box.center.z)
    inside = Vec3(*(min(max(at, least), most) for at, least, most in zip(near, low, high, strict=True)))
    lift = obj.position.y - obj.box.low.y
    world.pose(released, Vec3(inside.x, inside.y + lift, inside.z), obj.rotation)
    world.place(released, None if receptacle.object_id in own else receptacle.object_id)


def bring_about(household: Household, name: str, object_id: str, near: Vec3 | None) -> ActionResult:
    """Force an interaction on an object, if need be with a placement for which there is no room.

    `near` is where the person wanted the thing to land, in metres of the world. The last resort needs a household on
    an `Insisting` simulator; the result is a failure where nothing helped.
    """
    result = household.force(name, object_id, near=near)
    if result.success:
        return result
    simulator = household.simulator
    with simulator.insist() if isinstance(simulator, Insisting) else nullcontext():
        return household.force(name, object_id, near=near)


def point_under(simulator: Simulator, action: Action) -> Vec3 | None:
    """The world point under a click, metres; `None` for a click outside the frame or on nothing."""
    if action.x is None or action.y is None or not (0.0 <= action.x <= 1.0 and 0.0 <= action.y <= 1.0):
        return None
    value = simulator.step(SimulatorAction("GetCoordinateFromRaycast", x=action.x, y=action.y)).value
    return value if isinstance(value, Vec3) else None
