"""Objects as the planner pair sees them: typed values made from the `objects` privilege."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, count
from operator import is_not, itemgetter
from typing import NamedTuple

import numpy as np

from teach_agents.arrays import FloatArray
from teach_agents.observations import Vec3

_TELLING = 0.3
"""Below this a turned box says little about its sides: they are taken to be alike."""
_ASKEW = 1.0
"""Turned by less a thing counts as square to the room, degrees."""
_LARGEST, _SMALL = 2.0, 0.1
"""Things that can be picked up are no larger, metres; a box that is says nothing, and they are taken to be small."""
_ENCLOSED = 0.01
"""How far inside a box, on all sides, the box of what it encloses is at least, metres."""
_FLEETING = frozenset({"visible", "isInteractable", "obstructed", "distance"})
"""Properties that say where the Follower is, not what a thing is like."""
_STATES = frozenset({"isOpen", "isToggled", "isFilledWithLiquid"})
"""States that an action may find otherwise than was thought."""
HOLDS_COFFEE = "holdsCoffee"
"""The flag of what is full of coffee, wherever that is from."""
_TWINS = {"Sink": "SinkBasin", "SinkBasin": "Sink", "Bathtub": "BathtubBasin", "BathtubBasin": "Bathtub"}


Row = Mapping[str, object]
"""An object's metadata, by property."""
Test = Callable[["Thing"], bool]


def having(flag: str, *, but: str = "", maybe: str = "") -> Test:
    """A test whether a thing has one metadata property, another not, and may have a third."""
    return lambda thing: thing.has(flag) and not thing.has(but) and (not maybe or thing.may(maybe))


def same_type(one: str, other: str) -> bool:
    """Whether two type names mean the same thing; a sink and its basin do (TEACh specification 3.3 rule 2)."""
    return one == other or _TWINS.get(one) == other


