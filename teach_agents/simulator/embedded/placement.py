"""Where a placed object lands, or why it cannot be put there.

AI2-THOR casts a grid of points onto the receptacle's surface and takes the first, nearest to the click, where the
object's box fits and touches nothing (specification 2.6). Here the click itself is the first point tried; the
recordings show landings within centimetres of it, upright, square to the receptacle, and inside its box.

It tries points all over the receptacle, those near the click first, and knows more than the boxes in its metadata: the
trigger box that must hold all of the thing is smaller than the receptacle's box, a basin has a rim, a pan a handle. So
in TEACh's train sessions a placement failed the more often the less room there was around the held box wherever it
could go, and the further from the click that was. `scripts/learn_crowding.py` finds, for each type of receptacle, the
margin around the box and the distance beyond which refusals prevail (`is_crowded`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.counters import counter_rectangles, grid_points, worktop_rectangles, zones_of
from teach_agents.simulator.embedded.facts import DOORED, INTANGIBLE, ONE_PLACE, SINKS, TUBS, of_type, reached
from teach_agents.simulator.embedded.fitting import (
    Obstacle,
    Shape,
    Surface,
    axes_of,
    fit_over_points,
    nearest_fit,
)
from teach_agents.simulator.embedded.geometry import (
    Outline,
    box_around,
    footprint_of,
    footprints_overlap,
    is_turned,
    minus,
    outline_of,
    plus,
    posed,
    turned_corners,
)
from teach_agents.simulator.embedded.senses import Landing
from teach_agents.simulator.embedded.shapes.fronts import opened_shift

EMPTY_HAND = "Can't place an object if Agent isn't holding anything"
NO_ROOM = "No valid positions to place object found"
NO_TARGET = "No valid Receptacle found"
STOVE_BLOCKED = "another object's collision is blocking held object from being placed"

_CEILING = 0.02
_RIM = 0.02
_FLUSH = 0.03
_CROWDING = 0.03
"""On a full plate people still found room: food is slimmer than its box. Overlap allowed in a second search, metres."""
_BODY_WIDTH = 0.5
_BODY_HEIGHT = 1.8
_APPLIANCES = frozenset("Toaster CoffeeMachine Microwave Faucet".split())
_NARROWER = {"Faucet": 0.5, "HousePlant": 0.7}
"""Boxes much wider than the thing at the height of a table top (fidelity notes, shape rule 6)."""
_QUARTERS = (0.0, 90.0, 180.0, 270.0)
_SIDES = (90.0, 270.0)
_UPRIGHT = frozenset(
    "AlarmClock Book Bottle Bowl Box Bread CD Candle CreditCard Cup Dumbbell EggCracked Kettle KeyChain Laptop Mug Pan "
    "PepperShaker Plate Pot RemoteControl SaltShaker SoapBottle SprayBottle Statue TableTopDecor Vase".split()
)
"""Types that AI2-THOR never lays down (specification 1.3)."""
_ATTACHED_TURN = {"Toaster": 270.0}


def find_spot(
    state: SimulatorState, held_id: str, receptacle_id: str, near: Vec3 | None = None, force: bool = False
) -> Landing:
    """Where `held_id` lands on or in `receptacle_id`, as close to the world point `near` as it fits.

    Without `near` it lands close to the body. `force` skips the restriction by type, as AI2-THOR's `forceAction`
    does; receptacles with one fixed place keep theirs, and closed ones stay closed. The state is not changed.
    """
    held = state.objects.get(held_id)
    target = state.objects.get(receptacle_id)
    if held is None:
        return Landing(refusal=EMPTY_HAND)
    if target is None or not target.exists or receptacle_id == held_id or held_id in _chain(state, target):
        return Landing(refusal=NO_TARGET)
    refused = tables.refusal(held, target, force)
    if refused:
        return Landing(refusal=refused)
    if target.object_type in ONE_PLACE:
        return _attached(state, held, target)
    axes = axes_of(target)
    near = _closed(state, target, near or state.agent.position)
    points = tuple(grid_points([axes.outline(zone) for zone in zones_of(state, target)]))
    turned = _turned(held, target) if points else ()
    for surface in surfaces(state, held, target, near):
        found = fit_over_points(surface, turned, near, points)
        for shapes in orientations(held, target):
            found = found or nearest_fit(surface, shapes, near)
        if found is not None:
            shape, x, z = found
            return Landing(axes.outward(surface.pivot(shape, x, z)), axes.rotation(shape.rotation))
    return Landing(refusal=NO_ROOM)


def _closed(state: SimulatorState, target: ObjectState, point: Vec3) -> Vec3:
    """A world point of a receptacle, in the receptacle's axes, as it was before the receptacle was pulled out."""
    return axes_of(target).inward(minus(point, opened_shift(state.room, target)))


