"""Where to click: the pixels of one's own view that show a thing within reach.

The Follower's camera sits 0.675 m above its body's position and sees 90 degrees; a click counts when the point under
it is within 1.5 m of the body's position (TEACh specification 5.2). Distances here keep a margin below that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from teach_agents.arrays import BoolArray, Float32Array, FloatArray, IntArray
from teach_agents.observations import Pose, Segmentation

EYE_HEIGHT = 0.675
"""Height of the camera above the body's position, metres."""
REACH = 1.48
"""How far from the body's position a click may land, metres, with a margin below TEACh's 1.5."""

_DEEPEST = 8
_TOUCHING = 0.03
"""How far before a point something may be seen that is at the point itself, metres."""


@dataclass(frozen=True, slots=True)
class Pixels:
    """Pixels of one's own view that show a thing within reach.

    `x`, `y` are click fractions; `points` the world points they show, N x 3 in metres; `depth_inside` how many pixels
    each lies inside the outline (at most 8).
    """

    x: FloatArray
    y: FloatArray
    points: FloatArray
    depth_inside: IntArray

    def __len__(self) -> int:
        return len(self.x)

    def steadiness(self) -> FloatArray:
        """Higher for pixels that lie deep inside the outline and near its middle."""
        return np.asarray(self.depth_inside - np.hypot(self.x - self.x.mean(), self.y - self.y.mean()))


def pixels_of(
    ids: Iterable[str], segmentation: Segmentation, depth: Float32Array, pose: Pose, reach: float = REACH
) -> Pixels:
    """The pixels that show any of the objects and are within reach of the body."""
    wanted = set(ids)
    numbers = [number for number, object_id in enumerate(segmentation.object_ids) if object_id in wanted]
    if not numbers:
        return _NONE
    mask = segmentation.ids == numbers[0]
    for number in numbers[1:]:
        mask |= segmentation.ids == number
    height, width = mask.shape
    rows, columns, inside = _inside(mask)
    x, y = (columns + 0.5) / width, (rows + 0.5) / height
    points = world_points(x, y, depth[rows, columns].astype(np.float64), pose)
    near = distances(points, pose.position) <= reach
    return Pixels(x[near], y[near], points[near], inside[near])


_NONE = Pixels(np.zeros(0), np.zeros(0), np.zeros((0, 3)), np.zeros(0, np.int64))


def distances(points: FloatArray, point: tuple[float, float, float]) -> FloatArray:
    """How far each of N x 3 points is from one, metres."""
    dx, dy, dz = (points - point).T
    return np.asarray(np.sqrt(dx * dx + dy * dy + dz * dz))


def _inside(mask: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
    """Row and column of every pixel of a mask, and how many pixels inside its outline each lies."""
    left, top, right, bottom = box_of(mask) if mask.any() else (0, 0, 0, 0)
    layer = mask[top:bottom, left:right]
    rows, columns = np.nonzero(layer)
    depth = layer.astype(np.uint8)
    for edge in range(1, _DEEPEST):
        inner = layer[1:-1, 1:-1] & layer[:-2, 1:-1]
        inner &= layer[2:, 1:-1]
        inner &= layer[1:-1, :-2]
        inner &= layer[1:-1, 2:]
        if not inner.any():
            break
        depth[edge:-edge, edge:-edge] += inner
        layer = inner
    return rows + top, columns + left, depth[rows, columns].astype(np.int64)


def pixel_counts(segmentation: Segmentation) -> IntArray:
    """How many pixels show each of a view's objects, in its order."""
    return np.bincount(segmentation.ids.ravel() + 1, minlength=len(segmentation.object_ids) + 1)[1:]


def box_of(mask: BoolArray) -> tuple[int, int, int, int]:
    """The box about a mask that is not empty, in pixels: left, top, and the first column and row behind it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def world_points(x: FloatArray, y: FloatArray, depth: FloatArray, pose: Pose) -> FloatArray:
    """Where the points shown at click fractions lie, N x 3 in metres, by their depths along the camera's axis."""
    eye, right, up, forward = _camera(pose)
    across, above = (2 * x - 1) * depth, (1 - 2 * y) * depth
    points = np.empty((len(depth), 3))
    for axis in range(3):
        points[:, axis] = eye[axis] + depth * forward[axis] + across * right[axis] + above * up[axis]
    return points


def click_fractions(points: FloatArray, pose: Pose) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where points (... x 3, metres) show: click fractions x and y, and their depth along the camera's axis.

    What lies behind the camera has a depth below nought, and fractions without a meaning.
    """
    eye, right, up, forward = _camera(pose)
    across, above, ahead = ((points - eye) @ axis for axis in (right, up, forward))
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (1 + across / ahead) / 2, (1 - above / ahead) / 2
    return x, y, ahead


def seen_points(points: FloatArray, depth: Float32Array, pose: Pose) -> BoolArray:
    """Which points (N x 3, metres) a view shows, or what is behind them."""
    x, y, ahead = click_fractions(points, pose)
    inside = (ahead > 0.0) & (x >= 0.0) & (x < 1.0) & (y >= 0.0) & (y < 1.0)
    height, width = depth.shape
    rows = (np.where(inside, y, 0.0) * height).astype(np.int64)
    columns = (np.where(inside, x, 0.0) * width).astype(np.int64)
    return np.asarray(inside & (depth[rows, columns] >= ahead - _TOUCHING))


def _camera(pose: Pose) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The camera's place, and the directions to its right, up and ahead."""
    eye = np.asarray(pose.position) + np.array([0.0, EYE_HEIGHT if pose.standing else 0.0, 0.0])
    return eye, *camera_axes(pose)


def camera_axes(pose: Pose) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The directions to the camera's right, up and ahead."""
    yaw, pitch = math.radians(pose.yaw), math.radians(pose.horizon)
    forward = np.array([math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch)])
    right = np.array([math.cos(yaw), 0.0, -math.sin(yaw)])
    up = np.array([math.sin(yaw) * math.sin(pitch), math.cos(pitch), math.cos(yaw) * math.sin(pitch)])
    return right, up, forward
