"""Where to stand to touch a thing: stands from which it should be in reach, in view and not hidden."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from teach_agents.agents.planner.looking import EYE_HEIGHT, REACH
from teach_agents.agents.planner.navigation import Cell, Stand, point_of
from teach_agents.agents.planner.things import Thing, Things
from teach_agents.observations import Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HORIZONS", "Vantage", "stands_around"]

HORIZONS = (-30, 0, 30, 60)
"""Camera pitches the Follower can take, degrees, positive looks down."""

_COMFORT = 0.65
_COMFORT_DEEP = 0.35
_IN_VIEW = 0.92
_HIDDEN = 5.0
_MARGIN = 0.12
_HIGH = 0.6
_DEEP = ("GarbageCan", "Box", "LaundryHamper", "Drawer", "Pot", "Bathtub", "Sink", "Toilet", "Cup", "Bowl")
_THIN = frozenset(
    """Floor CounterTop Window Curtains Blinds Mirror Painting Poster LightSwitch Sink SinkBasin Bathtub BathtubBasin
    StoveBurner StoveKnob ShowerCurtain ShowerGlass ShowerDoor DiningTable SideTable CoffeeTable Desk Shelf
    ShelvingUnit TVStand Chair Stool""".split()
)
"""What hides little of what is near it, as its box is mostly air."""


@dataclass(frozen=True, slots=True)
class Vantage:
    """A stand and a camera pitch from which something should be in view; `penalty` is its awkwardness in actions."""

    stand: Stand
    horizon: int
    penalty: float


class _Sight(NamedTuple):
    """One stand with the pitch and point of the target that suit it best; `off` is 1 at the picture's edge."""

    stand: Stand
    horizon: int
    off: float
    point: Vec3


def stands_around(
    target: Thing, things: Things, cells: Iterable[Cell], height: float, extra: tuple[Vec3, ...] = ()
) -> Iterator[Vantage]:
    """Every stand from which some point of the target is within reach and in view of the camera.

    `height` is that of the body's position. `extra` are further points of the target to look at, where its box says
    little about its surface.
    """
    sights = list(_sights(target, cells, height, extra))
    if not sights:
        return
    deep = any(holder.is_a(kind) for holder in things.holders(target)[:1] for kind in _DEEP)
    comfort = _COMFORT_DEEP if deep else _COMFORT
    hidden = _hidden(target, things, sights, height)
    for sight, behind in zip(sights, hidden.tolist(), strict=True):
        here = point_of(sight.stand[0])
        away = math.hypot(sight.point.x - here.x, sight.point.z - here.z)
        penalty = 6.0 * max(0.0, sight.off - 0.5) + 4.0 * abs(away - comfort) + _HIDDEN * min(behind, 2)
        yield Vantage(sight.stand, sight.horizon, penalty)


def _sights(target: Thing, cells: Iterable[Cell], height: float, extra: tuple[Vec3, ...]) -> Iterator[_Sight]:
    for cell in cells:
        here = point_of(cell, height)
        if not _near(here, target):
            continue
        points = [point for point in _aim_points(target, here, extra) if math.dist(point, here) <= REACH]
        for heading in range(4):
            views = [view for point in points if (view := _view(point, (cell, heading), height)) is not None]
            if views:
                yield min(views, key=lambda view: view.off)


def _near(here: Vec3, target: Thing) -> bool:
    dx = max(target.low.x - here.x, here.x - target.high.x, 0.0)
    dz = max(target.low.z - here.z, here.z - target.high.z, 0.0)
    return math.hypot(dx, dz) <= REACH


def _aim_points(target: Thing, here: Vec3, extra: tuple[Vec3, ...]) -> Iterator[Vec3]:
    near = Vec3(*(_into(h, low, high) for h, low, high in zip(here, target.low, target.high, strict=True)))
    if target.has("openable") and not target.has("pickupable"):
        high_up = abs(target.center.y - here.y) > _HIGH
        near = Vec3(near.x, near.y if high_up else target.center.y, near.z)
    if math.hypot(near.x - here.x, near.z - here.z) > 0.05:
        yield near
    yield target.center
    yield from extra


def _into(value: float, low: float, high: float) -> float:
    margin = min(_MARGIN, (high - low) / 2)
    return min(max(value, low + margin), high - margin)


def _view(point: Vec3, stand: Stand, height: float) -> _Sight | None:
    """The pitch that brings a point nearest to the picture's middle, if it comes into view at all."""
    eye = point_of(stand[0], height + EYE_HEIGHT)
    fx, fz = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[stand[1]]
    dx, dy, dz = point.x - eye.x, point.y - eye.y, point.z - eye.z
    ahead, side = dx * fx + dz * fz, dx * fz - dz * fx
    if ahead <= 0.0:
        return None
    best, horizon = math.inf, 0
    for pitch, (sin, cos) in _TILTS.items():
        depth, up = ahead * cos - dy * sin, ahead * sin + dy * cos
        if depth > 0.05 and max(abs(side), abs(up)) / depth < best:
            best, horizon = max(abs(side), abs(up)) / depth, pitch
    return _Sight(stand, horizon, best, point) if best <= _IN_VIEW else None


_TILTS = {pitch: (math.sin(math.radians(pitch)), math.cos(math.radians(pitch))) for pitch in HORIZONS}


def _hidden(target: Thing, things: Things, sights: list[_Sight], height: float) -> NDArray[np.int64]:
    """How many solid boxes stand between the eye and the point, for each sight."""
    skip = {target.object_id, *(holder.object_id for holder in things.holders(target))}
    solid = [
        thing
        for thing in things
        if thing.object_id not in skip
        and thing.object_type not in _THIN
        and not thing.has("isPickedUp")
        and target.object_id not in thing.parents
    ]
    if not solid:
        return np.zeros(len(sights), dtype=np.int64)
    low = np.array([thing.low for thing in solid])[None]
    high = np.array([thing.high for thing in solid])[None]
    eye = np.array([point_of(sight.stand[0], height + EYE_HEIGHT) for sight in sights])[:, None]
    way = np.array([sight.point for sight in sights])[:, None] - eye
    way = np.where(np.abs(way) < 1e-6, 1e-6, way)
    enter, leave = (low - eye) / way, (high - eye) / way
    first = np.minimum(enter, leave).max(axis=2)
    last = np.maximum(enter, leave).min(axis=2)
    crossed = (first < last) & (first > 0.02) & (first < 0.95)
    return np.asarray(crossed.sum(axis=1), dtype=np.int64)