def _turned(held: ObjectState, target: ObjectState) -> tuple[Shape, ...]:
    """All orientations in AI2-THOR's order: four upright quarter turns, then, of most types, lying on each side."""
    yaw = target.rotation.y - axes_of(target).angle
    turns = [(yaw + quarter) % 360.0 for quarter in _QUARTERS]
    found = [_shape(held, Vec3(0.0, yaw, 0.0)) for yaw in turns]
    if held.object_type not in _UPRIGHT:
        for yaw in turns[:2]:
            found.extend(_shape(held, Vec3(pitch, yaw, 0.0)) for pitch in _SIDES)
            found.extend(_shape(held, Vec3(0.0, yaw, roll)) for roll in _SIDES)
    return tuple(found)


def _chain(state: SimulatorState, obj: ObjectState) -> set[str]:
    """Everything that holds `obj`, directly or not."""
    return set(reached(state.objects, obj.parents, lambda holder: holder.parents))


def _attached(state: SimulatorState, held: ObjectState, target: ObjectState) -> Landing:
    """The one fixed place of a burner, coffee machine, toaster or holder."""
    for name in target.contents:
        if name != held.object_id and state.objects[name].parents[:1] == (target.object_id,):
            return Landing(refusal=f"{target.kind.name} is full right now")
    rotation = Vec3(0.0, (target.rotation.y + _ATTACHED_TURN.get(target.object_type, 0.0)) % 360.0, 0.0)
    position = plus(target.position, tables.attach_point(target))
    if target.object_type == "StoveBurner" and _collides(state, target, posed(held, position, rotation)):
        return Landing(refusal=STOVE_BLOCKED)
    return Landing(position, rotation)


def _collides(state: SimulatorState, target: ObjectState, moved: ObjectState) -> bool:
    """Whether a pan, moved onto its burner, stands in another thing; rims may overlap by a few centimetres."""
    outline = footprint_of(moved)
    bottom, top = moved.box.low.y + _CEILING, moved.box.high.y
    return any(
        obstacle.bottom < top
        and obstacle.top > bottom
        and footprints_overlap(outline, obstacle.outline.footprint, _RIM)
        for obstacle in _obstacles(state, moved, target, (bottom, top))
    )


def surfaces(state: SimulatorState, held: ObjectState, target: ObjectState, near: Vec3) -> Iterator[Surface]:
    """The receptacle's levels, the clicked one first, in the receptacle's own axes."""
    axes = axes_of(target)
    bottom = target.box.center.y - target.box.size.y / 2
    top = bottom + target.box.size.y
    regions = tuple(map(axes.outline, _regions(state, target)))
    tallest = max(held.box.size)
    levels = [bottom + height for height in tables.support_levels(state.room, target)]
    for level in sorted(levels, key=lambda y: (y > near.y + 0.1, abs(y - near.y))):
        headroom = float("inf")
        if target.object_type in DOORED:
            above = [other for other in levels if other > level + 0.05]
            headroom = min(above, default=top) - level + _CEILING
        aside = _taps_aside(state, held, target, Surface(level, headroom, regions, ()))
        obstacles = tuple(map(axes.obstacle, _obstacles(state, held, target, (level, level + tallest), aside)))
        yield Surface(level, headroom, regions, obstacles)
        if target.kind.pickupable:
            yield Surface(level, headroom, regions, obstacles, _CROWDING)


def _regions(state: SimulatorState, target: ObjectState) -> tuple[Outline, ...]:
    if target.object_type == "CounterTop":
        return tuple(outline_of(piece.footprint) for piece in worktop_rectangles(state, target))
    return (outline_of(footprint_of(target)),)


def _taps_aside(state: SimulatorState, held: ObjectState, target: ObjectState, empty: Surface) -> frozenset[str]:
    """The faucets that are not in the way of what is put into a basin.

    A faucet's box reaches from its foot behind the basin to its spout above. Where that leaves no room for a thing even
    in an empty basin, people put it there all the same: it stands under the spout.
    """
    if target.object_type not in SINKS | TUBS:
        return frozenset()
    taps = of_type(state.objects.values(), "Faucet")
    axes = axes_of(target)
    bodies = tuple(axes.obstacle(body) for tap in taps for body in _bodies(state, tap))
    middle = axes.inward(target.box.center)
    beside = nearest_fit(replace(empty, obstacles=bodies), next(orientations(held, target)), middle)
    return frozenset(tap.object_id for tap in taps) if beside is None else frozenset()


