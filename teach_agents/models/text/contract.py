"""The TextEncoder contract: batches of texts in, unit vectors out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from teach_agents.arrays import Float32Array
from teach_agents.errors import InputError, ModelError
from teach_agents.models.contract import mapped


class TextEncoder(ABC):
    """What turns texts into vectors that lie close together where the texts mean alike. Batch first.

    An implementation has `compute`; callers use `encode`, which checks what comes in and what comes out. A text gets in
    a batch what it gets alone, as far as rounding allows. May be called from several threads at once.
    """

    name: str = "encoder"
    """What results call it."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """D: how many numbers a vector has."""

    @property
    @abstractmethod
    def hash(self) -> str:
        """16 hexadecimal digits that stand for its weights and how texts are prepared for them: vectors of encoders
        with other ones cannot be compared."""

    @abstractmethod
    def compute(self, texts: Sequence[str]) -> Float32Array:
        """The vectors of at least one text, N x D, of any length each; all zeros for a text that says nothing."""

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """The vectors of texts, float32, N x D, of length 1; zeros for a text that says nothing: it is like no other.

        The product of two vectors is the cosine of their angle. Raises `InputError` for what is no text, and
        `ModelError` where the network cannot be had or breaks down.
        """
        asked = _checked(texts)
        if not asked:
            return np.zeros((0, self.dimension), np.float32)
        with mapped(self.name):
            made = self.compute(asked)
        shape = (len(asked), self.dimension)
        if made.shape != shape or made.dtype != np.float32:
            raise ModelError(f"{self.name}: gave {made.dtype} {made.shape}, not float32 {shape}")
        lengths: Float32Array = np.sqrt((made * made).sum(axis=1, keepdims=True))
        if not np.isfinite(lengths).all():
            raise ModelError(f"{self.name}: gave numbers that are not finite")
        lengths[lengths == 0] = 1
        made = made / lengths
        return made


def _checked(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise InputError("texts", "must be a list of texts: one call encodes many", value=texts)
    asked = list(texts)
    for text in asked:
        if not isinstance(text, str):
            raise InputError("texts", "holds what is no text", value=text)
    return asked
