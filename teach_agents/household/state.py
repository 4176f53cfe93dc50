"""States as TEACh writes them: the state object of a game file, and the difference between two of them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from teach_agents.data import StateRecord
from teach_agents.observations import Pose

__all__ = ["snapshot", "state_difference"]


def snapshot(
    time: float,
    commander: Pose,
    follower: Pose,
    objects: Iterable[Mapping[str, Any]],
    records: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """A state object (specification 1.5) that shares nothing with its sources.

    Unlike TEACh's recorder, whose initial and final state share one live dictionary (register entry Q1), the custom
    properties are those of the moment. Classes are not assigned anew: slices keep their base's (4.1), as in games.
    """
    record = StateRecord.create(time, commander, follower, copy.deepcopy(list(objects)), copy.deepcopy({**records}))
    return record.to_json()


def state_difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What changed between two state objects: `{"agents": {}, "objects": {objectId: {key: new value}}}` (1.7).

    A new slice is compared with its base. Floats are rounded to 4 places, in values as in comparisons. `agents` is
    empty, as in every released file (register entry Q19).
    """
    old = {obj["objectId"]: obj for obj in before["objects"]}
    changes: dict[str, dict[str, Any]] = {}
    for obj in after["objects"]:
        object_id = obj["objectId"]
        base = old.get(object_id) or old.get("|".join(object_id.split("|")[:4])) or {}
        changed = {key: new for key, value in obj.items() if _differs(new := _rounded(value), base, key)}
        if changed:
            changes[object_id] = changed
    return {"agents": {}, "objects": changes}


def _differs(new: object, base: Mapping[str, Any], key: str) -> bool:
    return key not in base or _rounded(base[key]) != new


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value
