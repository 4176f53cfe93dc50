"""Which way things without an oriented box face, and what an opened door or drawer adds to its body.

AI2-THOR's moveable assets face +z of their own frame, and so do fridges. Cabinets and drawers built into a room have
no such frame. What a recording showed open decides first, of the thing itself or of what is built in right above or
below it (the two agree wherever both were seen); a cabinet's position lies on its hinge edge, which leaves two ways; a
drawer's lies on its front, if it lies on one side at all (so in all 8 that were seen open); of what remains, the way
with the most free room before it wins.

An `ObjectState` keeps the box of the closed body; openness says how far the moving part is out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import SINKS, TUBS, of_type

_FORWARD = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Floor-plane direction (x, z) of a front turned 0 to 3 quarters clockwise from +z."""
_SMALLEST_TRAVEL = 0.08
_CLEARANCE = 0.45
_PAIR_WIDTH = 0.55
_PAIR_TRAVEL = 0.6
_WIDE_FRIDGE = 0.95
_HINGE = 0.8
_EXACT = 0.985
_OUTSIDE = 1.15
"""A position further out, as a share of half a side, says nothing of the box."""
_OWN_FRAME = frozenset("ArmChair Chair Desk Fridge Sofa Television Toilet".split())
"""Types whose own yaw says which way they face even when they have no oriented box."""
_BUILT_IN = frozenset(("Cabinet", "Drawer", "Dresser", "Safe", "Shelf", "ShelvingUnit"))
"""Types whose front is looked for: everything else looks the same from its sides, or says how it stands."""
_FLAT = frozenset(
    "Blinds Curtains HandTowelHolder LightSwitch Mirror Painting Poster ScreenFrame ShowerCurtain ShowerDoor "
    "ShowerGlass ToiletPaperHanger TowelHolder Window".split()
)
"""Types that hang flat on a wall: their thin side is their back, the room their front."""
_ANCHORED = frozenset(("Faucet", "ShowerHead", "StoveKnob"))
"""Types that show their front to, or away from, the nearest of certain others."""
_IN_THE_WAY = frozenset(
    "Cabinet Drawer Fridge CounterTop Shelf Dresser Bed Bathtub Toilet Sofa Microwave Window Desk TVStand".split()
)

_STACKED = frozenset(("Cabinet", "Drawer"))
_APART, _WIDER = 0.06, 0.1
"""By how much middles and sides of what is stacked may differ, metres."""

_FOUND: dict[tuple[str, str, Box], int] = {}
"""Fronts found by looking for free room; kept, because what is built in never moves between sessions of a room."""
_MOST_FOUND = 32768


