"""State differences as TEACh stores them: object ids to changed properties (specification 3.9).

A difference is relative to a session's first state. Slices are new objects: their difference is from the object
they were cut from, whose id is the first four parts of theirs.

The task that judges an EDH instance, made from its state changes (TEACh specification 3.9). It asks for types and
numbers, not for identities: two mugs washed means any two mugs washed. Two objects put on two counters make two
components, and one object on any counter meets both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.tasks.classes import type_from_id
from teach_agents.tasks.definitions import AtomicComponent, Scalar
from teach_agents.tasks.scan import Objects
from teach_agents.tasks.substitution import ResolvedTask
from teach_agents.tasks.task import Task

ObjectsDiff = Mapping[str, JsonMapping]
"""Per object id its changed properties."""

TRACKED_PROPERTIES: frozenset[str] = frozenset(
    "isToggled isBroken isFilledWithLiquid isDirty isUsedUp isCooked isOpen isPickedUp objectType "
    "simbotLastParentReceptacle simbotIsCooked simbotIsFilledWithWater simbotIsBoiled simbotIsFilledWithCoffee "
    "simbotPickedUp".split()
)
"""The properties whose change is judged; poses and distances are not."""


def base_id(object_id: str) -> str:
    """The id of what an object was cut from: its first four parts; a basin, or a whole object, is its own base."""
    parts = object_id.split("|")
    return object_id if len(parts) <= 4 or "Basin" in parts[-1] else "|".join(parts[:4])


def apply_state_diff(objects: Objects, diff: ObjectsDiff) -> list[JsonObject]:
    """The state that `diff` leads to: new dictionaries, the given ones stay as they are.

    Objects that are not in the list are made from a copy of their base and appended; the bases that were cut are
    then left out, as the reference does (the live simulator keeps them).
    """
    state = {obj["objectId"]: dict(obj) for obj in objects}
    cut: set[str] = set()
    for object_id, changes in diff.items():
        if object_id not in state:
            base = base_id(object_id)
            state[object_id] = {**state.get(base, {}), "objectId": object_id}
            if base != object_id:
                cut.add(base)
        state[object_id].update(changes)
    return [obj for object_id, obj in state.items() if object_id not in cut]


def state_diff_changes(initial: ObjectsDiff, final: ObjectsDiff) -> dict[str, JsonObject]:
    """What changed between two differences from the same state, tracked properties only; unchanged objects dropped.

    An object that the initial difference does not know (nor its base) counts with all its tracked changes.
    """
    changed: dict[str, JsonObject] = {}
    for object_id, properties in final.items():
        before = initial.get(object_id, initial.get(base_id(object_id), {}))
        kept = {
            name: value
            for name, value in properties.items()
            if name in TRACKED_PROPERTIES and not (name in before and _same(before[name], value))
        }
        if kept:
            changed[object_id] = kept
    return changed


def _same(left: object, right: object) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, abs_tol=1e-9)
    return type(left) is type(right) and left == right


_OVERRIDES = {
    "simbotPickedUp": ("isPickedUp",),
    "simbotIsCooked": ("isCooked",),
    "simbotIsFilledWithWater": ("isFilledWithLiquid",),
    "simbotIsFilledWithCoffee": ("isFilledWithLiquid",),
    "simbotIsBoiled": ("isCooked", "simbotIsCooked"),
}
"""TEACh's own properties and AI2-THOR's that they stand in for, when the same object has both."""

_LAST_PARENT = "simbotLastParentReceptacle"


def evaluation_task(state_changes: ObjectsDiff) -> Task:
    """The task that is solved when as many objects of each type have changed in the same ways.

    `state_changes` is the `objects` part of an EDH file's state changes (or of `state_diff_changes`).
    """
    counts = Counter((*change, type(change[-1])) for change in _changes(state_changes))
    components = tuple(
        (str((object_type, name, value)), _component(object_type, name, value, count))
        for (object_type, name, value, _), count in counts.items()
    )
    return Task(ResolvedTask(0, "edh_custom", (), None, "", components, ()))


def _changes(state_changes: ObjectsDiff) -> Iterator[tuple[str, str, Scalar]]:
    """Type, property and new value of every change that counts."""
    for object_id, changes in state_changes.items():
        overridden = {name for own in changes for name in _OVERRIDES.get(own, ())}
        for name, value in changes.items():
            if name in TRACKED_PROPERTIES and name not in overridden:
                yield type_from_id(object_id), name, value


def _component(object_type: str, name: str, value: Scalar, count: int) -> AtomicComponent:
    """`count` objects of the type with the property as wanted; of a place only its type matters."""
    wanted = str(value).split("|", 1)[0] if name == _LAST_PARENT and value is not None else value
    conditions: dict[str, Scalar] = {"objectType": object_type, name: wanted}
    words = f"{count} {object_type} should have {name} {wanted}."
    return AtomicComponent(count, "objectType", False, conditions, {name: words})
