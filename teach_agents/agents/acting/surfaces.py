"""Where to look from to see what is on an open receptacle, as far as it was not seen from near."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from teach_agents.agents.acting.insides import in_view, towards
from teach_agents.agents.acting.knowledge import FAR_ONLY, Voxels
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.acting.navigation import GRID, Paths
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
_FLOOR = 0.04
"""How far from the level of the floor it may be seen, metres."""
_ABOVE = 0.1
"""How far above a surface one looks, metres."""
_RANGE = 1.9
"""From how far one looks, metres over the floor."""
_START = 3.0
_MOST_CELLS, _MOST_POINTS = 60, 60
_ROW = 10_000
"""More cells than any row of a room has."""
_DULL = 0.2
"""How little of a surface was not seen from near where there is nothing left to look for."""


Column = tuple[int, int]
"""A column of a surface by its middle on the map, centimetres."""


class Ground(Protocol):
    """Where one can stand: cells as N x 2 numbers."""

    @property
    def grid(self) -> IntArray: ...


class View(NamedTuple):
    """Where to look from next, the share of the surface that should show, and that share for each action it takes.

    `columns` are those that should show.
    """

    vantage: Vantage
    share: float
    worth: float
    columns: frozenset[Column]


class Surface:
    """What is on one open receptacle, and what was not seen of it so far: columns of its box, each with how little was.

    `promised` are columns that a view should have shown: nobody looks for them again, as they may be none.
    `overlooked` is how likely what is looked for was not recognised from afar.
    """

    def __init__(
        self,
        holder: Thing,
        voxels: Voxels,
        ground: Ground,
        promised: Collection[Column] = (),
        overlooked: float = FAR_ONLY,
    ) -> None:
        self._overlooked = overlooked
        self._voxels, self._ground = voxels, ground
        self._promised = promised
        self._is_solid = holder.object_type == "CounterTop"
        low, high = np.array(holder.low), np.array(holder.high)
        tall = float(high[1] - low[1])
        self._low = Vec3(low[0], low[1] + _UNDER * tall, low[2])
        self._high = Vec3(high[0], high[1] + _OVER, high[2])
        self._level = (low[1] + _SEAT * tall if holder.object_type in _SEATS else high[1]) + _ABOVE

    @cached_property
    def unseen(self) -> tuple[FloatArray, FloatArray]:
        """Points above the columns that may hold something (N x 3, metres), and how little was seen of each (N).

        Where one can stand, or the floor shows below a counter, is nothing of it, though its box goes round a corner.
        """
        middles, lacks = self._voxels.unseen(self._low, self._high, self._overlooked)
        if self._is_solid:
            low, high = self._low._replace(y=-_FLOOR), self._high._replace(y=_FLOOR)
            floor = self._voxels.unseen(low, high)[1] < 1.0
            middles, lacks = middles[~floor], lacks[~floor]
        kept = ~_are_among(np.rint(middles / GRID).astype(np.int64), self._ground.grid)
        middles, lacks = middles[kept], lacks[kept]
        if self._promised:
            lacks[[column in self._promised for column in _columns(middles)]] = 0.0
        return np.insert(middles, 1, self._level, axis=1), lacks

    def lack(self) -> float:
        """How little was seen from near of what is on it: 1 where nothing was, 0 where all was."""
        _, lacks = self.unseen
        return float(lacks.mean()) if len(lacks) else 0.0

    def best_view(self, paths: Paths, height: float) -> View | None:
        """Where most of what was not seen from near should show for the way there; `None` where nothing would.

        `height` is that of the body's position.
        """
        points, lacks = self.unseen
        number, missing = max(len(lacks), 1), float(lacks.sum())
        points, lacks = points[lacks > 0.0], lacks[lacks > 0.0]
        some = slice(None, None, 1 + len(points) // _MOST_POINTS)
        cells = _cells_near(points[some], self._ground.grid)
        if not len(cells):
            return None
        eyes = np.insert(cells * GRID, 1, height + EYE_HEIGHT, axis=1)
        costs = paths.costs(cells, np.arange(4)[:, None])
        shows, pitches = _shows(eyes, points[some], lacks[some], self._voxels)
        shares = (shows @ lacks[some]) * missing / float(lacks[some].sum()) / number
        values = np.where(np.isfinite(costs), shares / (costs + _START), 0.0)
        heading, best = divmod(int(values.argmax()), len(cells))
        if not values[heading, best] > 0.0:
            return None
        shown = _shows(eyes[best : best + 1], points, lacks, self._voxels)[0][heading, 0]
        x, z = cells[best].tolist()
        vantage = Vantage(((x, z), heading), HORIZONS[int(pitches[best])], 0.0, Vec3(*points.mean(axis=0).tolist()))
        columns = frozenset(_columns(points[shown][:, ::2]))
        return View(vantage, float(shares[heading, best]), float(values[heading, best]), columns)


def _columns(middles: FloatArray) -> list[Column]:
    """The names of columns by their middles on the map (N x 2, metres)."""
    return [(x, z) for x, z in np.rint(100 * middles).astype(np.int64).tolist()]


def _are_among(cells: IntArray, others: IntArray) -> BoolArray:
    """Which of N x 2 cells are among M x 2 others."""
    ones = np.array([_ROW, 1])
    return np.asarray(np.isin(cells @ ones, others @ ones))


def _cells_near(points: FloatArray, cells: IntArray) -> IntArray:
    """Places to stand from which some of these points are near enough; at most so many."""
    if not len(points) or not len(cells):
        return cells[:0]
    ways = points[:, None, ::2] - cells * GRID
    cells = cells[(np.hypot(ways[..., 0], ways[..., 1]) <= _RANGE).any(axis=0)]
    return cells[:: 1 + len(cells) // _MOST_CELLS]


def _shows(eyes: FloatArray, points: FloatArray, lacks: FloatArray, voxels: Voxels) -> tuple[BoolArray, IntArray]:
    """Which points show by heading from each eye (4 x N x M), at the pitch (N) that faces most of what lacks."""
    ways = points - eyes[:, None]
    free: BoolArray = (np.hypot(ways[..., 0], ways[..., 2]) <= _RANGE) & (ways[..., 1] < 0.0)
    free &= ~voxels.hides(eyes, points)
    _, pitches = towards((ways * (free * lacks)[..., None]).sum(axis=1))
    framed = [in_view(ways, np.full(len(eyes), heading), pitches) for heading in range(4)]
    return np.stack([free & frame for frame in framed]), pitches


def is_surface(thing: Thing) -> bool:
    """Whether things lie openly in or on this, which stands where it is."""
    fixed = thing.has("receptacle") and not thing.has("pickupable") and not thing.has("openable")
    return fixed and thing.object_type not in DEEP


def is_dull(share: float) -> bool:
    """Whether that is so little that nobody would look again."""
    return share <= _DULL
