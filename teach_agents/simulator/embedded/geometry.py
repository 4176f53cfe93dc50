"""Geometry that everything shares: footprints, rectangles, distances and overlaps on the floor; rigid pieces in space.

The plane is the floor: points are (x, z) in metres. A footprint is a convex quadrilateral of four such points.

Unity's frame is left-handed: x right, y up, z forward. Euler angles (degrees) turn about z, then x, then y; positive
yaw is clockwise seen from above, and the forward axis of yaw 0 is +z.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState

Footprint = tuple[tuple[float, float], ...]
Triple = tuple[float, float, float]
Rows = tuple[Triple, Triple, Triple]

_SQUARE = 0.995
_UPRIGHT_TOLERANCE = 0.03
_BROKEN_EXTENT = 5.0
"""ToiletPaper boxes of up to 25 m occur in AI2-THOR's metadata (fidelity notes, shape rule 8)."""
_BROKEN_HALF = 0.06


class Rectangle(NamedTuple):
    """An axis-aligned rectangle on the floor plane, metres."""

    x0: float
    z0: float
    x1: float
    z1: float

    @property
    def size(self) -> tuple[float, float]:
        """Width along x and depth along z."""
        return self.x1 - self.x0, self.z1 - self.z0

    @property
    def middle(self) -> tuple[float, float]:
        """The point (x, z) in the middle."""
        return (self.x0 + self.x1) / 2, (self.z0 + self.z1) / 2

    @property
    def area(self) -> float:
        """Square metres."""
        return math.prod(self.size)

    def holds(self, point: Vec3) -> bool:
        """Whether a point lies over the rectangle, not just on its border."""
        return self.x0 < point.x < self.x1 and self.z0 < point.z < self.z1

    def meets(self, other: Rectangle) -> bool:
        """Whether two rectangles overlap."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.z0 < other.z1 and other.z0 < self.z1

    def minus(self, hole: Rectangle) -> tuple[Rectangle, ...]:
        """What is left when `hole` is cut out, as up to four rectangles; slivers under 5 mm are dropped."""
        a, b = max(self.x0, hole.x0), max(self.z0, hole.z0)
        c, d = min(self.x1, hole.x1), min(self.z1, hole.z1)
        if a >= c or b >= d:
            return (self,)
        pieces = (
            Rectangle(self.x0, self.z0, a, self.z1),
            Rectangle(c, self.z0, self.x1, self.z1),
            Rectangle(a, self.z0, c, b),
            Rectangle(a, d, c, self.z1),
        )
        return tuple(piece for piece in pieces if min(piece.size) > 0.005)

    def grown(self, margin: float) -> Rectangle:
        """The rectangle with its borders moved outward by `margin` metres."""
        return Rectangle(self.x0 - margin, self.z0 - margin, self.x1 + margin, self.z1 + margin)

    @property
    def footprint(self) -> Footprint:
        """The four corners."""
        return ((self.x0, self.z0), (self.x1, self.z0), (self.x1, self.z1), (self.x0, self.z1))


class Outline(NamedTuple):
    """A convex outline on the plane and its bounds. `square`: the outline fills its bounds."""

    footprint: Footprint
    bounds: Rectangle
    square: bool


@lru_cache(maxsize=16384)
def outline_of(footprint: Footprint) -> Outline:
    """The footprint with its bounds."""
    bounds = bounds_of(footprint)
    twice = 0.0
    px, pz = footprint[-1]
    for qx, qz in footprint:
        twice += px * qz - qx * pz
        px, pz = qx, qz
    return Outline(footprint, bounds, abs(twice) / 2 >= _SQUARE * bounds.area)


def rectangle_of(box: Box) -> Rectangle:
    """The box seen from above."""
    (x, _, z), (w, _, d) = box.center, box.size
    return Rectangle(x - w / 2, z - d / 2, x + w / 2, z + d / 2)


def bounds_of(footprint: Footprint) -> Rectangle:
    """The smallest axis-aligned rectangle around a footprint."""
    xs, zs = zip(*footprint, strict=True)
    return Rectangle(min(xs), min(zs), max(xs), max(zs))


def around(areas: Iterable[Rectangle]) -> Rectangle:
    """The smallest rectangle around several."""
    x0, z0, x1, z1 = zip(*areas, strict=True)
    return Rectangle(min(x0), min(z0), max(x1), max(z1))


def _is_upright(corners: tuple[Vec3, ...]) -> bool:
    """Whether an oriented box stands on its bottom face, to within 3 cm."""
    heights = [corner.y for corner in corners[:4]]
    return max(heights) - min(heights) < _UPRIGHT_TOLERANCE


def footprint_of(obj: ObjectState) -> Footprint:
    """The object seen from above: its oriented box where it has an upright one, else its axis-aligned box.

    Broken boxes (metres wide on a pickupable thing) shrink to 12 cm about the object's position.
    """
    if obj.kind.pickupable and max(obj.box.size) > _BROKEN_EXTENT:
        x, _, z = obj.position
        return Rectangle(x, z, x, z).grown(_BROKEN_HALF).footprint
    if obj.corners is not None and _is_upright(obj.corners):
        return tuple((corner.x, corner.z) for corner in obj.corners[:4])
    return rectangle_of(obj.box).footprint


def distance_to_footprint(x: float, z: float, footprint: Footprint) -> float:
    """Distance in metres from a point to a convex footprint; 0 inside."""
    nearest, inside = math.inf, 0
    px, pz = footprint[-1]
    for qx, qz in footprint:
        ex, ez = qx - px, qz - pz
        rx, rz = x - px, z - pz
        inside += 1 if ex * rz - ez * rx > 0 else -1
        length = ex * ex + ez * ez
        along = (ex * rx + ez * rz) / length if length > 0 else 0.0
        along = 0.0 if along < 0.0 else 1.0 if along > 1.0 else along
        away = math.hypot(rx - along * ex, rz - along * ez)
        if away < nearest:
            nearest = away
        px, pz = qx, qz
    return 0.0 if abs(inside) == len(footprint) else nearest


def footprints_overlap(one: Footprint, other: Footprint, slack: float = 0.0) -> bool:
    """Whether two convex footprints share more than `slack` metres along every separating direction."""
    return not (separated(one, other, slack) or separated(other, one, slack))


def separated(one: Footprint, other: Footprint, slack: float = 0.0) -> bool:
    """Whether two convex footprints share no more than `slack` metres along a side of the first."""
    px, pz = one[-1]
    for qx, qz in one:
        nx, nz = qz - pz, px - qx
        px, pz = qx, qz
        length = math.hypot(nx, nz)
        if length < 1e-9:
            continue
        mine = [x * nx + z * nz for x, z in one]
        theirs = [x * nx + z * nz for x, z in other]
        if min(max(mine) - min(theirs), max(theirs) - min(mine)) <= slack * length:
            return True
    return False


CORNERS = ((1, -1, 1), (-1, -1, 1), (-1, -1, -1), (1, -1, -1), (1, 1, 1), (-1, 1, 1), (-1, 1, -1), (1, 1, -1))
"""A box's corners in the order of AI2-THOR's oriented boxes, in half sizes from its middle."""
_SAME = 1e-9
_vector: Callable[[Triple], Vec3] = partial(tuple.__new__, Vec3)
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
def rotation_rows(euler: Triple) -> Rows:
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


def _moved_by(obj: ObjectState, by: Vec3) -> ObjectState:
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
    if not is_turned(obj.rotation, rotation):
        return _moved_by(obj, minus(position, obj.position))
    corners = obj.corners
    if corners is None:
        box = obj.box.moved(minus(position, obj.position))
    else:
        corners = turned_corners(obj.position, obj.rotation, corners, position, rotation)
        box = box_around(corners)
    return obj.changed(position=position, rotation=rotation, box=box, corners=corners)


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
