"""Changes to the world that nobody asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from teach_agents.benchmarks.requests.moments import Moment
from teach_agents.simulator.contract import ObjectState
from teach_agents.tasks.state_diff import base_id


def unneeded(before: Moment, after: Moment, allowed: Collection[str]) -> Iterator[str]:
    """What changed between two moments though it was not `allowed` to, in words.

    A thing has changed that is elsewhere (in something else, in the hand), open, on, filled, cooked, dirty, cut, broken
    or used up where it was not, or the other way round. Pieces go by what they were cut from, burners and knobs by each
    other; what lies in something that was carried along has not changed.
    """
    known = [one for one in allowed if one in after.objects]
    controlled = {other for one in known for other in (*after.objects[one].kind.controls, *after.controls_of(one))}
    for object_id, now in after.objects.items():
        if object_id in allowed or object_id in controlled or base_id(object_id) in allowed:
            continue
        was = before.objects.get(object_id)
        if was is None:
            yield f"{object_id} came about"
        elif was is not now:
            yield from (f"{object_id} {name}" for name in _differences(was, now))


def _differences(was: ObjectState, now: ObjectState) -> Iterator[str]:
    if (was.is_picked_up, was.parents[:1]) != (now.is_picked_up, now.parents[:1]):
        yield "is elsewhere"
    for name in ("is_open", "is_toggled", "is_filled", "is_cooked", "is_dirty", "is_sliced", "is_broken", "is_used_up"):
        if getattr(was, name) != getattr(now, name):
            yield f"{name}: {getattr(now, name)}"
