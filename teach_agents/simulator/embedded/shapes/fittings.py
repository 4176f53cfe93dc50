"""Bodies that AI2-THOR has no objects for: what fills counters below, plinths under cabinets, and the stove.

They carry no object id. They stand only where no object stands, so that they hide nothing that can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterable

from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.shapes.cabinets import front_of
from teach_agents.simulator.embedded.shapes.palette import BLACK, DARK, STEEL, WHITE
from teach_agents.simulator.embedded.shapes.parts import Material, Part, Parts, box
from teach_agents.simulator.embedded.shapes.surroundings import Surroundings

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


def _below(top: float, pieces: Iterable[Rectangle], holes: Iterable[Rectangle] | None, material: Material) -> Parts:
    """A filling between the cabinets under a counter; legs under one that has none (`holes` is `None`)."""
    if top < _LOWEST_TOP:
        return
    if holes is None:
        yield from _legs(pieces, top)
        return
    free = tuple(_shrunk(piece, _INSET) for piece in pieces)
    for hole in holes:
        free = tuple(part for piece in free for part in piece.minus(hole))
    for piece in free:
        if piece.x1 - piece.x0 > _SMALLEST and piece.z1 - piece.z0 > _SMALLEST:
            yield _block(piece, 0.0, top - _SLAB, material)


def _kept_free(obj: ObjectState, surroundings: Surroundings) -> Rectangle:
    """Where an object under a counter stands; before a front also the way to it, where a counter juts out."""
    hole = _shrunk(rectangle_of(obj.box), -_CLEAR)
    if obj.object_type not in _FRONTED:
        return hole
    turns = surroundings.setting(obj).turns
    ahead = [_OVERHANG if turns == way else 0.0 for way in range(4)]
    return Rectangle(hole.x0 - ahead[3], hole.z0 - ahead[2], hole.x1 + ahead[1], hole.z1 + ahead[0])


def _is_under(obj: ObjectState, counter: ObjectState, top: float) -> bool:
    """Whether something stands, at least partly, in the space under a counter."""
    if obj is counter or obj.object_type == "Floor" or obj.box.low.y > top - _SLAB:
        return False
    one, other = rectangle_of(obj.box), rectangle_of(counter.box)
    return one.x0 < other.x1 and other.x0 < one.x1 and one.z0 < other.z1 and other.z0 < one.z1


def _legs(pieces: Iterable[Rectangle], top: float) -> Parts:
    rectangles = list(pieces)
    if not rectangles:
        return
    largest = max(rectangles, key=lambda piece: piece.area)
    for x in (largest.x0 + _LEG, largest.x1 - _LEG):
        for z in (largest.z0 + _LEG, largest.z1 - _LEG):
            yield box((x, (top - _SLAB) / 2, z), (_LEG, top - _SLAB, _LEG), STEEL)


def _plinth(obj: ObjectState, standing: Iterable[ObjectState]) -> Parts:
    """A dark base under the lowest cabinet or drawer of a stack."""
    mine = _shrunk(rectangle_of(obj.box), _INSET)
    below = obj.box.low.y - _CLEAR
    for other in standing:
        middle, size = other.box.center, other.box.size
        inside = middle.y - size.y / 2 < below and other is not obj and other.object_type != "Floor"
        if inside and _overlaps(mine, rectangle_of(other.box)):
            return
    yield _block(mine, 0.0, obj.box.low.y - _CLEAR, DARK.shade(0.7))


def _stove(standing: Iterable[ObjectState]) -> Parts:
    """The range under a room's burners, with an oven door toward its knobs."""
    objects = list(standing)
    burners = [obj.box for obj in objects if obj.object_type == "StoveBurner"]
    if not burners:
        return
    top = min(burner.low.y for burner in burners)
    area = _shrunk(_around(burners), -_STOVE_MARGIN)
    if not _STOVE_HEIGHTS[0] < top < _STOVE_HEIGHTS[1]:
        return
    knobs = [obj.box for obj in objects if obj.object_type == "StoveKnob"]
    axis, sign = _front(burners, knobs, top)
    area = _to_knobs(area, knobs, axis, sign)
    for obj in objects:
        if obj.object_type in _FRONTED and obj.box.low.y < top and _overlaps(area, rectangle_of(obj.box)):
            yield _block(area, top - 0.03, top - 0.002, BLACK)
            return
    yield _block(area, 0.04, top - 0.002, WHITE.shade(0.9))
    yield _block(area, top - 0.012, top + 0.001, DARK)
    yield from _oven(area, top, axis, sign)


def _front(burners: list[Box], knobs: list[Box], top: float) -> tuple[int, int]:
    """Axis (0 x, 1 z) and sign of the way a stove faces: toward knobs below the burners, away from higher ones."""
    if not knobs:
        return 1, 1
    count, stove = len(knobs), len(burners)
    dx = sum(k.center.x for k in knobs) / count - sum(b.center.x for b in burners) / stove
    dz = sum(k.center.z for k in knobs) / count - sum(b.center.z for b in burners) / stove
    turn = 1 if sum(k.center.y for k in knobs) / count < top + 0.05 else -1
    if abs(dx) > abs(dz):
        return 0, turn if dx > 0 else -turn
    return 1, turn if dz > 0 else -turn


def _to_knobs(area: Rectangle, knobs: list[Box], axis: int, sign: int) -> Rectangle:
    """The stove's outline with its front just behind the knobs that stick out of it."""
    edges = [area.x0, area.z0, area.x1, area.z1]
    which = axis + (2 if sign > 0 else 0)
    for knob in knobs:
        near = (knob.low if sign > 0 else knob.high)[0 if axis == 0 else 2]
        ahead = (near - edges[which]) * sign
        if 0.0 < ahead < 0.25:
            edges[which] = near
    return Rectangle(*edges)


def _oven(area: Rectangle, top: float, axis: int, sign: int) -> Parts:
    x, z = (area.x0 + area.x1) / 2, (area.z0 + area.z1) / 2
    wide = (area.z1 - area.z0) if axis == 0 else (area.x1 - area.x0)
    face = ((area.x1 if sign > 0 else area.x0), z) if axis == 0 else (x, (area.z1 if sign > 0 else area.z0))

    def panel(ahead: float, y: float, width: float, height: float, material: Material) -> Part:
        center = (face[0] + sign * ahead, y, face[1]) if axis == 0 else (face[0], y, face[1] + sign * ahead)
        size = (0.012, height, width) if axis == 0 else (width, height, 0.012)
        return box(center, size, material)

    middle = top * 0.44
    yield panel(0.002, middle, wide * 0.9, top * _OVEN_SHARE, DARK)
    yield panel(0.008, middle, wide * 0.62, top * 0.32, BLACK)
    yield panel(0.028, middle + top * 0.27, wide * 0.8, 0.02, STEEL)


def _block(area: Rectangle, low: float, high: float, material: Material) -> Part:
    center = ((area.x0 + area.x1) / 2, (low + high) / 2, (area.z0 + area.z1) / 2)
    return box(center, (area.x1 - area.x0, high - low, area.z1 - area.z0), material)


def _around(boxes: Iterable[Box]) -> Rectangle:
    areas = [rectangle_of(one) for one in boxes]
    return Rectangle(
        min(a.x0 for a in areas), min(a.z0 for a in areas), max(a.x1 for a in areas), max(a.z1 for a in areas)
    )


def _shrunk(area: Rectangle, by: float) -> Rectangle:
    return Rectangle(area.x0 + by, area.z0 + by, area.x1 - by, area.z1 - by)


def _overlaps(one: Rectangle, other: Rectangle) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.z0 < other.z1 and other.z0 < one.z1
