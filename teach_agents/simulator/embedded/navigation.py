"""Where the Follower's body can go: obstacles, blocked steps, reachable cells.

The body is a disc of 0.205 m that moves in steps of 0.25 m over a grid. Obstacles are the footprints of everything
between ankle and head height; counters are carved to their true outline; what people walked through in TEACh's train
sessions is free and what refused them is not (fidelity notes, section 1).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, compress, repeat
from operator import is_not

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.counters import counter_rectangles
from teach_agents.simulator.embedded.facts import INTANGIBLE, in_hand, of_type
from teach_agents.simulator.embedded.geometry import (
    Footprint,
    Outline,
    Rectangle,
    distance_to_footprint,
    footprint_of,
    outline_of,
    rectangle_of,
)
from teach_agents.simulator.embedded.shapes.fronts import Fronts, open_panels

GRID = 0.25
"""Length of a step, metres."""
BODY_RADIUS = 0.205
"""Radius of the body in metres: AI2-THOR's 0.2 and the skin in which its collisions begin."""
WALL = "wall"
"""Name of the blocker where the room ends or a recorded refusal has no visible cause."""

_ANKLE = 0.05
_HEAD = 1.8
_WALL_INSET = 0.2
_TOUCH = 0.005
"""A box counts as overlapped already only if the body is in it by more than this."""
_DEEPER = 0.01
_WIDEST = 8.0
_BEYOND = {"CounterTop": 0.015, "StoveBurner": 0.1, "StoveKnob": 0.1}
"""How far what bears a thing reaches beyond the thing's box, metres: a worktop's edge, a stove, which has no box of its
own. `scripts/scan_collision.py` tries other values in rooms that nothing is learnt of: there 90 % of the recorded
refusals are foreseen, without the stove's reach 83 %, and the steps that were made stay as free."""
_DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_MAX_CELLS = 20_000

Cell = tuple[int, int]
Edge = tuple[int, int, int]


