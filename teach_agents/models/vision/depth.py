"""The DepthEstimator contract: how far away what a picture shows is; and the simplest of all, the floor's plane."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teach_agents.arrays import Float32Array, Image
from teach_agents.errors import InputError, ModelError
from teach_agents.models.vision.contract import checked_images, mapped

FARTHEST = 20.0
"""Metres; no room of a household is longer. Where an estimator knows nothing, it says infinity."""


@dataclass(frozen=True, slots=True)
class Lens:
    """How a picture was taken, as far as a body knows it of itself.

    `height` of the camera above the floor in metres, `pitch` downwards in degrees, `field_of_view` from top to bottom
    in degrees (TEACh's cameras: 90).
    """

    height: float
    pitch: float
    field_of_view: float = 90.0


class DepthEstimator(ABC):
    """Says how far away things are. Batch first: one call looks at many pictures, in their order.

    An implementation has `compute`; callers use `estimate`, which checks. May be called from several threads at once.
    """

    name: str = "depth"
    """What results call it."""

    @property
    @abstractmethod
    def hash(self) -> str:
        """16 hexadecimal digits that stand for its weights and how pictures are prepared for them."""

    @abstractmethod
    def compute(self, images: Sequence[Image], lenses: Sequence[Lens]) -> Sequence[Float32Array]:
        """The depth of each of at least one picture."""

    def estimate(self, images: Sequence[Image], lenses: Sequence[Lens]) -> list[Float32Array]:
        """Depth along the optical axis, float32, H x W of each picture (RGB, uint8), metres; infinite where unknown.

        Raises `InputError` for what is no picture or as many lenses as pictures, and `ModelError` where the network
        cannot be had or breaks down.
        """
        asked = checked_images(images)
        if len(lenses) != len(asked):
            raise InputError("lenses", f"must be one for each of {len(asked)} pictures", value=len(lenses))
        if not asked:
            return []
        with mapped(self.name):
            found = self.compute(asked, lenses)
        if len(found) != len(asked):
            raise ModelError(f"{self.name}: answered {len(found)} of {len(asked)} pictures")
        for one, image in zip(found, asked, strict=True):
            if one.shape != image.shape[:2]:
                raise ModelError(f"{self.name}: gave depth of {one.shape} for a picture of {image.shape[:2]}")
        return [_cut(np.asarray(one, np.float32)) for one in found]


class FloorDepth(DepthEstimator):
    """No network: everything is taken to lie on the floor, which a level camera sees below the horizon.

    Right for the floor; what stands on it is nearer than this says, and above the horizon nothing is known. The plane
    follows from the camera's height, pitch and field of view alone.
    """

    name = "floor"
    hash = "0" * 16

    def compute(self, images: Sequence[Image], lenses: Sequence[Lens]) -> list[Float32Array]:
        """The floor's depth in each picture."""
        return [floor_depth(image.shape[:2], lens) for image, lens in zip(images, lenses, strict=True)]


def floor_depth(shape: tuple[int, int], lens: Lens) -> Float32Array:
    """Depth (float32, H x W, metres) at which each pixel's ray meets the floor; infinite where it never does."""
    height, width = shape
    spread = math.tan(math.radians(lens.field_of_view) / 2)
    up = (1 - 2 * (np.arange(height) + 0.5) / height) * spread
    pitch = math.radians(lens.pitch)
    falling = math.sin(pitch) - up * math.cos(pitch)
    with np.errstate(divide="ignore"):
        rows = np.where(falling > 0, lens.height / falling, np.inf)
    return _cut(np.repeat(rows[:, None], width, axis=1).astype(np.float32))


def _cut(depth: Float32Array) -> Float32Array:
    """What is farther than any room goes, not in front of the camera, or no number, is unknown."""
    return np.where((depth > 0) & (depth <= FARTHEST), depth, np.float32(np.inf))
