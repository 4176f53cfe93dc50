"""Which grid cells lie inside a room's walls.

AI2-THOR's metadata has no walls, and the floor's box reaches beyond them. A cell is inside if people walked round it,
or if rays from it in most directions meet furniture or fittings before the floor ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.geometry import rectangle_of
from teach_agents.simulator.embedded.rooms import room

GRID = 0.25
RAYS = 24
LIKELY = 0.4
SURE = 0.6
"""Share of rays from a cell that must meet furniture or fittings for it to lie inside the walls: in rooms that nobody
was recorded in, and in others, where the cells that people walked count as well. Chosen on recorded moves."""
WELL_TRODDEN = 8
NEAR_PATHS = 6
"""With so many sessions, cells further than this many steps from everyone's paths are taken for outside."""


def interior_cells(name: str, paths: Iterable[tuple[int, int]], *, sessions: int) -> tuple[int, int, NDArray[np.bool_]]:
    """Which cells of a room are inside: the first cell's grid coordinates, and a table x by z.

    `paths` are the cells that people walked, in grid units, in so many `sessions`.
    """
    objects = room(name).objects.values()
    floor = next(rectangle_of(obj.box) for obj in objects if obj.object_type == "Floor")
    x0, z0 = round(floor.x0 / GRID), round(floor.z0 / GRID)
    width, depth = round(floor.x1 / GRID) - x0 + 1, round(floor.z1 / GRID) - z0 + 1
    cells = np.array([(x0 + i, z0 + j) for i in range(width) for j in range(depth)], dtype=np.float64) * GRID
    met = met_share(objects, cells).reshape(width, depth)
    inside = met >= (SURE if sessions else LIKELY)
    walked = np.zeros((width, depth), dtype=bool)
    for x, z in paths:
        if 0 <= x - x0 < width and 0 <= z - z0 < depth:
            walked[x - x0, z - z0] = True
    if sessions >= WELL_TRODDEN:
        inside &= grown(walked, NEAR_PATHS)
    inside |= hull(walked)
    return x0, z0, inside


def met_share(objects: Iterable[ObjectState], cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of rays from each point that meet the box, widened by 25 cm, of anything that stays in place."""
    fixed = [obj.box for obj in objects if obj.object_type != "Floor" and not obj.kind.pickupable]
    fixed = [box for box in fixed if max(box.size) < 8.0]
    low = np.array([(box.low.x, box.low.z) for box in fixed]) - GRID
    high = np.array([(box.high.x, box.high.z) for box in fixed]) + GRID
    met = np.zeros(len(cells))
    for k in range(RAYS):
        angle = 2 * math.pi * (k + 0.5) / RAYS
        way = np.array([math.cos(angle), math.sin(angle)])
        one, other = (low[None] - cells[:, None]) / way, (high[None] - cells[:, None]) / way
        enter, leave = np.minimum(one, other).max(2), np.maximum(one, other).min(2)
        met += (leave >= np.maximum(enter, 0.0)).any(1)
    return met / RAYS


def grown(cells: NDArray[np.bool_], steps: int) -> NDArray[np.bool_]:
    """The cells and all within `steps` of them along either axis."""
    padded = np.pad(cells, steps)
    found = np.zeros_like(cells)
    for i in range(2 * steps + 1):
        for j in range(2 * steps + 1):
            found |= padded[i : i + cells.shape[0], j : j + cells.shape[1]]
    return found


def hull(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells between walked cells both along x and along z."""
    spans = []
    for axis in (0, 1):
        before = np.maximum.accumulate(cells, axis)
        after = np.flip(np.maximum.accumulate(np.flip(cells, axis), axis), axis)
        spans.append(before & after)
    return spans[0] & spans[1]
