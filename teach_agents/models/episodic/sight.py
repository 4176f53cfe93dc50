"""Frames as features: an encoder's map of a picture, its many channels drawn together to a few."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from teach_agents.arrays import Float32Array, Image
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import ModelError
from teach_agents.models.vision import VisionEncoder, load_vision_encoder

ENCODER = "efficientnet-lite0"
CHANNELS = 64
"""Numbers that are kept of each place in a picture: 49 places make 6.3 KB, where the whole map has 125 KB."""


class Sight:
    """Looks at pictures with an encoder that gives feature maps, and keeps `channels` numbers of each place.

    A place's channels are added up with random signs, always the same ones: distances between places stay what they
    were, but for a few per cent (Achlioptas 2003). Nothing is learnt here, so features may be kept once and for all.
    """

    def __init__(self, encoder: str | VisionEncoder = ENCODER, channels: int = CHANNELS) -> None:
        self._encoder = load_vision_encoder(encoder)
        self._channels = channels

    @property
    def identity(self) -> JsonMapping:
        """What features depend on: the encoder's name and hash, and how many channels are kept."""
        return {"encoder": self._encoder.name, "encoder_hash": self._encoder.hash, "channels": self._channels}

    def look(self, images: Sequence[Image]) -> NDArray[np.float16]:
        """Features of pictures, N x places x channels, places by rows downwards.

        Raises `ModelError` for an encoder without maps.
        """
        maps = self._encoder.encode(images).maps
        if maps is None:
            raise ModelError(
                f"{self._encoder.name}: gives no feature maps, so it does not say what is where in a frame"
            )
        places = maps.reshape(*maps.shape[:2], -1).transpose(0, 2, 1)
        return (places @ _signs(maps.shape[1], self._channels)).astype(np.float16)


@cache
def _signs(given: int, kept: int) -> Float32Array:
    """+-1 / root(given), given x kept: bits of SHAKE-256, the same on every machine."""
    drawn = hashlib.shake_256(b"teach_agents.episodic").digest(math.ceil(given * kept / 8))
    bits = np.unpackbits(np.frombuffer(drawn, np.uint8))[: given * kept].reshape(given, kept)
    return (2.0 * bits - 1.0).astype(np.float32) / np.float32(math.sqrt(given))
