"""What the depth of views tells: which columns of a room were looked at, and what is plainly not there any more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

import numpy as np

from teach_agents.agents.acting.looking import EYE_HEIGHT, click_fractions, world_points
from teach_agents.agents.acting.navigation import GRID
from teach_agents.agents.perceiving.voxels import Voxels
from teach_agents.arrays import BoolArray, Float32Array, FloatArray, IntArray
from teach_agents.observations import Pose

_STRIDE = 3
"""Every third row and column of a picture is looked at."""
_FARTHEST = 12.0
_EXTENT = 80
"""Half of the side of the map, cells: rooms lie within 20 m of the origin of their coordinates."""
_SIDE = 2 * _EXTENT + 1
_TALL = 0.4
"""What reaches higher than this below the eyes hides what is behind it, metres."""
_AROUND = 3
"""How many cells off the places to stand there may still be something to see."""
_RAYS = 24
"""Directions in which a view of 90 degrees is probed."""
_SIGHT, _STEP = 5.0, 0.2
"""How far one looks, and in what steps, metres."""
_RIM = math.ceil(_SIGHT / GRID)


def points_of(depth: Float32Array, pose: Pose) -> FloatArray:
    """The world points that every third row and column of a view shows, N x 3 in metres."""
    height, width = depth.shape
    rows, columns = np.mgrid[_STRIDE // 2 : height : _STRIDE, _STRIDE // 2 : width : _STRIDE].reshape(2, -1)
    far = depth[rows, columns].astype(np.float64)
    near = np.isfinite(far) & (far > 0.0) & (far < _FARTHEST)
    x, y = (columns[near] + 0.5) / width, (rows[near] + 0.5) / height
    return world_points(x, y, far[near], pose)


class Seen:
    """The columns in which something was seen, and those that are too tall to look over.

    A column is a cell of the grid with all that is above it. `voxels` tell more finely what was seen, and from where.
    """

    def __init__(self) -> None:
        self.voxels = Voxels()
        self._seen = np.zeros((_SIDE, _SIDE), np.bool_)
        self._tall = np.zeros((_SIDE, _SIDE), np.bool_)

    def look(self, points: FloatArray, pose: Pose) -> None:
        """A view showed these points (N x 3, metres)."""
        self.voxels.look(points, pose.position)
        x, z = _indices(np.rint(points[:, ::2] / GRID).astype(np.int64))
        self._seen[x, z] = True
        tall = points[:, 1] > pose.position.y + EYE_HEIGHT - _TALL
        self._tall[x[tall], z[tall]] = True

    def gains(self, cells: IntArray) -> FloatArray:
        """About how many columns that were never seen show from each of N x 2 cells, by the four headings: N x 4.

        Only columns by these cells count, and only as far as nothing tall that was seen stands in between.
        """
        if not len(cells):
            return np.zeros((0, 4))
        # Bit 0: never seen, bit 1: tall. With a rim as wide as one looks, so that no ray leaves the map.
        known = np.pad((_near(cells) & ~self._seen) | self._tall.astype(np.uint8) << 1, _RIM, mode="edge")
        x, z = _indices(cells)
        eyes = ((x + _RIM) * known.shape[1] + z + _RIM)[:, None]
        hidden = np.zeros((len(cells), 4 * _RAYS), np.uint8)
        shown = np.zeros(hidden.shape, np.int64)
        for step, (dx, dz) in enumerate(_offsets(), start=1):
            there = known.take(eyes + dx * known.shape[1] + dz)
            hidden |= there >> 1
            shown += step * (there & ~hidden & 1)
        area = (_STEP / GRID) ** 2 * np.radians(90.0 / _RAYS)  # of the first step; it grows with the distance
        return np.asarray(shown.reshape(len(cells), 4, _RAYS).sum(axis=2) * area)


@cache
def _offsets() -> IntArray:
    """The cells that a look around goes over, step by step in each direction: steps x 2 x directions."""
    angles = np.radians(np.arange(4 * _RAYS) * 90.0 / _RAYS - 45.0 + 45.0 / _RAYS)
    away = np.arange(_STEP, _SIGHT, _STEP)
    ahead = np.stack([np.sin(angles), np.cos(angles)])
    return np.asarray(np.rint(away[:, None, None] * ahead / GRID), dtype=np.int64)


def _near(cells: IntArray) -> BoolArray:
    """The columns that are by places to stand."""
    near = np.zeros((_SIDE, _SIDE), np.bool_)
    for offset in product(range(-_AROUND, _AROUND + 1), repeat=2):
        near[_indices(cells + offset)] = True
    return near


def _indices(cells: IntArray) -> tuple[IntArray, IntArray]:
    """Cells (... x 2) as places in the map's arrays; what is outside is taken to its edge."""
    inside = np.clip(cells + _EXTENT, 0, _SIDE - 1)
    return inside[..., 0], inside[..., 1]


_FRACTIONS = (0.2, 0.5, 0.8)
_NEAREST = 0.3
_OPEN = 0.9
"""Share of a box's points that must show, or what is behind them, before its thing counts as gone."""
_LEAST = 40.0
"""Pixels that the box must take up: of less, nothing of the thing may show although it is there."""
_SLACK = 0.03


def absent(rows: Sequence[Mapping[str, object]], depth: Float32Array, pose: Pose) -> list[str]:
    """The ids of those of `rows`, none of which is seen in the view, whose place is seen with nothing before it."""
    boxes = [(str(row["objectId"]), box) for row in rows if (box := _box(row))]
    if not boxes:
        return []
    centers, sizes = np.array([box for _, box in boxes], np.float64).transpose(1, 0, 2)
    steps = np.stack(np.meshgrid(*[_FRACTIONS] * 3, indexing="ij"), axis=-1).reshape(-1, 3) - 0.5
    points = centers[:, None] + steps * sizes[:, None]
    x, y, away = click_fractions(points, pose)
    framed = (away > _NEAREST) & (x >= 0.0) & (x < 1.0) & (y >= 0.0) & (y < 1.0)
    inside: BoolArray = np.all(framed, axis=1)
    height, width = depth.shape
    x, y = np.where(inside[:, None], x, 0.0) * width, np.where(inside[:, None], y, 0.0) * height
    behind = depth[y.astype(np.int64), x.astype(np.int64)]
    slack = np.linalg.norm(sizes, axis=1)[:, None] / 2 + _SLACK
    shows = (behind >= away - slack).mean(axis=1) >= _OPEN
    large = np.ptp(x, axis=1) * np.ptp(y, axis=1) >= _LEAST
    return [boxes[number][0] for number in np.flatnonzero(inside & shows & large)]


def _box(row: Mapping[str, object]) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """The middle and the sides of an object's box, metres."""
    box = row.get("axisAlignedBoundingBox")
    if not isinstance(box, Mapping) or not box.get("center") or not box.get("size"):
        return None
    center, size = (tuple(float(box[part][axis]) for axis in "xyz") for part in ("center", "size"))
    return center, size
