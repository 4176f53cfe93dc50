"""Every object as one dictionary: AI2-THOR's metadata with TEACh's custom properties, kept up to date cheaply."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import compress, count
from operator import is_not
from types import MappingProxyType

from teach_agents.core.frozen import FrozenDict, FrozenList
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.household.custom_properties import Objects, Records
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.metadata import object_metadata

FOLLOWING = frozenset({"visible", "isInteractable", "obstructed", "distance"})
"""What depends on where the Follower stands and looks."""
_POINTS = ("position", "rotation")
_BOXES = ("axisAlignedBoundingBox", "objectOrientedBoundingBox")


class ObjectTable:
    """One dictionary per object, in the simulator's order.

    A dictionary is made anew only when its `ObjectState` is another value or its custom record changed, and is never
    changed in place except for what depends on where the Follower stands (`seen_from`).
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._states: list[ObjectState] = []
        self._rows: list[JsonObject] = []
        self._index: dict[str, int] = {}
        self._covered: list[JsonObject] = []
        self._covers: list[JsonMapping] = []

    def current(self, objects: Objects, records: Records, changed: set[str]) -> list[JsonObject]:
        """The dictionaries of `objects` now. `changed` names the records that changed; it is emptied."""
        if len(objects) != len(self._ids) or list(objects) != self._ids:
            self._rebuild(objects, records)
        else:
            before, states, index = self._states, list(objects.values()), self._index
            self._states = states
            stale = {index[object_id] for object_id in changed if object_id in index}
            stale.update(compress(count(), map(is_not, before, states)))
            for number in stale:
                self._rows[number] = _row(states[number], records)
        changed.clear()
        return self._rows

    def _rebuild(self, objects: Objects, records: Records) -> None:
        self._ids = list(objects)
        self._states = list(objects.values())
        self._index = {object_id: number for number, object_id in enumerate(self._ids)}
        self._rows = [_row(obj, records) for obj in self._states]

    def read_only(self) -> tuple[JsonMapping, ...]:
        """The dictionaries of the latest `current`, not to be written to; each the same value as long as its own is."""
        if len(self._covered) != len(self._rows):
            self._covers = [_covered(row) for row in self._rows]
        else:
            for number in compress(count(), map(is_not, self._covered, self._rows)):
                self._covers[number] = _covered(self._rows[number])
        self._covered = self._rows.copy()
        return tuple(self._covers)

    def seen_from(self, position: Vec3, visible: Collection[str]) -> None:
        """Write down how far each object is from the body, and which are visible."""
        for object_id, obj, row in zip(self._ids, self._states, self._rows, strict=True):
            seen = object_id in visible
            row["visible"], row["isInteractable"], row["obstructed"] = seen, seen, not seen
            row["distance"] = math.dist(position, obj.position)


def _covered(row: JsonObject) -> JsonMapping:
    """A dictionary to read, whose lists and dictionaries cannot be changed either."""
    for key, value in row.items():
        if type(value) is list:
            row[key] = FrozenList(value)
    for key in _POINTS:
        row[key] = FrozenDict(row[key])
    for key in _BOXES:
        if (box := row[key]) is not None:
            if (corners := box["cornerPoints"]) is not None:
                box["cornerPoints"] = FrozenList(map(FrozenList, corners))
            for name in ("center", "size") if "center" in box else ():
                box[name] = FrozenDict(box[name])
            row[key] = FrozenDict(box)
    return MappingProxyType(row)


def _row(obj: ObjectState, records: Records) -> JsonObject:
    """AI2-THOR's keys with the names of TEACh's games beside them, then the custom properties."""
    row = object_metadata(obj, old_names=True)
    row["obstructed"] = True
    row["canChangeTempToHot"], row["canChangeTempToCold"] = obj.kind.heat_source, obj.kind.cold_source
    for key, value in records.get(obj.object_id, {}).items():
        row[key] = list(value) if isinstance(value, list) else value
    return row
