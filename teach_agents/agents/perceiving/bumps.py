"""What one ran into: where furniture stands for good, where a door stands that is open, and moves that were refused."""

from __future__ import annotations

import math

from teach_agents.actions import Action, ActionResult
from teach_agents.agents.acting.navigation import GRID, Cell
from teach_agents.agents.perceiving.detector_kinds import can
from teach_agents.tasks.classes import type_from_id

_SWINGS = frozenset({"Open", "Close"})
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
        if blocking and door is not None:
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
        if door is not None and action.name in _SWINGS:
            self._open = [one for one in self._open if one != door] + [door] * (action.name == "Open")

    def forgive(self, action: Action, here: Cell) -> None:
        """Moves may do again after an action that may have cleared the way."""
        if not self._vague:
            self.refused.clear()
        elif action.name in _SWINGS:
            near = SWING / GRID
            self.refused = {one for one in self.refused if math.hypot(one[0][0] - here[0], one[0][1] - here[1]) > near}
