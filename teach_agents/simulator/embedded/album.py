"""Pictures of moments that are over, drawn when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from teach_agents.simulator.contract import Channel, follower_camera
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator, Memory
from teach_agents.simulator.embedded.world import World

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


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
