"""Where to look from to see what is on an open receptacle, as far as it was not seen from near."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol

import numpy as np

from teach_agents.agents.acting.insides import in_view, towards
from teach_agents.agents.acting.knowledge import Voxels
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.acting.navigation import GRID, Cell, Paths
from teach_agents.agents.acting.receptacles import DEEP
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import HORIZONS, Vantage
from teach_agents.arrays import BoolArray, FloatArray, IntArray
from teach_agents.observations import Vec3

_SEATS = frozenset("ArmChair Bed Chair DogBed Sofa".split())
"""What has a back or a head that stands higher than what things lie on."""
_SEAT = 0.5
"""Where things lie on these, as a share of their height."""
_UNDER, _OVER = 0.3, 0.3
"""From which share of its height on a thing shows what is on it, and how far above it what is on it reaches, metres."""
_ABOVE = 0.1
"""How far above a surface one looks, metres."""
_RANGE = 1.9
"""From how far one looks, metres over the floor."""
_START = 3.0
_MOST_CELLS, _MOST_POINTS = 60, 60
_DULL = 0.2
"""How little of a surface was not seen from near where there is nothing left to look for."""


class Ground(Protocol):
    """Where one can stand: cells, and the same as N x 2 numbers."""

    @property
    def cells(self) -> frozenset[Cell]: ...

    @property
    def grid(self) -> IntArray: ...


class View(NamedTuple):
    """Where to look from next, the share of the surface that should show, and that share for each action it takes."""

    vantage: Vantage
    share: float
    worth: float


class Surface:
    """What is on one open receptacle, and what was not seen of it: columns of its box, each with how little was."""

    def __init__(self, holder: Thing) -> None:
        low, high = np.array(holder.low), np.array(holder.high)
        tall = float(high[1] - low[1])
        self._low = Vec3(low[0], low[1] + _UNDER * tall, low[2])
        self._high = Vec3(high[0], high[1] + _OVER, high[2])
        self._level = (low[1] + _SEAT * tall if holder.object_type in _SEATS else high[1]) + _ABOVE

    def unseen(self, voxels: Voxels, ground: frozenset[Cell]) -> tuple[FloatArray, FloatArray]:
        """Points above the columns that may hold something (N x 3, metres), and how little was seen of each (N).

        Where one can stand is nothing of a counter, though its box goes round a corner.
        """
        middles, lacks = voxels.unseen(self._low, self._high)
        cells = np.rint(middles / GRID).astype(np.int64).tolist()
        kept = np.array([(x, z) not in ground for x, z in cells], np.bool_)
        middles, lacks = middles[kept], lacks[kept]
        return np.insert(middles, 1, self._level, axis=1), lacks

    def best_view(
        self, voxels: Voxels, ground: Ground, paths: Paths, height: float, been: Collection[Cell] = ()
    ) -> View | None:
        """Where most of what was not seen from near should show for the way there, elsewhere than where one has `been`.

        `None` where nothing would. `height` is that of the body's position.
        """
        points, lacks = self.unseen(voxels, ground.cells)
        number, missing = max(len(lacks), 1), float(lacks.sum())
        points, lacks = points[lacks > 0.0], lacks[lacks > 0.0]
        points, lacks = points[:: 1 + len(points) // _MOST_POINTS], lacks[:: 1 + len(points) // _MOST_POINTS]
        fresh = [cell not in been for cell in map(tuple, ground.grid.tolist())]
        cells = _cells_near(points, ground.grid[fresh])
        if not len(points) or not len(cells):
            return None
        eyes = np.insert(cells * GRID, 1, height + EYE_HEIGHT, axis=1)
        gains, headings, pitches = _gains(eyes, points, lacks, voxels)
        costs = paths.costs(cells, headings)
        shares = gains / max(float(lacks.sum()), 1e-9) * missing / number
        values = np.where(np.isfinite(costs) & (shares > 0.0), shares / (costs + _START), 0.0)
        best = int(values.argmax())
        if not values[best] > 0.0:
            return None
        x, z = cells[best].tolist()
        aim = Vec3(*points.mean(axis=0).tolist())
        vantage = Vantage(((x, z), int(headings[best])), HORIZONS[int(pitches[best])], 0.0, aim)
        return View(vantage, float(shares[best]), float(values[best]))


def _cells_near(points: FloatArray, cells: IntArray) -> IntArray:
    """Places to stand from which some of these points are near enough; at most so many."""
    if not len(points) or not len(cells):
        return cells[:0]
    ways = points[:, None, ::2] - cells * GRID
    cells = cells[(np.hypot(ways[..., 0], ways[..., 1]) <= _RANGE).any(axis=0)]
    return cells[:: 1 + len(cells) // _MOST_CELLS]


def _gains(
    eyes: FloatArray, points: FloatArray, lacks: FloatArray, voxels: Voxels
) -> tuple[FloatArray, IntArray, IntArray]:
    """How much of what lacks shows from each eye, with the heading and the pitch that show most of it."""
    ways = points - eyes[:, None]
    shows: BoolArray = (np.hypot(ways[..., 0], ways[..., 2]) <= _RANGE) & (ways[..., 1] < 0.0)
    shows &= ~voxels.hides(eyes, points)
    worth = shows * lacks
    towards_middle = (ways * worth[..., None]).sum(axis=1)
    _, pitches = towards(towards_middle)
    each = np.arange(4)
    framed = [in_view(ways, np.full(len(eyes), heading), pitches) for heading in each]
    gains = np.stack([(worth * frame).sum(axis=1) for frame in framed])
    headings = gains.argmax(axis=0)
    return gains.max(axis=0), headings, pitches


def is_surface(thing: Thing) -> bool:
    """Whether things lie openly in or on this, which stands where it is."""
    fixed = thing.has("receptacle") and not thing.has("pickupable") and not thing.has("openable")
    return fixed and thing.object_type not in DEEP


def lack(holder: Thing, voxels: Voxels, ground: frozenset[Cell]) -> float:
    """How little was seen from near of what is on a surface: 1 where nothing was, 0 where all was."""
    _, lacks = Surface(holder).unseen(voxels, ground)
    return float(lacks.mean()) if len(lacks) else 0.0


def is_dull(share: float) -> bool:
    """Whether that is so little that nobody would look again."""
    return share <= _DULL
