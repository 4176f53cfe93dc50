"""What a room decides about the looks of its objects: which way they face, what is cut out of them;
and the bodies that AI2-THOR has no objects for: what fills counters below, plinths under cabinets, the stove.

Those carry no object id. They stand only where no object stands, so that they hide nothing that can be clicked.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product

from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.counters import worktop_rectangles
from teach_agents.simulator.embedded.facts import SINKS, basins_by_tap, of_type
from teach_agents.simulator.embedded.geometry import Rectangle, around, rectangle_of
from teach_agents.simulator.embedded.shapes.fronts import Fronts
from teach_agents.simulator.embedded.shapes.look import Setting
from teach_agents.simulator.embedded.shapes.palette import BLACK, DARK, STEEL, WHITE
from teach_agents.simulator.embedded.shapes.parts import Material, Parts, block, box
from teach_agents.simulator.embedded.shapes.structure import front_of

_SLACK, _SOFT_SLACK = 0.03, 0.1
_SOFT = frozenset(("ArmChair", "Bed", "Chair", "DogBed", "Ottoman", "Sofa", "Stool", "Toilet"))
"""Types whose seat or lid is not as level as their boxes say."""
_BOARDED = frozenset(("CoffeeTable", "Desk", "SideTable", "TVStand"))
_HOSTED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_BOARDED, ("Shelf", "DiningTable")),
    "Dresser": ("Cabinet",),
    "Bed": ("Desk", "Dresser"),
}
"""Furniture drawn with boards below its surface, or solid, unless something of these types stands there or is built
into it; in what is `_BOARDED`, any loose thing."""
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
        self._counters = of_type(self._objects.values(), "CounterTop")
        self._sinks = of_type(self._objects.values(), *SINKS)
        self._outlines = {obj.object_id: self._outline(state, obj) for obj in self._counters}
        self._known: dict[str, Setting] = {}

    def setting(self, obj: ObjectState) -> Setting:
        """How the room lets `obj` stand."""
        known = self._known.get(obj.object_id)
        if known is None:
            known = self._known[obj.object_id] = self._work_out(obj)
        return known

    def worktops(self) -> Iterator[tuple[ObjectState, float, tuple[Rectangle, ...]]]:
        """Every counter with the height of its surface above the floor and its outline in world coordinates."""
        for obj in self._counters:
            height = obj.box.low.y + self.setting(obj).support
            x, _, z = obj.box.center
            pieces = (Rectangle(a + x, b + z, c + x, d + z) for a, b, c, d in self._outlines[obj.object_id])
            yield obj, height, tuple(pieces)

    @cached_property
    def _basins(self) -> Mapping[str, tuple[str, ...]]:
        return basins_by_tap(self._objects.values())

    def sinks_under(self, tap_id: str) -> tuple[ObjectState, ...]:
        """The sinks and basins that a tap fills, those that are drawn."""
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
            hosting=obj.object_type in _HOSTED and self._hosts(obj),
        )

    def _hosts(self, obj: ObjectState) -> bool:
        """Whether something that furniture may have below its surface is inside it, below its surface."""
        top = obj.box.low.y + self._support(obj) - _BELOW
        outline, hosted, loose = rectangle_of(obj.box), _HOSTED[obj.object_type], obj.object_type in _BOARDED
        return any(
            outline.holds(other.box.center)
            and obj.box.low.y < other.box.center.y < top
            and (other.object_type in hosted or (loose and other.kind.pickupable))
            for other in self._objects.values()
        )

    def _support(self, obj: ObjectState) -> float:
        """The learnt height, lowered a little where something lies deeper: thin things must not sink in."""
        height = tables.support_height(self._room, obj)
        slack = _SOFT_SLACK if obj.object_type in _SOFT else _SLACK
        bottoms = (
            self._objects[inner].box.low.y - obj.box.low.y
            for inner in obj.contents
            if inner in self._objects and self._objects[inner].kind.pickupable
        )
        return max(0.0, min((bottom for bottom in bottoms if height - slack < bottom < height), default=height))

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
        if obj.object_type not in SINKS:
            return 0.0
        return next(
            (
                max(counter.box.low.y + tables.support_height(self._room, counter) - obj.box.low.y, 0.02)
                for counter in self._counters
                if _meet(counter.box, obj.box)
            ),
            0.0,
        )


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap, to within 2 cm of height."""
    near = one.low.y < other.high.y + _TOUCH and other.low.y < one.high.y + _TOUCH
    return near and rectangle_of(one).meets(rectangle_of(other))


def _relative(piece: Rectangle, obj: ObjectState) -> Rectangle:
    """A floor-plane rectangle in the object's own frame, to the millimetre."""
    x, _, z = obj.box.center
    return Rectangle(*(round(v - middle, 3) for v, middle in zip(piece, (x, z, x, z), strict=True)))


_INSET = 0.03
_LOWEST_TOP = 0.3
_SLAB = 0.045
_SMALLEST = 0.03
_CLEAR = 0.01
_LEG = 0.06
_OVERHANG = 0.6
_FRONTED = ("Cabinet", "Drawer")
_LOW_CABINET = 0.3
_STOVE_MARGIN = 0.04
_STOVE_HEIGHTS = (0.5, 1.2)
_OVEN_SHARE = 0.62