@dataclass(frozen=True, slots=True)
class Thing:
    """One object: `flags` are the names of its metadata properties that are true, `low`, `high` its corners.

    `untold` are those of the states `isOpen`, `isToggled` and `isFilledWithLiquid` of which nothing is known.
    """

    object_id: str
    object_type: str
    classes: tuple[str, ...]
    position: Vec3
    low: Vec3
    high: Vec3
    parents: tuple[str, ...]
    flags: frozenset[str]
    temperature: str = "RoomTemp"
    yaw: float = 0.0
    """How far it is turned about the vertical, degrees."""
    untold: frozenset[str] = frozenset()

    def has(self, flag: str) -> bool:
        """Whether a metadata property such as `isDirty` is true."""
        return flag in self.flags

    def may(self, flag: str) -> bool:
        """Whether a state is true, or nothing is known of it."""
        return flag in self.flags or flag in self.untold

    @property
    def center(self) -> Vec3:
        """The middle of the box."""
        (x, y, z), (right, top, far) = self.low, self.high
        return Vec3((x + right) / 2, (y + top) / 2, (z + far) / 2)

    @property
    def radius(self) -> float:
        """Half of the larger horizontal side, metres."""
        return max(self.box) / 2

    @property
    def box(self) -> tuple[float, float]:
        """The sides of its box on the map, along x and z, metres."""
        return self.high.x - self.low.x, self.high.z - self.low.z

    @property
    def longest(self) -> float:
        """The longest side of its box, metres."""
        return max(high - low for high, low in zip(self.high, self.low, strict=True))

    @property
    def askew(self) -> float:
        """How far it is turned out of square to the room, degrees, from -45 to 45."""
        angle = (self.yaw + 45.0) % 90.0 - 45.0
        return angle if abs(angle) >= _ASKEW else 0.0

    @property
    def is_aslant(self) -> bool:
        """Whether it is turned so far out of square that its box says little about its own sides."""
        return math.cos(math.radians(2 * self.askew)) <= _TELLING

    @property
    def sides(self) -> tuple[float, float]:
        """Its own width and depth, metres: what its box would measure turned back to the nearest right angle."""
        (width, depth), turn = self.box, math.radians(self.askew)
        cos, sin = math.cos(turn), abs(math.sin(turn))
        if not self.is_aslant:
            apart = cos * cos - sin * sin
            return max(0.0, width * cos - depth * sin) / apart, max(0.0, depth * cos - width * sin) / apart
        return width / (cos + sin), depth / (cos + sin)

    @property
    def is_gone(self) -> bool:
        """Whether it was sliced up or shattered: still listed, no longer there."""
        return (self.has("sliceable") and self.has("isSliced")) or (self.has("isBroken") and self.has("pickupable"))

    def covers(self, point: Vec3) -> bool:
        """Whether a point is over or in its box on the map."""
        return all(self.low[i] <= point[i] <= self.high[i] for i in (0, 2))

    def encloses(self, other: Thing, margin: float = _ENCLOSED) -> bool:
        """Whether its box has another's whole inside, with so much room on all sides, metres; less than none: the other
        may stick out by as much."""
        sides = zip(self.low, other.low, other.high, self.high, strict=True)
        return all(low + margin <= first and last <= high - margin for low, first, last, high in sides)

    @property
    def is_shut(self) -> bool:
        """Whether it opens, and does not stand open."""
        return self.has("openable") and not self.has("isOpen")

    @property
    def is_knife(self) -> bool:
        """Whether it cuts."""
        return "Knife" in self.object_type

    @property
    def is_basin(self) -> bool:
        """Whether it is a sink, a bathtub, or the basin of one."""
        return self.is_a("Sink") or self.is_a("Bathtub")

    @property
    def is_cooked(self) -> bool:
        """Cooked by AI2-THOR's flag or by TEACh's."""
        return self.has("isCooked") or self.has("simbotIsCooked")

    def is_a(self, noun: str) -> bool:
        """Whether a type or class name fits. A slice is no whole, although it inherits its class from the whole."""
        if same_type(self.object_type, noun):
            return True
        if noun == "Slice":
            return self.object_type.endswith("Sliced")
        part = self.object_type.endswith(("Sliced", "Cracked"))
        return noun in self.classes and not (part and self.object_type.startswith(noun))

    def distance(self, point: Vec3) -> float:
        """From the middle of the box to a point on the map, metres, heights left out."""
        x, _, z = self.center
        return float(((x - point.x) ** 2 + (z - point.z) ** 2) ** 0.5)

    def away(self, point: Vec3) -> float:
        """From the box to a point on the map, metres, heights left out; nothing within it."""
        across = max(self.low.x - point.x, point.x - self.high.x, 0.0)
        along = max(self.low.z - point.z, point.z - self.high.z, 0.0)
        return float((across * across + along * along) ** 0.5)


def _vector(value: object) -> Vec3:
    if isinstance(value, Mapping):
        return Vec3(float(value["x"]), float(value["y"]), float(value["z"]))
    return Vec3(0.0, 0.0, 0.0)


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, list | tuple) else ()


def _slant(angle: float) -> float:
    """How far an angle is from none, degrees."""
    return abs((angle + 180.0) % 360.0 - 180.0)


def _thing(data: Row) -> Thing:
    position = _vector(data.get("position"))
    box = data.get("axisAlignedBoundingBox")
    center, size = position, Vec3(0.0, 0.0, 0.0)
    if isinstance(box, Mapping) and box.get("center") and box.get("size"):
        center, size = _vector(box["center"]), _vector(box["size"])
    if data.get("pickupable") and max(size) > _LARGEST:
        center, size = position, Vec3(_SMALL, _SMALL, _SMALL)
    parents = data.get("parentReceptacles")
    if parents is None and data.get("simbotLastParentReceptacle") and not data.get("isPickedUp"):
        parents = [data["simbotLastParentReceptacle"]]
    (x, y, z), (width, height, depth) = center, size
    turned = _vector(data.get("rotation"))
    return Thing(
        object_id=str(data["objectId"]),
        object_type=str(data["objectType"]),
        classes=_names(data.get("simbotObjectClass")),
        position=position,
        low=Vec3(x - width / 2, y - height / 2, z - depth / 2),
        high=Vec3(x + width / 2, y + height / 2, z + depth / 2),
        parents=_names(parents),
        flags=frozenset(
            [key for key, value in data.items() if value is True or (value and value == 1)]
            + [HOLDS_COFFEE] * (data.get("fillLiquid") == "coffee")
        ),
        temperature=str(data.get("temperature") or data.get("ObjectTemperature") or "RoomTemp"),
        yaw=turned.y if max(_slant(turned.x), _slant(turned.z)) < 1.0 else 0.0,
        untold=_STATES.difference(data),
    )


