"""Where to click for a placement: points around which the thing in the hand has room.

What is put down comes to stand at the click, or nearby where it touches nothing; where there is no room near the click
AI2-THOR refuses (TEACh specification 5.4: too full or too small). Boxes tell how much room there is around every point
of a holder; the view tells which of these points can be clicked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from teach_agents.agents.planner.looking import Pixels
from teach_agents.agents.planner.things import Thing, Things, same_type
from teach_agents.observations import Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Numbers: TypeAlias = NDArray[np.float64]

__all__ = ["SURE", "Space"]

SURE = 100.0
"""What a click is worth at least when the thing should fit there."""

_ENOUGH = 0.1
"""Clearance beyond which more is no better, metres."""
_TOUCHING = 0.01
"""How close boxes may come, metres."""
_TOP = 0.06
_MARKS = 15
_SPREAD = 0.2
_POINTS = 4
_LEVELS = frozenset({"Fridge", "Cabinet", "Drawer", "Microwave", "ShelvingUnit", "Safe", "Dresser", "TVStand"})
"""Holders with several levels, or with walls that their boxes do not tell."""
_OUTLINED = frozenset({"CounterTop", "Floor", "Bed", "Sofa", "Desk"})
"""Holders whose boxes may enclose much that is not their surface."""
_FLAT = frozenset({"CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk"})
"""Holders on whose top things stand, not on what is below it."""
_BASINS = frozenset({"Sink", "Bathtub"})
_FIXED = frozenset({"Toaster", "CoffeeMachine", "Microwave", "Faucet"})
_SQUARE = 0.02
"""Sine of the least angle at which a thing counts as turned against its holder."""
_SLIM: Mapping[str, float] = {"Faucet": 0.5, "HousePlant": 0.7}
"""Things whose boxes are much wider than they are where they stand: which part of the width counts."""


class Space:
    """The room that one holder has for one thing, by the boxes of what is on it.

    `margin` is how much wider on each side than its box the thing is taken to be, metres; more than none also means
    that a click was refused. A basin then counts as shallow: things may come to stand on its brim, not on its bottom,
    so whatever is over it is in the way. A faucet that leaves no room even in an empty basin hangs above what is in it.

    What is put down stands square to its holder, so room is measured along the holder's own sides.
    """

    def __init__(self, things: Things, holder: Thing, held: Thing, margin: float = 0.0) -> None:
        self._holder = holder
        self._own = _body_of(holder, holder)
        width, depth = (side + 2 * margin for side in held.sides)
        self._height = held.high.y - held.low.y
        self._sides = ((width, depth), (depth, width))
        is_basin = any(holder.is_a(kind) for kind in _BASINS)
        self._brim = holder.high.y if is_basin and margin > 0.0 else -np.inf
        others = tuple(_in_the_way(things, holder, held, self._height))
        taps = [thing for thing in others if thing.object_type == "Faucet"]
        self._bodies = [_body_of(tap, holder) for tap in taps]
        if is_basin and taps and self._around(self._marks(), *held.sides).max() < 0.0:
            others = tuple(thing for thing in others if thing not in taps)
        self._others = others
        self._bodies = [_body_of(other, holder) for other in others]

    @property
    def is_full(self) -> bool:
        """Whether the thing fits nowhere, although it would on the empty holder. Unknown counts as no."""
        kind = self._holder.object_type
        if kind in _LEVELS or kind in _OUTLINED or self._holder.has("pickupable"):
            return False
        marks = self._marks()
        return bool(self._edges(marks).max() >= 0.0 > self.clearance(marks).max())

    def clearance(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the thing, standing at each point (N x 3, metres), is from touching or sticking out; less than 0: it
        does."""
        return np.asarray(
            np.max([self._around(points, *sides) for sides in self._sides], axis=0) - _TOUCHING, dtype=np.float64
        )

    def _around(self, points: NDArray[np.float64], width: float, depth: float) -> NDArray[np.float64]:
        free = self._inside(points, width, depth)
        tops = np.maximum(points[:, 1] + self._height, self._brim)
        along = _along(points, self._holder)
        for body in self._bodies:
            beside = (body.bottom >= tops) | (body.top <= points[:, 1] + _TOUCHING)
            free = np.where(beside, free, np.minimum(free, body.gap(along, width / 2, depth / 2)))
        return free

    def _inside(self, points: NDArray[np.float64], width: float, depth: float) -> NDArray[np.float64]:
        x, z = _along(points, self._holder)
        across = self._own.width - np.abs(x - self._own.x) - width / 2
        deep = self._own.depth - np.abs(z - self._own.z) - depth / 2
        return np.asarray(np.minimum(across, deep) + _TOUCHING, dtype=np.float64)

    def _edges(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.max([self._inside(points, *sides) for sides in self._sides], axis=0), dtype=np.float64)

    def _marks(self) -> NDArray[np.float64]:
        """A grid of points over the holder, on its top or on the bottom of what is hollow."""
        low, high = self._holder.low, self._holder.high
        level = high.y if self._holder.object_type in _FLAT else low.y + 0.02
        across = low.x + (np.arange(_MARKS) + 0.5) * (high.x - low.x) / _MARKS
        deep = low.z + (np.arange(_MARKS) + 0.5) * (high.z - low.z) / _MARKS
        x, z = np.meshgrid(across, deep)
        return np.stack([x.ravel(), np.full(x.size, level), z.ravel()], axis=1)

    def _occupied(self) -> NDArray[np.float64]:
        """Where other things stand, so that the holder surely bears something there."""
        return np.array([(other.center.x, other.low.y, other.center.z) for other in self._others])

    @property
    def loose(self) -> list[Thing]:
        """What stands on, in or over the holder and can be taken away, what takes up most room first."""
        found = [thing for thing in self._others if thing.has("pickupable")]
        return sorted(found, key=lambda thing: -thing.sides[0] * thing.sides[1])

    def aims(self) -> tuple[Vec3, ...]:
        """A few points with room, well apart, the roomiest first; none where boxes say too little."""
        if self._holder.object_type in _LEVELS or self._holder.has("pickupable"):
            return ()
        marks = self._marks()
        free = self.clearance(marks)
        chosen: list[Vec3] = []
        for index in np.argsort(-np.minimum(free, _ENOUGH), kind="stable"):
            x, y, z = (float(value) for value in marks[index])
            if free[index] < 0.0 or len(chosen) == _POINTS:
                break
            if all((x - other.x) ** 2 + (z - other.z) ** 2 > _SPREAD**2 for other in chosen):
                chosen.append(Vec3(x, y, z))
        return tuple(chosen)

    def score(self, pixels: Pixels) -> NDArray[np.float64]:
        """The more room around a point the better; `SURE` and above: the thing fits there."""
        free = self.clearance(pixels.points)
        heights = pixels.points[:, 1]
        below_top = np.maximum(0.0, heights.max() - heights - _TOP) if self._holder.object_type in _FLAT else 0.0
        value = 10.0 * np.minimum(free, _ENOUGH) + 0.05 * pixels.depth_inside - 20.0 * below_top
        return np.asarray(value + np.where((free >= 0.0) & (np.asarray(below_top) == 0.0), SURE, 0.0))

    def hindrance(self, cost: Callable[[Thing], float]) -> list[Thing]:
        """What to take away so that the thing fits: the set with the least total cost; empty when none helps."""
        if not self._bodies:
            return []
        marks = self._occupied() if self._holder.object_type in _LEVELS | _OUTLINED else self._marks()
        prices = np.array([cost(thing) for thing in self._others])
        best: tuple[float, list[Thing]] = np.inf, []
        for width, depth in self._sides:
            over = self._inside(marks, width, depth) >= 0.0
            hit = self._hit(marks, width, depth)
            total = np.where(over, np.where(hit, prices[None], 0.0).sum(axis=1), np.inf)
            index = int(np.argmin(total))
            if total[index] < best[0]:
                best = float(total[index]), [self._others[i] for i in np.flatnonzero(hit[index])]
        return best[1]

    def _hit(self, points: NDArray[np.float64], width: float, depth: float) -> NDArray[np.bool_]:
        along, tops = _along(points, self._holder), np.maximum(points[:, 1] + self._height, self._brim)
        found = [
            (body.gap(along, width / 2, depth / 2) < _TOUCHING)
            & (body.bottom < tops)
            & (body.top > points[:, 1] + _TOUCHING)
            for body in self._bodies
        ]
        return np.stack(found, axis=1)


