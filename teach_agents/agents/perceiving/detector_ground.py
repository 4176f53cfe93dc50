"""Where one can stand, as far as depth and one's own moves have shown it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.acting.navigation import GRID, Cell, cell_of
from teach_agents.observations import Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CAMERA_HEIGHT", "Ground"]

BODY_HEIGHT = 0.901
"""Height of the body's position above the floor, metres: AI2-THOR's, in every room."""
CAMERA_HEIGHT = BODY_HEIGHT + EYE_HEIGHT
"""Height of the camera above the floor, metres."""

_FINE = 0.05
"""Side of the squares in which floor and obstacles are counted, metres."""
_PER_CELL = round(GRID / _FINE)
_EXTENT = 400
"""Half of the side of the map, squares: rooms lie within 20 m of the origin of their coordinates."""
_SIDE = 2 * _EXTENT + 1
_STEP, _TALL = 0.12, 1.75
"""What is between these heights above the floor is in a body's way, metres."""
_RADIUS = 0.22
"""A body is so wide, metres."""
_FEW = 2
"""Squares under a body that may hold something: the depth of outlines is vague."""
_FLOOR = 0.3
"""Share of the squares under a body of which the floor must have been seen."""
_SURE = 3
"""How often something must have been seen where the floor was, or the floor where something was, to turn a square."""
_AROUND = 2
"""How many cells about oneself count as free until something is seen there: one does not see one's own feet."""


class Ground:
    """The floor and what stands on it, square by square; and the cells where the body was.

    A cell is free where the body was, or where the floor shows and nothing stands within a body's radius.
    """

    def __init__(self) -> None:
        self._something = np.zeros((_SIDE, _SIDE), np.int8)
        self._floor = np.zeros((_SIDE, _SIDE), np.bool_)
        self._been: set[Cell] = set()
        self._free: frozenset[tuple[float, float]] | None = None

    def look(self, points: NDArray[np.float64], pose: Pose) -> None:
        """A view showed these points (N x 3, metres)."""
        height = points[:, 1] - (pose.position.y - BODY_HEIGHT)
        x, z = np.clip(np.rint(points[:, ::2] / _FINE).astype(np.int64) + _EXTENT, 0, _SIDE - 1).T
        inside, floor = (height > _STEP) & (height < _TALL), np.abs(height) <= _STEP
        seen = np.zeros((_SIDE, _SIDE), np.bool_)
        seen[x[floor], z[floor]] = True
        self._floor |= seen
        blocked = np.zeros((_SIDE, _SIDE), np.bool_)
        blocked[x[inside], z[inside]] = True
        self._something[blocked] = np.minimum(self._something[blocked] + 1, _SURE)
        self._something[seen & ~blocked] = np.maximum(self._something[seen & ~blocked] - 1, 0)
        here = cell_of(pose.position.x, pose.position.z)
        self._been.add(here)
        self._free = None

    @property
    def reachable(self) -> frozenset[tuple[float, float]]:
        """Positions (x, z) in metres, on the grid of cells, on which one can stand as far as is known."""
        if self._free is None:
            self._free = frozenset((x * GRID, z * GRID) for x, z in self._cells())
        return self._free

    def _cells(self) -> set[Cell]:
        something = self._something > 0
        offsets = _disc()
        first = _EXTENT % _PER_CELL
        crowd = np.zeros((_SIDE, _SIDE), np.int16)[first::_PER_CELL, first::_PER_CELL]
        shown = crowd.copy()
        for dx, dz in offsets.tolist():
            crowd += _shifted(something, dx, dz, first)
            shown += _shifted(self._floor, dx, dz, first)
        clear = crowd <= _FEW
        known = clear & (shown >= _FLOOR * len(offsets))
        middle = _EXTENT // _PER_CELL
        cells = {(int(x), int(z)) for x, z in (np.argwhere(known) - middle).tolist()}
        for x, z in [*self._been]:
            cells |= {
                (x + dx, z + dz)
                for dx in range(-_AROUND, _AROUND + 1)
                for dz in range(-_AROUND, _AROUND + 1)
                if abs(dx) + abs(dz) <= _AROUND and clear[x + dx + middle, z + dz + middle]
            }
        return cells | self._been


def _disc() -> NDArray[np.int64]:
    """Squares within a body's radius of its middle, N x 2."""
    reach = int(_RADIUS / _FINE)
    steps = np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.asarray(steps[np.hypot(*(steps * _FINE).T) <= _RADIUS])


def _shifted(grid: NDArray[np.bool_], dx: int, dz: int, first: int) -> NDArray[np.bool_]:
    """The squares so far from every cell's middle; beyond the edge there is nothing."""
    padded = np.roll(grid, (-dx, -dz), axis=(0, 1))
    return padded[first::_PER_CELL, first::_PER_CELL]
