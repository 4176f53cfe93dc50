"""From what the network says of cells to boxes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from teach_agents.models.vision.household.network import Seen
from teach_agents.models.vision.household.shape import STRIDE

_LONGEST = 5.0
"""Largest logarithm of a side's distance in strides: no picture is that wide."""
_SAME = 0.6
"""Intersection over union from which on two boxes of a type are of one thing."""
_SHOWS = 0.5
"""The same from which on what a cell shows is the thing in a box."""
_TINY = 1e-6


class Boxes(NamedTuple):
    """What is in one picture, the surest first: boxes N x 4 in pixels (x0, y0, x1, y1), places of types, scores."""

    boxes: Tensor
    types: Tensor
    scores: Tensor


def boxes_of(sides: Tensor) -> Tensor:
    """The boxes of all cells, ... x 4 x h x w, from their sides' distances (see `Seen`), pixels."""
    h, w = sides.shape[-2:]
    x = (torch.arange(w, device=sides.device) + 0.5) * STRIDE
    y = (torch.arange(h, device=sides.device) + 0.5)[:, None] * STRIDE
    away = sides.clamp(max=_LONGEST).exp() * STRIDE
    left, up, right, down = away.unbind(dim=-3)
    return torch.stack((x - left, y - up, x + right, y + down), dim=-3)


def decoded(seen: Seen, sizes: Sequence[int], most: int, least: float) -> list[Boxes]:
    """The boxes in each picture: at most `most`, none with a score below `least`; `sizes` are those of the `Shape`.

    A cell counts where its heat is no less than that of its eight neighbours.
    """
    boxes = boxes_of(seen.sides)
    size = torch.tensor(sizes or [0] * seen.heat.shape[1], device=seen.heat.device)
    made = []
    for heat, sides in zip(seen.heat, boxes, strict=True):
        kind, row, column = _peaks(heat, least)
        scores, order = heat[kind, row, column].sigmoid().sort(descending=True, stable=True)
        order = order[:most]
        kind, row, column = kind[order], row[order], column[order]
        made.append(_distinct(Boxes(sides[size[kind], :, row, column], kind, scores[:most])))
    return made


def shown_by(shown: Tensor, boxes: Tensor, types: Tensor) -> Tensor:
    """Which cells show the thing in each of K boxes, by the boxes that the network says of cells: bool, K x h x w.

    `shown` is 4 x h x w, `boxes` K x 4, all in the same units. A cell shows one thing of each of the K `types`, but two
    boxes of different types may be about one thing, whose cells are of both.
    """
    alike = _overlaps(boxes, shown.flatten(1).T)
    for kind, count in Counter(types.tolist()).items():
        if count > 1:
            rivals = (types == kind).nonzero().flatten()
            those = alike[rivals]
            alike[rivals] = those.where(those == those.amax(dim=0), 0.0)
    return (alike >= _SHOWS).view(-1, *shown.shape[1:])


def _overlaps(some: Tensor, others: Tensor) -> Tensor:
    """Intersection over union of each of N boxes with each of K: N x K."""
    spans = (torch.minimum(some[:, None, 2:], others[:, 2:]) - torch.maximum(some[:, None, :2], others[:, :2])).clamp(0)
    shared = spans.prod(dim=2)
    areas, theirs = ((one[:, 2:] - one[:, :2]).prod(dim=1) for one in (some, others))
    return shared / (areas[:, None] + theirs - shared).clamp(min=_TINY)


def _peaks(heat: Tensor, least: float) -> tuple[Tensor, Tensor, Tensor]:
    """Types, rows and columns of cells that are at least as hot as those about them, and hot enough."""
    floor = math.log(least / (1 - least)) if 0 < least < 1 else math.copysign(math.inf, least - 0.5)
    kind, row, column = (heat >= floor).nonzero(as_tuple=True)
    here, (_, h, w) = heat[kind, row, column], heat.shape
    highest = torch.ones_like(here, dtype=torch.bool)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            y, x = (row + down).clamp(0, h - 1), (column + right).clamp(0, w - 1)
            highest &= here >= heat[kind, y, x]
    return kind[highest], row[highest], column[highest]


def _distinct(found: Boxes) -> Boxes:
    """Without those that overlap a surer one of their type."""
    boxes, types, scores = found
    if len(boxes) < 2:
        return found
    alike = (_overlaps(boxes, boxes) > _SAME) & (types[:, None] == types)
    kept: list[int] = []
    for place, row in enumerate(alike.tolist()):
        if not any(row[other] for other in kept):
            kept.append(place)
    at = torch.tensor(kept, device=boxes.device)
    return Boxes(boxes[at], types[at], scores[at])
