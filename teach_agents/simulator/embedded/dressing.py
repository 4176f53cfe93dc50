"""What a room's box does not tell: rugs, tiles on walls, cords of hanging plants, and corners that lie outside.

Rugs and tiles lie within 6 mm of the floor or a wall, and so hide nothing; cords are 8 mm wide. They carry no id.

What AI2-THOR tells of a room are its objects and its floor. A corner of the box around them lies outside when nobody
can walk in it and nothing stands in it: where a room is L-shaped, walls stand there. Worked out from the room as it
ships, so that what happens in a session changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, product

import numpy as np

from teach_agents.arrays import BoolArray
from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded.facts import of_type
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Pattern, block, box
from teach_agents.simulator.embedded.shapes.surroundings import Surroundings

_UNDER = {"living room": ("CoffeeTable", "Sofa"), "bedroom": ("Bed",)}
"""By kind of room, beneath what a rug lies; the first that is there."""
_BEYOND = 0.55
_EDGE = 0.08
_RUGS = tuple(
    (Material(field, second, Pattern.WEAVE, 14.0), Material(border))
    for field, second, border in (
        (0x9C3C36, 0x7E2C2C, 0xE2D0A8),
        (0x40587C, 0x324668, 0xDEDACE),
        (0xD8CEBA, 0xBEB29C, 0x706050),
        (0x60745C, 0x4E624E, 0xE6DCBE),
    )
)
"""Field and border."""
_TILES = (
    Material(0xEEF0F0, 0xC4CACE, Pattern.TILES, 6.0, gloss=0.12),
    Material(0xD6E4E8, 0xF0F2F2, Pattern.TILES, 6.0, gloss=0.12),
    Material(0xE8E2D4, 0xCEC4B0, Pattern.TILES, 6.0, gloss=0.12),
)
_DADO = 1.3
_STRIPE = 0.05
_OFF = 0.004
_SPLASH = 0.48
_NEAR = 0.07
_LOWEST_COUNTER = 0.7
_HUNG = 1.2
"""Plants higher than this may hang, metres."""
_GAP = 0.08
_CORD = 0.008
_ROPE = Material(0x967E5C)


def _kind(state: SimulatorState) -> str:
    return kind_of(state.room) if state.room in ROOM_NAMES else ""


def rug(state: SimulatorState, area: Rectangle, seed: int) -> Iterator[Part]:
    """A rug with a border under what living rooms and bedrooms gather around, within `area`, if it is there."""
    under = _largest(state, _UNDER.get(_kind(state), ()))
    if under is None:
        return
    one = rectangle_of(under.box)
    x0, z0 = max(one.x0 - _BEYOND, area.x0 + _EDGE), max(one.z0 - _BEYOND, area.z0 + _EDGE)
    x1, z1 = min(one.x1 + _BEYOND, area.x1 - _EDGE), min(one.z1 + _BEYOND, area.z1 - _EDGE)
    whole = Rectangle(x0, z0, x1, z1)
    if min(whole.size) < 4 * _EDGE:
        return
    field, border = _RUGS[seed % len(_RUGS)]
    for inset, top, material in ((0.0, 0.003, field), (_EDGE, 0.004, border), (2 * _EDGE, 0.005, field)):
        if min(whole.size) - 2 * inset > 0.0:
            yield block(whole, 0.0, top, material, wider=-2 * inset)


def hangers(state: SimulatorState, ceiling: float) -> Iterator[Part]:
    """Cords from which plants hang that stand on nothing."""
    for obj in state.objects.values():
        if obj.object_type != "HousePlant" or obj.kind.pickupable or obj.box.low.y < _HUNG or _stands(obj, state):
            continue
        (x, _, z), (w, h, _) = obj.box.center, obj.box.size
        rim = obj.box.low.y + h * 0.35
        yield box((x, (rim + ceiling) / 2, z), (_CORD, ceiling - rim), _ROPE)
        for side in (-1, 1):
            yield box((x + side * w * 0.16, rim + h * 0.2, z), (_CORD, h * 0.5), _ROPE).turned(roll=side * 30)


def _stands(obj: ObjectState, state: SimulatorState) -> bool:
    """Whether anything lies right below the middle of an object."""
    low = obj.box.low.y
    return any(
        other.box.low.y < low < other.box.high.y + _GAP
        and other is not obj
        and rectangle_of(other.box).holds(obj.box.center)
        for other in state.objects.values()
    )


def _largest(state: SimulatorState, types: tuple[str, ...]) -> ObjectState | None:
    """The largest object of the first of these types that is there: what never moves far."""
    for wanted in types:
        if found := of_type(state.objects.values(), wanted):
            return max(found, key=lambda obj: (obj.box.size.x * obj.box.size.z, obj.object_id))
    return None


def tiled_walls(state: SimulatorState, area: Rectangle, corners: Iterable[Rectangle], seed: int) -> Iterator[Part]:
    """The lower walls of a bathroom, those of its missing corners too."""
    if _kind(state) != "bathroom":
        return
    bands = (0.0, _DADO, _TILES[seed % len(_TILES)]), (_DADO, _STRIPE, Material(0x5C8292, gloss=0.12))
    for band in bands:
        yield block(area, *band, wider=-2 * _OFF).inward(Faces.SIDES)
    for one in corners:
        for band in bands:
            yield block(one, *band, wider=2 * _OFF)


def splashbacks(state: SimulatorState, surroundings: Surroundings, area: Rectangle, seed: int) -> Iterator[Part]:
    """Tiles on the walls behind a kitchen's counters."""
    if _kind(state) != "kitchen":
        return
    tiles = _TILES[seed % len(_TILES)]
    for _, top, pieces in surroundings.worktops():
        if top < _LOWEST_COUNTER:
            continue
        for one in pieces:
            (x, z), (wide, deep), y = one.middle, one.size, top + _SPLASH / 2
            for edge in (0, 2, 1, 3):
                if abs((wall := area[edge]) - one[edge]) < _NEAR:
                    middle, size = ((x, y, wall), (wide, _SPLASH, 2 * _OFF))
                    if edge % 2 == 0:
                        middle, size = ((wall, y, z), (2 * _OFF, _SPLASH, deep))
                    yield box(middle, size, tiles)


