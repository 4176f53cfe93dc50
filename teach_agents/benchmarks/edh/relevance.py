"""Which changes of a stretch have to do with its session's task: the filter behind EDH's instances (1.7, rule 8).

TEACh's own filter is not published. This one is ours: relevant is what the task's definition names, in whatever number
(a Breakfast without sandwiches still names toast), and the tool that brings about a property it wants: a faucet for
what is to be clean, a coffee machine for coffee, a toaster for toast, a microwave for what is to be cooked, knives and
the whole fruit or loaf for slices. Cabinets, pans and pots are not.

It was made with the released instances in view, so that its agreement with them is no test of it: the same objects of
every change in the 33 files at hand, and of the 876 candidates of valid_seen all but about fifty as in the released
list (`benchmarks/edh_instances.py` measures it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from teach_agents.tasks import object_classes, type_from_id
from teach_agents.tasks.definitions import AtomicComponent
from teach_agents.tasks.state_diff import ObjectsDiff
from teach_agents.tasks.substitution import ResolvedTask

_NAMED = ("objectType", "simbotObjectClass")
_SLICED = "Sliced"
_TOOLS: Mapping[str, str] = {
    "isDirty": "Faucet",
    "simbotIsFilledWithCoffee": "CoffeeMachine",
    "isCooked": "Toaster",
    "simbotIsCooked": "Microwave",
}
"""What brings about a property that a task wants."""


def relevant_classes(task: ResolvedTask) -> frozenset[str]:
    """The object types and classes that a task, or a task within it, has to do with."""
    return frozenset(_classes(task))


def _classes(task: ResolvedTask) -> Iterator[str]:
    for _, component in task.components:
        if not isinstance(component, AtomicComponent):
            yield from _classes(component.task)
            continue
        for name, value in component.conditions.items():
            if name in _TOOLS:
                yield _TOOLS[name]
            if name in _NAMED:
                yield from _named(str(value))


def _named(name: str) -> Iterator[str]:
    yield name
    if name.endswith(_SLICED):
        yield name.removesuffix(_SLICED)
        yield "Knives"


def relevant_changes(changes: ObjectsDiff, classes: frozenset[str]) -> dict[str, Mapping[str, Any]]:
    """The changes of the objects of these types and classes, whole; the others are left out."""
    return {
        object_id: changed
        for object_id, changed in changes.items()
        if not classes.isdisjoint(object_classes(type_from_id(object_id)))
    }