def _obstacles(
    state: SimulatorState,
    held: ObjectState,
    target: ObjectState,
    span: tuple[float, float],
    aside: frozenset[str] = frozenset(),
) -> tuple[Obstacle, ...]:
    """What is in the way between two heights: loose things and appliances; on the floor everything, and the body.

    What `aside` names is not.
    """
    around = _chain(state, target)
    around.update((target.object_id, held.object_id, *aside))
    on_floor = target.object_type == "Floor"
    (tx, _, tz), (tw, _, td) = target.box.center, target.box.size
    found: list[Obstacle] = []
    for object_id, obj in state.objects.items():
        kind = obj.kind
        if not (on_floor or kind.pickupable or kind.moveable or kind.object_type in _APPLIANCES):
            continue
        (x, y, z), (w, h, d) = obj.box.center, obj.box.size
        if abs(x - tx) > (w + tw) / 2 or abs(z - tz) > (d + td) / 2 or y - h / 2 > span[1] or y + h / 2 < span[0]:
            continue
        if not kind.pickupable and _encloses(obj.box, target.box):
            continue
        if object_id not in around and held.object_id not in obj.parents and _is_solid(obj, on_floor):
            found.extend(_bodies(state, obj))
    if on_floor:
        found.append(Obstacle.of(Box(state.agent.position, Vec3(_BODY_WIDTH, _BODY_HEIGHT, _BODY_WIDTH))))
    return tuple(found)


def _encloses(outer: Box, inner: Box) -> bool:
    """Whether a box holds another whole, to within centimetres: a shelving unit is not in the way of its shelves."""
    pairs = zip(outer.low, inner.low, outer.high, inner.high, strict=True)
    return all(o - _FLUSH <= i and j <= p + _FLUSH for o, i, p, j in pairs)


def _is_solid(obj: ObjectState, on_floor: bool) -> bool:
    if not obj.exists or obj.is_picked_up:
        return False
    if on_floor:
        return obj.object_type not in INTANGIBLE
    kind = obj.kind
    return kind.pickupable or not kind.receptacle or obj.object_type in _APPLIANCES


def _bodies(state: SimulatorState, obj: ObjectState) -> Iterator[Obstacle]:
    factor = _NARROWER.get(obj.object_type)
    if factor is not None:
        width, height, depth = obj.box.size
        yield Obstacle.of(Box(obj.box.center, Vec3(width * factor, height, depth * factor)))
    elif obj.object_type == "CounterTop":
        for piece in counter_rectangles(state, obj):
            yield Obstacle.of(obj.box, piece.footprint)
    else:
        yield Obstacle.of(obj.box, footprint_of(obj))


def orientations(held: ObjectState, target: ObjectState) -> Iterator[tuple[Shape, Shape]]:
    """Orientations in the order tried: upright square to the receptacle and a quarter turned, then lying down.

    They are turned as seen along the receptacle's own axes.
    """
    yaw = target.rotation.y - axes_of(target).angle
    for pitch, roll in ((0.0, 0.0), (0.0, 90.0), (90.0, 0.0)):
        yield _shape(held, Vec3(pitch, yaw % 360.0, roll)), _shape(held, Vec3(pitch, (yaw + 90.0) % 360.0, roll))


def _shape(held: ObjectState, rotation: Vec3) -> Shape:
    return _turned_solid(held.position, held.rotation, held.box, held.corners, rotation)


@lru_cache(maxsize=4096)
def _turned_solid(position: Vec3, rotation: Vec3, box: Box, corners: tuple[Vec3, ...] | None, wanted: Vec3) -> Shape:
    """The shape of a solid turned to `wanted`: a thing is tried in the same few orientations again and again."""
    if corners is not None and is_turned(rotation, wanted):
        box = box_around(turned_corners(position, rotation, corners, _ORIGIN, wanted))
    else:
        box = box.moved(Vec3(-position.x, -position.y, -position.z))
    return Shape(wanted, box.center, box.size)


_ORIGIN = Vec3(0.0, 0.0, 0.0)


def is_crowded(state: SimulatorState, held_id: str, receptacle_id: str, click: Vec3) -> bool:
    """Whether what is held has too little room around a clicked world point. Both ids must be known."""
    limits = tables.elbow_room(state.objects[receptacle_id].object_type)
    return limits is not None and distance_to_room(state, held_id, receptacle_id, click, limits[0]) > limits[1]


def distance_to_room(state: SimulatorState, held_id: str, receptacle_id: str, click: Vec3, margin: float) -> float:
    """How far from the click the held box, upright and wider and deeper by `margin`, would touch nothing, metres.

    Infinite where it fits nowhere. 0 where it would not even fit the empty receptacle: people put bread on plates
    narrower than the slice, so there the boxes say nothing.
    """
    held, target = state.objects[held_id], state.objects[receptacle_id]
    near = _closed(state, target, click)
    surface = next(surfaces(state, held, target, near))
    shapes = [_widened(shape, margin) for shape in next(orientations(held, target))]
    found = nearest_fit(surface, shapes, near)
    if found is not None:
        return math.hypot(found[1] - near.x, found[2] - near.z)
    return math.inf if nearest_fit(replace(surface, obstacles=()), shapes, near) is not None else 0.0


def _widened(shape: Shape, margin: float) -> Shape:
    width, height, depth = shape.size
    return replace(shape, size=Vec3(width + margin, height, depth + margin))
