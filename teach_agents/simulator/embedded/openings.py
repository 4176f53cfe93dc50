"""What an opened door or drawer adds to its body: panels that stand in the way and drawers that stick out.

An `ObjectState` keeps the box of the closed body; openness says how far the moving part is out.
"""

from __future__ import annotations

import math
from dataclasses import replace

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.geometry import box_of_span
from teach_agents.simulator.embedded.shapes.fronts import Fronts

_THICKNESS = 0.04
_DRAWER_TRAVEL = 0.8
"""Share of its depth that a drawer comes out: the recorded median."""
_FORWARD = ((0, 1), (1, 0), (0, -1), (-1, 0))
_HINGED = frozenset(("Cabinet", "Fridge", "Microwave", "Safe"))
_SWINGING = frozenset(("Cabinet", "Fridge"))
"""What people were refused to open while the door would have ended in their body; of the others too few were."""
_BODY_RADIUS = 0.2
"""Radius in metres of AI2-THOR's body. In 250 train sessions a door came closer than this in 32 of 38 refused
openings of cabinets and fridges, and in 5 of 224 that went well."""


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


def open_panels(fronts: Fronts, obj: ObjectState) -> tuple[Box, ...]:
    """What of an opened object stands out of its closed body: the drawer pulled out, or the panel of each door.

    Doors have swung by a right angle at full openness. Empty for anything closed, and for what opens inside its box.
    """
    if not obj.is_open or obj.object_type not in (*_HINGED, "Drawer"):
        return ()
    turns = fronts.turns(obj)
    (ahead_x, ahead_z), (across_x, across_z) = _FORWARD[turns], _FORWARD[(turns + 1) % 4]
    (x, y, z), (w, h, d) = obj.box.center, obj.box.size
    width, depth = (d, w) if ahead_x else (w, d)
    hinges: tuple[int, ...]
    if obj.object_type == "Drawer":
        hinges, panel, length = (0,), width, _DRAWER_TRAVEL * depth * obj.openness
    else:
        hinge = fronts.hinge(obj, turns)
        hinges = (hinge,) if hinge else (-1, 1)
        panel, length = _THICKNESS, width / len(hinges) * obj.openness
    found = []
    for side in hinges:
        ahead, across = (depth + length) / 2, side * width / 2
        center = Vec3(x + ahead * ahead_x + across * across_x, y, z + ahead * ahead_z + across * across_z)
        found.append(Box(center, Vec3(length if ahead_x else panel, h, panel if ahead_x else length)))
    return tuple(found)


def door_meets_body(fronts: Fronts, obj: ObjectState, openness: float, body: Vec3) -> bool:
    """Whether a cabinet's or fridge's door, opened so far, would stand in a body at this position."""
    if obj.object_type not in _SWINGING:
        return False
    for panel in open_panels(fronts, replace(obj, openness=openness)):
        (x, _, z), (width, _, depth) = panel.center, panel.size
        if math.hypot(max(abs(body.x - x) - width / 2, 0.0), max(abs(body.z - z) - depth / 2, 0.0)) < _BODY_RADIUS:
            return True
    return False


def opened_shift(room: str, obj: ObjectState) -> Vec3:
    """How far an opened drawer was recorded to come out of its closed place, metres; zero for anything else.

    Placement searches a drawer as if it were closed; opening it moves its contents along (`handlers.drawers`).
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
