"""What hides a thing: surfaces that looks in vain have shown.

Boxes tell little about what is mostly air or open at one side: tables, shelves, closets, chairs. The depth of one's own
view tells where their boards and walls are, so one look that did not show a thing spares others that can not either.
"""

from __future__ import annotations

import numpy as np

from teach_agents.agents.acting.looking import world_points
from teach_agents.arrays import BoolArray, Float32Array, FloatArray, IntArray
from teach_agents.observations import Pose

_VOXEL = 0.04
"""Side of the cubes that surfaces are kept as, metres."""
_SPARSE = 5
"""Of so many rows and columns of a view one is kept."""
_FARTHEST = 2.5
"""Beyond what depth surfaces matter to nobody who is within reach, metres."""
_BEFORE_EYE, _BEFORE_THING = 0.2, 0.12
"""What is so near to the eye or to the thing does not count as between them, metres."""
_STEPS = 32
_ORIGIN, _SPAN = 4096, 8192


class Screens:
    """Surfaces seen so far, as cubes, in order."""

    def __init__(self) -> None:
        self._cubes: IntArray = np.zeros(0, dtype=np.int64)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was seen yet."""
        return not len(self._cubes)

    def add(self, depth: Float32Array, pose: Pose) -> None:
        """Remember the surfaces that a view shows."""
        height, width = depth.shape
        rows, columns = np.mgrid[0:height:_SPARSE, 0:width:_SPARSE].reshape(2, -1)
        far = depth[rows, columns].astype(np.float64)
        near = far < _FARTHEST
        x, y = (columns[near] + 0.5) / width, (rows[near] + 0.5) / height
        seen = _cubes(world_points(x, y, far[near], pose))
        self._cubes = np.sort(np.concatenate([self._cubes, seen]))

    def hide(self, eyes: FloatArray, points: FloatArray) -> BoolArray:
        """Whether a surface lies between each of N x 3 eyes and its point."""
        if self.is_empty:
            return np.zeros(len(eyes), dtype=np.bool_)
        ways = points - eyes
        lengths = np.maximum(np.sqrt((ways * ways).sum(axis=1)), _BEFORE_EYE + _BEFORE_THING)
        first, last = _BEFORE_EYE / lengths, 1.0 - _BEFORE_THING / lengths
        parts = first[:, None] + (last - first)[:, None] * np.linspace(0.0, 1.0, _STEPS)
        between = eyes[:, None] + parts[:, :, None] * ways[:, None]
        return np.asarray(self._holds(_cubes(between)).any(axis=1))

    def _holds(self, cubes: IntArray) -> BoolArray:
        """Which of these cubes are surfaces."""
        places = np.searchsorted(self._cubes, cubes)
        return np.asarray(self._cubes[np.minimum(places, len(self._cubes) - 1)] == cubes)


def _cubes(points: FloatArray) -> IntArray:
    """A number for the cube that each point lies in."""
    cells = np.floor(points / _VOXEL).astype(np.int64) + _ORIGIN
    return np.asarray((cells[..., 0] * _SPAN + cells[..., 1]) * _SPAN + cells[..., 2])
