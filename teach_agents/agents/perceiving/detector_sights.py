"""From detections (a detector's, or the truth in its place) and depth to sightings: what a view shows where."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from teach_agents.agents.acting.looking import box_of, pixel_counts, world_points
from teach_agents.agents.perceiving.detector_kinds import LOOSE, whole_of
from teach_agents.arrays import BoolArray, Float32Array, FloatArray
from teach_agents.models.vision import Detection, Detector, LabelMap
from teach_agents.observations import Observation, Pose, Privilege, Segmentation
from teach_agents.tasks.classes import type_from_id

_FEWEST = 6
"""Pixels with known depth of which a thing is made out."""
_TAILS = (3.0, 97.0)
"""Percentiles of its points that a thing's box spans: depth at outlines belongs to what is behind."""
_INNER = 0.5
"""Share of a box, about its middle, that shows the thing rather than what is around it."""
_THICK = 0.12
"""How much nearer or farther than its middle a thing of any size may be, metres."""
_SIGHT = 10.0
"""Farther away nothing is placed, metres."""
_SAME, _AS_FAR, _COARSE = 0.5, 0.15, 2
"""Intersection over union of pixels from which on two sightings as far away, but for this share, show one thing; every
how many rows and columns of pixels tell that."""
_HAND = 0.16, 0.38
"""How far below the camera's axis and how far along it the hand is, metres (AI2-THOR specification section 3)."""
_DISK = 0.86
"""Share of a disk's width that all but these tails of its points span."""
_ROUND = frozenset(
    """Apple BasketBall Bottle Bowl Candle Cup Egg Kettle Lettuce Mug PaperTowelRoll Pan PepperShaker Plate Pot Potato
    SaltShaker SoapBottle SprayBottle ToiletPaper Tomato Vase WineBottle""".split()
)
"""Types of things that are about as deep as they are wide."""
_OVERLOOKED = frozenset({"Floor", "Wall", "Window", "Doorway", "Doorframe"})
"""Types that are no things to act upon."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One thing in one view: its type, the corners of the box about its points (metres), and the pixels that show it.

    `away` is how far along the camera's axis its middle is, metres; `score` how sure the detector is, and `faint` says
    that it is not sure enough for this to count by itself.
    """

    object_type: str
    low: FloatArray
    high: FloatArray
    mask: BoolArray
    away: float
    score: float = 1.0
    faint: bool = False

    @property
    def center(self) -> FloatArray:
        """The middle of the box."""
        return (self.low + self.high) / 2


def sightings(
    detections: Sequence[Detection], depth: Float32Array, pose: Pose, labels: LabelMap, plain: float = 0.0
) -> list[Sighting]:
    """What detections show, the surest first; what means no object type or has no known depth is left out.

    What scores less than `plain` is faint, and left out unless it can be carried: furniture is seen often enough.
    """
    found = []
    for one in detections:
        object_type = labels.object_type(one.label)
        faint = one.score < plain
        if not object_type or object_type in _OVERLOOKED or (faint and object_type not in LOOSE):
            continue
        if seen := _seen(whole_of(object_type), one, depth, pose):
            found.append(replace(seen, faint=faint))
    return found


def _seen(object_type: str, one: Detection, depth: Float32Array, pose: Pose) -> Sighting | None:
    mask = _within(one, depth) if one.mask is None else one.mask & (depth <= _SIGHT)
    if mask is None or mask.sum() < _FEWEST:
        return None
    height, width = mask.shape
    rows, columns = np.divmod(np.flatnonzero(mask), width)
    far = depth[rows, columns].astype(np.float64)
    points = world_points((columns + 0.5) / width, (rows + 0.5) / height, far, pose)
    low, high = np.percentile(points, _TAILS, axis=0)
    if object_type in _ROUND:
        _complete(low, high, round(pose.yaw / 90) % 4)
    return Sighting(object_type, low, high, mask, float(np.median(far)), one.score)


def _complete(low: FloatArray, high: FloatArray, heading: int) -> None:
    """Make the box of a round thing whole: as wide as the disk that these points are of, and as deep as it is wide.

    Only the side towards the camera shows.
    """
    along, across = (2, 0) if heading % 2 == 0 else (0, 2)
    cut = (high[across] - low[across]) * (1 / _DISK - 1) / 2
    low[across] -= cut
    high[across] += cut
    lacks = (high[across] - low[across]) - (high[along] - low[along])
    if lacks > 0.0:
        if heading < 2:
            high[along] += lacks
        else:
            low[along] -= lacks