class _Reading(NamedTuple):
    """A row as it was read, its lasting values, how to pick them out of a row like it, and the thing."""

    row: Row
    lasting: Callable[[Row], object]
    values: object
    thing: Thing
    is_gone: bool

    def holds_for(self, row: Row) -> bool:
        """Whether a row says the same of the thing, wherever the Follower is now."""
        if row is self.row:
            return True
        if len(row) != len(self.row) and _lasting_keys(row) != _lasting_keys(self.row):
            return False
        try:
            return self.lasting(row) == self.values
        except KeyError:
            return False


def _read(row: Row, before: _Reading | None) -> _Reading:
    """A row's reading: the one that was made `before` when it still holds."""
    if before is not None and before.holds_for(row):
        return before
    keys = _lasting_keys(row)
    lasting = itemgetter(*keys)
    values = lasting(row)
    thing = _thing(dict(zip(keys, values, strict=True)))
    return _Reading(row, lasting, values, thing, thing.is_gone)


def _lasting_keys(row: Row) -> list[str]:
    return [key for key in row if key not in _FLEETING]


def _is_carried_on(before: Thing, now: Thing) -> bool:
    """Whether all that is new about a thing is where it was carried in the hand."""
    if not (before.has("isPickedUp") and now.has("isPickedUp")):
        return False
    return replace(now, position=before.position, low=before.low, high=before.high, yaw=before.yaw) == before


