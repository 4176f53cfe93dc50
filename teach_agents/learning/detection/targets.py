"""What the network should say of frames: heat about the middles of boxes, their sides, depth (Liu et al. 2020, TTFNet).

Not only a box's middle cell learns its sides, but all cells of an ellipse about it, so that few frames go a long way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teach_agents.arrays import Float32Array, IntArray
from teach_agents.learning.detection.frames import Frame
from teach_agents.models.vision.household.shape import SIZE, STRIDE, Shape

_SHARE = 0.54
"""How much of a box, about its middle, its heat covers (Liu et al.)."""
_SMALLEST = 64.0
"""Square pixels of a whole frame, 32 of a halved one; nobody is asked for what looks smaller, nor reproached for it."""
_FARTHEST = 19.9
"""Metres from which on depth says that nothing is there."""


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """For N frames, cells in rows downwards (h x w).

    `heat`, N x types x h x w: 1 at middles, less about them, -1 where nothing is asked. `boxes`, N x boxes x 4 x h x w:
    for each size of things the sides of the box that the cell belongs to, pixels. `weight`, N x boxes x h x w: how much
    that counts, 0 elsewhere.
    `depth`, N x h x w: logarithms of metres, not a number where unknown. `shown`, N x 4 x h x w: the sides of the box
    about what the cell shows, pixels, and `shows`, N x h x w, how much that counts.
    """

    heat: Float32Array
    boxes: Float32Array
    weight: Float32Array
    depth: Float32Array
    shown: Float32Array
    shows: Float32Array

    @property
    def middles(self) -> int:
        """How many boxes there are."""
        return int((self.heat == 1).sum())


def targets_of(frames: Sequence[Frame], shape: Shape) -> Targets:
    """The targets of frames of one size, for a network of some shape."""
    h, w = frames[0].depth.shape
    made = Targets(
        np.zeros((len(frames), shape.types, h, w), np.float32),
        np.zeros((len(frames), shape.boxes, 4, h, w), np.float32),
        np.zeros((len(frames), shape.boxes, h, w), np.float32),
        np.stack([_logarithms(frame.depth) for frame in frames]),
        np.zeros((len(frames), 4, h, w), np.float32),
        np.zeros((len(frames), h, w), np.float32),
    )
    for number, frame in enumerate(frames):
        sizes = np.array(shape.sizes or (0,) * shape.types)[frame.types]
        _fill(frame, sizes, made.heat[number], made.boxes[number], made.weight[number])
        _show(frame, made.shown[number], made.shows[number])
    return made


def _logarithms(depth: Float32Array) -> Float32Array:
    known = (depth > 0) & (depth < _FARTHEST)
    return np.where(known, np.log(np.where(known, depth, 1.0)), np.nan).astype(np.float32)


def _fill(frame: Frame, sizes: IntArray, heat: Float32Array, sides: Float32Array, weight: Float32Array) -> None:
    """Enter a frame's boxes, the largest first: of those of one size small ones come on top."""
    spans = frame.boxes[:, 2:] - frame.boxes[:, :2]
    areas = spans.prod(axis=1)
    h, w = weight.shape[1:]
    smallest = _SMALLEST * frame.rgb.shape[1] / SIZE
    for place in np.argsort(-areas, kind="stable"):
        box, kind, area = frame.boxes[place], frame.types[place], float(areas[place])
        x, y = (int((box[i] + box[i + 2]) / 2 / STRIDE) for i in (0, 1))
        if area < smallest:
            _excuse(heat[kind], box)
            continue
        reach = (spans[place] / (2 * STRIDE) * _SHARE).astype(int)
        x0, x1 = max(0, x - reach[0]), min(w, x + reach[0] + 1)
        y0, y1 = max(0, y - reach[1]), min(h, y + reach[1] + 1)
        spread = (2 * reach + 1) / 6
        across = np.exp(-((np.arange(x0, x1) - x) ** 2) / (2 * spread[0] ** 2))
        down = np.exp(-((np.arange(y0, y1) - y) ** 2) / (2 * spread[1] ** 2))
        bump = np.outer(down, across).astype(np.float32)
        part = heat[kind, y0:y1, x0:x1]
        np.maximum(part, bump, out=part)
        sides[sizes[place], :, y0:y1, x0:x1] = box[:, None, None]
        weight[sizes[place], y0:y1, x0:x1] = bump * (np.log(area) / bump.sum())


def _show(frame: Frame, sides: Float32Array, weight: Float32Array) -> None:
    """Enter for each cell the box about what it shows; things count by the root of how many cells show them."""
    is_shown = frame.shown >= 0
    places = frame.shown[is_shown]
    sides[:, is_shown] = frame.boxes[places].T
    weight[is_shown] = 1 / np.sqrt(np.bincount(places, minlength=1))[places]


def _excuse(heat: Float32Array, box: Float32Array) -> None:
    """Ask nothing of a type where something of it is too small."""
    x0, y0 = (int(value / STRIDE) for value in box[:2])
    x1, y1 = (int(np.ceil(value / STRIDE)) + 1 for value in box[2:])
    part = heat[y0:y1, x0:x1]
    part[part == 0] = -1
