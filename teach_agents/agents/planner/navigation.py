"""Paths on the reachable grid: breadth-first search over cells and headings, our own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from teach_agents.observations import Pose, Vec3

__all__ = ["GRID", "Cell", "Paths", "Stand", "cell_of", "heading_of", "neighbour", "point_of"]

GRID = 0.25
"""Side of a cell, metres."""

Cell = tuple[int, int]
"""Position on the grid: x and z in cells."""

Stand = tuple[Cell, int]
"""A cell and a heading: 0 faces +z, 1 faces +x, 2 and 3 the opposite ways."""

_DIRECTIONS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_STEPS: Mapping[str, int] = {"Forward": 0, "Pan Right": 1, "Backward": 2, "Pan Left": 3}
_TURNS: Mapping[str, int] = {"Turn Right": 1, "Turn Left": 3}

_WALKS = tuple(
    tuple((action, *_DIRECTIONS[(heading + turn) % 4]) for action, turn in _STEPS.items()) for heading in range(4)
)
"""By heading: each motion with the change of cell that it makes."""
_TURNED = tuple(tuple((action, (heading + turn) % 4) for action, turn in _TURNS.items()) for heading in range(4))
"""By heading: each turn with the heading that it leads to."""


def cell_of(x: float, z: float) -> Cell:
    """The cell of a position in metres."""
    return round(x / GRID), round(z / GRID)


def point_of(cell: Cell, height: float = 0.0) -> Vec3:
    """The middle of a cell, metres."""
    return Vec3(cell[0] * GRID, height, cell[1] * GRID)


def heading_of(pose: Pose) -> int:
    """The heading that is nearest to a pose's yaw."""
    return round(pose.yaw / 90) % 4


def neighbour(stand: Stand, action: str) -> Stand:
    """Where a motion leads; motions that stay in place lead to the same stand."""
    (x, z), heading = stand
    if action in _STEPS:
        dx, dz = _DIRECTIONS[(heading + _STEPS[action]) % 4]
        return (x + dx, z + dz), heading
    return (x, z), (heading + _TURNS.get(action, 0)) % 4


class Paths:
    """Shortest paths in actions from one stand to every other; motions and turns cost one each."""

    def __init__(self, start: Stand, cells: Iterable[Cell], blocked: Iterable[tuple[Cell, Cell]] = ()) -> None:
        self._free = {*cells, start[0]}
        self._blocked = set(blocked)
        self._came: dict[Stand, tuple[Stand, str] | None] = {start: None}
        self._cost: dict[Stand, int] = {start: 0}
        self._search(start)

    def _search(self, start: Stand) -> None:
        free, blocked, came, cost = self._free, self._blocked, self._came, self._cost
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            cell, heading = here
            x, z = cell
            after = cost[here] + 1
            for action, dx, dz in _WALKS[heading]:
                next_cell = (x + dx, z + dz)
                there = (next_cell, heading)
                if next_cell in free and there not in cost and (not blocked or (cell, next_cell) not in blocked):
                    came[there] = here, action
                    cost[there] = after
                    waiting.append(there)
            for action, turned in _TURNED[heading]:
                there = (cell, turned)
                if there not in cost:
                    came[there] = here, action
                    cost[there] = after
                    waiting.append(there)

    def cost(self, stand: Stand) -> int | None:
        """Actions needed to get there, or `None` when there is no way."""
        return self._cost.get(stand)

    def way(self, stand: Stand) -> list[str]:
        """The actions that lead there. Raises `KeyError` when there is no way."""
        actions: list[str] = []
        step = self._came[stand]
        while step is not None:
            before, action = step
            actions.append(action)
            step = self._came[before]
        return actions[::-1]
