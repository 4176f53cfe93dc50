"""What of the classes that the network knows is in view, and where to click on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from teach_agents.agents.perceiving.detector_sources import Source
from teach_agents.household.geometry import click_at, deepest
from teach_agents.models.vision import Detection, LabelMap
from teach_agents.observations import Observation

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


Point = tuple[float, float]
"""A click: fractions of the picture, x to the right, y down."""


class Targets:
    """Finds clicks by a detector, or by what stands in a detector's place.

    `labels` says which object type a label means; a basin counts as its sink, as it does for the network.
    """

    def __init__(self, source: Source, labels: LabelMap) -> None:
        self._source = source
        self._labels = labels
        self.privileges = source.privileges

    @property
    def provenance(self) -> Mapping[str, str]:
        """Who detects, for results."""
        return self._source.provenance

    def in_view(self, observation: Observation) -> dict[str, Point]:
        """Where to click on the best instance of each class in view: the surest, of equally sure ones the largest."""
        best: dict[str, Detection] = {}
        for one in self._source.detections(observation):
            named = self._labels.object_type(one.label)
            known = None if named is None else named.removesuffix("Basin")
            if known is not None and (known not in best or _merit(one) > _merit(best[known])):
                best[known] = one
        return {name: _point(one, observation.view.rgb) for name, one in best.items()}


def _merit(one: Detection) -> tuple[float, float]:
    x0, y0, x1, y1 = one.box
    size = float(one.mask.sum()) if one.mask is not None else (x1 - x0) * (y1 - y0)
    return one.score, size


def _point(one: Detection, picture: ByteArray) -> Point:
    """A pixel deep inside the outline, or the middle of the box."""
    height, width = picture.shape[:2]
    inside = None if one.mask is None or height != width else deepest(one.mask)
    if inside is not None:
        return click_at(*inside, height)
    x0, y0, x1, y1 = one.box
    return (x0 + x1) / 2 / width, (y0 + y1) / 2 / height
