"""How wrong the network is about frames."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from teach_agents.learning.detection.targets import Targets
from teach_agents.models.vision.household.decoding import boxes_of
from teach_agents.models.vision.household.network import Seen

_SIDES, _DEPTH, _SHOWN = 5.0, 1.0, 2.0
"""What boxes, depth and what cells show count for beside heat (Liu et al. 2020 for boxes)."""
_TINY = 1e-6


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
    device = seen.heat.device
    given = (targets.heat, targets.boxes, targets.weight, targets.depth, targets.shown, targets.shows)
    heat, boxes, weight, depth, shown, shows = (torch.from_numpy(one).to(device) for one in given)
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
