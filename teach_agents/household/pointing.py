"""Where to click to hit an object that one can see. Arrays in, fractions of the frame out; no simulator involved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teach_agents.observations import Segmentation

if TYPE_CHECKING:
    from teach_agents.arrays import BoolArray


CLICK_GRID = 900
"""TEACh's frame is 900 pixels wide and high; clicks are resolved on this grid at any size of picture."""

_ENOUGH = 12
"""Pixels of margin beyond which one point of a mask is as good as another."""


def point_on(segmentation: Segmentation, object_id: str) -> tuple[float, float] | None:
    """Fractions (x, y) of a pixel well inside the object's mask, or `None` when no pixel shows it."""
    try:
        index = list(segmentation.object_ids).index(object_id)
    except ValueError:
        return None
    found = deepest(segmentation.ids == index)
    return None if found is None else click_at(*found, segmentation.ids.shape[0])


def deepest(mask: BoolArray) -> tuple[int, int] | None:
    """(row, column) of the pixel of a mask that lies deepest inside it, or `None` for an empty mask.

    Depth is the distance to the nearest pixel outside in rows or columns, whichever is larger (beyond 12 pixels all
    count the same); among equals the one nearest to their mean, then the first by rows.
    """
    import numpy as np

    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if rows.size == 0:
        return None
    top, left = int(rows[0]), int(columns[0])
    core = np.pad(mask[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1], 1)
    for _ in range(_ENOUGH):
        smaller = _eroded(core)
        if not smaller.any():
            break
        core = smaller
    row, column = np.nonzero(core)
    best = int(np.argmin((row - row.mean()) ** 2 + (column - column.mean()) ** 2))
    return top + int(row[best]) - 1, left + int(column[best]) - 1


def _eroded(mask: BoolArray) -> BoolArray:
    import numpy as np

    inner = np.zeros_like(mask)
    level = mask[:, :-2] & mask[:, 1:-1] & mask[:, 2:]
    inner[1:-1, 1:-1] = level[:-2] & level[1:-1] & level[2:]
    return inner


def click_at(row: int, column: int, size: int) -> tuple[float, float]:
    """Fractions (x, y) of a click that resolves to this pixel of a `size` x `size` picture (size at most 900)."""
    return _middle(column, size) / CLICK_GRID, _middle(row, size) / CLICK_GRID


def _middle(pixel: int, size: int) -> int:
    """The middle one of the grid's rows or columns that a row or column of a picture answers for."""
    first, after = (-(-at * CLICK_GRID // size) for at in (pixel, pixel + 1))
    return (first + after - 1) // 2


def pixel_of(grid: int, size: int) -> int:
    """The row or column of a `size` x `size` picture under a row or column of TEACh's 900-pixel grid."""
    return grid * size // CLICK_GRID