def fittings(state: SimulatorState, surroundings: Surroundings) -> Parts:
    """All bodies of the room, in world coordinates."""
    standing = [obj for obj in state.objects.values() if obj.exists and not obj.kind.pickupable]
    body = front_of(surroundings.style).shade(0.7)
    for counter, top, pieces in surroundings.worktops():
        holes = [_kept_free(obj, surroundings) for obj in standing if _is_under(obj, counter, top)]
        cupboards = any(_is_under(obj, counter, top) for obj in standing if obj.object_type in _FRONTED)
        yield from _below(top, pieces, holes if cupboards else None, body)
    for obj in standing:
        if obj.object_type in _FRONTED and 0.02 < obj.box.low.y < _LOW_CABINET:
            yield from _plinth(obj, standing)
    yield from _stove(standing)


def _below(top: float, pieces: tuple[Rectangle, ...], holes: Iterable[Rectangle] | None, material: Material) -> Parts:
    """A filling between the cabinets under a counter; legs under one that has none (`holes` is `None`)."""
    if top < _LOWEST_TOP or not pieces:
        return
    if holes is None:
        yield from _legs(pieces, top)
        return
    free = tuple(piece.grown(-_INSET) for piece in pieces)
    for hole in holes:
        free = tuple(part for piece in free for part in piece.minus(hole))
    for piece in free:
        if min(piece.size) > _SMALLEST:
            yield block(piece, 0.0, top - _SLAB, material)


def _kept_free(obj: ObjectState, surroundings: Surroundings) -> Rectangle:
    """Where an object under a counter stands; before a front also the way to it, where a counter juts out."""
    hole = rectangle_of(obj.box).grown(_CLEAR)
    if obj.object_type not in _FRONTED:
        return hole
    turns = surroundings.setting(obj).turns
    ahead = [_OVERHANG if turns == way else 0.0 for way in range(4)]
    return Rectangle(hole.x0 - ahead[3], hole.z0 - ahead[2], hole.x1 + ahead[1], hole.z1 + ahead[0])


def _is_under(obj: ObjectState, counter: ObjectState, top: float) -> bool:
    """Whether something stands, at least partly, in the space under a counter."""
    if obj is counter or obj.object_type == "Floor" or obj.box.low.y > top - _SLAB:
        return False
    return rectangle_of(obj.box).meets(rectangle_of(counter.box))


def _legs(pieces: Iterable[Rectangle], top: float) -> Parts:
    x0, z0, x1, z1 = max(pieces, key=lambda piece: piece.area).grown(-_LEG)
    for x, z in product((x0, x1), (z0, z1)):
        yield box((x, (top - _SLAB) / 2, z), (_LEG, top - _SLAB), STEEL)


def _plinth(obj: ObjectState, standing: Iterable[ObjectState]) -> Parts:
    """A dark base under the lowest cabinet or drawer of a stack."""
    mine = rectangle_of(obj.box).grown(-_INSET)
    below = obj.box.low.y - _CLEAR
    if not any(
        other.box.low.y < below
        and other is not obj
        and other.object_type != "Floor"
        and mine.meets(rectangle_of(other.box))
        for other in standing
    ):
        yield block(mine, 0.0, below, DARK.shade(0.7))


def _stove(standing: Iterable[ObjectState]) -> Parts:
    """The range under a room's burners, with an oven door toward its knobs."""
    burners = [obj.box for obj in of_type(standing, "StoveBurner")]
    if not burners:
        return
    top = min(burner.low.y for burner in burners)
    area = around(map(rectangle_of, burners)).grown(_STOVE_MARGIN)
    if not _STOVE_HEIGHTS[0] < top < _STOVE_HEIGHTS[1]:
        return
    knobs = [obj.box for obj in of_type(standing, "StoveKnob")]
    axis, sign = _front(burners, knobs, top)
    area = _to_knobs(area, knobs, axis, sign)
    if any(obj.box.low.y < top and area.meets(rectangle_of(obj.box)) for obj in of_type(standing, *_FRONTED)):
        yield block(area, top - 0.03, 0.028, BLACK)
        return
    yield block(area, 0.04, top - 0.042, WHITE.shade(0.9))
    yield block(area, top - 0.012, 0.013, DARK)
    yield from _oven(area, top, axis, sign)


def _front(burners: list[Box], knobs: list[Box], top: float) -> tuple[int, int]:
    """Axis (0 x, 1 z) and sign of the way a stove faces: toward knobs below the burners, away from higher ones."""
    if not knobs:
        return 1, 1
    count, stove = len(knobs), len(burners)
    dx, dz = (sum(k.center[i] for k in knobs) / count - sum(b.center[i] for b in burners) / stove for i in (0, 2))
    turn = 1 if sum(k.center.y for k in knobs) / count < top + 0.05 else -1
    axis, ahead = (0, dx) if abs(dx) > abs(dz) else (1, dz)
    return axis, turn if ahead > 0 else -turn


def _to_knobs(area: Rectangle, knobs: list[Box], axis: int, sign: int) -> Rectangle:
    """The stove's outline with its front just behind the knobs that stick out of it."""
    edges, which = [*area], axis + (2 if sign > 0 else 0)
    for knob in knobs:
        near = (knob.low if sign > 0 else knob.high)[2 * axis]
        if 0.0 < (near - edges[which]) * sign < 0.25:
            edges[which] = near
    return Rectangle(*edges)


def _oven(area: Rectangle, top: float, axis: int, sign: int) -> Parts:
    aside, wide, front = area.middle[1 - axis], area.size[1 - axis], area[axis + (2 if sign > 0 else 0)]
    middle = top * 0.44
    for ahead, y, width, height, material in (
        (0.002, middle, wide * 0.9, top * _OVEN_SHARE, DARK),
        (0.008, middle, wide * 0.62, top * 0.32, BLACK),
        (0.028, middle + top * 0.27, wide * 0.8, 0.02, STEEL),
    ):
        panel = box((aside, y, front + sign * ahead), (width, height, 0.012), material)
        yield panel if axis else panel.crossed()
