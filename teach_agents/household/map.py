"""The top-down map: its camera, its coordinates (specification 5.6), and who stands where on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.errors import SimulatorError
from teach_agents.household.geometry import heading
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, Simulator, SimulatorAction

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


FOLLOWER_COLOUR = (40, 90, 230)
COMMANDER_COLOUR = (220, 40, 40)
SEARCH_COLOUR = (235, 200, 30)

_DOT = 0.2
"""Radius of a mark, metres."""
_NOSE = 0.36
"""How far the point of a mark without a cone reaches ahead, metres."""
_CONE = 1.2
"""Length of a view cone, metres."""


def answer(simulator: Simulator, query: str, kind: type, what: str) -> Any:
    """What a simulator answers a query of the contract; raises `SimulatorError` where that is not of the kind."""
    outcome = simulator.step(SimulatorAction(query))
    if not outcome.success or not isinstance(outcome.value, kind):
        raise SimulatorError(f"{simulator.name} gave no {what}: {outcome.error or repr(outcome.value)}")
    return outcome.value


class Mark(NamedTuple):
    """A body or camera on the map: where, facing where, in which colour, with or without a view cone."""

    position: Vec3
    yaw: float
    colour: tuple[int, int, int]
    cone: bool = False

    @classmethod
    def follower(cls, pose: Pose) -> Mark:
        """The Follower: a blue circle and a translucent cone."""
        return cls(pose.position, pose.yaw, FOLLOWER_COLOUR, cone=True)


class RoomMap(NamedTuple):
    """A square seen from straight above: `half` metres to every side of (`x`, `z`), from the height `y`."""

    x: float
    y: float
    z: float
    half: float

    @classmethod
    def of(cls, simulator: Simulator) -> RoomMap:
        """Ask a simulator for its map; raises `SimulatorError` when the answer is none of AI2-THOR's form."""
        value = answer(simulator, "GetMapViewCameraProperties", Mapping, "map view")
        try:
            x, y, z = (float(value["position"][axis]) for axis in "xyz")
            return cls(x, y, z, float(value["orthographicSize"]))
        except (KeyError, TypeError, ValueError) as error:
            raise SimulatorError(f"{simulator.name} gave a map view that cannot be read: {value!r}") from error

    @property
    def camera(self) -> Camera:
        """The camera that draws the map; the picture's top is +z, its right +x."""
        return Camera(Vec3(self.x, self.y, self.z), yaw=0.0, pitch=90.0, orthographic=self.half)

    def place(self, x: float, z: float) -> tuple[float, float]:
        """Map coordinates of a world position: fractions, to the right and down."""
        half = self.half
        return (x - (self.x - half)) / (2 * half), 1 - (z - (self.z - half)) / (2 * half)

    def drawn(self, rgb: ByteArray, marks: Sequence[Mark]) -> ByteArray:
        """A copy of the map's picture with marks on it; later marks lie on top."""
        import numpy as np

        size = rgb.shape[0]
        picture = rgb.copy()
        down, across = np.mgrid[0:size, 0:size] * (2 * self.half / size)
        for mark in marks:
            x, y = self.place(mark.position.x, mark.position.z)
            dx, dy = across - x * 2 * self.half, down - y * 2 * self.half
            distance = np.hypot(dx, dy)
            ahead_x, ahead_z = heading(mark.yaw)
            facing = dx * ahead_x - dy * ahead_z
            if mark.cone:
                cone = (distance < _CONE) & (facing > distance * math.cos(math.radians(45)))
                picture[cone] = (picture[cone] * 0.6 + np.array(mark.colour) * 0.4).astype(np.uint8)
            else:
                aside = np.sqrt(np.maximum(distance**2 - facing**2, 0.0))
                picture[(facing > 0) & (aside < 0.55 * (_NOSE - facing))] = mark.colour
            picture[distance < _DOT] = mark.colour
        return picture
