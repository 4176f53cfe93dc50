"""Where to stand to touch a thing, and where to click on it.

The Follower's camera sits 0.675 m above its body's position and sees 90 degrees; a click counts when the point under
it is within 1.5 m of the body's position (TEACh specification 5.2). Distances here keep a margin below that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from teach_agents.agents.planner.navigation import Cell, Stand, point_of
from teach_agents.agents.planner.things import Thing
from teach_agents.observations import Pose, Segmentation, Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HORIZONS", "REACH", "Pixels", "Vantage", "aim_points", "best_view", "pixels_of", "stands_around"]

EYE_HEIGHT = 0.675
BODY_HEIGHT = 0.9
REACH = 1.45
"""How far from the body's position a click may land, metres, with a margin below TEACh's 1.5."""
HORIZONS = (-30, 0, 30, 60)
"""Camera pitches the Follower can take, degrees, positive looks down."""

_COMFORT = 0.85
_IN_VIEW = 0.92
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Vantage:
    """A stand and a camera pitch from which something should be in view; `penalty` is its awkwardness in actions."""

    stand: Stand
    horizon: int
    penalty: float


def _forward(heading: int) -> tuple[float, float]:
    return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[heading]


def _offset(point: Vec3, eye: Vec3, heading: int, horizon: float) -> float:
    """How far from the picture's middle a point appears: 0 is the middle, 1 the edge, infinity behind."""
    fx, fz = _forward(heading)
    dx, dy, dz = point.x - eye.x, point.y - eye.y, point.z - eye.z
    ahead, side = dx * fx + dz * fz, dx * fz - dz * fx
    sin, cos = math.sin(math.radians(horizon)), math.cos(math.radians(horizon))
    depth, up = ahead * cos - dy * sin, ahead * sin + dy * cos
    return max(abs(side), abs(up)) / depth if depth > 0.05 else math.inf


def best_view(point: Vec3, stand: Stand, body_height: float = BODY_HEIGHT) -> tuple[int, float] | None:
    """The pitch that brings a point nearest to the picture's middle, and how far off it then is (1 is the edge)."""
    place = point_of(stand[0], body_height + EYE_HEIGHT)
    horizon = min(HORIZONS, key=lambda pitch: _offset(point, place, stand[1], pitch))
    off = _offset(point, place, stand[1], horizon)
    return (horizon, off) if off <= _IN_VIEW else None


def aim_points(target: Thing, cell: Cell, extra: Iterable[Vec3] = ()) -> Iterator[Vec3]:
    """Points of a thing to look at from a cell: the nearest of its box, its middle, and any `extra` ones."""
    here = point_of(cell, BODY_HEIGHT)
    near = Vec3(*(_into(h, low, high) for h, low, high in zip(here, target.low, target.high, strict=True)))
    if math.hypot(near.x - here.x, near.z - here.z) > 0.05:
        yield near
    yield target.center
    yield from extra


def _into(value: float, low: float, high: float) -> float:
    margin = min(0.12, (high - low) / 2)
    return min(max(value, low + margin), high - margin)


def stands_around(target: Thing, cells: Iterable[Cell], extra: tuple[Vec3, ...] = ()) -> Iterator[Vantage]:
    """Every stand from which some point of the target is within reach and in view."""
    for cell in cells:
        here = point_of(cell, BODY_HEIGHT)
        if not _near(here, target):
            continue
        points = [p for p in aim_points(target, cell, extra) if math.dist(p, here) <= REACH]
        for heading in range(4):
            views = [(view, point) for point in points if (view := best_view(point, (cell, heading))) is not None]
            if views:
                (horizon, off), point = min(views, key=lambda seen: seen[0][1])
                yield Vantage((cell, heading), horizon, _awkwardness(off, math.dist(point, here)))


def _near(here: Vec3, target: Thing) -> bool:
    dx = max(target.low.x - here.x, here.x - target.high.x, 0.0)
    dz = max(target.low.z - here.z, here.z - target.high.z, 0.0)
    return math.hypot(dx, dz) <= REACH


def _awkwardness(off: float, distance: float) -> float:
    return 6.0 * max(0.0, off - 0.5) + 4.0 * abs(distance - _COMFORT)


@dataclass(frozen=True, slots=True)
class Pixels:
    """Pixels of one's own view that show a thing within reach.

    `x`, `y` are click fractions; `points` the world points they show, N x 3 in metres; `depth_inside` how many pixels
    each lies inside the outline (at most 8).
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    points: NDArray[np.float64]
    depth_inside: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.x)

    def best(self, score: Callable[[Pixels], NDArray[np.float64]] | None = None) -> tuple[float, float] | None:
        """The click with the highest score (well inside the outline and near the middle of it unless told)."""
        if not len(self):
            return None
        values = self.steadiness() if score is None else score(self)
        index = int(np.argmax(values))
        return (float(self.x[index]), float(self.y[index])) if np.isfinite(values[index]) else None

    def steadiness(self) -> NDArray[np.float64]:
        """Higher for pixels that lie deep inside the outline and near its middle."""
        spread = np.hypot(self.x - self.x.mean(), self.y - self.y.mean())
        return np.asarray(self.depth_inside - spread, dtype=np.float64)


def pixels_of(
    ids: Iterable[str], segmentation: Segmentation, depth: NDArray[np.float32], pose: Pose, reach: float = REACH
) -> Pixels:
    """The pixels that show any of the objects and are within reach of the body."""
    wanted = set(ids)
    numbers = [number for number, object_id in enumerate(segmentation.object_ids) if object_id in wanted]
    mask = np.isin(segmentation.ids, numbers) if numbers else np.zeros(segmentation.ids.shape, dtype=bool)
    rows, columns = np.nonzero(mask)
    inside = _inside(mask)[rows, columns]
    height, width = mask.shape
    x, y = (columns + 0.5) / width, (rows + 0.5) / height
    points = _world_points(x, y, depth[rows, columns].astype(np.float64), pose)
    near = np.linalg.norm(points - np.asarray(pose.position), axis=1) <= reach
    return Pixels(x[near], y[near], points[near], inside[near])


def _inside(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    depth = mask.astype(np.int64)
    layer = mask
    for _ in range(_DEEPEST - 1):
        inner = np.zeros_like(layer)
        inner[1:-1, 1:-1] = layer[1:-1, 1:-1] & layer[:-2, 1:-1] & layer[2:, 1:-1] & layer[1:-1, :-2] & layer[1:-1, 2:]
        if not inner.any():
            break
        depth += inner
        layer = inner
    return depth


def _world_points(
    x: NDArray[np.float64], y: NDArray[np.float64], depth: NDArray[np.float64], pose: Pose
) -> NDArray[np.float64]:
    yaw, pitch = math.radians(pose.yaw), math.radians(pose.horizon)
    forward = np.array([math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch)])
    right = np.array([math.cos(yaw), 0.0, -math.sin(yaw)])
    up = np.array([math.sin(yaw) * math.sin(pitch), math.cos(pitch), math.cos(yaw) * math.sin(pitch)])
    eye = np.asarray(pose.position) + np.array([0.0, EYE_HEIGHT if pose.standing else 0.0, 0.0])
    across, above = (2 * x - 1) * depth, (1 - 2 * y) * depth
    return np.asarray(eye + depth[:, None] * forward + across[:, None] * right + above[:, None] * up)
