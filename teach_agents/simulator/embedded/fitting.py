"""Fitting a box onto a surface among other boxes: the search behind placement.

A surface is level and made of convex regions; a shape is an object's box in one orientation. A box fits where its
outline lies over the regions and nothing in the way shares its space.

What is put down stands square to its receptacle (specification 2.6). Where that is turned out of square to the room,
the search for a place goes by the receptacle's axes: there the boxes of what is placed are no wider than the things.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple, TypeVar

import numpy as np

from teach_agents.arrays import BoolArray, FloatArray
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded.geometry import (
    Footprint,
    Outline,
    Rectangle,
    around,
    outline_of,
    rectangle_of,
    separated,
)

SLACK = 0.004
"""Overlap in metres up to which boxes merely touch."""
_EDGE = 0.01
_SPACING = 0.05
_FINEST = 0.02
_MOST_POINTS = 900
_FARTHEST_POINT = 0.3
_LEEWAY = 0.015

Points = FloatArray
Mask = BoolArray


class Obstacle(NamedTuple):
    """Something in the way: its outline, bottom and top, metres."""

    outline: Outline
    bottom: float
    top: float

    @classmethod
    def of(cls, box: Box, footprint: Footprint | None = None) -> Obstacle:
        """The obstacle that a box is, or a more exact outline within the box's heights."""
        bottom = box.center.y - box.size.y / 2
        return cls(outline_of(footprint or rectangle_of(box).footprint), bottom, bottom + box.size.y)


@dataclass(frozen=True, slots=True)
class Shape:
    """An object in one orientation: Euler angles, box centre relative to the pivot, and the box's size, metres."""

    rotation: Vec3
    center: Vec3
    size: Vec3


@dataclass(frozen=True, slots=True)
class Surface:
    """Somewhere to stand: its height, the space above it, its convex regions, and what is in the way, metres.

    Overlaps on the plane thinner than `slack` count as touches.
    """

    height: float
    headroom: float
    regions: tuple[Outline, ...]
    obstacles: tuple[Obstacle, ...]
    slack: float = SLACK

    def pivot(self, shape: Shape, x: float, z: float) -> Vec3:
        """Where the pivot goes for the box's centre to stand over (x, z)."""
        y = self.height + shape.size.y / 2 - shape.center.y
        return Vec3(x - shape.center.x, y, z - shape.center.z)


def nearest_fit(surface: Surface, shapes: Sequence[Shape], near: Vec3) -> tuple[Shape, float, float] | None:
    """The shape and box centre (x, z) that fit closest to `near`; earlier shapes win ties.

    `near` itself, drawn into each region, is tried before a grid.
    """
    usable = [shape for shape in shapes if _may_fit(surface, shape)]
    if not usable:
        return None
    close = _fit_at_click(surface, usable, near)
    if close is not None:
        return close
    best: tuple[float, Shape, float, float] | None = None
    for shape in usable:
        found = _fit_on_grid(surface, shape, near)
        if found is not None and (best is None or found[0] < best[0] - 1e-6):
            best = (found[0], shape, found[1], found[2])
    return best and best[1:]


def fit_over_points(
    surface: Surface, shapes: Sequence[Shape], near: Vec3, points: Sequence[tuple[float, float, Outline]]
) -> tuple[Shape, float, float] | None:
    """The shape and box centre (x, z) whose pivot stands over the point nearest to `near` that will do.

    Every point comes with its zone. As AI2-THOR does, the shapes are tried in turn until one touches nothing; if all
    of that one does not lie over the zone, the point is given up. Points beyond `_FARTHEST_POINT` are not tried. Boxes
    may overlap by `_LEEWAY`: people's things came to stand closer than their boxes allow.
    """
    surface = replace(surface, slack=max(surface.slack, _LEEWAY))
    low_enough = [(shape, _neighbours(surface, shape)) for shape in shapes if shape.size.y <= surface.headroom]
    away = [math.hypot(x - near.x, z - near.z) for x, z, _ in points]
    for order in sorted((i for i in range(len(points)) if away[i] <= _FARTHEST_POINT), key=away.__getitem__):
        x, z, zone = points[order]
        for shape, neighbours in low_enough:
            at_x, at_z = x + shape.center.x, z + shape.center.z
            if neighbours.leave_clear(at_x, at_z):
                if _is_over((zone,), shape, at_x, at_z):
                    return shape, at_x, at_z
                break
    return None


def _may_fit(surface: Surface, shape: Shape) -> bool:
    """Whether the box is low enough, and no wider than all the regions together."""
    (w, h, d), (room_x, room_z) = shape.size, around(region.bounds for region in surface.regions).size
    return h <= surface.headroom and w <= room_x + 2 * _EDGE and d <= room_z + 2 * _EDGE


