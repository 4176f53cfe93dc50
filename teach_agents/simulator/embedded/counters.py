"""The true outline of counters, L and U shapes recovered from their bounding boxes with the sinks cut out; and the
trigger boxes over receptacles, seen from above, with the points that AI2-THOR tries in them.

AI2-THOR gives one axis-aligned box per CounterTop, which for a counter round a corner covers the floor in front of
it. Whatever stands under, in or on the counter shows where it really is; the largest empty rectangles at the box's
edges are floor. (Fidelity notes, section 1: this lifts the share of human steps that a map allows from 65 to 95 %.)

AI2-THOR lays a grid of eight by eight cells over every trigger box and puts the pivot of what is placed over one of
its crossings, with all corners of the box above that same trigger box (specification 2.6). In TEACh's sessions the
pivots lie on such grids to a millimetre, so `scripts/standing_zones.py` recovers the trigger boxes of what people used.
Of other receptacles, the zone of those that are flat is their outline; the rest have none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np

from teach_agents.arrays import BoolArray, IntArray
from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import SINKS, of_type
from teach_agents.simulator.embedded.geometry import Outline, Rectangle, footprint_of, outline_of, rectangle_of

_CELL = 0.05
_STEP = 2
_SMALLEST_COUNTER = 1.2
"""A counter round a corner is as deep as a leg and room for a body beside it: of the boxes of 0.95 to 1.2 m in recorded
rooms nobody walked into one."""
_LEG = 0.55
_SMALLEST_HOLE = 0.4
_SMALLEST_AREA = 0.25
_ROUNDS = 3
_WIDE_SINK = 1.5
_ISLAND = 0.6
"""A counter in another's box is an island if it covers at most this share of it."""
_ON_ISLAND = 0.15
"""How far what belongs to an island may stick out of its box, metres."""

SUPPORTING_BODIES = frozenset(
    "Cabinet Drawer Sink SinkBasin StoveBurner StoveKnob Fridge Microwave Toaster CoffeeMachine Faucet Shelf".split()
)
NO_SUPPORT = frozenset(
    "Floor Window CounterTop Curtains Blinds LightSwitch Painting Mirror Chair Stool DiningTable".split()
)

_Outlines = dict[tuple[str, str], tuple[ObjectState, tuple[Rectangle, ...]]]
_CACHE: _Outlines = {}
_WORKTOPS: _Outlines = {}
_CACHE_LIMIT = 2048


def counter_rectangles(state: SimulatorState, counter: ObjectState) -> tuple[Rectangle, ...]:
    """The counter's outline as disjoint rectangles, sinks not cut out.

    Learnt outlines win; a counter without one is carved by what stands there when it is first seen, and keeps that
    outline (an outline must not follow the crockery).
    """
    learnt = tables.counter_outline(state.room, counter.object_id)
    if learnt:
        return learnt

    def carve() -> tuple[Rectangle, ...]:
        return carved(rectangle_of(counter.box), supports_of(state.objects.values(), counter.object_id))

    return _remembered(_CACHE, state, counter, carve)


def worktop_rectangles(state: SimulatorState, counter: ObjectState) -> tuple[Rectangle, ...]:
    """The counter's surface: its outline without the sink basins set into it."""

    def cut() -> tuple[Rectangle, ...]:
        pieces = counter_rectangles(state, counter)
        for sink in of_type(state.objects.values(), *SINKS):
            if _is_hole(state, sink, counter):
                pieces = tuple(part for piece in pieces for part in piece.minus(rectangle_of(sink.box)))
        return pieces

    return _remembered(_WORKTOPS, state, counter, cut)


def _remembered(
    cache: _Outlines, state: SimulatorState, counter: ObjectState, work_out: Callable[[], tuple[Rectangle, ...]]
) -> tuple[Rectangle, ...]:
    """An outline as it was when the counter was first seen where it is."""
    key = (state.room, counter.object_id)
    known = cache.get(key)
    if known is None or known[0].box != counter.box:
        if len(cache) >= _CACHE_LIMIT:
            cache.clear()
        known = cache[key] = counter, work_out()
    return known[1]


def _is_hole(state: SimulatorState, sink: ObjectState, counter: ObjectState) -> bool:
    """The basin is the hole; a sink if it holds things itself or has no basin. Sinks on pillars elsewhere cut none."""
    if sink.box.size.x > _WIDE_SINK or sink.box.low.y > counter.box.high.y + 0.1:
        return False
    if sink.object_type == "SinkBasin" or sink.kind.receptacle:
        return True
    return f"{sink.object_id}|SinkBasin" not in state.objects


def supports_of(objects: Collection[ObjectState], counter_id: str) -> tuple[Rectangle, ...]:
    """What proves that the counter is there: built-in bodies, and whatever rests on it.

    What belongs to another counter that stands free in the counter's box, as an island before a counter round three
    walls does, proves nothing.
    """
    outline = next((rectangle_of(obj.box) for obj in objects if obj.object_id == counter_id), None)
    found = (
        rectangle_of(obj.box)
        for obj in objects
        if obj.object_type not in NO_SUPPORT and (obj.object_type in SUPPORTING_BODIES or counter_id in obj.parents)
    )
    if outline is None:
        return tuple(found)
    others = (rectangle_of(obj.box) for obj in of_type(objects, "CounterTop"))
    islands = [other for other in others if other.area <= _ISLAND * outline.area and _within(other, outline, _CELL)]
    return tuple(one for one in found if not any(_within(one, island, _ON_ISLAND) for island in islands))


