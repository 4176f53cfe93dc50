"""Paths on the reachable grid: breadth-first search over cells, our own."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from teach_agents.arrays import FloatArray, IntArray
from teach_agents.observations import Pose, Vec3

GRID = 0.25
"""Side of a cell, metres."""

Cell = tuple[int, int]
"""Position on the grid: x and z in cells."""

Stand = tuple[Cell, int]
"""A cell and a heading: 0 faces +z, 1 faces +x, 2 and 3 the opposite ways."""

_DIRECTIONS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_STEPS: Mapping[str, int] = {"Forward": 0, "Pan Right": 1, "Backward": 2, "Pan Left": 3}
_TURNS: Mapping[str, int] = {"Turn Right": 1, "Turn Left": 3}

_AROUND: tuple[tuple[str, ...], ...] = ((), ("Turn Right",), ("Turn Right", "Turn Right"), ("Turn Left",))
"""By quarters to the right: the turns that make them."""
_TURNED = np.array([float(len(turns)) for turns in _AROUND])


def cell_of(x: float, z: float) -> Cell:
    """The cell of a position in metres."""
    return round(x / GRID), round(z / GRID)


def cells_of(cells: IntArray) -> frozenset[Cell]:
    """Cells that are given as N x 2 numbers."""
    return frozenset([(x, z) for x, z in cells.tolist()])


def point_of(cell: Cell) -> Vec3:
    """The middle of a cell on the map, metres."""
    return Vec3(cell[0] * GRID, 0.0, cell[1] * GRID)


def stand_of(pose: Pose) -> Stand:
    """The cell of a pose, and the heading that is nearest to its yaw."""
    return cell_of(pose.position.x, pose.position.z), round(pose.yaw / 90) % 4


def neighbour(stand: Stand, action: str) -> Stand:
    """Where a motion leads; motions that stay in place lead to the same stand."""
    (x, z), heading = stand
    if action in _STEPS:
        dx, dz = _DIRECTIONS[(heading + _STEPS[action]) % 4]
        return (x + dx, z + dz), heading
    return (x, z), (heading + _TURNS.get(action, 0)) % 4


class Paths:
    """Shortest paths in actions from one stand to every other; motions and turns cost one each.

    One walks in all four directions whichever way one faces. So a shortest path walks first, over the fewest cells,
    and turns on arrival: only cells need to be searched.
    """

    def __init__(self, start: Stand, cells: Iterable[Cell], blocked: Iterable[tuple[Cell, Cell]] = ()) -> None:
        cell, self._heading = start
        self._cost: dict[Cell, int] = {cell: 0}
        self._came: dict[Cell, tuple[Cell, str]] = {}
        self._search(cell, {*cells}, {*blocked})

    def _search(self, start: Cell, free: set[Cell], blocked: set[tuple[Cell, Cell]]) -> None:
        cost, came = self._cost, self._came
        steps = [(action, *_DIRECTIONS[(self._heading + turn) % 4]) for action, turn in _STEPS.items()]
        free.discard(start)
        waiting = [start]
        for cell in waiting:
            x, z = cell
            after = cost[cell] + 1
            for action, dx, dz in steps:
                there = (x + dx, z + dz)
                if there in free and (cell, there) not in blocked:
                    free.remove(there)
                    cost[there] = after
                    came[there] = cell, action
                    waiting.append(there)

    @property
    def cells(self) -> Collection[Cell]:
        """The cells to which there is a way."""
        return self._cost.keys()

    def cost(self, stand: Stand) -> float:
        """Actions needed to get there; infinite when there is no way."""
        cell, heading = stand
        return self._cost.get(cell, math.inf) + len(_AROUND[(heading - self._heading) % 4])

    def costs(self, cells: IntArray, headings: IntArray) -> FloatArray:
        """Actions needed to get to each of N stands (or to N cells in each of M x 1 headings); infinite where there is
        no way."""
        walked = np.array([self._cost.get((x, z), math.inf) for x, z in cells.tolist()])
        return np.asarray(walked + _TURNED[(headings - self._heading) % 4])

    def way(self, stand: Stand) -> list[str]:
        """The actions that lead there. Raises `KeyError` when there is no way."""
        cell, heading = stand
        walks: list[str] = []
        for _ in range(self._cost[cell]):
            cell, action = self._came[cell]
            walks.append(action)
        return [*reversed(walks), *_AROUND[(heading - self._heading) % 4]]
