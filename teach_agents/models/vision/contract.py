"""The VisionEncoder contract: batches of pictures in, vectors and feature maps out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teach_agents.arrays import Float32Array, Image
from teach_agents.errors import InputError, ModelError
from teach_agents.models.contract import mapped
from teach_agents.models.prompts import is_picture

__all__ = ["Features", "VisionEncoder", "checked_images", "mapped"]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What an encoder sees in N pictures.

    `vectors` is float32, N x D: one vector a picture. `maps` is float32, N x C x H x W: the last features with a place
    in the picture, rows downwards; `None` where an encoder has none.
    """

    vectors: Float32Array
    maps: Float32Array | None = None


class VisionEncoder(ABC):
    """A pretrained network that turns pictures into features. Batch first: one call encodes many, in their order.

    An implementation has `compute`; callers use `encode`, which checks what comes in and what comes out. A picture gets
    in a batch what it gets alone, as far as rounding allows. May be called from several threads at once.
    """

    name: str = "encoder"
    """What results call it."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """D: how many numbers a picture's vector has."""

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """Height and width in pixels at which the network sees a square picture, whatever size it is given in."""

    @property
    @abstractmethod
    def hash(self) -> str:
        """16 hexadecimal digits that stand for its weights and how pictures are prepared for them."""

    @abstractmethod
    def compute(self, images: Sequence[Image]) -> Features:
        """The features of at least one picture (RGB, uint8, H x W x 3; sizes may differ)."""

    def encode(self, images: Sequence[Image]) -> Features:
        """The features of pictures: RGB, uint8, H x W x 3 each, of any sizes.

        Raises `InputError` for what is no picture, and `ModelError` where the network cannot be had or breaks down.
        """
        asked = checked_images(images)
        if not asked:
            return Features(np.zeros((0, self.dimension), np.float32))
        with mapped(self.name):
            made = self.compute(asked)
        shape = (len(asked), self.dimension)
        if made.vectors.shape != shape or made.vectors.dtype != np.float32:
            raise ModelError(f"{self.name}: gave {made.vectors.dtype} {made.vectors.shape}, not float32 {shape}")
        return made


def checked_images(images: Sequence[Image]) -> list[Image]:
    """The pictures as a list. Raises `InputError` for what is none: a picture is an array H x W x 3 of uint8."""
    if len(getattr(images, "shape", "NHWC")) != 4:
        raise InputError("images", "must be a list of pictures: one call sees many", value=type(images).__name__)
    asked = list(images)
    for image in asked:
        if not is_picture(image):
            wrong = f"{image.dtype} {image.shape}" if hasattr(image, "shape") else type(image).__name__
            raise InputError("images", "a picture is an array HxWx3 of uint8", value=wrong)
    return asked
