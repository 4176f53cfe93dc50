"""How far a replayed final state agrees with the recorded one, property by property."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from teach_agents.benchmarks.fidelity.rows import PropertyCount, PropertyMiss
from teach_agents.core.json_types import JsonMapping
from teach_agents.tasks.state_diff import TRACKED_PROPERTIES, base_id

_ABSENT = "absent"

Objects = Iterable[JsonMapping]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts by property over all objects, and every miss."""

    properties: Mapping[str, PropertyCount]
    misses: tuple[PropertyMiss, ...]


def agreement(initial: Objects, recorded: Objects, ours: Objects) -> Agreement:
    """Compare the tracked properties (specification 3.9) of every object that the record or we have at the end.

    `true` equals 1 and `false` equals 0, as in TEACh's rules; a property that an object lacks is one of its values. An
    object that only one side has disagrees in every property. A property counts as changed where its recorded final
    value is not the initial one of the object, or of what it was cut from.
    """
    before, then, now = (_by_id(objects) for objects in (initial, recorded, ours))
    tallies = {name: _Tally() for name in sorted(TRACKED_PROPERTIES)}
    misses = []
    for object_id in (*then, *(extra for extra in now if extra not in then)):
        old = before.get(object_id) or before.get(base_id(object_id)) or {}
        left, right = then.get(object_id), now.get(object_id)
        for name, tally in tallies.items():
            wanted, found = _value(left, name), _value(right, name)
            equal = left is not None and right is not None and wanted == found
            tally.add(equal, changed=wanted != _value(old, name))
            if not equal:
                kind = (left or right or {}).get("objectType", "")
                misses.append(PropertyMiss(object_id, kind, name, repr(wanted), repr(found)))
    return Agreement({name: tally.count() for name, tally in tallies.items()}, tuple(misses))


def _by_id(objects: Objects) -> dict[str, JsonMapping]:
    return {obj["objectId"]: obj for obj in objects}


def _value(obj: JsonMapping | None, name: str) -> object:
    return _ABSENT if obj is None else obj.get(name, _ABSENT)


class _Tally:
    def __init__(self) -> None:
        self._numbers = [0, 0, 0, 0]

    def add(self, equal: bool, *, changed: bool) -> None:
        for place, holds in enumerate((True, equal, changed, equal and changed)):
            self._numbers[place] += holds

    def count(self) -> PropertyCount:
        return PropertyCount(*self._numbers)
