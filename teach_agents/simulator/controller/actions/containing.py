"""Which receptacles hold a thing that was put somewhere by its coordinates (AI2-THOR specification 4.2).

AI2-THOR asks which trigger boxes a thing overlaps. Here a thing belongs to what it stands on or in by the height of
its pivot: on a surface it is within a hand's breadth of the learnt height, in an enclosure it is inside the box.
"""

from __future__ import annotations

from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import DOORED, ONE_PLACE, SINKS
from teach_agents.simulator.embedded.world import nearest_first

_ABOVE = 0.06
_RIM = 0.03
_VESSEL = 0.02


def parents_at(state: SimulatorState, obj: ObjectState) -> tuple[str, ...]:
    """The ids of the receptacles that hold `obj` where it is, nearest first; none for what is held or gone."""
    if obj.is_picked_up or not obj.exists:
        return ()
    holders = [other for other in state.objects.values() if _holds(state.room, other, obj)]
    if any(holder.object_type in SINKS for holder in holders):
        holders = [holder for holder in holders if holder.object_type != "CounterTop"]
    return nearest_first(holders)


def _holds(room: str, holder: ObjectState, obj: ObjectState) -> bool:
    if not holder.kind.receptacle or not holder.exists or holder.object_id == obj.object_id or holder.is_picked_up:
        return False
    if holder.object_type in ONE_PLACE and obj.object_type not in ONE_PLACE[holder.object_type]:
        return False
    if not _over(holder, obj, _ABOVE if holder.object_type in ONE_PLACE else 0.0):
        return False
    low, high = holder.box.low.y, holder.box.high.y
    bottom = obj.box.low.y
    if holder.object_type in DOORED:
        return low - _RIM <= bottom and obj.box.center.y <= high
    if holder.kind.pickupable:
        return low - _VESSEL <= bottom <= high + _VESSEL and obj.box.size.y < 3 * holder.box.size.y + 1.0
    if holder.object_type in ONE_PLACE:
        return low - _ABOVE <= obj.box.center.y <= high + _ABOVE + obj.box.size.y / 2
    levels = (high, *(low + height for height in tables.support_levels(room, holder)))
    return any(abs(bottom - level) <= _ABOVE for level in levels)


def _over(holder: ObjectState, obj: ObjectState, margin: float) -> bool:
    """Whether the middle of a thing lies within a receptacle's outline, widened by a margin, seen from above."""
    x, _, z = obj.box.center
    low, high = holder.box.low, holder.box.high
    return low.x - margin <= x <= high.x + margin and low.z - margin <= z <= high.z + margin
