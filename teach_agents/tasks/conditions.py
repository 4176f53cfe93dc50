"""Whether an object's property is as wanted (TEACh specification 3.3), one test per condition.

Hardened where the reference fails: a receptacle that is missing from the state, or that has no class list, does
not match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teach_agents.tasks.classes import BASIN_TWINS
from teach_agents.tasks.definitions import Scalar
from teach_agents.tasks.scan import Objects, Scan, StateObject

Test = Callable[[Objects, Scan], list[bool]]
"""Whether one condition holds, for each of some objects."""

_MISSING = object()


def matching_types(wanted: Scalar) -> tuple[Scalar, ...]:
    """The types that count as the wanted one: itself, and the basin twin of a sink or bathtub."""
    twin = BASIN_TWINS.get(wanted) if isinstance(wanted, str) else None
    return (wanted,) if twin is None else (wanted, twin)


def condition_test(name: str, wanted: Scalar) -> Test:
    """The test that property `name` is as wanted."""
    if name == "objectType":
        return _type_test(wanted)
    if name == "simbotLastParentReceptacle" and wanted is not None:
        return _last_parent_test(wanted)
    if name == "parentReceptacles":
        return _ancestor_test(wanted)
    if isinstance(wanted, int) and not isinstance(wanted, bool) and wanted in (0, 1):
        return _truth_test(name, bool(wanted))
    return _value_test(name, wanted)


def _type_test(wanted: Scalar) -> Test:
    types = matching_types(wanted)
    return lambda objects, _: [obj.get("objectType", _MISSING) in types for obj in objects]


def _is_a(obj: StateObject | None, wanted: Scalar) -> bool:
    """Whether a receptacle is of the wanted type or class."""
    if obj is None:
        return False
    return obj.get("objectType") in matching_types(wanted) or wanted in (obj.get("simbotObjectClass") or ())


def _last_parent_test(wanted: Scalar) -> Test:
    def stands(obj: StateObject, scan: Scan) -> bool:
        last = obj.get("simbotLastParentReceptacle")
        return last is not None and _is_a(scan.by_id(last), wanted)

    return lambda objects, scan: [stands(obj, scan) for obj in objects]


def _ancestor_test(wanted: Scalar) -> Test:
    def stands(obj: StateObject, scan: Scan) -> bool:
        if "parentReceptacles" not in obj:
            return False
        return any(_is_a(scan.by_id(parent), wanted) for parent in scan.ancestors(obj))

    return lambda objects, scan: [stands(obj, scan) for obj in objects]


def _truth_test(name: str, wanted: bool) -> Test:
    return lambda objects, _: [bool(obj.get(name, not wanted)) is wanted for obj in objects]


def _value_test(name: str, wanted: Scalar) -> Test:
    def matches(value: Any) -> bool:
        return wanted in value if isinstance(value, (list, tuple)) else bool(value == wanted)

    return lambda objects, _: [matches(obj.get(name, _MISSING)) for obj in objects]
