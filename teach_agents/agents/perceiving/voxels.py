"""Which small cubes of a room were seen, and which of them from near enough to tell what is small."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.acting.knowledge import FAR_ONLY
from teach_agents.arrays import BoolArray, Float32Array, FloatArray, Int32Array, IntArray
from teach_agents.observations import Vec3

SIDE = 0.1
"""The side of a cube, metres."""
_NEAR = 2.0
"""How far away a pen, a card or a key that lies flat is still recognised, metres over the floor."""
_SEEN, _CLOSE = np.uint8(1), np.uint8(2)
_WIDE, _LOW, _HIGH = 200, -10, 40
"""Half of the sides of the map, and its bottom and top, cubes: rooms lie within 20 m of the origin."""
_EDGE = 0.05
"""What lies so near to the outline of a box, metres, tells nothing of what is on it."""
_STEPS = 24
_ENDS = 0.06, 0.9
"""Which part of the way to a point is looked at for what is in between; what is at the point itself hides nothing."""


class Voxels:
    """Cubes in which something was seen. What is outside the map is taken to its edge."""

    def __init__(self) -> None:
        self._cubes = np.zeros(_SHAPE, np.uint8)

    def look(self, points: FloatArray, eye: Vec3) -> None:
        """A view from `eye` showed these points (N x 3, metres)."""
        if not len(points):
            return
        across, along = points[:, 0] - eye.x, points[:, 2] - eye.z
        near = across * across + along * along <= _NEAR**2
        places = _flat(_on_map(points))
        cubes = self._cubes.reshape(-1)
        cubes[places] |= _SEEN
        cubes[places[near]] |= _CLOSE

    def unseen(self, low: Vec3, high: Vec3, overlooked: float = FAR_ONLY) -> tuple[FloatArray, FloatArray]:
        """The columns of a box, their middles on the map (N x 2, metres), and how little was seen of each (N).

        That is 1 where nothing in the column was seen, `overlooked` where something was from afar, and 0 where it was
        from near.
        """
        corners = np.array([low, high])
        corners[:, ::2] += np.array([[_EDGE], [-_EDGE]])
        first, last = _indices(corners)
        box = self._cubes[first[0] : last[0] + 1, first[1] : last[1] + 1, first[2] : last[2] + 1]
        bits = np.bitwise_or.reduce(box, axis=1)
        x, z = np.mgrid[first[0] : last[0] + 1, first[2] : last[2] + 1].reshape(2, -1)
        middles = (np.stack([x, z], axis=1) - _WIDE) * SIDE
        return middles, np.array([1.0, overlooked, 0.0, 0.0])[bits.ravel()]

    def hides(self, eyes: FloatArray, points: FloatArray) -> BoolArray:
        """Whether something that was seen stands between eyes (N x 3) and points (M x 3): N x M."""
        begins, ends = _on_map(eyes)[:, :, None], _on_map(points)[:, None]
        cubes = self._cubes.reshape(-1)
        hits = np.zeros((len(eyes), len(points)), np.uint8)
        for share in np.linspace(*_ENDS, _STEPS, dtype=np.float32):
            hits |= cubes[_flat((1 - share) * begins + share * ends)]
        return np.asarray(hits > 0)


_CORNER = np.array([[-_WIDE], [_LOW], [-_WIDE]])
_SHAPE = 2 * _WIDE + 1, _HIGH - _LOW + 1, 2 * _WIDE + 1


def _indices(points: FloatArray) -> IntArray:
    """Points (... x 3, metres) as places in the map."""
    places = np.rint(points / SIDE).astype(np.int64) - (-_WIDE, _LOW, -_WIDE)
    return np.asarray(np.clip(places, 0, np.array(_SHAPE) - 1))


def _on_map(points: FloatArray) -> Float32Array:
    """Points (N x 3, metres) in cubes from the map's corner, 3 x N: whole numbers are the borders of cubes."""
    places = points.T / SIDE - _CORNER + 0.5
    for axis, size in zip(places, _SHAPE, strict=True):
        np.clip(axis, 0.0, size - 0.5, out=axis)
    return np.asarray(places, np.float32)


def _flat(places: Float32Array) -> Int32Array:
    """Places on the map (3 x ...) by the numbers of their cubes."""
    x, y, z = places.astype(np.int32)
    return np.asarray((x * _SHAPE[1] + y) * _SHAPE[2] + z)
