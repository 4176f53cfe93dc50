"""Where to stand to touch a thing: stands from which it should be in reach, in view and not hidden."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from teach_agents.agents.acting.looking import EYE_HEIGHT, REACH
from teach_agents.agents.acting.navigation import GRID, Stand
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.arrays import BoolArray, FloatArray, IntArray
from teach_agents.observations import Vec3

HORIZONS = (-30, 0, 30, 60)
"""Camera pitches the Follower can take, degrees, positive looks down."""
PITCHES = np.array(HORIZONS)

_COMFORT = 0.65
_COMFORT_DEEP = 0.35
_IN_VIEW = 0.92
_HIDDEN = 5.0
_MARGIN = 0.12
_HIGH = 0.6
_BRIM = 0.03
_UNDERFOOT = 0.05
_CLOSEST = 0.05
_LEVEL = 1e-6
_WALL = 0.01
"""How thick the walls of vessels are, metres."""
_DEEP = "GarbageCan Box LaundryHamper Drawer Pot Bathtub Sink Toilet Cup Bowl".split()
_THIN = frozenset(
    """Floor CounterTop Window Curtains Blinds Mirror Painting Poster LightSwitch Sink SinkBasin Bathtub BathtubBasin
    StoveBurner StoveKnob ShowerCurtain ShowerGlass ShowerDoor DiningTable SideTable CoffeeTable Desk Shelf
    ShelvingUnit TVStand Chair Stool""".split()
)
"""What hides little of what is near it, as its box is mostly air."""


class Vantage(NamedTuple):
    """A stand and a camera pitch from which something should be in view; `penalty` is its awkwardness in actions.

    `aim` is the point of it that suits the stand best.
    """

    stand: Stand
    horizon: int
    penalty: float
    aim: Vec3


class Vantages:
    """Vantages in listed order, a column each for what is reckoned for all at once.

    `cells` is N x 2, `aims` N x 3 in metres; `headings`, `horizons` (degrees) and `penalties` are N long.
    """

    def __init__(self, seen: Sights, penalties: FloatArray) -> None:
        self.cells, self.headings, self.horizons = seen.cells, seen.headings, seen.horizons
        self.aims, self.penalties = seen.points, penalties

    def __len__(self) -> int:
        return len(self.penalties)

    def __getitem__(self, index: int) -> Vantage:
        x, z = self.cells[index].tolist()
        stand = (x, z), int(self.headings[index])
        return Vantage(stand, int(self.horizons[index]), float(self.penalties[index]), Vec3(*self.aims[index].tolist()))

    def at(self, stand: Stand) -> BoolArray:
        """Which of them are at a stand: one or none."""
        cell, heading = stand
        return np.asarray((self.cells == cell).all(axis=1) & (self.headings == heading))


class Sights(NamedTuple):
    """Stands, each with the pitch and point of the target that suit it best; `off` is 1 at the picture's edge."""

    cells: IntArray
    headings: IntArray
    horizons: IntArray
    off: FloatArray
    eyes: FloatArray
    points: FloatArray


def weighed(target: Thing, things: Things, seen: Sights) -> Vantages:
    """Sights of a target with what speaks against each, other things being where they are."""
    if not len(seen.cells):
        return Vantages(seen, seen.off)
    deep = next((holder for holder in things.holders(target)[:1] for kind in _DEEP if holder.is_a(kind)), None)
    comfort = _COMFORT if deep is None else _COMFORT_DEEP
    level = seen.points[:, ::2] - seen.cells * GRID
    away = np.array([math.hypot(x, z) for x, z in level.tolist()])
    hidden = np.minimum(_hidden(target, things, seen), 2)
    if deep is not None and not deep.has("openable"):
        hidden = np.maximum(hidden, 2 * _behind_walls(target, deep, seen))
    penalties = 6.0 * np.maximum(0.0, seen.off - 0.5) + 4.0 * np.abs(away - comfort) + _HIDDEN * hidden
    return Vantages(seen, penalties)


def sights(target: Thing, cells: IntArray, height: float, extra: tuple[Vec3, ...], reach: float = REACH) -> Sights:
    """Every stand on `cells` (N x 2) from which some point of the target is within reach and in view of the camera.

    By cells, then headings, whatever stands in between. `height` is that of the body's position. `extra` are further
    points of the target to look at, where its box says little about its surface; `reach` is in metres.
    """
    near = _cells_near(target, cells, reach)
    here = np.empty((len(near), 3))
    here[:, ::2], here[:, 1] = near * GRID, height
    points, useful = _aim_points(target, here, extra, reach)
    eyes = here + (0.0, EYE_HEIGHT, 0.0)
    off, pitches = _off(points - eyes[:, None])
    off = np.where(useful[:, None], off, np.inf)
    best = off.argmin(axis=2)
    least = off.min(axis=2)
    rows, headings = np.nonzero(least <= _IN_VIEW)
    chosen = best[rows, headings]
    horizons = PITCHES[pitches[rows, headings, chosen]]
    return Sights(near[rows], headings, horizons, least[rows, headings], eyes[rows], points[rows, chosen])


