"""Moving an object as one rigid piece: Unity's Euler angles, oriented corners, boxes.

Unity's frame is left-handed: x right, y up, z forward. Euler angles (degrees) turn about z, then x, then y; positive
yaw is clockwise seen from above, and the forward axis of yaw 0 is +z.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState

Rows = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

CORNERS = ((1, -1, 1), (-1, -1, 1), (-1, -1, -1), (1, -1, -1), (1, 1, 1), (-1, 1, 1), (-1, 1, -1), (1, 1, -1))
"""A box's corners in the order of AI2-THOR's oriented boxes, in half sizes from its middle."""
_SAME = 1e-9
_vector: Callable[[tuple[float, float, float]], Vec3] = partial(tuple.__new__, Vec3)
"""`Vec3` of three numbers in a third of its constructor's time."""


def plus(one: Vec3, other: Vec3) -> Vec3:
    """The sum of two vectors."""
    (x, y, z), (dx, dy, dz) = one, other
    return _vector((x + dx, y + dy, z + dz))


def minus(one: Vec3, other: Vec3) -> Vec3:
    """The difference of two vectors."""
    (x, y, z), (dx, dy, dz) = one, other
    return _vector((x - dx, y - dy, z - dz))


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


def box_around(points: Sequence[Vec3]) -> Box:
    """The smallest axis-aligned box that holds the points."""
    xs, ys, zs = zip(*points, strict=True)
    x0, y0, z0, x1, y1, z1 = min(xs), min(ys), min(zs), max(xs), max(ys), max(zs)
    return Box(Vec3((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2), Vec3(x1 - x0, y1 - y0, z1 - z0))


def moved_by(obj: ObjectState, by: Vec3) -> ObjectState:
    """The object shifted without turning."""
    dx, dy, dz = by
    corners = obj.corners
    if corners is not None:
        corners = tuple([_vector((cx + dx, cy + dy, cz + dz)) for cx, cy, cz in corners])
    return obj.changed(position=plus(obj.position, by), box=obj.box.moved(by), corners=corners)


def posed(obj: ObjectState, position: Vec3, rotation: Vec3) -> ObjectState:
    """The object with its pivot at `position`, turned to `rotation`.

    Without a turn the box moves along exactly. With one it becomes the box around the turned oriented corners; an
    object without oriented corners keeps its size.
    """
    if is_turned(obj.rotation, rotation) and obj.corners is not None:
        corners = turned_corners(obj.position, obj.rotation, obj.corners, position, rotation)
        return obj.changed(position=position, rotation=rotation, box=box_around(corners), corners=corners)
    shift = minus(position, obj.position)
    if is_turned(obj.rotation, rotation):
        return obj.changed(position=position, rotation=rotation, box=obj.box.moved(shift))
    return moved_by(obj, shift)


def is_turned(before: Vec3, after: Vec3) -> bool:
    """Whether two triples of Euler angles differ."""
    (ax, ay, az), (bx, by, bz) = before, after
    return not (abs(bx - ax) < _SAME and abs(by - ay) < _SAME and abs(bz - az) < _SAME)


def turned_corners(pivot: Vec3, before: Vec3, corners: Iterable[Vec3], position: Vec3, after: Vec3) -> tuple[Vec3, ...]:
    """The corners of a solid that stood at `pivot`, turned to `before`, once it stands at `position` turned to `after`.

    From world axes to its own, and back: the two products, written out because the body's every turn asks for them.
    """
    (a, b, c), (d, e, f), (g, h, i) = rotation_rows(before)
    (j, k, m), (n, p, q), (r, s, t) = rotation_rows(after)
    px, py, pz = pivot
    to_x, to_y, to_z = position
    found = []
    for corner_x, corner_y, corner_z in corners:
        u, v, w = corner_x - px, corner_y - py, corner_z - pz
        x, y, z = a * u + d * v + g * w, b * u + e * v + h * w, c * u + f * v + i * w
        found.append(
            _vector((to_x + (j * x + k * y + m * z), to_y + (n * x + p * y + q * z), to_z + (r * x + s * y + t * z)))
        )
    return tuple(found)


def carried(obj: ObjectState, origin: Vec3, target: Vec3, yaw: float) -> ObjectState:
    """The object moved along with a holder that went from `origin` to `target` and turned by `yaw` degrees."""
    position = plus(target, turned(rotation_rows((0.0, yaw, 0.0)), minus(obj.position, origin)))
    rx, ry, rz = obj.rotation
    return posed(obj, position, Vec3(rx, (ry + yaw) % 360.0, rz))
