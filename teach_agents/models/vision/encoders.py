"""Any vision encoder of transformers as a `VisionEncoder`: CLIP, SigLIP, DINOv2, ViT, ConvNeXT, ..."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

from teach_agents.arrays import Image
from teach_agents.models.vision.contract import Features, VisionEncoder
from teach_agents.models.vision.eyes import Eyes, Transformers

_PROBE = 64


class TransformersEncoder(Transformers, VisionEncoder):
    """An encoder from a folder or the hub (its cache, if offline).

    Of a model that also reads (CLIP, SigLIP) only the eyes are used; a picture's vector is then the one that is
    compared with texts. Of others it is the pooled output, or the mean over the map. A call is cut into passes of at
    most `max_batch` pictures. Weights are loaded when first needed, once per process for the same source.
    """

    families = ("AutoModel",)

    @cached_property
    def _probed(self) -> tuple[int, tuple[int, int]]:
        """Dimension and size, by looking at a black square."""
        black = np.zeros((_PROBE, _PROBE, 3), np.uint8)
        height, width = self.eyes.prepared([black])["pixel_values"].shape[-2:]
        return self.compute([black]).vectors.shape[1], (int(height), int(width))

    @property
    def dimension(self) -> int:
        """D: how many numbers a picture's vector has."""
        return self._probed[0]

    @property
    def size(self) -> tuple[int, int]:
        """Height and width at which a square picture is seen."""
        return self._probed[1]

    def compute(self, images: Sequence[Image]) -> Features:
        """The features of pictures. Maps are given where all pictures have them in one shape."""
        vectors, maps = zip(*self._looked(images, lambda batch: _seen(self.eyes, batch)), strict=True)
        whole = all(one is not None and one.shape == maps[0].shape for one in maps)
        return Features(np.stack(vectors), np.stack(maps) if whole else None)


def _seen(eyes: Eyes, images: Sequence[Image]) -> Iterable[tuple[Any, Any]]:
    """The vector, D, and the map, C x H x W, of each of some pictures of one size; `None` for a map that is none."""
    made = eyes.prepared(images)
    network = getattr(eyes.model, "vision_model", eyes.model)
    seen = network(pixel_values=made["pixel_values"])
    hidden, pooled = seen.last_hidden_state, getattr(seen, "pooler_output", None)
    shown = hidden if hidden.ndim == 4 else _unrolled(network.config, hidden, made["pixel_values"].shape[-2:])
    if pooled is None:
        pooled = hidden.mean(dim=(2, 3)) if hidden.ndim == 4 else hidden.mean(dim=1)
    projection = getattr(eyes.model, "visual_projection", None)
    vectors = (pooled.flatten(1) if projection is None else projection(pooled)).float().cpu().numpy()
    maps = repeat(None) if shown is None else shown.float().cpu().numpy()
    return zip(vectors, maps, strict=False)


def _unrolled(config: Any, hidden: Any, size: tuple[int, int]) -> Any | None:
    """Tokens (N x T x C) as a map, without those that have no place in the picture; `None` where they are no grid."""
    patch = getattr(config, "patch_size", None)
    if not isinstance(patch, int):
        return None
    rows, columns = size[0] // patch, size[1] // patch
    if not 0 < rows * columns <= hidden.shape[1]:
        return None
    patches = hidden[:, hidden.shape[1] - rows * columns :]
    return patches.transpose(1, 2).reshape(len(hidden), hidden.shape[2], rows, columns)
