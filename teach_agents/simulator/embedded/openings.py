"""What an opened door or drawer adds to its body: panels that stand in the way and drawers that stick out.

An `ObjectState` keeps the box of the closed body; openness says how far the moving part is out.
"""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.geometry import box_of_span

__all__ = ["open_panels", "opened_extent", "opened_shift"]

_THICKNESS = 0.04
_SMALLEST_TRAVEL = 0.08
_HINGED = frozenset(("Cabinet", "Fridge", "Microwave", "Safe"))


def opened_extent(room: str, obj: ObjectState) -> Box:
    """The axis-aligned box of an object with its door or drawer fully out, as recorded; its own box if never seen."""
    learnt = tables.open_box(room, obj.object_id)
    if learnt is None:
        return obj.box
    low, high, other_low, other_high = obj.box.low, obj.box.high, learnt.low, learnt.high
    return box_of_span(
        Vec3(min(low.x, other_low.x), min(low.y, other_low.y), min(low.z, other_low.z)),
        Vec3(max(high.x, other_high.x), max(high.y, other_high.y), max(high.z, other_high.z)),
    )


def open_panels(room: str, obj: ObjectState) -> tuple[Box, ...]:
    """The parts of an opened object outside its closed body: the drawer pulled out, or the door's panel.

    Doors stand at the side where the object's position lies, which for cabinets is the hinge. Empty for anything
    closed, and where no recording shows which way it opens.
    """
    if not obj.is_open or obj.object_type not in (*_HINGED, "Drawer"):
        return ()
    extent = opened_extent(room, obj)
    axis, sign, travel = _main_direction(obj.box, extent)
    if travel < _SMALLEST_TRAVEL:
        return ()
    low, high = list(obj.box.low), list(obj.box.high)
    front = high[axis] if sign > 0 else low[axis]
    low[axis], high[axis] = sorted((front, front + sign * travel * obj.openness))
    if obj.object_type in _HINGED:
        across = 2 - axis
        middle = obj.box.center[across]
        hinge = obj.box.high[across] if obj.position[across] > middle else obj.box.low[across]
        low[across], high[across] = hinge - _THICKNESS / 2, hinge + _THICKNESS / 2
    return (box_of_span(Vec3(*low), Vec3(*high)),)


def opened_shift(room: str, obj: ObjectState) -> Vec3:
    """How far an opened drawer, and all in it, is out of its closed place, metres; zero for anything else.

    States keep a drawer's contents where they are when it is closed; whoever looks or clicks adds this.
    """
    if not obj.is_open or obj.object_type != "Drawer":
        return Vec3(0.0, 0.0, 0.0)
    axis, sign, travel = _main_direction(obj.box, opened_extent(room, obj))
    out = sign * travel * obj.openness
    return Vec3(out, 0.0, 0.0) if axis == 0 else Vec3(0.0, 0.0, out)


def _main_direction(body: Box, extent: Box) -> tuple[int, int, float]:
    """Axis (0 x, 2 z), sign and length of the largest excess of `extent` over `body` on the floor plane."""
    options = [
        (0, -1, body.low.x - extent.low.x),
        (0, 1, extent.high.x - body.high.x),
        (2, -1, body.low.z - extent.low.z),
        (2, 1, extent.high.z - body.high.z),
    ]
    return max(options, key=lambda option: option[2])
