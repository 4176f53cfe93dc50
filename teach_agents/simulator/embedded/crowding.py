"""Clicks too crowded for a placement: AI2-THOR finds no place where the metadata's boxes leave one.

AI2-THOR tries points all over the receptacle, those near the click first, and knows more than the boxes in its metadata
(specification 2.6): the trigger box that must hold all of the thing is smaller than the receptacle's box, a basin has a
rim, a pan a handle. So in TEACh's train sessions a placement failed the more often the less room there was around the
held box wherever it could go, and the further from the click that was. `scripts/learn_crowding.py` finds, for each type
of receptacle, the margin around the box and the distance beyond which refusals prevail.
"""

from __future__ import annotations

import math
from dataclasses import replace

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.axes import axes_of
from teach_agents.simulator.embedded.fitting import Shape, nearest_fit
from teach_agents.simulator.embedded.openings import opened_shift
from teach_agents.simulator.embedded.placement import orientations, surfaces


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
    shift = opened_shift(state.room, target)
    near = axes_of(target).inward(Vec3(click.x - shift.x, click.y - shift.y, click.z - shift.z))
    surface = next(surfaces(state, held, target, near))
    shapes = [_widened(shape, margin) for shape in next(orientations(held, target))]
    found = nearest_fit(surface, shapes, near)
    if found is not None:
        return math.hypot(found[1] - near.x, found[2] - near.z)
    return math.inf if nearest_fit(replace(surface, obstacles=()), shapes, near) is not None else 0.0


def _widened(shape: Shape, margin: float) -> Shape:
    width, height, depth = shape.size
    return replace(shape, size=Vec3(width + margin, height, depth + margin))
