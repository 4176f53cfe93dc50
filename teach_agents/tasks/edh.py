"""The task that judges an EDH instance, made from its state changes (TEACh specification 3.9).

It asks for types and numbers, not for identities: two mugs washed means any two mugs washed. Two objects put on two
counters make two components, and one object on any counter meets both.
"""

from __future__ import annotations

from collections.abc import Iterator

from teach_agents.tasks.classes import type_from_id
from teach_agents.tasks.definitions import AtomicComponent, Scalar
from teach_agents.tasks.state_diff import TRACKED_PROPERTIES, ObjectsDiff
from teach_agents.tasks.substitution import ResolvedTask
from teach_agents.tasks.task import Task

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
    counts: dict[tuple[str, str, Scalar, type], int] = {}
    for object_type, name, value in _changes(state_changes):
        key = (object_type, name, value, type(value))
        counts[key] = counts.get(key, 0) + 1
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
