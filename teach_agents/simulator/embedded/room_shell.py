"""What a room has besides its objects: floor, walls, ceiling, the lamp's light, and the Follower's own body."""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, SimulatorState
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.shapes.assembly import Assembly
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Pattern, box

__all__ = ["RoomShell"]

_CEILING = "structure|Ceiling"
_WALLS = "structure|Walls"
_FLOOR = "structure|Floor"
_LOWEST_CEILING = 2.5
_THICKNESS = 0.1


@dataclass(frozen=True, slots=True)
class _Extent:
    low: Vec3
    high: Vec3


class RoomShell:
    """The structure of one world's room, kept beside the assembly it is part of."""

    def __init__(self, assembly: Assembly, state: SimulatorState) -> None:
        self._assembly = assembly
        self._extent = _extent(state)
        floor = next((obj for obj in state.objects.values() if obj.object_type == "Floor"), None)
        assembly.structure(_FLOOR, _floor(self._extent), stands_for=floor.object_id if floor else None)
        assembly.structure(_WALLS, _walls(self._extent))
        assembly.structure(_CEILING, _ceiling(self._extent))
        self._bright = self._light()

    @classmethod
    def of(cls, assembly: Assembly, state: SimulatorState) -> RoomShell:
        """The shell of an assembly's world."""
        known = _KNOWN.get(assembly)
        if known is None:
            known = cls(assembly, state)
            _KNOWN[assembly] = known
        return known

    def prepare(self, state: SimulatorState, camera: Camera) -> None:
        """Hide what this camera must not see: the ceiling from above."""
        above = camera.orthographic is not None or camera.position.y > self._extent.high.y
        self._assembly.arena.show(self._assembly.slot(_CEILING), not above)

    def light(self, state: SimulatorState) -> NDArray[np.float32]:
        """The lamp as the kernels read it."""
        return self._bright

    def _light(self) -> NDArray[np.float32]:
        low, high = self._extent.low, self._extent.high
        light = np.zeros(at.LIGHT_WIDTH, np.float32)
        light[:3] = ((low.x + high.x) / 2, high.y - 0.3, (low.z + high.z) / 2)
        reach = max(high.x - low.x, high.z - low.z)
        light[at.FALLOFF] = 1.6 / (reach * reach + 1.0)
        light[at.STRENGTH] = 0.5
        light[at.AMBIENT] = 0.5
        return light


_KNOWN: WeakKeyDictionary[Assembly, RoomShell] = WeakKeyDictionary()


def _extent(state: SimulatorState) -> _Extent:
    """The inner faces of floor, walls and ceiling."""
    lows, highs = [], []
    for obj in state.objects.values():
        if obj.exists and not obj.kind.pickupable and math.isfinite(obj.box.size.x):
            lows.append(obj.box.low)
            highs.append(obj.box.high)
    low = Vec3(min(p.x for p in lows), 0.0, min(p.z for p in lows))
    high = Vec3(max(p.x for p in highs), max(_LOWEST_CEILING, *(p.y + 0.02 for p in highs)), max(p.z for p in highs))
    return _Extent(low, high)


def _floor(extent: _Extent) -> list[Part]:
    (x0, _, z0), (x1, _, z1) = extent.low, extent.high
    tiles = Material((206, 196, 178), (184, 172, 152), Pattern.TILES, 2.5)
    part = box(((x0 + x1) / 2, -0.05, (z0 + z1) / 2), (x1 - x0, 0.1, z1 - z0), tiles)
    return [part]


def _walls(extent: _Extent) -> list[Part]:
    (x0, y0, z0), (x1, y1, z1) = extent.low, extent.high
    paint = Material((226, 216, 192))
    middle = ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)
    whole = box(middle, (x1 - x0, y1 - y0, z1 - z0), paint)
    return [whole.inward(Faces.LEFT | Faces.RIGHT | Faces.FRONT | Faces.BACK)]


def _ceiling(extent: _Extent) -> list[Part]:
    (x0, _, z0), (x1, y1, z1) = extent.low, extent.high
    white = Material((246, 246, 244))
    return [box(((x0 + x1) / 2, y1 + _THICKNESS / 2, (z0 + z1) / 2), (x1 - x0, _THICKNESS, z1 - z0), white)]
