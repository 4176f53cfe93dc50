"""AI2-THOR's trigger boxes over receptacles, recovered from where the pivots of things stood in recorded sessions.

AI2-THOR places things over the inner crossings of a grid of eight by eight cells over each trigger box (specification
2.6), and the records give positions to a fraction of a millimetre. So the points over one receptacle fall on a few
regular grids, one for each trigger box, besides what physics moved and what lies on other things. Grids are found one
by one, the one that explains most first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teach_agents.simulator.embedded.geometry import Rectangle

__all__ = ["recovered_zones"]

CELLS = 8
INNER = CELLS - 1
TOLERANCE = 0.0008
"""How far from its crossing a point may lie, metres."""
SMALLEST_SPACING = 0.015
SAME_SPACING = 0.0006
MOST_ZONES = 8
MOST_ANCHORS = 60
FEWEST_POINTS = 5
MOST_SESSIONS = 3
"""A point that more sessions agree on counts no more than this: what ships there is no evidence of a grid."""
FEWEST_SESSIONS = 7
AT_THE_EDGE = 0.02
"""A zone's edge this close to that of the receptacle's box is that edge, metres."""

MOST_SHARED = 0.4
"""Trigger boxes meet at corners; what lies in others by a larger share than this is no trigger box but chance."""

Points = NDArray[np.float64]
Mask = NDArray[np.bool_]
Steps = NDArray[np.int64]


class Grid(NamedTuple):
    """A crossing of a grid, the spacings, and which points it explains, as steps from that crossing."""

    x: float
    z: float
    dx: float
    dz: float
    steps: tuple[Steps, Steps]
    score: float


def recovered_zones(sessions: Mapping[tuple[float, float], int], plan: Rectangle) -> list[Rectangle]:
    """The trigger boxes, from the points (x, z) where pivots stood, with the number of sessions in which they did.

    `plan` is the receptacle's box seen from above: where the points leave open which seven crossings of a grid are the
    inner ones, those are taken whose zone ends at its edges.
    """
    points, weights = np.array(list(sessions), dtype=np.float64), np.array(list(sessions.values()), dtype=np.float64)
    weights = np.minimum(weights, MOST_SESSIONS)
    found: list[Rectangle] = []
    for _ in range(MOST_ZONES):
        grid = _best_grid(points, weights) if len(points) >= FEWEST_POINTS else None
        if grid is None:
            break
        first_x = _first(grid.steps[0], grid.x, grid.dx, (plan.x0, plan.x1))
        first_z = _first(grid.steps[1], grid.z, grid.dz, (plan.z0, plan.z1))
        x0, z0 = grid.x + (first_x - 1) * grid.dx, grid.z + (first_z - 1) * grid.dz
        zone = Rectangle(x0, z0, x0 + CELLS * grid.dx, z0 + CELLS * grid.dz)
        if sum(_shared(zone, other) for other in found) <= MOST_SHARED * zone.area:
            found.append(zone)
        rest = ~(_on(points[:, 0], x0, grid.dx) & _on(points[:, 1], z0, grid.dz))
        points, weights = points[rest], weights[rest]
    return found


def _shared(one: Rectangle, other: Rectangle) -> float:
    """The area that two zones share, square metres."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    depth = min(one.z1, other.z1) - max(one.z0, other.z0)
    return max(width, 0.0) * max(depth, 0.0)


def _on(values: Points, edge: float, spacing: float) -> Mask:
    """Which values lie on an inner line of a zone that begins at `edge`."""
    steps = (values - edge) / spacing
    nearest = np.round(steps)
    on: Mask = (np.abs(steps - nearest) * spacing < TOLERANCE) & (nearest >= 1) & (nearest <= INNER)
    return on


def _best_grid(points: Points, weights: Points) -> Grid | None:
    """The grid that explains most; of equals the coarsest."""
    best: Grid | None = None
    for anchor in np.argsort(-weights, kind="stable")[:MOST_ANCHORS]:
        x, z = points[anchor]
        in_row = np.abs(points[:, 1] - z) < TOLERANCE
        in_column = np.abs(points[:, 0] - x) < TOLERANCE
        along_z = [(dz, _steps(points[:, 1], z, dz)) for dz in _spacings(points[in_column, 1] - z)]
        for dx in _spacings(points[in_row, 0] - x):
            across = _steps(points[:, 0], x, dx)
            for dz, up in along_z:
                grid = _grid((x, z, dx, dz), (across, up), weights)
                if grid is not None and (best is None or _rank(grid) > _rank(best)):
                    best = grid
    return best


def _rank(grid: Grid) -> tuple[float, float]:
    return grid.score, grid.dx * grid.dz


def _spacings(offsets: Points) -> list[float]:
    """Spacings that would explain how far apart points in one row are: neighbours, or a second or third apart."""
    wanted = sorted(
        {round(float(offset) / share, 4) for offset in np.abs(offsets) if offset > TOLERANCE for share in (1, 2, 3)}
    )
    kept: list[float] = []
    for spacing in wanted:
        if spacing > SMALLEST_SPACING and (not kept or spacing - kept[-1] > SAME_SPACING):
            kept.append(spacing)
    return kept


def _steps(values: Points, start: float, spacing: float) -> tuple[Steps, Mask]:
    """Whole steps from `start`, and which values are that."""
    steps = (values - start) / spacing
    nearest = np.round(steps)
    return nearest.astype(np.int64), (np.abs(steps - nearest) * spacing < TOLERANCE) & (np.abs(nearest) < INNER)


def _grid(
    crossing: tuple[float, float, float, float], steps: tuple[tuple[Steps, Mask], tuple[Steps, Mask]], weights: Points
) -> Grid | None:
    """The seven by seven crossings that explain most; `None` if that is too little."""
    (across, on_x), (up, on_z) = steps
    on = on_x & on_z
    if on.sum() < FEWEST_POINTS:
        return None
    across, up, weights = across[on], up[on], weights[on]
    best: tuple[int, Mask] = (0, np.zeros(len(across), dtype=np.bool_))
    for left in range(int(across.min()), 1):
        within = (across >= left) & (across < left + INNER)
        for low in range(int(up.min()), 1):
            inside = within & (up >= low) & (up < low + INNER)
            best = max(best, (int(inside.sum()), inside), key=lambda found: found[0])
    count, inside = best
    seen = float(weights[inside].sum())
    if count < FEWEST_POINTS or seen < FEWEST_SESSIONS:
        return None
    return Grid(*crossing, (across[inside], up[inside]), seen + count)


def _first(steps: Steps, start: float, spacing: float, edges: tuple[float, float]) -> int:
    """Which step is the first inner crossing: so that the zone lies within the edges, and if it can, ends at one."""
    low, high = int(steps.min()), int(steps.max())

    def doubt(first: int) -> tuple[bool, bool, float]:
        x0, x1 = start + (first - 1) * spacing, start + INNER * spacing + first * spacing
        outside = max(0.0, edges[0] - x0) + max(0.0, x1 - edges[1]) > AT_THE_EDGE
        apart = min(abs(x0 - edges[0]), abs(x1 - edges[1])) > AT_THE_EDGE
        return outside, apart, abs(first + CELLS / 2 - 1 - (low + high) / 2)

    return min(range(high - INNER + 1, low + 1), key=doubt)
