"""Clicks too crowded for a placement: AI2-THOR finds no place although there is room elsewhere.

AI2-THOR tries the points around the click (specification 2.6) and knows more than the boxes in its metadata: the rim
of a basin, a handle, a rounded edge. In TEACh's train sessions a placement failed the more often the further the held
box would have had to move from the click to touch nothing. The limits below are where refusals become likelier than
in the rest (250 sessions drawn at random): beyond them lie an eighth of the refused placements, and 3 % of the others.
Where the box fits nowhere at all the placement search answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import SimulatorState
from teach_agents.simulator.embedded.fitting import nearest_fit
from teach_agents.simulator.embedded.openings import opened_shift
from teach_agents.simulator.embedded.placement import orientations, surfaces

__all__ = ["is_crowded"]

_FARTHEST: Mapping[str, float] = {
    "Bathtub": 0.15,
    "BathtubBasin": 0.15,
    "Cabinet": 0.15,
    "CounterTop": 0.2,
    "DiningTable": 0.15,
    "Microwave": 0.15,
    "SideTable": 0.15,
    "Sink": 0.12,
    "SinkBasin": 0.12,
}
"""How far from the click what is held may have to move, metres; other receptacles showed no limit."""


def is_crowded(state: SimulatorState, held_id: str, receptacle_id: str, click: Vec3) -> bool:
    """Whether what is held, upright, has no room around the clicked world point.

    Both ids must be known. Receptacles without a limit, drawers among them, are never crowded.
    """
    held, target = state.objects[held_id], state.objects[receptacle_id]
    limit = _FARTHEST.get(target.object_type)
    if limit is None:
        return False
    shift = opened_shift(state.room, target)
    near = Vec3(click.x - shift.x, click.y - shift.y, click.z - shift.z)
    surface = next(surfaces(state, held, target, near))
    found = nearest_fit(surface, next(orientations(held, target)), near)
    return found is not None and math.hypot(found[1] - near.x, found[2] - near.z) > limit
