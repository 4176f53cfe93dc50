"""What holds an object, through everything that holds its holder."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.simulator.contract import ObjectState

LAST_PARENT = "simbotLastParentReceptacle"
"""The custom property that remembers where an object was last placed."""


def ancestors(
    object_id: str, objects: Mapping[str, ObjectState], records: Mapping[str, Mapping[str, object]]
) -> list[str]:
    """Ids of all receptacles of an object, nearest first, each once, itself never.

    An object's receptacles are the simulator's list, or where that is empty the one it was last placed in
    (specification 3.4). Their own receptacles count only where they are pickupable (a plate, a pot): in some rooms a
    CounterTop lists a Sink as its parent, and water must not wash the whole counter (fidelity specification section 4).
    """
    found: list[str] = []
    _climb(object_id, objects, records, found)
    return [ancestor for ancestor in found if ancestor != object_id]


def _climb(
    object_id: str,
    objects: Mapping[str, ObjectState],
    records: Mapping[str, Mapping[str, object]],
    found: list[str],
) -> None:
    for parent in _parents(object_id, objects, records):
        if parent in found:
            continue
        found.append(parent)
        holder = objects.get(parent)
        if holder is not None and holder.kind.pickupable:
            _climb(parent, objects, records, found)


def _parents(
    object_id: str, objects: Mapping[str, ObjectState], records: Mapping[str, Mapping[str, object]]
) -> tuple[str, ...]:
    obj = objects.get(object_id)
    if obj is not None and obj.parents:
        return obj.parents
    last = records.get(object_id, {}).get(LAST_PARENT)
    return (last,) if isinstance(last, str) and last != object_id else ()