_CELL = 0.1
_BODY = 0.3
"""Around a place where the Follower can stand this far is room, metres."""
_LEAST = 0.8
"""Smaller corners are nooks, metres."""


@lru_cache(maxsize=256)
def outer_corners(room: str, area: Rectangle) -> tuple[Rectangle, ...]:
    """The rectangles at the corners of `area`, the floor plan of a room's box, that lie outside the room."""
    if room not in ROOM_NAMES:
        return ()
    taken = _taken(room, area)
    found = []
    for right, far in product((False, True), repeat=2):
        wide, deep = _largest_free(taken[:: -1 if right else 1, :: -1 if far else 1])
        if min(wide, deep) < _LEAST:
            continue
        x0, x1 = (area.x1 - wide, area.x1) if right else (area.x0, area.x0 + wide)
        z0, z1 = (area.z1 - deep, area.z1) if far else (area.z0, area.z0 + deep)
        found.append(Rectangle(x0, z0, x1, z1))
    return tuple(found)


def _taken(room: str, area: Rectangle) -> BoolArray:
    """Which cells, along x and z, belong to the room."""
    from teach_agents.simulator.embedded.loading import load_room
    from teach_agents.simulator.embedded.navigation import NavigationMap

    world = load_room(room)
    taken = np.zeros([int(side / _CELL) + 1 for side in area.size], bool)
    bodies = (Rectangle(x, z, x, z).grown(_BODY) for x, z in NavigationMap(world).reachable(world))
    things = (rectangle_of(obj.box) for obj in world.objects.values() if obj.object_type != "Floor")
    for x0, z0, x1, z1 in chain(bodies, things):
        i0, j0 = (max(0, int((v - first) / _CELL)) for v, first in ((x0, area.x0), (z0, area.z0)))
        i1, j1 = (max(0, int((v - first) / _CELL) + 1) for v, first in ((x1, area.x0), (z1, area.z0)))
        taken[i0:i1, j0:j1] = True
    return taken


def _largest_free(taken: BoolArray) -> tuple[float, float]:
    """Width and depth of the largest free rectangle at the first corner, metres; 0 for none."""
    best, wide = (0.0, 0.0), taken.shape[0]
    for deep in range(taken.shape[1]):
        column = taken[:wide, deep]
        wide = int(np.argmax(column)) if column.any() else wide
        if wide * (deep + 1) * _CELL * _CELL > best[0] * best[1]:
            best = (wide * _CELL, (deep + 1) * _CELL)
    return best
