"""Where a pixel lies in the world, where to click to hit what one sees, which way a camera must look.

Frames of reference as in `observations`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from teach_agents.observations import Segmentation, Vec3
from teach_agents.simulator.contract import Box, Camera

if TYPE_CHECKING:
    from teach_agents.arrays import BoolArray


Click = tuple[float, float]
"""Fractions (x, y) of a picture, from its upper left corner."""
Pixel = tuple[int, int]
"""A row and a column of a picture, or of TEACh's grid of clicks."""


def heading(yaw: float) -> tuple[float, float]:
    """The direction (x, z) in which a yaw in degrees faces, exact for multiples of 90."""
    quarter = (yaw / 90.0) % 4.0
    if quarter.is_integer():
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[int(quarter)]
    return math.sin(math.radians(yaw)), math.cos(math.radians(yaw))


def moved(position: Vec3, yaw: float, ahead: float, right: float) -> Vec3:
    """`position` moved on the level, relative to where `yaw` faces."""
    dx, dz = heading(yaw)
    return Vec3(position.x + dx * ahead + dz * right, position.y, position.z + dz * ahead - dx * right)


def world_point(camera: Camera, x: float, y: float, depth: float) -> Vec3:
    """The point seen at the fractions (x, y) of a perspective camera's frame, `depth` metres along its axis."""
    spread = math.tan(math.radians(camera.field_of_view) / 2) * depth
    across, upward = (2 * x - 1) * spread, (1 - 2 * y) * spread
    sin_pitch, cos_pitch = math.sin(math.radians(camera.pitch)), math.cos(math.radians(camera.pitch))
    level = depth * cos_pitch + upward * sin_pitch
    dx, dz = heading(camera.yaw)
    px, py, pz = camera.position
    rise = upward * cos_pitch - depth * sin_pitch
    return Vec3(px + dx * level + dz * across, py + rise, pz + dz * level - dx * across)


def entry(origin: Vec3, point: Vec3, box: Box) -> Vec3:
    """Where the way from `origin` to `point` first meets `box`; `point` itself where it does not, or starts inside."""
    first, last = 0.0, 1.0
    for start, end, low, high in zip(origin, point, box.low, box.high, strict=True):
        if abs(end - start) < 1e-9:
            if not low <= start <= high:
                return point
            continue
        near, far = sorted(((low - start) / (end - start), (high - start) / (end - start)))
        first, last = max(first, near), min(last, far)
    if first > last or first <= 0.0:
        return point
    return Vec3(*(start + first * (end - start) for start, end in zip(origin, point, strict=True)))


def cardinal_yaw(origin: Vec3, target: Vec3) -> float:
    """The cardinal heading (0, 90, 180, 270) along the larger difference in x and z."""
    dx, dz = target.x - origin.x, target.z - origin.z
    if abs(dx) > abs(dz):
        return 90.0 if dx > 0 else 270.0
    return 0.0 if dz >= 0 else 180.0


def pitch_to(origin: Vec3, target: Vec3) -> float:
    """Degrees by which a camera at `origin` must look down on `target`; 0 straight above or below it."""
    distance = math.hypot(target.x - origin.x, target.z - origin.z)
    return math.degrees(math.atan((origin.y - target.y) / distance)) if distance > 0 else 0.0


def nearest_corner(box: Box, point: Vec3) -> Vec3:
    """Per axis, whichever face of `box` lies closer to `point`."""
    sides = zip(box.low, box.high, point, strict=True)
    return Vec3(*(low if abs(low - at) <= abs(high - at) else high for low, high, at in sides))


CLICK_GRID = 900
"""TEACh's frame is 900 pixels wide and high; clicks are resolved on this grid at any size of picture."""

_ENOUGH = 12
"""Pixels of margin beyond which one point of a mask is as good as another."""


def point_on(segmentation: Segmentation, object_id: str) -> Click | None:
    """Fractions (x, y) of a pixel well inside the object's mask, or `None` when no pixel shows it."""
    try:
        index = list(segmentation.object_ids).index(object_id)
    except ValueError:
        return None
    found = deepest(segmentation.ids == index)
    return None if found is None else click_at(*found, segmentation.ids.shape[0])


def deepest(mask: BoolArray) -> Pixel | None:
    """(row, column) of the pixel of a mask that lies deepest inside it, or `None` for an empty mask.

    Depth is the distance to the nearest pixel outside in rows or columns, whichever is larger (beyond 12 pixels all
    count the same); among equals the one nearest to their mean, then the first by rows.
    """
    import numpy as np

    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if rows.size == 0:
        return None
    top, left = int(rows[0]), int(columns[0])
    core = np.pad(mask[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1], 1)
    for _ in range(_ENOUGH):
        smaller = _eroded(core)
        if not smaller.any():
            break
        core = smaller
    row, column = np.nonzero(core)
    best = int(np.argmin((row - row.mean()) ** 2 + (column - column.mean()) ** 2))
    return top + int(row[best]) - 1, left + int(column[best]) - 1


def _eroded(mask: BoolArray) -> BoolArray:
    import numpy as np

    inner = np.zeros_like(mask)
    level = mask[:, :-2] & mask[:, 1:-1] & mask[:, 2:]
    inner[1:-1, 1:-1] = level[:-2] & level[1:-1] & level[2:]
    return inner


def click_at(row: int, column: int, size: int) -> Click:
    """Fractions (x, y) of a click that resolves to this pixel of a `size` x `size` picture (size at most 900)."""
    return _middle(column, size) / CLICK_GRID, _middle(row, size) / CLICK_GRID


def _middle(pixel: int, size: int) -> int:
    """The middle one of the grid's rows or columns that a row or column of a picture answers for."""
    first, after = (-(-at * CLICK_GRID // size) for at in (pixel, pixel + 1))
    return (first + after - 1) // 2


def pixel_of(grid: int, size: int) -> int:
    """The row or column of a `size` x `size` picture under a row or column of TEACh's 900-pixel grid."""
    return grid * size // CLICK_GRID
