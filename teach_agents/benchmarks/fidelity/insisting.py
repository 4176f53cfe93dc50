"""A simulator that can be made to accept a placement: what the record says was placed, was placed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Channel, Frame, Outcome, Scene, Simulator, SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.simulator.embedded.world import World


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
    x, y, z = action.near or Vec3(receptacle.box.center.x, high.y, receptacle.box.center.z)
    inside = Vec3(min(max(x, low.x), high.x), min(max(y, low.y), high.y), min(max(z, low.z), high.z))
    lift = obj.position.y - obj.box.low.y
    world.pose(released, Vec3(inside.x, inside.y + lift, inside.z), obj.rotation)
    world.place(released, None if receptacle.object_id in own else receptacle.object_id)
