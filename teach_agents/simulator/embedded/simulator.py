"""The embedded simulator: real iTHOR rooms without Unity and without a GPU; and pictures of moments that are over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from teach_agents.errors import SimulatorError
from teach_agents.simulator.contract import (
    Camera,
    Channel,
    Frame,
    Outcome,
    Scene,
    Simulator,
    SimulatorAction,
    SimulatorState,
    follower_camera,
)
from teach_agents.simulator.embedded.handlers import QUERY_NAMES, Manner, Setting, carry_out
from teach_agents.simulator.embedded.loading import load_room, load_stored
from teach_agents.simulator.embedded.rules import Rules, RulesMemory
from teach_agents.simulator.embedded.senses import GeometricSenses
from teach_agents.simulator.embedded.world import World, WorldMemory

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray
    from teach_agents.simulator.embedded.render import Renderer


@dataclass(frozen=True, slots=True)
class Memory:
    """A moment of one scene, made by `EmbeddedSimulator.remember`."""

    origin: World
    world: WorldMemory
    rules: RulesMemory


class EmbeddedSimulator(Simulator):
    """AI2-THOR's semantics over immutable object states; see `docs/architecture.md` for its parts.

    The same scene and seed give the same state bit for bit, in any process. As TEACh does after loading, every
    breakable type is made unbreakable unless `breakable` is set.
    """

    name = "embedded"
    brisk = True

    def __init__(self, *, breakable: bool = False) -> None:
        self._breakable = breakable
        self._senses = GeometricSenses()
        self._manner = Manner()
        self._renderer: Renderer | None = None
        self._setting: Setting | None = None
        self._rules: Rules | None = None

    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        """Load a scene. Raises `SceneError` for an unknown room or a stored state that cannot be loaded.

        `seed` matters for randomised scenes only.
        """
        self.adopt(_beginning(scene, seed))

    def adopt(self, world: World) -> None:
        """Take over a world that was made elsewhere; it must not be used by its maker any more."""
        if not self._breakable:
            world.unbreakable.update(o.object_type for o in world.objects.values() if o.kind.breakable)
        self._senses.forget()
        self._setting = Setting(world, self._senses, self._manner)
        self._rules = Rules(world)

    def behave(self, manner: Manner) -> None:
        """Move and look in another manner from now on, in this scene and in those that follow."""
        self._manner = manner
        self._senses.gaze = manner.gaze
        if self._setting is not None:
            self._setting = replace(self._setting, manner=manner)

    @property
    def manner(self) -> Manner:
        """How the body goes about now."""
        return self._manner

    @contextmanager
    def editing(self) -> Iterator[Setting]:
        """The setting, for changes that no action makes; the context rules run afterwards."""
        if self._setting is None or self._rules is None:
            raise SimulatorError("there is nothing to edit before reset")
        yield self._setting
        self._rules.settle(time_passes=False)

    def step(self, action: SimulatorAction) -> Outcome:
        """Carry out one action or query, then let the context rules run."""
        if self._setting is None or self._rules is None:
            raise SimulatorError("step before reset")
        outcome = carry_out(self._setting, action)
        if action.name not in QUERY_NAMES:
            self._rules.settle()
        return outcome

    def remember(self) -> Memory:
        """The present moment, for `recall`: what a dry run needs. Cheap, because object states are immutable."""
        if self._setting is None or self._rules is None:
            raise SimulatorError("there is nothing to remember before reset")
        world = self._setting.world
        return Memory(world, world.remember(), self._rules.remember())

    def recall(self, memory: Memory) -> None:
        """Go back to a moment since the last reset, bit for bit; only `state.version` goes on growing.

        Raises `SimulatorError` for a memory of another scene.
        """
        if self._setting is None or self._rules is None or memory.origin is not self._setting.world:
            raise SimulatorError("the memory belongs to another scene: it ends with the next reset")
        world = self._setting.world
        if world.recall(memory.world):
            from teach_agents.simulator.embedded.shapes.assembly import forget

            forget(world)
        self._rules.recall(memory.rules)

    @property
    def state(self) -> SimulatorState:
        """The world now."""
        if self._setting is None:
            raise SimulatorError("there is no state before reset")
        return self._setting.world

    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        """Draw what `camera` sees."""
        if self._renderer is None:
            from teach_agents.simulator.embedded.render import Renderer

            self._renderer = Renderer()
        return self._renderer.view(self.state, camera, channels, size)


def _beginning(scene: Scene, seed: int) -> World:
    """A world of one's own, as a scene begins."""
    if not scene.randomize:
        return load_room(scene.room) if scene.stored is None else load_stored(scene.stored)
    from teach_agents.simulator.embedded.spawn import randomized, randomized_room

    if scene.stored is None:
        return randomized_room(scene.room, seed)
    return randomized(load_stored(scene.stored), GeometricSenses(), seed=seed)


class Album:
    """What the Follower saw at moments of one scene, in a world of the album's own: the simulator may go on meanwhile.

    `size` is the pictures' width and height in pixels.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._world: World | None = None

    def keep(self, simulator: EmbeddedSimulator) -> Callable[[], ByteArray]:
        """Keep the present moment; what is returned draws it, uint8, `size` x `size` x 3, any number of times."""
        memory = simulator.remember()
        return lambda: self._draw(memory)

    def _draw(self, memory: Memory) -> ByteArray:
        from teach_agents.simulator.embedded.render import Renderer
        from teach_agents.simulator.embedded.shapes.assembly import forget

        world = self._world or memory.origin.copy()
        if world.recall(memory.world):
            forget(world)
        self._world = world
        camera = follower_camera(world.agent)
        rgb = Renderer().view(world, camera, frozenset({Channel.RGB}), self._size).rgb
        assert rgb is not None
        return rgb
