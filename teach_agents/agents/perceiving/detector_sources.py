"""Who says what is in view: a detector, or the truth in a detector's place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from teach_agents.agents.acting.looking import box_of
from teach_agents.models.vision import Detection, Detector
from teach_agents.observations import Observation, Privilege
from teach_agents.tasks.classes import type_from_id

TRUTHS: Mapping[str, bool] = {"true-boxes": False, "true-masks": True}
"""The truth in a detector's place, by name; whether it gives outlines."""
_FEWEST = 12
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
        ids = segmentation.ids
        counts = np.bincount(ids.ravel() + 1, minlength=len(segmentation.object_ids) + 1)[1:]
        found = []
        for number in np.flatnonzero(counts >= _FEWEST).tolist():
            mask = ids == number
            left, top, right, bottom = map(float, box_of(mask))
            label = type_from_id(segmentation.object_ids[number])
            found.append(Detection(label, 1.0, (left, top, right, bottom), mask if self._masks else None))
        return found

    @property
    def provenance(self) -> Mapping[str, str]:
        """That it is the truth."""
        return {"detector": "true-masks" if self._masks else "true-boxes"}