def _within(inner: Rectangle, outer: Rectangle, slack: float) -> bool:
    x0, z0, x1, z1 = outer.grown(slack)
    return inner.x0 >= x0 and inner.z0 >= z0 and inner.x1 <= x1 and inner.z1 <= z1


def carved(outline: Rectangle, supports: Iterable[Rectangle]) -> tuple[Rectangle, ...]:
    """Remove up to three empty rectangles from a counter's box.

    A removed rectangle touches one or two edges (never opposite ones), is at least 0.4 m x 0.4 m and 0.25 m2, holds
    no support, and leaves legs of at least 0.55 m. Boxes narrower than 1.2 m are no corners and stay whole.
    """
    width, depth = outline.size
    if min(width, depth) < _SMALLEST_COUNTER:
        return (outline,)
    shape = (int(width / _CELL), int(depth / _CELL))
    taken = _raster(outline, supports, shape)
    kept = np.ones(shape, dtype=bool)
    for _ in range(_ROUNDS):
        hole = _largest_hole(taken)
        if hole is None:
            break
        kept[hole] = False
        taken[hole] = True
    return _as_rectangles(kept, outline)


def _raster(outline: Rectangle, supports: Iterable[Rectangle], shape: tuple[int, int]) -> BoolArray:
    taken = np.zeros(shape, dtype=bool)
    for support in supports:
        i0, i1 = (int((x - outline.x0) / _CELL + 0.5) for x in (support.x0, support.x1))
        j0, j1 = (int((z - outline.z0) / _CELL + 0.5) for z in (support.z0, support.z1))
        if i1 > 0 and j1 > 0:
            taken[max(0, i0) : i1, max(0, j0) : j1] = True
    return taken


def _intervals(cells: int) -> tuple[IntArray, IntArray, BoolArray]:
    """Candidate spans along one axis: start, end, and whether the span touches an end of the axis (never both)."""
    leg = int(_LEG / _CELL)
    marks = sorted({*range(0, cells + 1, _STEP), cells})
    spans = [
        (a, b)
        for a in marks
        for b in marks
        if b - a >= int(_SMALLEST_HOLE / _CELL)
        and not 0 < a < leg
        and not cells - leg < b < cells
        and not (a == 0 and b == cells)
    ]
    table = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1], (table[:, 0] == 0) | (table[:, 1] == cells)


def _largest_hole(taken: BoolArray) -> tuple[slice, slice] | None:
    rows, columns = taken.shape
    a, b, row_edge = _intervals(rows)
    c, d, column_edge = _intervals(columns)
    if not len(a) or not len(c):
        return None
    sums = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    sums[1:, 1:] = taken.cumsum(0).cumsum(1)
    bands = sums[b] - sums[a]
    held = bands[:, d] - bands[:, c]
    area = (b - a)[:, None] * (d - c)[None, :]
    area = np.where((held == 0) & (row_edge[:, None] | column_edge[None, :]), area, 0)
    best = int(area.argmax())
    if area.flat[best] * _CELL * _CELL < _SMALLEST_AREA:
        return None
    i, j = divmod(best, len(c))
    return slice(int(a[i]), int(b[i])), slice(int(c[j]), int(d[j]))


def _as_rectangles(kept: BoolArray, outline: Rectangle) -> tuple[Rectangle, ...]:
    """Cover the kept cells with rectangles, greedily; outer borders are the box's own, not the raster's."""
    left = kept.copy()
    rows, columns = left.shape
    xs = [outline.x0 + i * _CELL for i in range(rows)] + [outline.x1]
    zs = [outline.z0 + j * _CELL for j in range(columns)] + [outline.z1]
    found = []
    for i, j in np.argwhere(kept):
        if not left[i, j]:
            continue
        j1 = int(j)
        while j1 < columns and left[i, j1]:
            j1 += 1
        i1 = int(i)
        while i1 < rows and left[i1, j:j1].all():
            i1 += 1
        left[i:i1, j:j1] = False
        found.append(Rectangle(xs[i], zs[j], xs[i1], zs[j1]))
    return tuple(found)


_CELLS = 8
_WHOLE = frozenset("CoffeeTable Desk DiningTable Dresser Shelf SideTable SinkBasin TVStand".split())
"""Types whose trigger box is mostly as wide and deep as their whole box."""


def zones_of(state: SimulatorState, receptacle: ObjectState) -> tuple[Outline, ...]:
    """The receptacle's zones: as recorded, else what can be told from its box; none where that tells nothing.

    A straight counter is one zone; of one round a corner or a sink it is not known how it is cut into zones.
    """
    learnt = tables.standing_zones(state.room, receptacle.object_id)
    if learnt:
        return tuple(outline_of(zone.footprint) for zone in learnt)
    if receptacle.object_type == "CounterTop":
        pieces = worktop_rectangles(state, receptacle)
        return (outline_of(pieces[0].footprint),) if len(pieces) == 1 else ()
    return (outline_of(footprint_of(receptacle)),) if receptacle.object_type in _WHOLE else ()


def grid_points(zones: Sequence[Outline]) -> Iterator[tuple[float, float, Outline]]:
    """The inner crossings (x, z) of every zone's grid, metres, each with its zone; those on its rim hold nothing."""
    inner = [step / _CELLS for step in range(1, _CELLS)]
    for zone in zones:
        (ax, az), (bx, bz), _, (dx, dz) = zone.footprint
        for u in inner:
            for v in inner:
                yield ax + u * (bx - ax) + v * (dx - ax), az + u * (bz - az) + v * (dz - az), zone
