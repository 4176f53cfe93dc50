"""What a room decides about the looks of its objects: which way they face, what is cut out of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.counters import worktop_rectangles
from teach_agents.simulator.embedded.facts import SINKS
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.plumbing import basins_by_tap
from teach_agents.simulator.embedded.shapes.fronts import Fronts
from teach_agents.simulator.embedded.shapes.look import Setting

_SLACK, _SOFT_SLACK = 0.03, 0.1
_SOFT = frozenset(("ArmChair", "Bed", "Chair", "DogBed", "Ottoman", "Sofa", "Stool", "Toilet"))
"""Types whose seat or lid is not as level as their boxes say."""
_BOARDED = frozenset(("CoffeeTable", "Desk", "SideTable", "TVStand"))
"""Furniture drawn with boards below its surface, unless something stands there."""
_CHESTS = frozenset(("Dresser",))
"""Furniture drawn solid, unless cabinets are built into it."""
_BELOW = 0.03
_TOUCH = 0.02
_INSTEAD = frozenset("Bed CoffeeTable Desk DiningTable Dresser Fridge ShelvingUnit SideTable Sofa TVStand".split())
"""Furniture that shows that a counter's bounding box is not all counter."""


class Surroundings:
    """The settings of a room's objects, each worked out once: what they depend on never moves.

    `style` is a number that picks what is alike in the whole room.
    """

    def __init__(self, state: SimulatorState) -> None:
        self._objects = dict(state.objects)
        self._room = state.room
        self.style = zlib.crc32(state.room.encode())
        self._fronts = Fronts(state)
        self._counters = [obj for obj in self._objects.values() if obj.object_type == "CounterTop"]
        self._sinks = [obj for obj in self._objects.values() if obj.object_type in ("Sink", "SinkBasin")]
        self._outlines = {obj.object_id: self._outline(state, obj) for obj in self._counters}
        self._known: dict[str, Setting] = {}
        self._basins: dict[str, tuple[str, ...]] | None = None

    def setting(self, obj: ObjectState) -> Setting:
        """How the room lets `obj` stand."""
        known = self._known.get(obj.object_id)
        if known is None:
            known = self._work_out(obj)
            self._known[obj.object_id] = known
        return known

    def worktops(self) -> Iterator[tuple[ObjectState, float, tuple[Rectangle, ...]]]:
        """Every counter with the height of its surface above the floor and its outline in world coordinates."""
        for obj in self._counters:
            height = obj.box.low.y + self.setting(obj).support
            x, z = obj.box.center.x, obj.box.center.z
            pieces = (Rectangle(a + x, b + z, c + x, d + z) for a, b, c, d in self._outlines[obj.object_id])
            yield obj, height, tuple(pieces)

    def sinks_under(self, tap_id: str) -> tuple[ObjectState, ...]:
        """The sinks and basins that a tap fills, those that are drawn."""
        if self._basins is None:
            self._basins = basins_by_tap(self._objects.values())
        under = (self._objects[name] for name in self._basins.get(tap_id, ()))
        return tuple(obj for obj in under if obj.object_type in SINKS and self._is_drawn(obj))

    def _work_out(self, obj: ObjectState) -> Setting:
        turns = self._fronts.turns(obj) if obj.corners is None else 0
        return Setting(
            turns=turns,
            support=round(self._support(obj), 3) if obj.kind.receptacle else -1.0,
            hinge=self._fronts.hinge(obj, turns),
            outline=self._outlines.get(obj.object_id, ()),
            style=self.style,
            drawn=self._is_drawn(obj),
            cap=round(self._cap(obj), 3),
            shallow=obj.object_type == "Cabinet" and any(_meet(obj.box, sink.box) for sink in self._sinks),
            hosting=obj.object_type in _BOARDED | _CHESTS and self._hosts(obj),
        )

    def _hosts(self, obj: ObjectState) -> bool:
        """Whether shelves, other surfaces or loose things, in a chest cabinets, are inside furniture, below its
        surface."""
        top = obj.box.low.y + self._support(obj) - _BELOW
        outline = rectangle_of(obj.box)
        for other in self._objects.values():
            if obj.object_type in _CHESTS:
                inside = other.object_type == "Cabinet"
            else:
                inside = other.kind.pickupable or other.object_type in ("Shelf", "DiningTable")
            x, y, z = other.box.center
            if inside and outline.x0 < x < outline.x1 and outline.z0 < z < outline.z1 and obj.box.low.y < y < top:
                return True
        return False

    def _support(self, obj: ObjectState) -> float:
        """The learnt height, lowered a little where something lies deeper: thin things must not sink in."""
        height = tables.support_height(self._room, obj)
        slack = _SOFT_SLACK if obj.object_type in _SOFT else _SLACK
        bottoms = (
            self._objects[inner].box.low.y - obj.box.low.y
            for inner in obj.contents
            if inner in self._objects and self._objects[inner].kind.pickupable
        )
        return max(0.0, min([height, *(bottom for bottom in bottoms if height - slack < bottom < height)]))

    def _outline(self, state: SimulatorState, counter: ObjectState) -> tuple[Rectangle, ...]:
        """The counter's rectangles in its own frame, without what stands there instead of it."""
        pieces = worktop_rectangles(state, counter)
        for obj in self._objects.values():
            if obj.object_type in _INSTEAD and _meet(obj.box, counter.box):
                pieces = tuple(part for piece in pieces for part in piece.minus(rectangle_of(obj.box)))
        return tuple(_relative(piece, counter) for piece in pieces)

    def _is_drawn(self, obj: ObjectState) -> bool:
        """A sink that holds things itself stands for its basin; otherwise the basin stands for the sink."""
        if obj.object_type == "Sink":
            return obj.kind.receptacle or f"{obj.object_id}|SinkBasin" not in self._objects
        if obj.object_type == "SinkBasin":
            sink = self._objects.get(obj.object_id.removesuffix("|SinkBasin"))
            return sink is None or not sink.kind.receptacle
        return True

    def _cap(self, obj: ObjectState) -> float:
        """How high above its bottom a sink's counter lies; 0 for what is set into none."""
        if obj.object_type not in ("Sink", "SinkBasin"):
            return 0.0
        counter = next((c for c in self._counters if _meet(c.box, obj.box)), None)
        if counter is None:
            return 0.0
        return max(counter.box.low.y + tables.support_height(self._room, counter) - obj.box.low.y, 0.02)


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap, to within 2 cm of height."""
    low, high, other_low, other_high = one.low, one.high, other.low, other.high
    return (
        low.x < other_high.x
        and other_low.x < high.x
        and low.z < other_high.z
        and other_low.z < high.z
        and low.y < other_high.y + _TOUCH
        and other_low.y < high.y + _TOUCH
    )


def _relative(piece: Rectangle, obj: ObjectState) -> Rectangle:
    """A floor-plane rectangle in the object's own frame, to the millimetre."""
    x, z = obj.box.center.x, obj.box.center.z
    return Rectangle(*(round(v, 3) for v in (piece.x0 - x, piece.z0 - z, piece.x1 - x, piece.z1 - z)))
