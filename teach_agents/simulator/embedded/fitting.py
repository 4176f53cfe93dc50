"""Fitting a box onto a surface among other boxes: the search behind placement.

A surface is level and made of convex regions; a shape is an object's box in one orientation. A box fits where its
outline lies over the regions and nothing in the way shares its space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box
from teach_agents.simulator.embedded.geometry import (
    Footprint,
    Rectangle,
    bounds_of,
    footprints_overlap,
    rectangle_of,
)

__all__ = ["Obstacle", "Shape", "Surface", "all_fits", "nearest_fit"]

SLACK = 0.004
"""Overlaps thinner than this are touches."""
_EDGE = 0.01
_SPACING = 0.05
_MOST_POINTS = 900
_SQUARE = 0.995

Points = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something in the way: its bounds on the plane, bottom, top, and outline. `square`: the outline is the bounds."""

    bounds: Rectangle
    bottom: float
    top: float
    footprint: Footprint
    square: bool

    @classmethod
    def of(cls, box: Box, footprint: Footprint | None = None) -> Obstacle:
        """The obstacle that a box is, or a more exact outline within the box's heights."""
        bottom = box.center.y - box.size.y / 2
        if footprint is None:
            bounds = rectangle_of(box)
            return cls(bounds, bottom, bottom + box.size.y, bounds.footprint, True)
        return cls(bounds_of(footprint), bottom, bottom + box.size.y, footprint, _is_square(footprint))


@dataclass(frozen=True, slots=True)
class Shape:
    """An object in one orientation: Euler angles, box centre relative to the pivot, and the box's size, metres."""

    rotation: Vec3
    center: Vec3
    size: Vec3


@dataclass(frozen=True, slots=True)
class Surface:
    """Somewhere to stand: its height, the space above it, its convex regions, and what is in the way, metres."""

    height: float
    headroom: float
    regions: tuple[Footprint, ...]
    obstacles: tuple[Obstacle, ...]

    def pivot(self, shape: Shape, x: float, z: float) -> Vec3:
        """Where the pivot goes for the box's centre to stand over (x, z)."""
        y = self.height + shape.size.y / 2 - shape.center.y
        return Vec3(x - shape.center.x, y, z - shape.center.z)


def nearest_fit(surface: Surface, shapes: Sequence[Shape], near: Vec3) -> tuple[Shape, float, float] | None:
    """The shape and box centre (x, z) that fit closest to `near`; earlier shapes win ties.

    `near` itself, drawn into each region, is tried before a grid of 5 cm.
    """
    usable = [shape for shape in shapes if shape.size.y <= surface.headroom]
    close = _fit_at_click(surface, usable, near)
    if close is not None:
        return close
    best: tuple[float, Shape, float, float] | None = None
    for shape in usable:
        found = _fit_on_grid(surface, shape, near)
        if found is not None and (best is None or found[0] < best[0] - 1e-6):
            best = (found[0], shape, found[1], found[2])
    return None if best is None else best[1:]


def all_fits(surface: Surface, shape: Shape) -> tuple[tuple[float, float], ...]:
    """Every grid point (x, z), in grid order, over which the box's centre fits."""
    if shape.size.y > surface.headroom:
        return ()
    points = _grid(surface.regions)
    clear, doubtful = _classify(surface, shape, points)
    keep = clear | doubtful
    return tuple(
        (float(points[i, 0]), float(points[i, 1]))
        for i in np.flatnonzero(keep)
        if clear[i] or _is_clear(surface, shape, float(points[i, 0]), float(points[i, 1]))
    )


def _fit_at_click(surface: Surface, shapes: Iterable[Shape], near: Vec3) -> tuple[Shape, float, float] | None:
    options = []
    for order, shape in enumerate(shapes):
        for region in surface.regions:
            x, z = _drawn_in(bounds_of(region), shape, near)
            away = abs(x - near.x) + abs(z - near.z)
            options.append((away, order, x, z, shape))
    limit = min((option[0] for option in options), default=0.0) + _SPACING
    for away, _, x, z, shape in sorted(options, key=lambda option: option[:4]):
        if away > limit:
            return None
        if _is_over(surface.regions, shape, x, z) and _is_clear(surface, shape, x, z):
            return shape, x, z
    return None


def _fit_on_grid(surface: Surface, shape: Shape, near: Vec3) -> tuple[float, float, float] | None:
    points = _grid(surface.regions)
    away = np.hypot(points[:, 0] - near.x, points[:, 1] - near.z)
    clear, doubtful = _classify(surface, shape, points)
    nearest = float(np.where(clear, away, np.inf).min(initial=np.inf))
    hopeful = np.flatnonzero(doubtful & (away < nearest))
    for index in (*hopeful[np.argsort(away[hopeful], kind="stable")], int(np.where(clear, away, np.inf).argmin())):
        x, z = float(points[index, 0]), float(points[index, 1])
        if clear[index] or (doubtful[index] and _is_clear(surface, shape, x, z)):
            return float(away[index]), x, z
    return None