def _cells_near(target: Thing, cells: IntArray, reach: float) -> IntArray:
    """Cells whose middle is within reach of the target's outline on the floor."""
    places = cells * GRID
    away = np.maximum(np.maximum(target.low[::2] - places, places - target.high[::2]), 0.0)
    return np.asarray(cells[np.hypot(*away.T) <= reach])


def _aim_points(target: Thing, here: FloatArray, extra: tuple[Vec3, ...], reach: float) -> tuple[FloatArray, BoolArray]:
    """What to aim at from each place, and what of it is within reach.

    The target's nearest point well inside its box, its middle, `extra`; where none of these will do, its nearest edge.
    """
    low, high = np.array(target.low), np.array(target.high)
    margin = np.minimum(_MARGIN, (high - low) / 2)
    nearest = np.clip(here, low + margin, high - margin)
    if target.has("openable") and not target.has("pickupable"):
        level = np.abs(target.center.y - here[:, 1]) <= _HIGH
        nearest[level, 1] = target.center.y
        nearest[~level] = np.clip(here, low + _BRIM, high - _BRIM)[~level]
    fixed = np.broadcast_to(np.array([target.center, *extra]), (len(here), 1 + len(extra), 3))
    points = np.concatenate([nearest[:, None], fixed, np.clip(here, low, high)[:, None]], axis=1)
    useful = np.sqrt(((points - here[:, None]) ** 2).sum(axis=2)) <= reach
    useful[:, 0] &= np.hypot(*(nearest - here).T[::2]) > _UNDERFOOT
    useful[:, -1] &= ~useful[:, :-1].any(axis=1)
    return points, useful


def _off(ways: FloatArray) -> tuple[FloatArray, IntArray]:
    """How far from the picture's middle (1 at its edge) a point lies, and at which of `HORIZONS` it is least.

    `ways` leads from the eyes to points, places x points x 3; the answers are places x headings x points.
    """
    dx, dy, dz = (ways[:, None, :, axis] for axis in range(3))
    ahead, side = dx * _AHEAD_X + dz * _AHEAD_Z, dx * _AHEAD_Z - dz * _AHEAD_X
    depth, up = ahead * _COSINES - dy * _SINES, ahead * _SINES + dy * _COSINES
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.maximum(np.abs(side), np.abs(up)) / depth
    off = np.where((depth > _CLOSEST) & (ahead > 0.0), off, np.inf)
    return off.min(axis=0), off.argmin(axis=0)


_AHEAD_X, _AHEAD_Z = np.array([(0.0, 1.0, 0.0, -1.0), (1.0, 0.0, -1.0, 0.0)])[:, :, None]
"""By heading: the direction one faces."""
_SINES, _COSINES = (
    np.array([turn(math.radians(pitch)) for pitch in HORIZONS])[:, None, None, None] for turn in (math.sin, math.cos)
)
"""Of each pitch."""


def _behind_walls(target: Thing, holder: Thing, seen: Sights) -> BoolArray:
    """From which sights the walls of an open vessel hide what is in it: it is looked into from above alone."""
    below = holder.high.y - target.high.y
    points = seen.points.copy()
    points[:, 1] = target.high.y
    ways = seen.eyes - points
    if below <= 0.0:
        return np.zeros(len(points), np.bool_)
    over = points + ways * np.minimum(below / np.maximum(ways[:, 1:2], _LEVEL), 1.0)
    outside = np.maximum(np.array(holder.low) - over, over - np.array(holder.high))[:, ::2]
    return np.asarray(outside.max(axis=1) > -_WALL)


def _hidden(target: Thing, things: Things, seen: Sights) -> IntArray:
    """How many solid boxes stand between the eye and the point, for each sight."""
    skip = {target.object_id, *(holder.object_id for holder in things.holders(target))}
    solid = [
        number
        for number, thing in things.apart_from(_THIN)
        if thing.object_id not in skip and target.object_id not in thing.parents
    ]
    first, last = np.array(-np.inf), np.array(np.inf)
    lows, highs = (corners[solid] for corners in things.corners)
    for axis in range(3):
        eye = seen.eyes[:, None, axis]
        way = seen.points[:, None, axis] - eye
        way = np.where(np.abs(way) < _LEVEL, _LEVEL, way)
        enter, leave = (lows[:, axis] - eye) / way, (highs[:, axis] - eye) / way
        first = np.maximum(first, np.minimum(enter, leave))
        last = np.minimum(last, np.maximum(enter, leave))
    return np.asarray(((first < last) & (first > 0.02) & (first < 0.95)).sum(axis=1))