class Things:
    """Everything in the room that is still there, by id, in listed order.

    What has not changed since `before`, an earlier listing, is taken over from it: few things change in a turn. A row
    that is the same value as then says the same.
    `layout` is the earlier listing's own value as long as at most what is in the hand was carried on.
    """

    def __init__(self, objects: Sequence[Row], before: Things | None = None) -> None:
        self._rows = tuple(objects)
        self._readings: list[_Reading]
        self._by_id: dict[str, Thing]
        self.layout: object
        self._of: dict[tuple[str, ...], list[Thing]] = {}
        self._apart: dict[frozenset[str], list[tuple[int, Thing]]] = {}
        self._kinds: dict[tuple[str, ...], dict[tuple[str, tuple[str, ...]], bool]]
        self._kinds = before._kinds if before is not None else {}
        if before is not None and len(before._rows) == len(objects):
            self._take_over(before)
        else:
            known = {reading.thing.object_id: reading for reading in before._readings} if before is not None else {}
            self._readings = [_read(row, known.get(str(row["objectId"]))) for row in objects]
            self._list()

    def _take_over(self, before: Things) -> None:
        """Read only the rows that are others than in an earlier listing of as many."""
        self._readings = before._readings.copy()
        changes: list[tuple[Thing, Thing]] = []
        for number in compress(count(), map(is_not, before._rows, self._rows)):
            last = self._readings[number]
            now = self._readings[number] = _read(self._rows[number], last)
            if now.thing is not last.thing:
                changes.append((last.thing, now.thing))
        if all(_is_carried_on(last, now) for last, now in changes):
            self._by_id = {**before._by_id, **{now.object_id: now for _, now in changes}} if changes else before._by_id
            self._apart = before._apart
            self.layout = before.layout
        else:
            self._list()

    def _list(self) -> None:
        self._by_id = {reading.thing.object_id: reading.thing for reading in self._readings if not reading.is_gone}
        self.layout = object()

    @classmethod
    def now(cls, objects: Sequence[Row], before: Things | None) -> Things:
        """The listing of `objects`: `before` itself when nothing has changed."""
        listed = cls(objects, before)
        if before is None or listed._by_id is not before._by_id:
            return listed
        before._rows, before._readings = listed._rows, listed._readings
        return before

    def __iter__(self) -> Iterator[Thing]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def get(self, object_id: str) -> Thing | None:
        """One thing, or `None` when it is gone."""
        return self._by_id.get(object_id)

    def known(self, ids: Iterable[str]) -> list[Thing]:
        """Those of these that are not gone, in order."""
        return [thing for name in ids if (thing := self.get(name)) is not None]

    @cached_property
    def corners(self) -> tuple[FloatArray, FloatArray]:
        """The low and the high corners of all, N x 3 each, in listed order."""
        every = np.array([(*thing.low, *thing.high) for thing in self], dtype=np.float64).reshape(-1, 6)
        return every[:, :3], every[:, 3:]

    def apart_from(self, types: frozenset[str]) -> list[tuple[int, Thing]]:
        """Things that are of none of these types and not held, each with its place in listed order."""
        if types not in self._apart:
            self._apart[types] = [
                (number, thing)
                for number, thing in enumerate(self)
                if thing.object_type not in types and not thing.has("isPickedUp")
            ]
        return self._apart[types]

    @cached_property
    def held(self) -> Thing | None:
        """What the Follower has in its hand."""
        return next((thing for thing in self if thing.has("isPickedUp")), None)

    def of(self, *nouns: str) -> list[Thing]:
        """Things of any of these types or classes."""
        if nouns not in self._of:
            kinds = self._kinds.setdefault(nouns, {})
            for thing in self:
                kind = thing.object_type, thing.classes
                if kind not in kinds:
                    kinds[kind] = any(thing.is_a(noun) for noun in nouns)
            self._of[nouns] = [thing for thing in self if kinds[thing.object_type, thing.classes]]
        return self._of[nouns].copy()

    def holders(self, thing: Thing) -> list[Thing]:
        """What it is in or on, nearest first. Only portable holders hand on what holds them (fidelity notes, 4)."""
        found: list[Thing] = []
        waiting = list(thing.parents)
        while waiting:
            holder = self.get(waiting.pop(0))
            if holder is None or holder in found or holder is thing:
                continue
            found.append(holder)
            if holder.has("pickupable"):
                waiting += holder.parents
        return found

    def contents(self, holder: Thing) -> list[Thing]:
        """What is in or on a thing, at any depth."""
        return [thing for thing in self if thing is not holder and holder in self.holders(thing)]

    def is_inside(self, thing: Thing, holder: Thing) -> bool:
        """Whether `holder` holds `thing`; a sink and its basin are one."""
        return any(are_twins(holder, other) for other in self.holders(thing))

    def closed_around(self, thing: Thing) -> list[Thing]:
        """Closed holders that must be opened before the thing can be touched, outermost first.

        Furniture is only in what encloses it, as a safe is in a closet: in some rooms a fridge counts the shut cabinets
        beside it among its holders.
        """
        inside = [thing, *self.holders(thing)] if thing.has("pickupable") else [thing]
        fixed = (one for one in inside if not one.has("pickupable"))
        around = [*inside[1:], *(h for one in fixed for h in self.holders(one) if h.encloses(one))]
        return [h for h in reversed(dict.fromkeys(around)) if h.is_shut]


def are_twins(one: Thing, other: Thing) -> bool:
    """Whether two are one thing, or a sink and its basin, whose id extends the sink's."""
    alike = same_type(one.object_type, other.object_type)
    return alike and (one.object_id.startswith(other.object_id) or other.object_id.startswith(one.object_id))
