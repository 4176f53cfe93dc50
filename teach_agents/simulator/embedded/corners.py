"""Corners of a room's box that lie outside the room: where it is L-shaped, walls stand there.

What AI2-THOR tells of a room are its objects and its floor. A corner of the box around them lies outside when nobody
can walk in it and nothing stands in it. Worked out from the room as it ships, so that what happens in a session
changes nothing.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from teach_agents.arrays import BoolArray
from teach_agents.simulator.embedded.geometry import Rectangle
from teach_agents.simulator.embedded.rooms import ROOM_NAMES

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
    for right in (False, True):
        for far in (False, True):
            wide, deep = _largest(taken[:: -1 if right else 1, :: -1 if far else 1])
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
    taken = np.zeros((int((area.x1 - area.x0) / _CELL) + 1, int((area.z1 - area.z0) / _CELL) + 1), bool)

    def take(x0: float, z0: float, x1: float, z1: float) -> None:
        low = [max(0, int((v - first) / _CELL)) for v, first in ((x0, area.x0), (z0, area.z0))]
        high = [max(0, int((v - first) / _CELL) + 1) for v, first in ((x1, area.x0), (z1, area.z0))]
        taken[low[0] : high[0], low[1] : high[1]] = True

    for x, z in NavigationMap(world).reachable(world):
        take(x - _BODY, z - _BODY, x + _BODY, z + _BODY)
    for obj in world.objects.values():
        if obj.object_type != "Floor":
            take(obj.box.low.x, obj.box.low.z, obj.box.high.x, obj.box.high.z)
    return taken


def _largest(taken: BoolArray) -> tuple[float, float]:
    """Width and depth of the largest free rectangle at the first corner, metres; 0 for none."""
    best, wide = (0.0, 0.0), taken.shape[0]
    for deep in range(taken.shape[1]):
        column = taken[:wide, deep]
        wide = int(np.argmax(column)) if column.any() else wide
        if wide * (deep + 1) * _CELL * _CELL > best[0] * best[1]:
            best = (wide * _CELL, (deep + 1) * _CELL)
    return best
