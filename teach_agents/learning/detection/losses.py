"""What the network should say of frames, and how wrong it is about them (Liu et al. 2020, TTFNet).

Not only a box's middle cell learns its sides, but all cells of an ellipse about it, so that few frames go a long way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from teach_agents.arrays import Float32Array, FloatArray, IntArray
from teach_agents.learning.detection.frames import Frame
from teach_agents.models.vision.household.decoding import boxes_of
from teach_agents.models.vision.household.network import Seen
from teach_agents.models.vision.household.shape import SIZE, STRIDE, Shape

_SHARE = 0.54
"""How much of a box, about its middle, its heat covers (Liu et al.)."""
_SMALLEST = 64.0
"""Square pixels of a whole frame, 32 of a halved one; nobody is asked for what looks smaller, nor reproached for it."""
_FARTHEST = 19.9
"""Metres from which on depth says that nothing is there."""
_SIDES, _DEPTH, _SHOWN = 5.0, 1.0, 2.0
"""What boxes, depth and what cells show count for beside heat (Liu et al. 2020 for boxes)."""
_TINY = 1e-6


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
        columns, across = _bell(x, reach[0], w)
        rows, down = _bell(y, reach[1], h)
        bump = np.outer(down, across).astype(np.float32)
        part = heat[kind, rows, columns]
        np.maximum(part, bump, out=part)
        sides[sizes[place], :, rows, columns] = box[:, None, None]
        weight[sizes[place], rows, columns] = bump * (np.log(area) / bump.sum())


def _bell(middle: int, reach: np.int64, size: int) -> tuple[slice, FloatArray]:
    """The cells within reach of a middle along a side of a frame, and how much each is of the middle."""
    first, end = max(0, int(middle - reach)), min(size, int(middle + reach) + 1)
    spread = (2 * reach + 1) / 6
    return slice(first, end), np.exp(-((np.arange(first, end) - middle) ** 2) / (2 * spread**2))


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


class Losses(NamedTuple):
    """Heat: focal loss a box; sides: 1 - GIoU; depth: mean absolute error of its logarithm; shown: 1 - GIoU."""

    heat: Tensor
    sides: Tensor
    depth: Tensor
    shown: Tensor

    @property
    def total(self) -> Tensor:
        """What is to be made small."""
        return self.heat + _SIDES * self.sides + _DEPTH * self.depth + _SHOWN * self.shown


def losses_of(seen: Seen, targets: Targets) -> Losses:
    """The losses of what was seen of frames with these targets."""
    heat, boxes, weight, depth, shown, shows = (
        torch.from_numpy(getattr(targets, one.name)).to(seen.heat.device) for one in fields(targets)
    )
    apply: Any = _Focal.apply
    focal: Tensor = apply(seen.heat, heat) / max(1, targets.middles)
    known = ~torch.isnan(depth)
    error = (seen.depth[:, 0] - torch.where(known, depth, 0.0)).abs()
    return Losses(
        focal,
        _apart(boxes_of(seen.sides), boxes, weight),
        (error * known).sum() / known.sum().clamp(min=1),
        _apart(boxes_of(seen.shown), shown, shows),
    )


class _Focal(torch.autograd.Function):
    """Focal loss of points (Law and Deng 2018, alpha 2, beta 4), summed.

    The gradient is written out, and what is not empty corrected afterwards: a pass through autograd would spend nearly
    all of its time on cells of types that are nowhere near.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, heat: Tensor) -> Tensor:
        """-log(p) (1 - p)^2 where heat is 1; -log(1 - p) p^2 (1 - heat)^4 elsewhere; nothing where it is negative."""
        flat = logits.detach().movedim(1, -1).contiguous()
        shape = flat.shape
        flat = flat.flatten().clone() if flat.data_ptr() == logits.data_ptr() else flat.flatten()
        number, kind, row, column = heat.nonzero(as_tuple=True)
        at = ((number * shape[1] + row) * shape[2] + column) * shape[3] + kind
        wanted, given = heat[number, kind, row, column], flat[at]
        slope, total = _of_nothing(flat)
        empty_loss, empty_slope = _each_of_nothing(given)
        miss_loss, miss_slope = _each_of_nothing(-given)
        found, share = wanted == 1, (1 - wanted) ** 4 * (wanted > 0)
        slope[at] = torch.where(found, -miss_slope, share * empty_slope)
        ctx.save_for_backward(slope.view(shape).movedim(-1, 1))
        made: Tensor = total + (torch.where(found, miss_loss, share * empty_loss) - empty_loss).sum()
        return made

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        """The slope."""
        (slope,) = ctx.saved_tensors
        return slope * grads[0], None


def _of_nothing(logits: Tensor) -> tuple[Tensor, Tensor]:
    """-log(1 - p) p^2, where nothing is: its slope by each logit, and its sum. In place: half the time."""
    rest = functional.softplus(logits)
    p = logits.sigmoid_()
    rest.mul_(p)
    total = torch.dot(rest, p)
    rest.mul_(2)
    return rest.addcmul_(rest, p, value=-1).addcmul_(p, p).mul_(p), total


def _each_of_nothing(logits: Tensor) -> tuple[Tensor, Tensor]:
    """The same of a few: each one's loss and slope."""
    p, surprise = torch.sigmoid(logits), functional.softplus(logits)
    return p * p * surprise, p * p * (p + 2 * (1 - p) * surprise)


def _apart(found: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """1 - GIoU (Rezatofighi et al. 2019) of boxes, ... x 4 x h x w, by weight, ... x h x w."""
    at = weight > 0
    one, other, share = found.movedim(-3, -1)[at], wanted.movedim(-3, -1)[at], weight[at]
    spans = (torch.minimum(one[:, 2:], other[:, 2:]) - torch.maximum(one[:, :2], other[:, :2])).clamp(min=0)
    shared = spans.prod(dim=1)
    union = (one[:, 2:] - one[:, :2]).prod(dim=1) + (other[:, 2:] - other[:, :2]).prod(dim=1) - shared
    hull = (torch.maximum(one[:, 2:], other[:, 2:]) - torch.minimum(one[:, :2], other[:, :2])).prod(dim=1)
    giou = shared / (union + _TINY) - (hull - union) / (hull + _TINY)
    return ((1 - giou) * share).sum() / share.sum().clamp(min=_TINY)
