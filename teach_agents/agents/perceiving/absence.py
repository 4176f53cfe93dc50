"""What was remembered somewhere and plainly is not there any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from teach_agents.agents.acting.looking import click_fractions
from teach_agents.arrays import BoolArray, Float32Array
from teach_agents.observations import Pose

_FRACTIONS = (0.2, 0.5, 0.8)
_NEAREST = 0.3
_OPEN = 0.9
"""Share of a box's points that must show, or what is behind them, before its thing counts as gone."""
_LEAST = 40.0
"""Pixels that the box must take up: of less, nothing of the thing may show although it is there."""
_SLACK = 0.03


def absent(rows: Sequence[Mapping[str, object]], depth: Float32Array, pose: Pose) -> list[str]:
    """The ids of those of `rows`, none of which is seen in the view, whose place is seen with nothing before it."""
    boxes = [(str(row["objectId"]), box) for row in rows if (box := _box(row)) is not None]
    if not boxes:
        return []
    centers, sizes = np.array([box for _, box in boxes], np.float64).transpose(1, 0, 2)
    steps = np.stack(np.meshgrid(*[_FRACTIONS] * 3, indexing="ij"), axis=-1).reshape(-1, 3) - 0.5
    points = centers[:, None] + steps * sizes[:, None]
    x, y, away = click_fractions(points, pose)
    framed = (away > _NEAREST) & (x >= 0.0) & (x < 1.0) & (y >= 0.0) & (y < 1.0)
    inside: BoolArray = np.all(framed, axis=1)
    height, width = depth.shape
    x, y = np.where(inside[:, None], x, 0.0) * width, np.where(inside[:, None], y, 0.0) * height
    behind = depth[y.astype(np.int64), x.astype(np.int64)]
    slack = np.linalg.norm(sizes, axis=1)[:, None] / 2 + _SLACK
    shows = (behind >= away - slack).mean(axis=1) >= _OPEN
    large = np.ptp(x, axis=1) * np.ptp(y, axis=1) >= _LEAST
    gone = np.asarray(inside & shows & large)
    return [boxes[number][0] for number in np.flatnonzero(gone).tolist()]


def _box(row: Mapping[str, object]) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """The middle and the sides of an object's box, metres."""
    box = row.get("axisAlignedBoundingBox")
    if not isinstance(box, Mapping) or not box.get("center") or not box.get("size"):
        return None
    center, size = (tuple(float(box[part][axis]) for axis in "xyz") for part in ("center", "size"))
    return center, size