def _fit_at_click(surface: Surface, shapes: Iterable[Shape], near: Vec3) -> tuple[Shape, float, float] | None:
    options = []
    for order, shape in enumerate(shapes):
        for region in surface.regions:
            x, z = _drawn_in(region.bounds, shape, near)
            options.append((order, abs(x - near.x) + abs(z - near.z), x, z, shape))
    limit = min((option[1] for option in options), default=0.0) + _SPACING
    for _, away, x, z, shape in sorted(options, key=lambda option: option[:4]):
        if away <= limit and _neighbours(surface, shape).leave_clear(x, z) and _is_over(surface.regions, shape, x, z):
            return shape, x, z
    return None


def _fit_on_grid(surface: Surface, shape: Shape, near: Vec3) -> tuple[float, float, float] | None:
    points = _grid(surface.regions, shape)
    away = np.hypot(points[:, 0] - near.x, points[:, 1] - near.z)
    clear, doubtful = _classify(surface, shape, points)
    nearest = float(np.where(clear, away, np.inf).min(initial=np.inf))
    hopeful = np.flatnonzero(doubtful & (away < nearest))
    neighbours = _neighbours(surface, shape)
    for index in (*hopeful[np.argsort(away[hopeful], kind="stable")], int(np.where(clear, away, np.inf).argmin())):
        x, z = float(points[index, 0]), float(points[index, 1])
        if clear[index] or (doubtful[index] and neighbours.leave_clear(x, z)):
            return float(away[index]), x, z
    return None


def _classify(surface: Surface, shape: Shape, points: Points) -> tuple[Mask, Mask]:
    """Box centres that surely fit, and those that only touch the bounds of something turned."""
    bottom, top, w, d = _space(surface, shape)
    x, z = points[:, 0], points[:, 1]
    touched, blocked, over = np.zeros((3, len(points)), bool)
    for outline, low, high in surface.obstacles:
        if low < top and high > bottom:
            b = outline.bounds
            hit = (x > b.x0 - w) & (x < b.x1 + w) & (z > b.z0 - d) & (z < b.z1 + d)
            if outline.square:
                blocked |= hit
            else:
                touched |= hit
    open_ = np.flatnonzero(~blocked)
    over[open_] = _are_over(surface.regions, shape, points[open_])
    return over & ~touched, over & touched


def _space(surface: Surface, shape: Shape) -> tuple[float, float, float, float]:
    """The heights between which a box on the surface must touch nothing, and half its width and depth."""
    w, d = max(0.0, shape.size.x / 2 - surface.slack), max(0.0, shape.size.z / 2 - surface.slack)
    return surface.height + SLACK, surface.height + shape.size.y, w, d


class _Neighbours(NamedTuple):
    """The outlines of what is as high as a box on a surface, and half of the box's width and depth."""

    outlines: Sequence[Outline]
    w: float
    d: float

    def leave_clear(self, x: float, z: float) -> bool:
        """Whether the box about (x, z) touches none of them."""
        outlines, w, d = self
        own = Rectangle(x - w, z - d, x + w, z + d)
        for outline in outlines:
            # Along the box's own sides the bounds have told already.
            if own.meets(outline.bounds) and (outline.square or not separated(outline.footprint, own.footprint)):
                return False
        return True


def _neighbours(surface: Surface, shape: Shape) -> _Neighbours:
    bottom, top, w, d = _space(surface, shape)
    return _Neighbours([outline for outline, low, high in surface.obstacles if low < top and high > bottom], w, d)


def _is_over(regions: Sequence[Outline], shape: Shape, x: float, z: float) -> bool:
    """The same as `_are_over` of one point: by numbers, for an array of one costs many times as much."""
    w, d = max(0.0, shape.size.x / 2 - _EDGE), max(0.0, shape.size.z / 2 - _EDGE)
    if any([_in_region(region, x, z, w, d) for region in regions]):
        return True
    return len(regions) > 1 and all(
        any([_in_region(region, x + dx, z + dz) for region in regions])
        for dx, dz in product((0.0, -w, w), (0.0, -d, d))
    )


def _are_over(regions: Sequence[Outline], shape: Shape, points: Points) -> Mask:
    """Whether the box lies over the regions to within a centimetre.

    All of it over one region; else, of several, corners, edge middles and centre each over some region.
    """
    w, d = max(0.0, shape.size.x / 2 - _EDGE), max(0.0, shape.size.z / 2 - _EDGE)
    inside = np.zeros(len(points), bool)
    for region in regions:
        inside |= _in_region(region, points[:, 0], points[:, 1], w, d)
    rest = np.flatnonzero(~inside)
    if len(rest) and len(regions) > 1:
        inside[rest] = _all_parts_over(regions, points[rest], w, d)
    return inside


