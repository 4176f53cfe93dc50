"""Where to look from to see what is inside an open receptacle: from farther off, low and deep insides show more."""

from __future__ import annotations

import math

import numpy as np

from teach_agents.agents.acting.looking import EYE_HEIGHT, seen_points
from teach_agents.agents.acting.navigation import GRID, Paths
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import HORIZONS, PITCHES, Vantage
from teach_agents.arrays import BoolArray, Float32Array, FloatArray, IntArray
from teach_agents.observations import Pose, Vec3

_LIDS = ("Box", "Drawer", "LaundryHamper", "Toilet")
"""What opens at the top; all else that opens does so to the side."""
_FRACTIONS = (0.15, 0.4, 0.65, 0.9), (0.15, 0.5, 0.85), (0.15, 0.4, 0.65, 0.9)
"""Where in the box it is looked, as shares of its sides."""
_NEAREST, _FARTHEST = 0.15, 2.75
_ABREAST = 0.3
_BEFORE = 1.5
"""How far to the side of a box, and before it, one stands before its open side, metres."""
_BOTH = 0.5
"""A side with at least this share of the places to stand that the most open side has is open, too."""
_IN_VIEW = 0.95
_START = 3.0
_WORTH, _SCRAP = 0.08, 0.02
"""Share of the inside that another look has to promise, and a thorough one."""
_TOLL = 0.015
"""Share of the inside that a look has to promise beyond that for each action of the way; not a first one from above."""
_HIDDEN = 0.7
_DOUBT = 0.4
"""What is left of a promise that was not kept."""


class Inside:
    """Points inside a receptacle, and what is to be gained by looking for each; nothing once it was seen.

    `cells` (N x 2) is where one can stand. To be `thorough` is to look from all sides, and for less;
    `at_any_cost`, from above however far that is.
    """

    def __init__(
        self, shut: Thing, opened: Thing, cells: IntArray, *, thorough: bool = False, at_any_cost: bool = False
    ) -> None:
        box = opened if opened.object_type == "Drawer" else shut
        self._low, self._high = np.array(box.low), np.array(box.high)
        self._least, share = (_SCRAP, 0.0) if thorough else (_WORTH, _BOTH)
        free = opened.object_type in _LIDS and (at_any_cost or not thorough)
        self._toll = 0.0 if free else _TOLL
        steps = np.stack(np.meshgrid(*_FRACTIONS, indexing="ij"), axis=-1).reshape(-1, 3)
        self._points = self._low + steps * (self._high - self._low)
        self._worth = np.ones(len(self._points))
        places = np.asarray(cells * GRID, np.float64)
        beyond = np.maximum(np.maximum(self._low[::2] - places, places - self._high[::2]), 0.0)
        away = np.linalg.norm(beyond, axis=1)
        self._cells = cells[(away >= _NEAREST) & (away <= _FARTHEST)]
        self._sides = (
            [(1, True)]
            if opened.object_type in _LIDS or not opened.has("openable")
            else self._open_sides(places, share)
        )

    def look(self, depth: Float32Array, pose: Pose) -> None:
        """A view from this pose: nothing more is to be gained from points that it shows."""
        self._worth[seen_points(self._points, depth, pose)] = 0.0

    @property
    def lack(self) -> float:
        """How little of the inside was seen: 1 where nothing was, 0 where all was."""
        return float((self._worth > 0.0).mean())

    @property
    def is_hidden(self) -> bool:
        """Whether most of the inside was not seen."""
        return self.lack > _HIDDEN

    def best_view(self, paths: Paths, height: float) -> Vantage | None:
        """Where most of what was not seen should show for the way there; `None` where too little would for the way.

        `height` is that of the body's position. What is promised counts for less the next time.
        """
        if not len(self._cells):
            return None
        middle = (self._low + self._high) / 2
        eyes = np.insert(self._cells * GRID, 1, height + EYE_HEIGHT, axis=1)
        headings, pitches = towards(middle - eyes)
        shows = self._shows(eyes, headings, pitches)
        gains = shows @ self._worth
        costs = paths.costs(self._cells, headings)
        least = (self._least + self._toll * np.where(np.isfinite(costs), costs, 0.0)) * len(self._points)
        values = np.where(gains >= least, gains / (costs + _START), 0.0)
        best = values.argmax()
        if not values[best] > 0.0:
            return None
        self._worth[shows[best]] *= _DOUBT
        x, z = self._cells[best].tolist()
        return Vantage(((x, z), int(headings[best])), HORIZONS[int(pitches[best])], 0.0, Vec3(*middle.tolist()))

    def _open_sides(self, places: FloatArray, share: float) -> list[tuple[int, bool]]:
        """The axes, and whether at their high ends, of the sides before which there are the most places to stand.

        Those count that have at least a share of the most.
        """
        counts: dict[tuple[int, bool], int] = {}
        for axis in (0, 2):
            here, other = places[:, axis // 2], places[:, 1 - axis // 2]
            abreast = (other >= self._low[2 - axis] - _ABREAST) & (other <= self._high[2 - axis] + _ABREAST)
            for upper, beyond in ((True, here - self._high[axis]), (False, self._low[axis] - here)):
                counts[axis, upper] = int((abreast & (beyond > 0.0) & (beyond < _BEFORE)).sum())
        most = max(counts.values())
        return [side for side, count in counts.items() if count and count >= share * most]

    def _shows(self, eyes: FloatArray, headings: IntArray, pitches: IntArray) -> BoolArray:
        """Which points show from which eyes, N x points: in view, and through an open side."""
        ways = self._points - eyes[:, None]
        through = np.zeros(ways.shape[:2], np.bool_)
        for axis, upper in self._sides:
            plane = (self._high if upper else self._low)[axis]
            before = eyes[:, axis] > plane if upper else eyes[:, axis] < plane
            with np.errstate(divide="ignore", invalid="ignore"):
                share = (plane - eyes[:, None, axis]) / ways[..., axis]
            crossing = eyes[:, None] + share[..., None] * ways
            others = [other for other in range(3) if other != axis]
            inside = (crossing[..., others] >= self._low[others]) & (crossing[..., others] <= self._high[others])
            through |= before[:, None] & inside.all(axis=-1)
        return through & in_view(ways, headings, pitches)


def towards(ways: FloatArray) -> tuple[IntArray, IntArray]:
    """The headings, and the places in `HORIZONS` of the pitches, that face along these ways (N x 3)."""
    headings = np.rint(np.degrees(np.arctan2(ways[:, 0], ways[:, 2])) / 90.0).astype(np.int64) % 4
    down = np.degrees(np.arctan2(-ways[:, 1], np.hypot(ways[:, 0], ways[:, 2])))
    return headings, np.abs(down[:, None] - PITCHES).argmin(axis=1)


def in_view(ways: FloatArray, headings: IntArray, pitches: IntArray) -> BoolArray:
    """Whether ways (N x points x 3) from eyes that face so lead into their view of 90 degrees."""
    yaw, pitch = headings * (math.pi / 2), np.radians(PITCHES)[pitches]
    sin_yaw, cos_yaw, sin, cos = (part[:, None] for part in (np.sin(yaw), np.cos(yaw), np.sin(pitch), np.cos(pitch)))
    level = ways[..., 0] * sin_yaw + ways[..., 2] * cos_yaw
    side = ways[..., 0] * cos_yaw - ways[..., 2] * sin_yaw
    ahead, up = level * cos - ways[..., 1] * sin, level * sin + ways[..., 1] * cos
    return np.asarray((ahead > 0.0) & (np.maximum(np.abs(side), np.abs(up)) <= _IN_VIEW * ahead))
