"""The Detector contract: batches of pictures in, labelled boxes or masks out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from teach_agents.arrays import BoolArray, Image
from teach_agents.errors import ModelError
from teach_agents.models.vision.contract import checked_images, mapped
from teach_agents.models.vision.depth import DepthEstimator


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One thing found in a picture.

    `label` is the detector's own word for it, `score` from 0 to 1. `box` is x0, y0, x1, y1 in pixels, x to the right, y
    down, from the left edge of its first column and the upper edge of its first row. `mask` is bool, H x W of the
    picture, or `None` where the detector gives boxes only.
    """

    label: str
    score: float
    box: tuple[float, float, float, float]
    mask: BoolArray | None = None


class Detector(ABC):
    """A network that says what is where in pictures. Batch first: one call looks at many, in their order.

    An implementation has `find`; callers use `detect`, which checks what comes in and tidies what comes out. May be
    called from several threads at once.
    """

    name: str = "detector"
    """What results call it."""
    plain: float = 0.0
    """The score from which on what it finds counts by itself; what scores less may be there."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """Every word that it may label a thing with."""

    @property
    @abstractmethod
    def hash(self) -> str:
        """16 hexadecimal digits that stand for its weights, how pictures are prepared, and what it looks for."""

    @property
    def estimator(self) -> DepthEstimator | None:
        """Who says how far away things are by the same network, in the same pass; `None` where it does not."""
        return None

    @abstractmethod
    def find(self, images: Sequence[Image]) -> Sequence[Sequence[Detection]]:
        """What is in each of at least one picture (RGB, uint8, H x W x 3; sizes may differ)."""

    def detect(self, images: Sequence[Image]) -> list[list[Detection]]:
        """What is in each picture (RGB, uint8, H x W x 3, of any sizes), the surest first.

        Boxes are cut off at the picture's edges; what lies outside altogether, or is no box, is left out. Raises
        `InputError` for what is no picture, and `ModelError` where the network cannot be had or breaks down.
        """
        asked = checked_images(images)
        if not asked:
            return []
        with mapped(self.name):
            found = self.find(asked)
        if len(found) != len(asked):
            raise ModelError(f"{self.name}: answered {len(found)} of {len(asked)} pictures")
        return [self._tidied(one, image) for one, image in zip(found, asked, strict=True)]

    def _tidied(self, found: Sequence[Detection], image: Image) -> list[Detection]:
        size, kept = image.shape[:2], []
        for one in found:
            mask = one.mask
            if mask is not None and (mask.shape != size or str(mask.dtype) != "bool"):
                raise ModelError(f"{self.name}: a mask is {mask.dtype} {mask.shape}, not bool {size}")
            if not all(map(math.isfinite, (one.score, *one.box))):
                continue
            x0, y0, x1, y1 = (min(max(at, 0.0), float(end)) for at, end in zip(one.box, size[::-1] * 2, strict=True))
            if x0 < x1 and y0 < y1 and (mask is None or mask.any()):
                kept.append(replace(one, score=min(max(one.score, 0.0), 1.0), box=(x0, y0, x1, y1)))
        return sorted(kept, key=lambda one: -one.score)