class Fronts:
    """The fronts of one room's objects, as quarter turns from +z."""

    def __init__(self, state: SimulatorState) -> None:
        self._room = state.room
        self._objects = tuple(state.objects.values())

    @cached_property
    def _solid(self) -> list[ObjectState]:
        return [o for o in of_type(self._objects, *_IN_THE_WAY) if o.exists]

    @cached_property
    def _spans(self) -> list[tuple[Vec3, Vec3]]:
        """The lowest and highest corner of each solid thing."""
        return [(o.box.low, o.box.high) for o in self._solid]

    @cached_property
    def _floor(self) -> Box | None:
        return next((o.box for o in of_type(self._objects, "Floor")), None)

    @cached_property
    def _anchors(self) -> Mapping[str, Sequence[ObjectState]]:
        return {
            "Faucet": of_type(self._objects, *SINKS, *TUBS),
            "ShowerHead": of_type(self._objects, "Floor"),
            "StoveKnob": of_type(self._objects, "StoveBurner"),
        }

    def turns(self, obj: ObjectState) -> int:
        """How many quarter turns clockwise from +z the object's front is."""
        known = self._recorded(obj)
        if known is None:
            known = self._toward(obj)
        if known is not None:
            return known
        if obj.object_type in _OWN_FRAME:
            return round(obj.rotation.y / 90) % 4
        if obj.object_type not in _BUILT_IN:
            return 0
        holder = self._holder(obj)
        if holder is not None:
            return round(holder.rotation.y / 90) % 4
        key = (self._room, obj.object_id, obj.box)
        if key not in _FOUND:
            if len(_FOUND) >= _MOST_FOUND:
                _FOUND.clear()
            stacked = self._stacked(obj)
            if stacked is None:
                stacked = max(self._candidates(obj), key=lambda turns: self._room_before(obj, turns))
            _FOUND[key] = stacked
        return _FOUND[key]

    def hinge(self, obj: ObjectState, turns: int) -> int:
        """Where a door facing `turns` hangs: -1 at local -x, 1 at local +x, 0 for a pair of doors."""
        if obj.object_type == "Microwave":
            return 1
        if obj.object_type not in ("Cabinet", "Fridge", "Safe"):
            return 0
        across = _FORWARD[(turns + 1) % 4]
        size = obj.box.size.x if across[0] else obj.box.size.z
        opened = tables.open_box(self._room, obj.object_id)
        if opened is not None:
            ahead = _travel(obj.box, opened, turns)
            if size > _PAIR_WIDTH and _SMALLEST_TRAVEL < ahead < _PAIR_TRAVEL * size:
                return 0
        if obj.object_type == "Cabinet":
            offset = (obj.position.x - obj.box.center.x) * across[0] + (obj.position.z - obj.box.center.z) * across[1]
            return 0 if abs(offset) < _HINGE * size / 2 else (1 if offset > 0 else -1)
        if opened is None:
            return 0 if size > _WIDE_FRIDGE else 1
        return 1 if _travel(obj.box, opened, turns + 1) >= _travel(obj.box, opened, turns + 3) else -1

    def _toward(self, obj: ObjectState) -> int | None:
        """Of what hangs or stands at something: away from the wall, toward the basin, away from the stove."""
        x, _, z = obj.box.center
        if obj.object_type in _FLAT:
            across_x = obj.box.size.x < obj.box.size.z
            middle = self._floor.center if self._floor else obj.box.center
            if across_x:
                return 1 if middle.x > x else 3
            return 0 if middle.z > z else 2
        if obj.object_type not in _ANCHORED:
            return None
        anchors = self._anchors[obj.object_type]
        if not anchors:
            return None
        near = min(anchors, key=lambda a: (a.box.center.x - x) ** 2 + (a.box.center.z - z) ** 2)
        dx, dz = near.box.center.x - x, near.box.center.z - z
        if obj.object_type == "StoveKnob":
            dx, dz = -dx, -dz
        return max(range(4), key=lambda turns: dx * _FORWARD[turns][0] + dz * _FORWARD[turns][1])

    def _recorded(self, obj: ObjectState) -> int | None:
        """The way in which a recorded opened box sticks out of the closed one."""
        opened = tables.open_box(self._room, obj.object_id)
        if opened is None:
            return None
        best = max(range(4), key=lambda turns: _travel(obj.box, opened, turns))
        return best if _travel(obj.box, opened, best) > _SMALLEST_TRAVEL else None

    def _stacked(self, obj: ObjectState) -> int | None:
        """The recorded way of a cabinet or drawer with the same outline on the map."""
        if obj.object_type not in _STACKED:
            return None
        alike = [o for o in self._solid if o.object_type in _STACKED and o is not obj and _same_outline(obj.box, o.box)]
        known = [way for o in alike if (way := self._recorded(o)) is not None]
        return max(known, key=known.count, default=None)

    def _holder(self, obj: ObjectState) -> ObjectState | None:
        """The moveable piece of furniture that a drawer or shelf is built into."""
        holders = (o for o in self._solid if o.corners is not None and _inside(obj.box.center, o.box))
        return next(holders, None)

    def _candidates(self, obj: ObjectState) -> Iterable[int]:
        """The ways a door can face: not along its hinge edge; a drawer faces where its position lies on one side."""
        middle, size = obj.box.center, obj.box.size
        x = (obj.position.x - middle.x) / max(size.x / 2, 1e-6)
        z = (obj.position.z - middle.z) / max(size.z / 2, 1e-6)
        if obj.object_type == "Drawer" and _HINGE < max(abs(x), abs(z)) < _OUTSIDE and min(abs(x), abs(z)) < _HINGE:
            return [(1 if x > 0 else 3) if abs(x) > abs(z) else (0 if z > 0 else 2)]
        if obj.object_type != "Cabinet":
            return range(4)
        return [
            way if ahead > 0 else way + 2
            for way, ahead, aside in ((0, z, abs(x)), (1, x, abs(z)))
            if abs(ahead) > _HINGE and not (abs(ahead) > _EXACT and _HINGE < aside < _EXACT)
        ] or range(4)

    def _room_before(self, obj: ObjectState, turns: int) -> float:
        """How much of the space before a front is free, minus how near that front is to the edge of the floor."""
        dx, dz = _FORWARD[turns]
        (cx, cy, cz), (w, h, d) = obj.box.center, obj.box.size
        reach = (w if dx else d) / 2
        probe = Box(
            Vec3(cx + dx * (reach + _CLEARANCE / 2), cy, cz + dz * (reach + _CLEARANCE / 2)),
            Vec3(_CLEARANCE if dx else w * 0.8, h * 0.8, d * 0.8 if dx else _CLEARANCE),
        )
        volume = math.prod(probe.size)
        (x0, y0, z0), (x1, y1, z1) = probe.low, probe.high
        taken = 0.0
        for other, ((a0, b0, c0), (a1, b1, c1)) in zip(self._solid, self._spans, strict=True):
            if x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1 and z0 < c1 and c0 < z1 and other.object_id != obj.object_id:
                taken += _overlap(x0, x1, a0, a1) * _overlap(y0, y1, b0, b1) * _overlap(z0, z1, c0, c1)
        return -taken / max(volume, 1e-9) - self._outside(probe)

    def _outside(self, probe: Box) -> float:
        """How much of the probe lies off the floor, plus a little for being near its edge."""
        if self._floor is None:
            return 0.0
        low, high = self._floor.low, self._floor.high
        inside = _overlap(probe.low.x, probe.high.x, low.x, high.x) * _overlap(probe.low.z, probe.high.z, low.z, high.z)
        area = max(probe.size.x * probe.size.z, 1e-9)
        edge = min(probe.center.x - low.x, high.x - probe.center.x, probe.center.z - low.z, high.z - probe.center.z)
        return 2.0 * (1.0 - inside / area) - 0.3 * min(max(edge, 0.0), 2.0)


