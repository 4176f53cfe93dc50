"""Colours of segmentation pictures: the first three bytes of MD5 over an id or a type, as in AI2-THOR (4.3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from teach_agents.simulator.contract import ObjectState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from teach_agents.arrays import ByteArray, Int32Array


BACKGROUND = (0, 0, 255)
"""Where no object is seen: walls, ceiling, nothing."""


@lru_cache(maxsize=8192)
def colour_of(name: str) -> tuple[int, int, int]:
    """The colour of an id or a type."""
    red, green, blue = hashlib.md5(name.encode(), usedforsecurity=False).digest()[:3]
    return red, green, blue


def colour_table(objects: Iterable[ObjectState]) -> list[dict[str, Any]]:
    """`metadata["colors"]`: a colour for every id and for every type."""
    names: dict[str, None] = {}
    for obj in objects:
        names[obj.object_id] = None
        names[obj.object_type] = None
    return [{"color": list(colour_of(name)), "name": name} for name in names]


def painted(ids: Int32Array, names: Sequence[str]) -> ByteArray:
    """Ids as colours, H x W x 4 with opaque alpha; `names[id]` gives the colour, -1 the background."""
    pixels: NDArray[np.uint32] = _palette(tuple(names))[ids + 1]
    return pixels.view(np.uint8).reshape(*ids.shape, 4)


@lru_cache(maxsize=32)
def _palette(names: tuple[str, ...]) -> NDArray[np.uint32]:
    """Colours as four bytes in one number each, the background first."""
    rows = np.array([(*BACKGROUND, 255), *((*colour_of(name), 255) for name in names)], np.uint8)
    return rows.view(np.uint32)[:, 0]
