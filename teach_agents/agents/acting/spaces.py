"""Where to click for a placement: points around which the thing in the hand has room.

What is put down comes to stand at the click, or nearby where it touches nothing; where there is no room near the click
AI2-THOR refuses (TEACh specification 5.4: too full or too small). Boxes tell how much room there is around every point
of a holder; the view tells which of these points can be clicked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from teach_agents.agents.acting.attempts import Score
from teach_agents.agents.acting.looking import EYE_HEIGHT, Pixels
from teach_agents.agents.acting.things import Thing, Things, same_type
from teach_agents.arrays import FloatArray
from teach_agents.observations import Pose, Vec3

SURE = 100.0
"""What a click is worth at least when the thing should fit there."""

_ENOUGH = 0.1
"""Clearance beyond which more is no better, metres."""
_TOUCHING = 0.01
"""How close boxes may come, metres."""
_TOP = 0.06
_FLUSH = 0.04
"""How far a board may stick out of the box of the furniture that it is part of, metres."""
_MARKS, _MOST_MARKS = 15, 40
_SPACING = 0.06
_SPREAD = 0.2
_POINTS = 4
_LEVELS = frozenset("Fridge Cabinet Drawer Microwave ShelvingUnit Safe Dresser TVStand".split())
"""Holders with several levels, or with walls that their boxes do not tell."""
_OUTLINED = frozenset({"CounterTop", "Floor", "Bed", "Sofa", "Desk"})
"""Holders whose boxes may enclose much that is not their surface."""
_FLAT = frozenset({"CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk"})
"""Holders on whose top things stand, not on what is below it."""
_SEATS = frozenset({"Sofa", "ArmChair", "Chair"})
"""Holders with a back: what is put against it may vanish behind a cushion."""
_SOFT = 0.1
"""How far a seat may be above where things come to stand on it, metres."""
_ARMED = frozenset({"Sofa", "ArmChair"})
_ARM, _ARMS = 0.15, 0.15
"""How wide arms and backs are at most, metres, and as a share of the side they are on."""
_ONE_BOTTOM = frozenset({"GarbageCan"})
"""Holders in which nothing stands below what is in them, however thick their bottom is."""
_NEARBY = 0.08
"""How far from a click in such a holder the thing may come to stand, metres."""
_FIXED = frozenset({"Toaster", "CoffeeMachine", "Microwave", "Faucet"})
_SQUARE = 0.02
"""Sine of the least angle at which a thing counts as turned against its holder."""
_SLIM: Mapping[str, float] = {"Faucet": 0.5, "HousePlant": 0.7}
"""Things whose boxes are much wider than they are where they stand: which part of the width counts."""


class Space:
    """The room that one holder has for one thing, by the boxes of what is on it.

    In a bin whatever is in it is in the way, and a click near room will do.

    `margin` is how much wider on each side than its box the thing is taken to be, metres, where so much room could be
    made at all. After a click was `refused` a basin counts as shallow: things may come to stand on its brim, not on its
    bottom, so whatever is over it is in the way. A faucet that leaves no room even in an empty basin hangs above what
    is in it.

    What is put down stands square to its holder, so room is measured along the holder's own sides.
    """

    def __init__(
        self, things: Things, holder: Thing, held: Thing, margin: float = 0.0, *, refused: bool = False
    ) -> None:
        self._holder = holder
        self._own = _body_of(holder, holder)
        self._height = held.high.y - held.low.y
        self._level = _level(things, holder)
        shallow = holder.object_type in _ONE_BOTTOM or (holder.is_basin and refused)
        self._brim = holder.high.y if shallow else -np.inf
        others = list(_in_the_way(things, holder, held, self._height))
        taps = [thing for thing in others if thing.object_type == "Faucet"]
        if holder.is_basin and taps and not self._holds(held.sides, taps):
            others = [thing for thing in others if thing not in taps]
        fixed = [thing for thing in others if not thing.has("pickupable")]
        sides = held.sides
        wider = sides[0] + 2 * margin, sides[1] + 2 * margin
        if self._holds(wider, fixed):
            sides = wider
        self._sides = sides, sides[::-1]
        self._others = others
        self._bodies = [_body_of(other, holder) for other in others]
        self._keep_off_arms()

    def _keep_off_arms(self) -> None:
        """Where there is room on the seat itself, nothing is put on its arms or against its back."""
        if self._holder.object_type in _ARMED:
            whole = self._own
            width, depth = (side - min(_ARM, _ARMS * 2 * side) for side in (whole.width, whole.depth))
            self._own = whole._replace(width=width, depth=depth)
            if self.clearance(self._marks).max() < 0.0:
                self._own = whole

    def _holds(self, sides: tuple[float, float], others: Iterable[Thing]) -> bool:
        """Whether there is room for something of these sides among others, one way or the other."""
        self._bodies = [_body_of(other, self._holder) for other in others]
        return any(self._around(self._marks, *turned).max() >= 0.0 for turned in (sides, sides[::-1]))

    @property
    def is_vague(self) -> bool:
        """Whether boxes tell little of the room there is."""
        return self._holder.object_type in _LEVELS or self._holder.has("pickupable")

    @property
    def is_full(self) -> bool:
        """Whether the thing fits nowhere, although it would on the empty holder. Unknown counts as no."""
        if self.is_vague:
            return False
        most = max(self._inside(self._marks, *sides).max() for sides in self._sides)
        return bool(most >= 0.0 > self._free.max())

    @property
    def has_room(self) -> bool:
        """Whether the thing fits somewhere, by the boxes."""
        return bool(self._free.max() >= 0.0)

    @cached_property
    def _free(self) -> FloatArray:
        """The clearance of all marks."""
        return self.clearance(self._marks)

    def clearance(self, points: FloatArray) -> FloatArray:
        """How far the thing, standing at each point (N x 3, metres), is from touching or sticking out; less than 0: it
        does."""
        return np.asarray(np.max([self._around(points, *sides) for sides in self._sides], axis=0) - _TOUCHING)

    def _around(self, points: FloatArray, width: float, depth: float) -> FloatArray:
        free = self._inside(points, width, depth)
        for gap in self._gaps(points, width, depth):
            free = np.minimum(free, gap)
        return free

    def _gaps(self, points: FloatArray, width: float, depth: float) -> Iterator[FloatArray]:
        """How far each body is from what stands at each point; infinitely where it is below or above that."""
        tops = np.maximum(points[:, 1] + self._height, self._brim)
        along = along_sides(points, self._holder)
        for body in self._bodies:
            beside = (body.bottom >= tops) | (body.top <= points[:, 1] + _TOUCHING)
            yield np.where(beside, np.inf, body.gap(along, width / 2, depth / 2))

    def _inside(self, points: FloatArray, width: float, depth: float) -> FloatArray:
        x, z = along_sides(points, self._holder)
        across = self._own.width - np.abs(x - self._own.x) - width / 2
        deep = self._own.depth - np.abs(z - self._own.z) - depth / 2
        return np.minimum(across, deep) + _TOUCHING

    @cached_property
    def _marks(self) -> FloatArray:
        """A grid of points over the holder, where what it bears stands, else on its top or on the bottom of what is
        hollow."""
        low, high = self._holder.low, self._holder.high
        across, deep = (
            start + (np.arange(count) + 0.5) * (end - start) / count
            for start, end in ((low.x, high.x), (low.z, high.z))
            for count in [int(np.clip((end - start) / _SPACING, _MARKS, _MOST_MARKS))]
        )
        x, z = np.meshgrid(across, deep)
        return np.stack([x.ravel(), np.full(x.size, self._level), z.ravel()], axis=1)

    @property
    def loose(self) -> list[Thing]:
        """What stands on, in or over the holder and can be taken away, what takes up most room first."""
        found = [thing for thing in self._others if thing.has("pickupable")]
        return sorted(found, key=lambda thing: -thing.sides[0] * thing.sides[1])

    def aims(self) -> tuple[Vec3, ...]:
        """A few points with room, well apart, the roomiest first; none where boxes say too little."""
        if self.is_vague:
            return ()
        marks, free = self._marks, self._free
        chosen: list[Vec3] = []
        for index in np.argsort(-np.minimum(free, _ENOUGH), kind="stable"):
            if free[index] < 0.0 or len(chosen) == _POINTS:
                break
            x, y, z = marks[index].tolist()
            if all((x - other.x) ** 2 + (z - other.z) ** 2 > _SPREAD**2 for other in chosen):
                chosen.append(Vec3(x, y, z))
        return tuple(chosen)

    def score(self, pixels: Pixels) -> FloatArray:
        """The more room around a point the better; `SURE` and above: the thing fits there."""
        free = self.clearance(pixels.points)
        if self._holder.object_type in _ONE_BOTTOM:
            free = np.maximum(free, _NEARBY - self._away_from_room(pixels.points))
        off = self._off_level(pixels.points[:, 1])
        value = 10.0 * np.minimum(free, _ENOUGH) + 0.05 * pixels.depth_inside - 20.0 * off
        return value + np.where((free >= 0.0) & (off == 0.0), SURE, 0.0)

    def _away_from_room(self, points: FloatArray) -> FloatArray:
        """How far over the floor each point is from the nearest mark with room, metres; infinite where none is."""
        roomy = self._marks[self._free >= 0.0]
        nearest = np.full(len(points), np.inf)
        for x, _, z in roomy.tolist():
            nearest = np.minimum(nearest, np.hypot(points[:, 0] - x, points[:, 2] - z))
        return nearest

    def _off_level(self, heights: FloatArray) -> FloatArray:
        """How far points are below a table's top, or up the back of a seat, metres."""
        kind = self._holder.object_type
        if kind in _FLAT:
            return np.asarray(np.maximum(0.0, heights.max() - heights - _TOP))
        return np.maximum(0.0, heights - self._level - _SOFT) if kind in _SEATS else np.zeros_like(heights)

    def hindrance(self, cost: Callable[[Thing], float]) -> list[Thing]:
        """What to take away so that the thing fits: the set with the least total cost; empty when none helps."""
        if not self._bodies:
            return []
        marks = self._marks
        if self._holder.object_type in _LEVELS | _OUTLINED:  # it surely bears something where others stand
            marks = np.array([(other.center.x, other.low.y, other.center.z) for other in self._others])
        prices = np.array([cost(thing) for thing in self._others])
        best: tuple[float, list[Thing]] = np.inf, []
        for width, depth in self._sides:
            over = self._inside(marks, width, depth) >= 0.0
            hit = np.stack([gap < _TOUCHING for gap in self._gaps(marks, width, depth)], axis=1)
            total = np.where(over, np.where(hit, prices[None], 0.0).sum(axis=1), np.inf)
            index = total.argmin()
            if total[index] < best[0]:
                best = float(total[index]), [self._others[i] for i in np.flatnonzero(hit[index])]
        return best[1]


