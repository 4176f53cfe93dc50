"""The states between a session's utterances, as the differences that EDH instances hold (specification 1.7, 3.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from teach_agents.tasks.state_diff import base_id

_PLACES = 4


def state_difference(
    before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """What of each object's metadata is other than it was: objectId to property to value, numbers to four places.

    Objects that came into being (slices) differ from what they were cut from. Properties that are gone are left out.
    """
    known = {str(one["objectId"]): one for one in before}
    differences = {}
    for one in after:
        object_id = str(one["objectId"])
        origin = known.get(object_id) or known.get(base_id(object_id), {})
        changed = {key: _rounded(value) for key, value in one.items() if _differs(origin, key, value)}
        if changed:
            differences[object_id] = changed
    return differences


def _differs(origin: Mapping[str, Any], key: str, value: Any) -> bool:
    return key not in origin or _rounded(origin[key]) != _rounded(value)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _PLACES)
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_rounded(inner) for inner in value]
    return value
