"""Words and pairs of words, hashed: an encoder without weights, for tests and for machines without torch."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from teach_agents.arrays import Float32Array
from teach_agents.errors import InputError
from teach_agents.models.text.contract import TextEncoder

_WORD = re.compile(r"[^\W_]+")
_SIGN = 1 << 31


class HashedEncoder(TextEncoder):
    """Texts are alike as far as they have words, and neighbouring words, in common.

    Every word and every pair adds 1 or -1 to one of `dimension` numbers, and its hash says to which (Weinberger et al.
    2009). What comes often counts by the root of how often.
    """

    name = "hashed"
    dimension: int = 512

    def __init__(self, *, dimension: int = 512) -> None:
        if not 1 <= dimension <= 1 << 16:
            raise InputError("hashed", "dimension must be from 1 to 65536", value=dimension)
        self.dimension = dimension

    @property
    def hash(self) -> str:
        """There are no weights: it names the way of hashing."""
        return f"{zlib.crc32(b'words and pairs, 1'):08x}{self.dimension:08x}"

    def compute(self, texts: Sequence[str]) -> Float32Array:
        """See `TextEncoder.compute`."""
        made = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(made, texts, strict=True):
            for feature, count in Counter(_features(text)).items():
                code = zlib.crc32(feature.encode())
                row[(code & ~_SIGN) % self.dimension] += count**0.5 * (1 if code & _SIGN else -1)
        return made


def _features(text: str) -> Iterator[str]:
    words = _WORD.findall(text.casefold())
    yield from words
    yield from (f"{one} {other}" for one, other in zip(words, words[1:], strict=False))
