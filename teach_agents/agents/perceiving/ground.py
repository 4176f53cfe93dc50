"""Where a body can stand, known from depth and its own moves alone: for tiers that are not told.

A place is free where floor was seen, nothing stood in the way of the body, and no move into it was refused. What was
never seen is not free: looking around opens up the ground step by step.
"""

from __future__ import annotations

import math

import numpy as np

from teach_agents.actions import STEPS, Action, ActionResult
from teach_agents.agents.acting.navigation import GRID, Cell, Paths, cell_of, neighbour, stand_of
from teach_agents.agents.perceiving.detector_kinds import can
from teach_agents.arrays import BoolArray, FloatArray, IntArray
from teach_agents.core.control import NOT_DONE
from teach_agents.observations import Pose
from teach_agents.tasks.classes import type_from_id

_SWINGS = "Open", "Close"
"""Actions that move what is large."""
SWING = 1.75
"""How near the body something may be out of the way then, metres."""
_BLOCKING = " is blocking"
"""AI2-THOR's words between the name of what is in the way, a type and a number, and where to."""


class Bumps:
    """Where moves were refused, by what AI2-THOR says was in the way.

    Furniture and walls stay where they are: their cell is taken for good. The cell that an open door stands in is
    taken, from all sides, as long as that door is open. Of anything else only the move is remembered, until something
    is moved, or where outlines are `vague` until something swings nearby.
    """

    def __init__(self, *, vague: bool) -> None:
        self.refused: set[tuple[Cell, Cell]] = set()
        self._vague = vague
        self._fixed: set[Cell] = set()
        self._doors: dict[str, set[Cell]] = {}
        self._open: list[str] = []

    @property
    def taken(self) -> set[Cell]:
        """The cells in which something stands now."""
        return self._fixed.union(*(self._doors.get(door, ()) for door in self._open))

    def bump(self, here: Cell, there: Cell, message: str, stood: bool) -> None:
        """A move from one cell into the next was refused with this message; `stood`: one has been there before."""
        name, blocking, _ = message.partition(_BLOCKING)
        kind = name.split("_")[0]
        door = next((one for one in reversed(self._open) if type_from_id(one) == kind), None)
        if blocking and door:
            self._doors.setdefault(door, set()).add(there)
        elif blocking and not stood and not can(kind, "openable") and not can(kind, "pickupable"):
            self._fixed.add(there)
        else:
            self.refused.add((here, there))

    def stand(self, here: Cell) -> None:
        """One stands here: it is not taken."""
        for cells in (self._fixed, *self._doors.values()):
            cells.discard(here)

    def swing(self, action: Action, result: ActionResult) -> None:
        """Something was opened or shut."""
        door = result.object_id
        if door and action.name in _SWINGS:
            self._open = [one for one in self._open if one != door] + [door] * (action.name == "Open")

    def forgive(self, action: Action, here: Cell) -> None:
        """Moves may do again after an action that may have cleared the way."""
        if not self._vague:
            self.refused.clear()
        elif action.name in _SWINGS:
            near = SWING / GRID
            self.refused = {one for one in self.refused if math.dist(one[0], here) > near}


_FINE = 0.05
"""Side of a square of the map, metres."""
_EXTENT = 16.0
"""Rooms lie within so many metres of the origin of their coordinates."""
_SIDE = 2 * round(_EXTENT / _FINE) + 1
_BODY = 0.9
"""Height of the body's position above the floor, metres."""
_LOW, _TALL = 0.1, 1.75
"""Heights above the floor between which things are in the way, metres."""
_RADIUS = 0.2
"""Of the body, metres."""
_SELF = 0.35
"""What is nearer than this to the body's axis is in its own hand, metres."""
_FLOOR = 0.25
"""Share of the squares under the body in which floor must have been seen."""
_UNSEEN = 2
"""How many cells about itself the body does not see the floor: they are free unless something is seen there."""
_LEAST, _SURE = 0.1, 2.0
"""Where depth is estimated: how much must speak for something being in the way, and how much counts at most. A view
from a distance of d metres counts 1 / (1 + d²) (occupancy grids, Elfes 1989)."""
_CHANGES = "Open", "Close", "Pickup", "Place"
"""Actions after which something may be out of the way that was in it."""
_DOUBT = 10
"""For how many turns one's eyes are then trusted more than the map."""