class NavigationMap:
    """The obstacles of one state's room, kept up to date as the state changes.

    Holds, for every step of the grid, the objects that block it. An object's share is recomputed only when its
    `ObjectState` has been replaced, so a query after an unrelated action costs a scan of identities.
    """

    def __init__(self, state: SimulatorState) -> None:
        self._room = state.room
        self._paths = tables.footpaths(state.room)
        self._interior = tables.interior(state.room)
        self._seen: dict[str, ObjectState] = {}
        self._footprints: dict[str, tuple[tuple[Footprint, ...], tuple[Footprint, ...]]] = {}
        """Where each object itself stands, and its opened doors."""
        self._edges: dict[str, dict[Edge, bool]] = {}
        self._blockers: dict[Edge, dict[str, bool]] = {}
        """Who blocks a step, and whether it always stood there: what people walked past does not count."""
        self._free: dict[Edge, bool] = {}
        """Whether nothing blocks a step; kept until an object that blocks it comes or goes."""
        self._present: list[ObjectState] = []
        self._floor = _walkable(state.objects.values())
        self._state: SimulatorState | None = None
        self._version = -1
        self._carried: frozenset[str] = frozenset()
        self._reachable: dict[Cell, frozenset[tuple[float, float]]] = {}
        self._sync(state)

    def blocker(self, state: SimulatorState, start: Vec3, dx: float, dz: float) -> str | None:
        """Name (AI2-THOR's GameObject name) of what stops the body from moving by (dx, dz) metres, `None` if free.

        `wall` names structure. Moves along an axis by whole grid steps from a grid point are the quick case; any
        other move is measured at its end and on the way.
        """
        self._sync(state)
        steps = max(abs(dx), abs(dz)) / GRID
        count = round(steps)
        on_grid = count >= 1 and abs(steps - count) < 1e-3 and min(abs(dx), abs(dz)) < 1e-3
        cell = _cell_of(start)
        if not on_grid or cell is None:
            return self._free_move(state, start, dx, dz)
        direction = (0 if dx > 0 else 2) if abs(dx) > abs(dz) else (1 if dz > 0 else 3)
        x, z = cell
        for _ in range(count):
            name = self._step(state, x, z, direction)
            if name is not None:
                return name
            x, z = x + _DIRECTIONS[direction][0], z + _DIRECTIONS[direction][1]
        return None

    def reachable(self, state: SimulatorState) -> frozenset[tuple[float, float]]:
        """Grid points (x, z), metres, that the body can walk to from where it stands, its own included."""
        self._sync(state)
        position = state.agent.position
        start = (round(position.x / GRID), round(position.z / GRID))
        known = self._reachable.get(start)
        if known is None:
            known = self._reachable[start] = self._flood(state, start)
        return known

    def occupant(self, state: SimulatorState, point: Vec3) -> str | None:
        """Name of what the body would overlap at a point, `wall` outside the room, `None` for nothing."""
        self._sync(state)
        if not self._inside(point.x, point.z):
            return WALL
        for name, footprint in self._obstacles(state):
            if distance_to_footprint(point.x, point.z, footprint) < BODY_RADIUS - _TOUCH:
                return name
        return None

    def _flood(self, state: SimulatorState, start: Cell) -> frozenset[tuple[float, float]]:
        """Where the body can walk to from a cell.

        From wherever a known answer's own start can be walked to, that answer holds if it holds this cell: each can
        reach the other.
        """
        here = (start[0] * GRID, start[1] * GRID)
        answers = {cell: known for cell, known in self._reachable.items() if here in known and len(known) < _MAX_CELLS}
        found, free = {start}, self._free
        queue = deque((start,))
        while queue and len(found) < _MAX_CELLS:
            x, z = queue.popleft()
            for direction, (ex, ez) in enumerate(_DIRECTIONS):
                cell = (x + ex, z + ez)
                if cell in found:
                    continue
                edge = (x, z, direction)
                known = free.get(edge)
                if known is None:
                    known = free[edge] = self._step(state, x, z, direction) is None
                if known:
                    if cell in answers:
                        return answers[cell]
                    found.add(cell)
                    queue.append(cell)
        return frozenset([(x * GRID, z * GRID) for x, z in found])

    def _step(self, state: SimulatorState, x: int, z: int, direction: int) -> str | None:
        known = self._paths.step(x, z, direction) if self._paths is not None else None
        blockers = self._blockers.get((x, z, direction))
        if blockers:
            solid = [name for name, fixed in blockers.items() if not (fixed and known is True)]
            if solid:
                return state.objects[min(solid)].kind.name
        if known is not None:
            return None if known else WALL
        ex, ez = _DIRECTIONS[direction]
        return None if self._inside((x + ex) * GRID, (z + ez) * GRID) else WALL

    def _inside(self, x: float, z: float) -> bool:
        floor = self._floor
        if floor is not None and not (floor.x0 <= x <= floor.x1 and floor.z0 <= z <= floor.z1):
            return False
        return self._interior is None or self._interior.holds(round(x / GRID), round(z / GRID))

    def _sync(self, state: SimulatorState) -> None:
        if state is self._state and state.version == self._version:
            return
        self._state = state
        self._version = state.version
        carried = frozenset(in_hand(state))
        taken = carried ^ self._carried
        self._carried = carried
        before, self._present = self._present, list(state.objects.values())
        changed = False
        still = carried | taken  # what is carried on blocks nothing, wherever it is now
        for obj in compress(self._present, map(is_not, self._present, chain(before, repeat(None)))):
            if obj.object_id not in still:
                changed |= self._update(state, obj)
        for object_id in taken:
            self._seen.pop(object_id, None)
            if object_id in state.objects:
                changed |= self._update(state, state.objects[object_id])
        if len(self._seen) != len(state.objects):
            for object_id in self._seen.keys() - state.objects.keys():
                self._forget(object_id)
                del self._seen[object_id]
            changed = True
        if changed:
            self._reachable.clear()

    def _update(self, state: SimulatorState, obj: ObjectState) -> bool:
        """Refresh one object's edges; true if what it stands on has changed."""
        object_id = obj.object_id
        before = self._seen.get(object_id)
        self._seen[object_id] = obj
        if before is not None and _stands_alike(before, obj):
            return False
        body = () if object_id in self._carried else _body(state, obj)
        panels = _panels(state, obj)
        if (body, panels) == self._footprints.get(object_id, ((), ())):
            return False
        self._forget(object_id)
        self._footprints[object_id] = (body, panels)
        edges: dict[Edge, bool] = dict.fromkeys(_edges_of(body), not obj.kind.pickupable)
        edges.update(dict.fromkeys(_edges_of(panels), False))
        self._edges[object_id] = edges
        for edge, fixed in edges.items():
            self._blockers.setdefault(edge, {})[object_id] = fixed
            self._free.pop(edge, None)
        return True

    def _forget(self, object_id: str) -> None:
        self._footprints.pop(object_id, None)
        for edge in self._edges.pop(object_id, ()):
            self._blockers[edge].pop(object_id, None)
            self._free.pop(edge, None)

    def _free_move(self, state: SimulatorState, start: Vec3, dx: float, dz: float) -> str | None:
        end_x, end_z = start.x + dx, start.z + dz
        if not self._inside(end_x, end_z):
            return WALL
        for name, footprint in self._obstacles(state):
            before = distance_to_footprint(start.x, start.z, footprint)
            after = distance_to_footprint(end_x, end_z, footprint)
            if after < BODY_RADIUS and not (before < BODY_RADIUS - _TOUCH and after >= before - _DEEPER):
                return name
        return None

    def _obstacles(self, state: SimulatorState) -> Iterator[tuple[str, Footprint]]:
        """The names of what blocks any step, with where it stands."""
        for object_id, obj in state.objects.items():
            if self._edges.get(object_id):
                for footprint in chain(*self._footprints[object_id]):
                    yield obj.kind.name, footprint


