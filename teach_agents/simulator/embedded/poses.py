"""Moving an object as one rigid piece: Unity's Euler angles, oriented corners, boxes.

Unity's frame is left-handed: x right, y up, z forward. Euler angles (degrees) turn about z, then x, then y; positive
yaw is clockwise seen from above, and the forward axis of yaw 0 is +z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState

__all__ = ["box_around", "carried", "moved_by", "posed", "rotation_rows", "turned"]

Rows = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

_SAME = 1e-9


@lru_cache(maxsize=4096)
def rotation_rows(euler: tuple[float, float, float]) -> Rows:
    """The rows of the rotation matrix that takes object axes to world axes."""
    sx, sy, sz = (math.sin(math.radians(angle)) for angle in euler)
    cx, cy, cz = (math.cos(math.radians(angle)) for angle in euler)
    return (
        (cy * cz + sy * sx * sz, sy * sx * cz - cy * sz, sy * cx),
        (cx * sz, cx * cz, -sx),
        (cy * sx * sz - sy * cz, sy * sz + cy * sx * cz, cy * cx),
    )


def turned(rows: Rows, vector: Vec3) -> Vec3:
    """The vector from object axes to world axes."""
    x, y, z = vector
    (a, b, c), (d, e, f), (g, h, i) = rows
    return Vec3(a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)


def _unturned(rows: Rows, vector: Vec3) -> Vec3:
    x, y, z = vector
    (a, b, c), (d, e, f), (g, h, i) = rows
    return Vec3(a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z)


def box_around(points: Sequence[Vec3]) -> Box:
    """The smallest axis-aligned box that holds the points."""
    xs, ys, zs = zip(*points, strict=True)
    low, high = (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))
    center = Vec3(*((a + b) / 2 for a, b in zip(low, high, strict=True)))
    return Box(center, Vec3(*(b - a for a, b in zip(low, high, strict=True))))


def moved_by(obj: ObjectState, by: Vec3) -> ObjectState:
    """The object shifted without turning."""
    dx, dy, dz = by
    x, y, z = obj.position
    corners = obj.corners
    if corners is not None:
        corners = tuple(Vec3(cx + dx, cy + dy, cz + dz) for cx, cy, cz in corners)
    return replace(obj, position=Vec3(x + dx, y + dy, z + dz), box=obj.box.moved(by), corners=corners)


def posed(obj: ObjectState, position: Vec3, rotation: Vec3) -> ObjectState:
    """The object with its pivot at `position`, turned to `rotation`.

    Without a turn the box moves along exactly. With one it becomes the box around the turned oriented corners; an
    object without oriented corners keeps its size.
    """
    shift = Vec3(*(new - old for new, old in zip(position, obj.position, strict=True)))
    if all(abs(new - old) < _SAME for new, old in zip(rotation, obj.rotation, strict=True)):
        return moved_by(obj, shift)
    if obj.corners is None:
        return replace(obj, position=position, rotation=rotation, box=obj.box.moved(shift))
    before, after = rotation_rows(obj.rotation), rotation_rows(rotation)
    px, py, pz = obj.position
    corners = []
    for x, y, z in obj.corners:
        ox, oy, oz = turned(after, _unturned(before, Vec3(x - px, y - py, z - pz)))
        corners.append(Vec3(position.x + ox, position.y + oy, position.z + oz))
    return replace(obj, position=position, rotation=rotation, box=box_around(corners), corners=tuple(corners))


def carried(obj: ObjectState, origin: Vec3, target: Vec3, yaw: float) -> ObjectState:
    """The object moved along with a holder that went from `origin` to `target` and turned by `yaw` degrees."""
    x, y, z = (here - there for here, there in zip(obj.position, origin, strict=True))
    offset = turned(rotation_rows((0.0, yaw, 0.0)), Vec3(x, y, z))
    position = Vec3(*(there + by for there, by in zip(target, offset, strict=True)))
    rx, ry, rz = obj.rotation
    return posed(obj, position, Vec3(rx, (ry + yaw) % 360.0, rz))