class Ground:
    """A map of the floor in squares of 5 cm: where floor was seen, and where something is in the way.

    `vague` is how many squares under the body may be in the way all the same, where the depth of outlines is vague:
    there views are weighed against one another, and what was seen in the way once is not for good.
    """

    def __init__(self, vague: int = 0) -> None:
        self._vague = vague
        self._floor = np.zeros((_SIDE, _SIDE), np.bool_)
        self._filled = np.zeros((_SIDE, _SIDE), np.bool_)
        self._odds = np.zeros((_SIDE, _SIDE))
        self._stood: set[Cell] = set()
        self._bumps = Bumps(vague=vague > 0)
        self._here: Cell | None = None
        self._changed: Cell | None = None
        self._doubt = 0
        self._reachable: frozenset[tuple[float, float]] = frozenset()
        self._is_current = False

    def look(
        self,
        points: FloatArray,
        pose: Pose,
        action: Action | None = None,
        result: ActionResult | None = None,
    ) -> None:
        """A view from this pose shows these points (N x 3, metres), after this action was carried out."""
        here = self._move(pose, action, result)
        position = pose.position
        away = np.hypot(points[:, 0] - position.x, points[:, 2] - position.z)
        height = points[:, 1] - (position.y - _BODY)
        low, filled = height < _LOW, (height >= _LOW) & (height < _TALL) & (away > _SELF)
        floor_seen = np.zeros_like(self._floor)
        floor_seen[_squares(points[low])] = True
        if action and result and result.success and action.name in _CHANGES:
            self._bumps.forgive(action, here)
            self._changed, self._doubt = here, _DOUBT
        self._clear(floor_seen)
        self._floor |= floor_seen
        if self._vague:
            told = low | filled
            self._weigh(points[told], filled[told], away[told])
        else:
            self._filled[_squares(points[filled])] = True
        self._is_current = False

    def _weigh(self, points: FloatArray, filled: BoolArray, away: FloatArray) -> None:
        """Add what a view tells for and against something being in the way, square by square: the nearer the surer."""
        places, where = np.unique(np.ravel_multi_index(_squares(points), self._odds.shape), return_inverse=True)
        counts = np.bincount(where)
        verdicts = np.bincount(where, np.where(filled, 1.0, -1.0)) / counts
        distances = np.bincount(where, away) / counts
        odds = self._odds.reshape(-1)
        odds[places] = np.clip(odds[places] + verdicts / (1.0 + distances**2), -_SURE, _SURE)
        self._filled = self._odds > _LEAST

    def _clear(self, floor_seen: BoolArray) -> None:
        """Where floor shows after something was moved nearby, nothing is in the way any more."""
        if not self._changed or not self._doubt:
            return
        self._doubt -= 1
        reach = round(SWING / _FINE)
        x, z = (round(part * GRID / _FINE) + _SIDE // 2 for part in self._changed)
        near = slice(max(0, x - reach), x + reach + 1), slice(max(0, z - reach), z + reach + 1)
        self._filled[near] &= ~floor_seen[near]
        self._odds[near] = np.where(floor_seen[near], np.minimum(self._odds[near], 0.0), self._odds[near])

    def _move(self, pose: Pose, action: Action | None, result: ActionResult | None) -> Cell:
        """Note where the body stands, and where it could not go; where it stands."""
        here = cell_of(pose.position.x, pose.position.z)
        if action and result and result.message != NOT_DONE:
            if action.name in STEPS and here == self._here:
                there, _ = neighbour(stand_of(pose), action.name)
                self._bumps.bump(here, there, result.message, stood=there in self._stood)
            elif result.success:
                self._bumps.swing(action, result)
        self._here = here
        self._stood.add(here)
        self._bumps.stand(here)
        return here

    @property
    def reachable(self) -> frozenset[tuple[float, float]]:
        """Places (x, z) in metres, 0.25 m apart, to which there is a free way from where the body stands.

        It stays the same value as long as these are the same.
        """
        if not self._is_current:
            assert self._here, "look() comes first"
            paths = Paths((self._here, 0), self._free(), self._bumps.refused)
            found = frozenset((x * GRID, z * GRID) for x, z in paths.cells)
            if found != self._reachable:
                self._reachable = found
            self._is_current = True
        return self._reachable

    def _span(self, axis: int) -> tuple[int, int]:
        """The first and the last cell along an axis at which floor was seen, or the body may stand unseen."""
        most = int(_EXTENT / GRID) - 1
        squares = np.flatnonzero(self._floor.any(axis=1 - axis)) - _SIDE // 2
        seen = [int(np.rint(end * _FINE / GRID)) for end in squares[[0, -1]]] if len(squares) else []
        stood = [cell[axis] for cell in self._stood]
        return max(-most, min([*seen, min(stood) - _UNSEEN])), min(most, max([*seen, max(stood) + _UNSEEN]))

    def _free(self) -> set[Cell]:
        """The cells in which there is room for the body."""
        (left, right), (near, far) = (self._span(axis) for axis in range(2))
        cells = np.mgrid[left : right + 1, near : far + 1].reshape(2, -1).T
        middles = np.rint(cells * GRID / _FINE).astype(np.int64) + _SIDE // 2
        x, z = (middles[:, axis, None] + _UNDER[axis] for axis in range(2))
        open_ = self._filled[x, z].sum(axis=1) <= self._vague
        shown = self._floor[x, z].mean(axis=1) >= _FLOOR
        for stood in self._stood:
            shown |= np.abs(cells - stood).sum(axis=1) <= _UNSEEN
        return {*self._stood, *((x, z) for x, z in cells[open_ & shown].tolist())} - self._bumps.taken


def _under() -> IntArray:
    """The squares under a body in the middle of one, as offsets, 2 x N."""
    reach = round(_RADIUS / _FINE)
    offsets = np.mgrid[-reach : reach + 1, -reach : reach + 1].reshape(2, -1)
    return offsets[:, np.hypot(*offsets) * _FINE <= _RADIUS]


_UNDER = _under()


def _squares(points: FloatArray) -> tuple[IntArray, IntArray]:
    """The squares of points (N x 3) as places in the map; what is outside is taken to its edge."""
    squares = np.clip(np.rint(points[:, ::2] / _FINE).astype(np.int64) + _SIDE // 2, 0, _SIDE - 1)
    return squares[:, 0], squares[:, 1]
