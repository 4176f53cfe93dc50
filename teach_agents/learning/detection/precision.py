"""Average precision of detections as COCO evaluates it (Lin et al. 2014; the rules of its reference program).

By type: detections of all pictures in the order of their scores, at most 100 of a type in a picture; each takes the box
of its type in its picture that it overlaps most and that none before it took, if intersection over union is at least
the threshold; precision at 101 recalls, each the best at that recall or any higher one. Boxes smaller than `smallest`
count neither as found nor as missed, nor do detections that take one, nor those as small that take none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from teach_agents.arrays import BoolArray, Float32Array, FloatArray, IntArray

_MOST = 100
"""Detections of a type in a picture that are looked at."""
_RECALLS = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Boxes found in a picture: N x 4 (x0, y0, x1, y1), their types, their scores."""

    boxes: Float32Array
    types: IntArray
    scores: Float32Array


@dataclass(frozen=True, slots=True)
class Precision:
    """Average precision by type, and how many boxes there are of each, for types that have any."""

    by_type: Mapping[int, float]
    boxes: Mapping[int, int]

    def mean(self, fewest: int = 1) -> float:
        """The mean over types with at least so many boxes; not a number where there are none."""
        kept = [value for kind, value in self.by_type.items() if self.boxes[kind] >= fewest]
        return float(np.mean(kept)) if kept else float("nan")

    def types(self, fewest: int = 1) -> int:
        """How many types have at least so many boxes."""
        return sum(count >= fewest for count in self.boxes.values())


@dataclass(slots=True)
class Tally:
    """What became of a type's detections, in one picture or many: scores, and whether each is right.

    `truths` are boxes that count; detections that do not count are left out.
    """

    truths: int = 0
    scores: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)


def average_precision(
    found: Sequence[Scored],
    truth: Sequence[tuple[Float32Array, IntArray]],
    *,
    overlap: float = 0.5,
    smallest: float = 0.0,
) -> Precision:
    """The precision of what was found in pictures whose true boxes and types are given, in the same order.

    `smallest` is an area in square pixels; `overlap` the least intersection over union of a hit.
    """
    pairs = zip(found, truth, strict=True)
    return precision_of([tallied(one, *true, overlap=overlap, smallest=smallest) for one, true in pairs])


def tallied(
    found: Scored,
    boxes: Float32Array,
    types: IntArray,
    *,
    overlap: float = 0.5,
    smallest: float = 0.0,
) -> dict[int, Tally]:
    """One picture's detections matched with its true boxes, by type."""
    made = {}
    for kind in sorted({*types.tolist(), *found.types.tolist()}):
        mine = np.flatnonzero(found.types == kind)
        mine = mine[np.argsort(-found.scores[mine], kind="stable")][:_MOST]
        made[kind] = _judged(found.boxes[mine], found.scores[mine], boxes[types == kind], overlap, smallest)
    return made


def precision_of(pictures: Iterable[Mapping[int, Tally]]) -> Precision:
    """The precision over pictures whose detections were matched."""
    whole: dict[int, Tally] = {}
    for picture in pictures:
        for kind, one in picture.items():
            tally = whole.setdefault(kind, Tally())
            tally.truths += one.truths
            tally.scores += one.scores
            tally.right += one.right
    counted = {kind: tally for kind, tally in sorted(whole.items()) if tally.truths}
    return Precision(
        {kind: _averaged(tally) for kind, tally in counted.items()},
        {kind: tally.truths for kind, tally in counted.items()},
    )


def _judged(boxes: Float32Array, scores: Float32Array, truths: Float32Array, overlap: float, smallest: float) -> Tally:
    """Match one picture's detections of a type, the surest first, with its true boxes."""
    counts = _areas(truths) >= smallest
    truths, counts = truths[np.argsort(~counts, kind="stable")], np.sort(counts)[::-1]
    tally = Tally(int(counts.sum()))
    shared, small = overlaps(boxes, truths), _areas(boxes) < smallest
    taken = np.zeros(len(truths), np.bool_)
    for place, score in enumerate(scores.tolist()):
        hit = _best(shared[place], taken, counts, overlap)
        if hit is not None:
            taken[hit] = True
        if counts[hit] if hit is not None else not small[place]:
            tally.scores.append(score)
            tally.right.append(hit is not None)
    return tally


def _best(shares: FloatArray, taken: BoolArray, counts: BoolArray, overlap: float) -> int | None:
    """The free box that is overlapped most, one that counts before any that does not; the later one of equals."""
    for group in (counts, ~counts):
        free = np.flatnonzero(group & ~taken & (shares >= overlap))[::-1]
        if len(free):
            return int(free[np.argmax(shares[free])])
    return None


def _averaged(tally: Tally) -> float:
    order = np.argsort(-np.array(tally.scores), kind="stable")
    right = np.array(tally.right, np.bool_)[order]
    hits = np.cumsum(right)
    recall, precision = hits / tally.truths, hits / np.arange(1, len(right) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    places = np.searchsorted(recall, _RECALLS, side="left")
    reached = places < len(best)
    return float(np.where(reached, np.append(best, 0.0)[np.minimum(places, len(best))], 0.0).mean())


def overlaps(one: Float32Array, other: Float32Array) -> FloatArray:
    """Intersection over union of each of N boxes with each of M, N x M."""
    first, second = one[:, None].astype(np.float64), other[None].astype(np.float64)
    low, high = np.maximum(first[..., :2], second[..., :2]), np.minimum(first[..., 2:], second[..., 2:])
    shared = np.prod(np.maximum(high - low, 0.0), axis=-1)
    whole = _areas(first) + _areas(second) - shared
    shares: FloatArray = np.divide(shared, whole, out=np.zeros_like(shared), where=whole > 0)
    return shares


def _areas(boxes: NDArray[np.floating]) -> NDArray[np.floating]:
    made: NDArray[np.floating] = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return made