def _all_parts_over(regions: Sequence[Outline], points: Points, w: float, d: float) -> Mask:
    inside = np.ones(len(points), bool)
    for dx, dz in product((0.0, -w, w), (0.0, -d, d)):
        left = np.flatnonzero(inside)
        if not len(left):
            break
        x, z = points[left, 0] + dx, points[left, 1] + dz
        inside[left] = np.any([_in_region(region, x, z) for region in regions], axis=0)
    return inside


_NumberT = TypeVar("_NumberT", float, Points)


def _in_region(region: Outline, x: _NumberT, z: _NumberT, w: float = 0.0, d: float = 0.0) -> Any:
    """Whether boxes of half sizes w, d about one point, or about many, lie wholly in a convex region."""
    b = region.bounds
    inside = (x >= b.x0 + w) & (x <= b.x1 - w) & (z >= b.z0 + d) & (z <= b.z1 - d)
    if region.square or inside is False or (inside is not True and not inside.any()):
        return inside
    middle_x = sum(p[0] for p in region.footprint) / len(region.footprint)
    middle_z = sum(p[1] for p in region.footprint) / len(region.footprint)
    px, pz = region.footprint[-1]
    for qx, qz in region.footprint:
        nx, nz = pz - qz, qx - px
        if nx * (middle_x - px) + nz * (middle_z - pz) < 0:
            nx, nz = -nx, -nz
        inside &= nx * (x - px) + nz * (z - pz) >= abs(nx) * w + abs(nz) * d
        px, pz = qx, qz
    return inside


def _drawn_in(bounds: Rectangle, shape: Shape, near: Vec3) -> tuple[float, float]:
    """The point closest to `near` at which the box still lies within the bounds; their middle if it is too large."""
    w, d = shape.size.x / 2, shape.size.z / 2
    return _clamp(near.x, bounds.x0 + w, bounds.x1 - w), _clamp(near.z, bounds.z0 + d, bounds.z1 - d)


def _clamp(value: float, low: float, high: float) -> float:
    return (low + high) / 2 if low > high else min(high, max(low, value))


def _grid(regions: Sequence[Outline], shape: Shape) -> Points:
    """Points over the regions' bounds: 5 cm apart, closer for thin things, further where that would be too many."""
    area = around(region.bounds for region in regions)
    thin = min(shape.size.x, shape.size.z)
    spacing = max(_FINEST, min(_SPACING, thin), (area.area / _MOST_POINTS) ** 0.5)
    columns, rows = _marks(area.x0, area.x1, spacing), _marks(area.z0, area.z1, spacing)
    return np.stack([np.repeat(columns, len(rows)), np.tile(rows, len(columns))], axis=1)


def _marks(low: float, high: float, spacing: float) -> Points:
    count = max(1, round((high - low) / spacing))
    return np.asarray(low + (np.arange(count) + 0.5) * ((high - low) / count))


_SQUARE = 1.0
"""Turned by less than this a receptacle counts as square to the room, degrees."""


class Axes(NamedTuple):
    """Axes turned clockwise, seen from above, about the world's origin by `angle` degrees."""

    angle: float

    def inward(self, point: Vec3) -> Vec3:
        """A world point in these axes."""
        return self._turned(point, -self.angle)

    def outward(self, point: Vec3) -> Vec3:
        """The world point that is `point` in these axes."""
        return self._turned(point, self.angle)

    def outline(self, outline: Outline) -> Outline:
        """A world outline in these axes."""
        if not self.angle:
            return outline
        corners = (self.inward(Vec3(x, 0.0, z)) for x, z in outline.footprint)
        return outline_of(tuple((x, z) for x, _, z in corners))

    def obstacle(self, obstacle: Obstacle) -> Obstacle:
        """An obstacle in these axes."""
        return obstacle._replace(outline=self.outline(obstacle.outline))

    def rotation(self, rotation: Vec3) -> Vec3:
        """The world's Euler angles of what is turned by `rotation` in these axes, degrees."""
        return Vec3(rotation.x, (rotation.y + self.angle) % 360.0, rotation.z) if self.angle else rotation

    def _turned(self, point: Vec3, angle: float) -> Vec3:
        if not angle:
            return point
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        return Vec3(point.x * cosine + point.z * sine, point.y, point.z * cosine - point.x * sine)


def axes_of(receptacle: ObjectState) -> Axes:
    """The axes of a receptacle, at most an eighth of a turn away from the room's; the room's for one that is square."""
    angle = (receptacle.rotation.y + 45.0) % 90.0 - 45.0
    return Axes(angle if abs(angle) >= _SQUARE else 0.0)
