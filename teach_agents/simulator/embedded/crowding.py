"""Clicks too crowded for a placement: AI2-THOR finds no place although there is room elsewhere.

AI2-THOR tries the points around the click (specification 2.6) and knows more than the boxes in its metadata: the rim
of a basin, a handle, a rounded edge. In TEACh's train sessions a placement failed the more often the further the held
box, with a margin around it, would have had to move from the click to touch nothing. Beyond the limits below lie half
of the refused placements on these receptacles, and a tenth of the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import SimulatorState
from teach_agents.simulator.embedded.fitting import Shape, nearest_fit
from teach_agents.simulator.embedded.openings import opened_shift
from teach_agents.simulator.embedded.placement import orientations, surfaces

__all__ = ["is_crowded"]

_FARTHEST: Mapping[str, float] = {
    "Bathtub": 0.1,
    "BathtubBasin": 0.1,
    "Cabinet": 0.15,
    "CoffeeTable": 0.15,
    "CounterTop": 0.15,
    "DiningTable": 0.1,
    "Microwave": 0.1,
    "Plate": 0.08,
    "Shelf": 0.15,
    "SideTable": 0.1,
    "Sink": 0.12,
    "SinkBasin": 0.06,
}
"""How far from the click what is held may have to move, metres; other receptacles showed no limit."""

_MARGIN = 0.01
"""How much wider and deeper than its box what is held is taken to be, metres."""


def is_crowded(state: SimulatorState, held_id: str, receptacle_id: str, click: Vec3) -> bool:
    """Whether what is held, upright, has no room around the clicked world point.

    Both ids must be known. Receptacles without a limit, drawers among them, are never crowded, nor are those that are
    too small even when empty: people put bread on plates narrower than the slice, so there its box says too much.
    """
    held, target = state.objects[held_id], state.objects[receptacle_id]
    limit = _FARTHEST.get(target.object_type)
    if limit is None:
        return False
    shift = opened_shift(state.room, target)
    near = Vec3(click.x - shift.x, click.y - shift.y, click.z - shift.z)
    surface = next(surfaces(state, held, target, near))
    shapes = [_widened(shape) for shape in next(orientations(held, target))]
    found = nearest_fit(surface, shapes, near)
    if found is None:
        return nearest_fit(replace(surface, obstacles=()), shapes, near) is not None
    return math.hypot(found[1] - near.x, found[2] - near.z) > limit


def _widened(shape: Shape) -> Shape:
    width, height, depth = shape.size
    return replace(shape, size=Vec3(width + _MARGIN, height, depth + _MARGIN))