def _classify(surface: Surface, shape: Shape, points: Points) -> tuple[Mask, Mask]:
    """Box centres that surely fit, and those that only touch the bounds of something turned."""
    over = _are_over(surface.regions, shape, points)
    bottom, top = surface.height + SLACK, surface.height + shape.size.y
    w, d = shape.size.x / 2 - SLACK, shape.size.z / 2 - SLACK
    x, z = points[:, 0], points[:, 1]
    touched = np.zeros(len(points), dtype=np.bool_)
    for obstacle in surface.obstacles:
        if obstacle.bottom >= top or obstacle.top <= bottom:
            continue
        b = obstacle.bounds
        hit = (x > b.x0 - w) & (x < b.x1 + w) & (z > b.z0 - d) & (z < b.z1 + d)
        if obstacle.square:
            over &= ~hit
        else:
            touched |= hit
    return over & ~touched, over & touched


def _is_clear(surface: Surface, shape: Shape, x: float, z: float) -> bool:
    bottom, top = surface.height + SLACK, surface.height + shape.size.y
    w, d = shape.size.x / 2, shape.size.z / 2
    for obstacle in surface.obstacles:
        if obstacle.bottom >= top or obstacle.top <= bottom:
            continue
        b = obstacle.bounds
        if x - w + SLACK < b.x1 and b.x0 < x + w - SLACK and z - d + SLACK < b.z1 and b.z0 < z + d - SLACK:
            outline = Rectangle(x - w, z - d, x + w, z + d).footprint
            if obstacle.square or footprints_overlap(outline, obstacle.footprint, SLACK):
                return False
    return True


def _is_over(regions: Sequence[Footprint], shape: Shape, x: float, z: float) -> bool:
    return bool(_are_over(regions, shape, np.array([[x, z]]))[0])


def _are_over(regions: Sequence[Footprint], shape: Shape, points: Points) -> Mask:
    """Whether the box lies over the regions to within a centimetre.

    Over one region: all corners in it. Over several: corners, edge middles and centre each in some region.
    """
    w, d = max(0.0, shape.size.x / 2 - _EDGE), max(0.0, shape.size.z / 2 - _EDGE)
    x, z = points[:, 0], points[:, 1]
    if len(regions) == 1 and _is_square(regions[0]):
        b = bounds_of(regions[0])
        inside: Mask = (x - w >= b.x0) & (x + w <= b.x1) & (z - d >= b.z0) & (z + d <= b.z1)
        return inside
    inside = np.ones(len(points), dtype=np.bool_)
    for dx, dz in product((-w, 0.0, w), (-d, 0.0, d)):
        over = np.zeros(len(points), dtype=np.bool_)
        for region in regions:
            over |= _within(region, x + dx, z + dz)
        inside &= over
    return inside


def _within(region: Footprint, x: Points, z: Points) -> Mask:
    if _is_square(region):
        b = bounds_of(region)
        inside: Mask = (x >= b.x0) & (x <= b.x1) & (z >= b.z0) & (z <= b.z1)
        return inside
    left = np.ones(len(x), dtype=np.bool_)
    right = np.ones(len(x), dtype=np.bool_)
    px, pz = region[-1]
    for qx, qz in region:
        cross = (qx - px) * (z - pz) - (qz - pz) * (x - px)
        left &= cross >= 0
        right &= cross <= 0
        px, pz = qx, qz
    return left | right


def _is_square(footprint: Footprint) -> bool:
    """Whether the outline fills its bounds."""
    twice = 0.0
    px, pz = footprint[-1]
    for qx, qz in footprint:
        twice += px * qz - qx * pz
        px, pz = qx, qz
    return abs(twice) / 2 >= _SQUARE * bounds_of(footprint).area


def _drawn_in(bounds: Rectangle, shape: Shape, near: Vec3) -> tuple[float, float]:
    """The point closest to `near` at which the box still lies within the bounds; their middle if it is too large."""
    return (
        _clamp(near.x, bounds.x0 + shape.size.x / 2, bounds.x1 - shape.size.x / 2),
        _clamp(near.z, bounds.z0 + shape.size.z / 2, bounds.z1 - shape.size.z / 2),
    )


def _clamp(value: float, low: float, high: float) -> float:
    return (low + high) / 2 if low > high else min(high, max(low, value))


def _grid(regions: Sequence[Footprint]) -> Points:
    """Points over the regions' bounds, 5 cm apart or as many as are allowed."""
    each = [bounds_of(region) for region in regions]
    area = Rectangle(min(b.x0 for b in each), min(b.z0 for b in each), max(b.x1 for b in each), max(b.z1 for b in each))
    spacing = max(_SPACING, (area.area / _MOST_POINTS) ** 0.5)
    columns, rows = _marks(area.x0, area.x1, spacing), _marks(area.z0, area.z1, spacing)
    points = np.empty((len(columns) * len(rows), 2), dtype=np.float64)
    points[:, 0] = np.repeat(columns, len(rows))
    points[:, 1] = np.tile(rows, len(columns))
    return points


def _marks(low: float, high: float, spacing: float) -> Points:
    count = max(1, round((high - low) / spacing))
    marks: Points = low + (np.arange(count, dtype=np.float64) + 0.5) * ((high - low) / count)
    return marks