def _level(things: Things, holder: Thing) -> float:
    """The height at which things stand on a holder, metres."""
    if holder.object_type not in _FLAT | _SEATS:
        return holder.low.y + 0.02
    bottoms = sorted(thing.low.y for thing in things if holder.object_id in thing.parents and thing.has("pickupable"))
    if bottoms:
        return bottoms[len(bottoms) // 2]
    return holder.center.y if holder.object_type in _SEATS else holder.high.y


def _in_the_way(things: Things, holder: Thing, held: Thing, height: float) -> Iterable[Thing]:
    """What stands on, in or over a holder."""
    under = {holder.object_id, held.object_id, *(other.object_id for other in things.holders(holder))}
    for thing in things:
        loose = thing.has("pickupable") or thing.has("moveable") or thing.object_type in _FIXED
        if not loose or thing.object_id in under or held.object_id in thing.parents:
            continue
        if same_type(thing.object_type, holder.object_type) and not holder.has("pickupable"):
            continue
        if not thing.has("pickupable") and thing.encloses(holder, -_FLUSH):
            continue  # a desk that carries a shelf is not in the way of what goes on that
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

    def gap(self, at: tuple[FloatArray, FloatArray], width: float, depth: float) -> FloatArray:
        """How far boxes of these half sides about points are from touching the body; less than 0: they do."""
        dx, dz = at[0] - self.x, at[1] - self.z
        cosine, sine = abs(self.cosine), abs(self.sine)
        across = np.abs(dx) - width - self.width * cosine - self.depth * sine
        gap = np.maximum(across, np.abs(dz) - depth - self.width * sine - self.depth * cosine)
        if min(cosine, sine) > _SQUARE:
            aside = np.abs(dx * self.cosine - dz * self.sine) - self.width - width * cosine - depth * sine
            onward = np.abs(dx * self.sine + dz * self.cosine) - self.depth - width * sine - depth * cosine
            gap = np.maximum(gap, np.maximum(aside, onward))
        return gap


def _body_of(thing: Thing, holder: Thing) -> _Body:
    x, _, z = thing.center
    (along_x,), (along_z,) = along_sides(np.array([[x, 0.0, z]]), holder)
    width, depth = (_SLIM.get(thing.object_type, 1.0) / 2 * side for side in thing.sides)
    turn = math.radians(thing.askew - holder.askew)
    return _Body(along_x, along_z, width, depth, math.cos(turn), math.sin(turn), thing.low.y, thing.high.y)


def along_sides(points: FloatArray, holder: Thing) -> tuple[FloatArray, FloatArray]:
    """World points (N x 3) along a holder's width and depth, metres."""
    if not holder.askew:
        return points[:, 0], points[:, 2]
    turn = math.radians(holder.askew)
    cosine, sine = math.cos(turn), math.sin(turn)
    return points[:, 0] * cosine - points[:, 2] * sine, points[:, 0] * sine + points[:, 2] * cosine


_SMALL = 1.0
"""Longest side of a holder that is filled from one end, metres."""
_SLIMMEST = 0.6
"""Least share of its longer side that the shorter one has in what is not slim."""
_ASIDE = 0.05
"""What it is worth to be off the middle, against being far along, so that two narrow things go side by side."""


def is_small(holder: Thing) -> bool:
    """Whether what stands in the middle of a holder leaves little room for more."""
    return holder.has("pickupable") or (max(holder.sides) < _SMALL and not holder.is_basin)


def is_slim(held: Thing) -> bool:
    """Whether several such things go side by side where one would be in the middle: slices of food above all."""
    return min(held.sides) < _SLIMMEST * max(held.sides)


def packed(holder: Thing, held: Thing, pose: Pose, space: Space) -> Score:
    """Fill a small holder from its far end towards oneself, so that room is left for more.

    Slim things are put side by side on a dish, as they come to stand on it: square to it, as they are made. Where the
    holder is above the eyes its near end comes first, as its bottom hides what is farther in.
    """
    own = np.array([holder.center, pose.position])
    (x, z), (body_x, body_z) = np.stack(along_sides(own, holder), axis=1)
    away = x - body_x, z - body_z
    slim = is_slim(held) and holder.has("pickupable")
    along = _across(held, holder) if slim else int(abs(away[0]) <= abs(away[1]))
    sign = 1.0 if away[along] > 0 else -1.0
    if holder.low.y > pose.position.y + EYE_HEIGHT:
        sign = -sign

    def score(pixels: Pixels) -> FloatArray:
        value = space.score(pixels)
        offsets = [points - middle for points, middle in zip(along_sides(pixels.points, holder), (x, z), strict=True)]
        beside = _ASIDE * np.abs(offsets[1 - along]) if slim else 0.002 * pixels.depth_inside
        return np.where(value >= SURE, SURE + _SMALL + sign * offsets[along] + beside, value)

    return score


def _across(held: Thing, holder: Thing) -> int:
    """Along which side of a holder (0 its width, 1 its depth) a slim thing is slim when it stands on it."""
    width, depth = held.sides
    turned = (round(held.yaw / 90.0) + round(holder.yaw / 90.0)) % 2
    return int(depth < width) ^ turned