def _within(one: Detection, depth: Float32Array) -> BoolArray | None:
    """The pixels of a box that are about as far away as its middle is, for what is as deep as it is wide or high.

    `None` where nothing is known of the middle.
    """
    x0, y0 = map(math.floor, one.box[:2])
    x1, y1 = map(math.ceil, one.box[2:])
    inside = depth[y0:y1, x0:x1]
    across, down = (max(1, round(side * _INNER / 2)) for side in (x1 - x0, y1 - y0))
    middle_x, middle_y = (x1 - x0) // 2, (y1 - y0) // 2
    inner = inside[max(0, middle_y - down) : middle_y + down, max(0, middle_x - across) : middle_x + across]
    known = inner[inner <= _SIGHT]
    if not len(known):
        return None
    middle = float(np.median(known))
    size = max((x1 - x0) / depth.shape[1], (y1 - y0) / depth.shape[0]) * 2 * middle
    mask = np.zeros(depth.shape, np.bool_)
    mask[y0:y1, x0:x1] = np.abs(inside - middle) <= max(_THICK, size / 2)
    return mask


def hand_of(pose: Pose) -> FloatArray:
    """Where the hand is, metres."""
    below, ahead = _HAND
    x, y, away = np.array([[0.5], [0.5 + below / ahead / 2], [ahead]])
    return np.asarray(world_points(x, y, away, pose)[0])


class Painting(NamedTuple):
    """A view by what was recognised in it; by id of what is covered by what may be the same thing: the ids of that."""

    segmentation: Segmentation
    covered: Mapping[str, frozenset[str]]


def painted(seen: Sequence[Sighting], ids: Sequence[str], shape: tuple[int, ...]) -> Painting:
    """Where several lay claim to a pixel it is the nearest one's, and the surest one's of those that show one thing.

    Two sightings of different types may be of one thing, which the detector took for either.
    """
    canvas = np.full(shape, -1, np.int32)
    names = tuple(dict.fromkeys(ids))
    numbers = {name: number for number, name in enumerate(names)}
    twins = _twins(seen)
    away = [seen[max(same, key=lambda place: seen[place].score)].away for same in twins]
    order = sorted(range(len(seen)), key=lambda place: (-away[place], seen[place].score))
    covered: dict[str, frozenset[str]] = {}
    for rank, place in enumerate(order):
        canvas[seen[place].mask] = numbers[ids[place]]
        over = frozenset(ids[other] for other in order[rank + 1 :] if other in twins[place]) - {ids[place]}
        if over:
            covered[ids[place]] = over
    return Painting(Segmentation(canvas, names), covered)


def _twins(seen: Sequence[Sighting]) -> list[list[int]]:
    """Of each sighting the places of those, itself included, whose pixels are as good as the same, as far away."""
    if not seen:
        return []
    masks = np.stack([one.mask for one in seen])[:, ::_COARSE, ::_COARSE].reshape(len(seen), -1).astype(np.float32)
    shared, areas = masks @ masks.T, masks.sum(axis=1)
    union = areas[:, None] + areas - shared
    away = np.array([one.away for one in seen])
    as_far = np.minimum(away[:, None], away) >= (1 - _AS_FAR) * np.maximum(away[:, None], away)
    same = (as_far & (shared > _SAME * union)) | np.eye(len(seen), dtype=bool)
    return [np.flatnonzero(row).tolist() for row in same]


TRUTHS: Mapping[str, bool] = {"true-boxes": False, "true-masks": True}
"""The truth in a detector's place, by name; whether it gives outlines."""
_FEWEST_SHOWN = 12
"""Pixels of a thing below which even the truth does not detect it."""


class Source(ABC):
    """Gives the detections of a turn's view. `privileges` is what it reads of the observation."""

    privileges: frozenset[Privilege] = frozenset()
    plain: float = 0.0
    """See `Detector.plain`."""

    @abstractmethod
    def detections(self, observation: Observation) -> list[Detection]:
        """What is in view, the surest first."""

    @property
    @abstractmethod
    def provenance(self) -> Mapping[str, str]:
        """Who it is, for results."""


class ByDetector(Source):
    """A detector looks at the picture."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.plain = detector.plain

    def detections(self, observation: Observation) -> list[Detection]:
        """What the detector finds."""
        return self._detector.detect([observation.view.rgb])[0]

    @property
    def provenance(self) -> Mapping[str, str]:
        """The detector's name and hash."""
        return {"detector": self._detector.name, "detector_hash": self._detector.hash}


class TrueBoxes(Source):
    """The boxes, or outlines, of everything in view, from the privilege `segmentation`; ids are not told."""

    privileges = frozenset({Privilege.SEGMENTATION})

    def __init__(self, *, masks: bool = False) -> None:
        self._masks = masks

    def detections(self, observation: Observation) -> list[Detection]:
        """What the truth is."""
        segmentation = observation.privileged.segmentation
        found = []
        for number in np.flatnonzero(pixel_counts(segmentation) >= _FEWEST_SHOWN).tolist():
            mask = segmentation.ids == number
            left, top, right, bottom = map(float, box_of(mask))
            label = type_from_id(segmentation.object_ids[number])
            found.append(Detection(label, 1.0, (left, top, right, bottom), mask if self._masks else None))
        return found

    @property
    def provenance(self) -> Mapping[str, str]:
        """That it is the truth."""
        return {"detector": "true-masks" if self._masks else "true-boxes"}