def _stands_alike(before: ObjectState, now: ObjectState) -> bool:
    """Whether nothing of an object has changed that could block a step, so far as identities tell."""
    return (
        now.box is before.box
        and now.corners is before.corners
        and now.position is before.position
        and now.openness == before.openness
        and now.exists is before.exists
        and now.is_picked_up is before.is_picked_up
        and now.kind is before.kind
        and now.rotation is before.rotation
    )


def _cell_of(point: Vec3) -> Cell | None:
    x, z = round(point.x / GRID), round(point.z / GRID)
    return (x, z) if abs(point.x - x * GRID) < 0.01 and abs(point.z - z * GRID) < 0.01 else None


def _walkable(objects: Iterable[ObjectState]) -> Rectangle | None:
    """The floor's box, drawn in by the body's radius: where the body's centre may be."""
    floor = next(iter(of_type(objects, "Floor")), None)
    return rectangle_of(floor.box).grown(-(_WALL_INSET - 1e-3)) if floor else None


def _body(state: SimulatorState, obj: ObjectState) -> tuple[Footprint, ...]:
    """Where an object itself can stop a body."""
    if not obj.exists or obj.is_picked_up or obj.object_type in INTANGIBLE or obj.box.size.x >= _WIDEST:
        return ()
    if not _in_the_way(obj.box):
        return ()
    beyond = _BEYOND.get(obj.object_type, 0.0)
    if obj.object_type == "CounterTop":
        return tuple(piece.grown(beyond).footprint for piece in counter_rectangles(state, obj))
    return (rectangle_of(obj.box).grown(beyond).footprint,) if beyond else (footprint_of(obj),)


def _panels(state: SimulatorState, obj: ObjectState) -> tuple[Footprint, ...]:
    """Where its opened doors or drawers can."""
    if not obj.is_open or obj.kind.pickupable:
        return ()
    return tuple(rectangle_of(panel).footprint for panel in open_panels(Fronts(state), obj) if _in_the_way(panel))


def _in_the_way(box: Box) -> bool:
    bottom, height = box.center.y - box.size.y / 2, box.size.y
    return bottom + height > _ANKLE and bottom < _HEAD


def _edges_of(footprints: tuple[Footprint, ...]) -> Iterable[Edge]:
    return chain.from_iterable(map(_edges_blocked_by, footprints))


@lru_cache(maxsize=16384)
def _edges_blocked_by(footprint: Footprint) -> tuple[Edge, ...]:
    """The grid steps that a footprint blocks.

    A step is blocked if the disc touches the footprint at its end, unless the body is in it already and gets no
    deeper: people were never caught by a box that they had been standing in.
    """
    outline = outline_of(footprint)
    columns = _cells_within(outline.bounds.x0, outline.bounds.x1)
    rows = _cells_within(outline.bounds.z0, outline.bounds.z1)
    distances = _distances(outline, columns, rows)
    blocked = []
    for i in columns:
        for j in rows:
            after = distances[i, j]
            if after >= BODY_RADIUS:
                continue
            for direction, (ex, ez) in enumerate(_DIRECTIONS):
                before = distances[i - ex, j - ez]
                if before >= BODY_RADIUS - _TOUCH or after < before - _DEEPER:
                    blocked.append((i - ex, j - ez, direction))
    return tuple(blocked)


def _cells_within(low: float, high: float) -> range:
    return range(math.ceil((low - BODY_RADIUS) / GRID), math.floor((high + BODY_RADIUS) / GRID) + 1)


def _distances(outline: Outline, columns: range, rows: range) -> dict[Cell, float]:
    """Distances from grid points, and from those around them, to an outline, metres: 0 inside.

    Of points further away than the body's radius, the distance to the outline's bounds.
    """
    x0, z0, x1, z1 = outline.bounds
    across = [(i, _outside(i * GRID, x0, x1)) for i in range(columns.start - 1, columns.stop + 1)]
    along = [(j, _outside(j * GRID, z0, z1)) for j in range(rows.start - 1, rows.stop + 1)]
    hypot = math.hypot
    distances = {(i, j): hypot(dx, dz) for i, dx in across for j, dz in along}
    if not outline.square:
        footprint = outline.footprint
        for (i, j), least in distances.items():
            if least < BODY_RADIUS:
                distances[i, j] = distance_to_footprint(i * GRID, j * GRID, footprint)
    return distances


def _outside(value: float, low: float, high: float) -> float:
    """How far a value lies outside an interval."""
    return low - value if value < low else value - high if value > high else 0.0
