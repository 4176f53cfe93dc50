"""A tiny Episodic Transformer, and eyes for it that need no weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from teach_agents.actions import Role
from teach_agents.models.episodic.network import EpisodicNetwork
from teach_agents.models.episodic.shape import Shape
from teach_agents.models.episodic.sight import Sight
from teach_agents.models.episodic.trained import Trained
from teach_agents.models.episodic.vocabulary import Vocabulary
from teach_agents.models.vision import Features, VisionEncoder

__all__ = ["CELLS", "CHANNELS", "DIALOGUE", "Quarters", "tiny_sight", "tiny_trained", "vocabulary"]

CELLS, CHANNELS = 4, 8
DIALOGUE = ((Role.COMMANDER, "Bring the mug!"), (Role.FOLLOWER, "ok"))


class Quarters(VisionEncoder):
    """The mean colours of a picture's four quarters."""

    name, dimension, size, hash = "quarters", 3, (2, 2), "0" * 16

    def compute(self, images: Sequence[NDArray[np.uint8]]) -> Features:
        maps = np.stack([_quarters(one) for one in images])
        return Features(maps.mean(axis=(2, 3)), maps)


def _quarters(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    down, across = image.shape[0] // 2, image.shape[1] // 2
    means = image[: 2 * down, : 2 * across].reshape(2, down, 2, across, 3).mean(axis=(1, 3)) / 255
    channels_first: NDArray[np.float32] = means.transpose(2, 0, 1).astype(np.float32)
    return channels_first


def tiny_sight() -> Sight:
    """Sees the four quarters, eight numbers of each."""
    return Sight(Quarters(), CHANNELS)


def vocabulary() -> Vocabulary:
    """A few words and classes."""
    return Vocabulary.of(["bring the mug", "the sink ok"], ["Mug", "Sink", "Fork"], fewest=1)


def tiny_trained(inputs: str = "language+vision", seed: int = 0, context: int = 3) -> Trained:
    """An untrained network of 100,000 numbers."""
    known = vocabulary()
    torch.manual_seed(seed)
    shape = Shape(len(known.words), len(known.objects), CELLS, CHANNELS, width=64, inputs=inputs)
    return Trained(EpisodicNetwork(shape).eval(), known, tiny_sight().identity, context)