def _in_the_way(things: Things, holder: Thing, held: Thing, height: float) -> Iterable[Thing]:
    """What stands on, in or over a holder."""
    under = {holder.object_id, held.object_id, *(other.object_id for other in things.holders(holder))}
    for thing in things:
        loose = thing.has("pickupable") or thing.has("moveable") or thing.object_type in _FIXED
        if not loose or thing.object_id in under or held.object_id in thing.parents:
            continue
        if same_type(thing.object_type, holder.object_type) and not holder.has("pickupable"):
            continue
        over = all(thing.low[i] < holder.high[i] and thing.high[i] > holder.low[i] for i in (0, 2))
        if over and thing.low.y < holder.high.y + height and thing.high.y > holder.low.y:
            yield thing


class _Body(NamedTuple):
    """A thing seen along a holder's sides: its middle, half its own width and depth, metres, and its own turn.

    `cosine` and `sine` are those of the angle between the two; `bottom` and `top` are world heights.
    """

    x: float
    z: float
    width: float
    depth: float
    cosine: float
    sine: float
    bottom: float
    top: float

    def gap(self, at: tuple[_Numbers, _Numbers], width: float, depth: float) -> _Numbers:
        """How far boxes of these half sides about points are from touching the body; less than 0: they do."""
        dx, dz = at[0] - self.x, at[1] - self.z
        cosine, sine = abs(self.cosine), abs(self.sine)
        across = np.abs(dx) - width - self.width * cosine - self.depth * sine
        gap = np.maximum(across, np.abs(dz) - depth - self.width * sine - self.depth * cosine)
        if min(cosine, sine) > _SQUARE:
            aside = np.abs(dx * self.cosine - dz * self.sine) - self.width - width * cosine - depth * sine
            onward = np.abs(dx * self.sine + dz * self.cosine) - self.depth - width * sine - depth * cosine
            gap = np.maximum(gap, np.maximum(aside, onward))
        return np.asarray(gap, dtype=np.float64)


def _body_of(thing: Thing, holder: Thing) -> _Body:
    x, _, z = thing.center
    (along_x,), (along_z,) = _along(np.array([[x, 0.0, z]]), holder)
    share = _SLIM.get(thing.object_type, 1.0) / 2
    width, depth = (share * side for side in thing.sides)
    turn = math.radians(thing.askew - holder.askew)
    return _Body(along_x, along_z, width, depth, math.cos(turn), math.sin(turn), thing.low.y, thing.high.y)


def _along(points: _Numbers, holder: Thing) -> tuple[_Numbers, _Numbers]:
    """World points (N x 3) along a holder's width and depth, metres."""
    if not holder.askew:
        return points[:, 0], points[:, 2]
    turn = math.radians(holder.askew)
    cosine, sine = math.cos(turn), math.sin(turn)
    return points[:, 0] * cosine - points[:, 2] * sine, points[:, 0] * sine + points[:, 2] * cosine
