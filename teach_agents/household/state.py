"""States as TEACh writes them: the state object of a game file, and the difference between two of them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data import StateRecord
from teach_agents.household.custom_properties import CLASSES, Records
from teach_agents.observations import Pose
from teach_agents.tasks import object_classes
from teach_agents.tasks.state_diff import base_id


def state_record(
    time: float,
    commander: Pose,
    follower: Pose,
    objects: Iterable[JsonMapping],
    records: Records,
) -> StateRecord:
    """A state object (specification 1.5) that stays as it is while the household goes on; read-only.

    It shares with its sources what is in an object's values, which the household replaces but never changes. Unlike
    TEACh's recorder, whose initial and final state share one live dictionary (register entry Q1), the custom
    properties are those of the moment. Classes are not assigned anew: slices keep their base's (4.1), as in games;
    `with_classes` gives the other form.
    """
    rows = [{**row} for row in objects]
    kept = {object_id: {**record} for object_id, record in records.items()}
    return StateRecord.create(time, commander, follower, rows, kept)


_ATOMS = frozenset((str, float, int, bool, type(None)))


def unshared(value: Any) -> Any:
    """A copy that shares nothing that can change; the short way for what JSON is made of."""
    if isinstance(value, dict):
        return {key: inner if type(inner) in _ATOMS else unshared(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [inner if type(inner) in _ATOMS else unshared(inner) for inner in value]
    return copy.deepcopy(value)


def with_classes(found: JsonMapping) -> JsonObject:
    """A state object with the classes of every object assigned anew by its type.

    TEACh does so when it writes state differences, so that there slices have their own classes, not their base's, and
    a base that was cut has its classes back (specification 4.1, register entry Q17).
    """
    rows = [{**obj, CLASSES: list(object_classes(obj["objectType"]))} for obj in found["objects"]]
    records = dict(found["custom_object_metadata"])
    for row in rows:
        records[row["objectId"]] = {**records.get(row["objectId"], {}), CLASSES: list(row[CLASSES])}
    return {**found, "objects": rows, "custom_object_metadata": records}


def state_difference(before: JsonMapping, after: JsonMapping) -> JsonObject:
    """What changed between two state objects: `{"agents": {}, "objects": {objectId: {key: new value}}}` (1.7).

    A new slice is compared with its base. Floats are rounded to 4 places, in values as in comparisons. `agents` is
    empty, as in every released file (register entry Q19).
    """
    old = {obj["objectId"]: obj for obj in before["objects"]}
    changes: dict[str, JsonObject] = {}
    for obj in after["objects"]:
        object_id = obj["objectId"]
        base = old.get(object_id) or old.get(base_id(object_id)) or {}
        now = {key: _rounded(value) for key, value in obj.items()}
        changed = {key: new for key, new in now.items() if key not in base or _rounded(base[key]) != new}
        if changed:
            changes[object_id] = changed
    return {"agents": {}, "objects": changes}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value
