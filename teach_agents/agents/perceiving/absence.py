"""What was remembered somewhere and plainly is not there any more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.observations import Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["absent"]

_FRACTIONS = (0.2, 0.5, 0.8)
_NEAREST = 0.3
_OPEN = 0.9
"""Share of a box's points that must show, or what is behind them, before its thing counts as gone."""
_LEAST = 40.0
"""Pixels that the box must take up: of less, nothing of the thing may show although it is there."""
_SLACK = 0.03


def absent(rows: Sequence[Mapping[str, object]], depth: NDArray[np.float32], pose: Pose) -> list[str]:
    """The ids of those of `rows`, none of which is seen in the view, whose place is seen with nothing before it."""
    boxes = [(str(row["objectId"]), box) for row in rows if (box := _box(row)) is not None]
    if not boxes:
        return []
    centers, sizes = np.array([box for _, box in boxes]).transpose(1, 0, 2)
    steps = np.stack(np.meshgrid(*[_FRACTIONS] * 3, indexing="ij"), axis=-1).reshape(-1, 3) - 0.5
    points = centers[:, None] + steps * sizes[:, None]
    across, above, away = _from_eyes(points, pose)
    height, width = depth.shape
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (1 + across / away) / 2 * width, (1 - above / away) / 2 * height
    inside = ((away > _NEAREST) & (x >= 0) & (x < width) & (y >= 0) & (y < height)).all(axis=1)
    x, y = np.where(inside[:, None], x, 0.0), np.where(inside[:, None], y, 0.0)
    behind = depth[y.astype(np.int64), x.astype(np.int64)]
    slack = np.linalg.norm(sizes, axis=1)[:, None] / 2 + _SLACK
    shows = (behind >= away - slack).mean(axis=1) >= _OPEN
    large = np.ptp(x, axis=1) * np.ptp(y, axis=1) >= _LEAST
    return [boxes[number][0] for number in np.flatnonzero(inside & shows & large)]


def _box(row: Mapping[str, object]) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """The middle and the sides of an object's box, metres."""
    box = row.get("axisAlignedBoundingBox")
    if not isinstance(box, Mapping) or not box.get("center") or not box.get("size"):
        return None
    center, size = (tuple(float(box[part][axis]) for axis in "xyz") for part in ("center", "size"))
    return center, size


def _from_eyes(
    points: NDArray[np.float64], pose: Pose
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Points (... x 3) as the camera has them: to the right, up, and ahead along its axis, metres."""
    yaw, pitch = math.radians(pose.yaw), math.radians(pose.horizon)
    eye = np.asarray(pose.position) + (0.0, EYE_HEIGHT if pose.standing else 0.0, 0.0)
    forward = (math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch))
    up = (math.sin(yaw) * math.sin(pitch), math.cos(pitch), math.cos(yaw) * math.sin(pitch))
    right = (math.cos(yaw), 0.0, -math.sin(yaw))
    across, above, ahead = ((points - eye) @ np.array(axis) for axis in (right, up, forward))
    return across, above, ahead
