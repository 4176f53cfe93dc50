"""Get nearer to what no ground that is known is near to."""

from __future__ import annotations

import math

import numpy as np

from teach_agents.agents.acting.body import Body, Steps, attempted, go_to
from teach_agents.agents.acting.navigation import GRID, Cell
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage

_STRETCHES = 6
"""How often one goes on from where more ground shows."""
_APART = 2
"""How far from each other these places are at least, cells."""
_PITCH = 30
"""At which the floor ahead is in view, degrees."""


def approach(body: Body, target: Thing) -> Steps:
    """Go as near to a thing as the known ground leads, and on as long as that shows more of it, until there is a place
    to stand from which the thing is in reach.

    Nothing is done where one is told where one can stand.
    """
    known = body.knowledge
    if known is None or known.ground is None:
        return
    been: list[Cell] = []
    for _ in range(_STRETCHES):
        target = body.things.get(target.object_id) or target
        vantages = body.vantages(target)
        if np.isfinite(body.paths.costs(vantages.cells, vantages.headings)).any():
            return
        nearest = _nearest(body, target, been)
        if nearest is None:
            return
        been.append(nearest)
        way = go_to(body, Vantage((nearest, _towards(nearest, target)), _PITCH, 0.0, target.center))
        yield from attempted(way)


def _nearest(body: Body, target: Thing, been: list[Cell]) -> Cell | None:
    """The cell with a way to it that is nearest to a thing, at some distance from where one has been."""
    cells = np.array([*body.paths.cells], np.int64).reshape(-1, 2)
    for cell in been:
        cells = cells[np.abs(cells - cell).sum(axis=1) >= _APART]
    if not len(cells):
        return None
    away = np.hypot(*(cells * GRID - (target.center.x, target.center.z)).T)
    x, z = cells[int(away.argmin())].tolist()
    return x, z


def _towards(cell: Cell, target: Thing) -> int:
    """The heading in which a thing lies from a cell."""
    return round(math.degrees(math.atan2(target.center.x - cell[0] * GRID, target.center.z - cell[1] * GRID)) / 90) % 4