def _travel(body: Box, opened: Box, turns: int) -> float:
    """How far the opened box sticks out of the closed one toward `turns`."""
    dx, dz = _FORWARD[turns % 4]
    axis = 0 if dx else 2
    return opened.high[axis] - body.high[axis] if dx + dz > 0 else body.low[axis] - opened.low[axis]


def _overlap(a: float, b: float, c: float, d: float) -> float:
    return max(0.0, min(b, d) - max(a, c))


def _inside(point: Vec3, box: Box) -> bool:
    return all(low <= value <= high for low, value, high in zip(box.low, point, box.high, strict=True))


def _same_outline(one: Box, other: Box) -> bool:
    """Whether two boxes cover about the same part of the floor."""
    return all(
        abs(one.center[axis] - other.center[axis]) < _APART and abs(one.size[axis] - other.size[axis]) < _WIDER
        for axis in (0, 2)
    )


_THICKNESS = 0.04
_DRAWER_TRAVEL = 0.8
"""Share of its depth that a drawer comes out: the recorded median."""
_HINGED = frozenset(("Cabinet", "Fridge", "Microwave", "Safe"))
_SWINGING = frozenset(("Cabinet", "Fridge"))
"""What people were refused to open while the door would have ended in their body; of the others too few were."""
_BODY_RADIUS = 0.2
"""Radius in metres of AI2-THOR's body. In 250 train sessions a door came closer than this in 32 of 38 refused
openings of cabinets and fridges, and in 5 of 224 that went well."""


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
    opened = tables.open_box(room, obj.object_id) if obj.is_open and obj.object_type == "Drawer" else None
    if opened is None:
        return Vec3(0.0, 0.0, 0.0)
    turns = max((3, 1, 2, 0), key=lambda way: _travel(obj.box, opened, way))
    out = max(_travel(obj.box, opened, turns), 0.0) * obj.openness
    dx, dz = _FORWARD[turns]
    return Vec3(dx * out, 0.0, dz * out)
