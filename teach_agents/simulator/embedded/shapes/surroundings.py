"""What a room decides about the looks of its objects: which way they face, what is cut out of them."""

from __future__ import annotations

import zlib

from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.counters import worktop_rectangles
from teach_agents.simulator.embedded.geometry import Rectangle
from teach_agents.simulator.embedded.shapes.fronts import Fronts
from teach_agents.simulator.embedded.shapes.look import Setting

__all__ = ["Surroundings"]


class Surroundings:
    """The settings of a room's objects, each worked out once: what they depend on never moves."""

    def __init__(self, state: SimulatorState) -> None:
        self._state_objects = dict(state.objects)
        self._room = state.room
        self._style = zlib.crc32(state.room.encode()) % 5
        self._fronts = Fronts(state)
        self._outlines = {
            obj.object_id: tuple(_relative(piece, obj) for piece in worktop_rectangles(state, obj))
            for obj in state.objects.values()
            if obj.object_type == "CounterTop"
        }
        self._known: dict[str, Setting] = {}

    def setting(self, obj: ObjectState) -> Setting:
        """How the room lets `obj` stand."""
        known = self._known.get(obj.object_id)
        if known is None:
            known = self._work_out(obj)
            self._known[obj.object_id] = known
        return known

    def _work_out(self, obj: ObjectState) -> Setting:
        turns = self._fronts.turns(obj) if obj.corners is None else 0
        return Setting(
            turns=turns,
            support=round(tables.support_height(self._room, obj), 3) if obj.kind.receptacle else 0.0,
            hinge=self._fronts.hinge(obj, turns) if obj.object_type == "Cabinet" else 1,
            outline=self._outlines.get(obj.object_id, ()),
            style=self._style,
            drawn=self._is_drawn(obj),
            drop=round(max(obj.box.low.y, 0.0), 1) if self._stands_alone(obj) else 0.0,
        )

    def _is_drawn(self, obj: ObjectState) -> bool:
        """A sink that holds things itself stands for its basin; otherwise the basin stands for the sink."""
        if obj.object_type == "Sink":
            return obj.kind.receptacle or f"{obj.object_id}|SinkBasin" not in self._state_objects
        if obj.object_type == "SinkBasin":
            sink = self._state_objects.get(obj.object_id.removesuffix("|SinkBasin"))
            return sink is None or not sink.kind.receptacle
        return True

    def _stands_alone(self, obj: ObjectState) -> bool:
        """Whether a sink is set into no counter."""
        if obj.object_type != "Sink":
            return False
        x, z = obj.box.center.x, obj.box.center.z
        return not any(
            abs(counter.box.center.x - x) < counter.box.size.x / 2
            and abs(counter.box.center.z - z) < counter.box.size.z / 2
            for counter in self._state_objects.values()
            if counter.object_type == "CounterTop"
        )


def _relative(piece: Rectangle, obj: ObjectState) -> Rectangle:
    """A floor-plane rectangle in the object's own frame, to the millimetre."""
    x, z = obj.box.center.x, obj.box.center.z
    return Rectangle(*(round(v, 3) for v in (piece.x0 - x, piece.z0 - z, piece.x1 - x, piece.z1 - z)))
