"""Where to put things down so that more of them fit: small holders are filled from one end."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.acting.attempts import Score
from teach_agents.agents.acting.looking import EYE_HEIGHT, Pixels
from teach_agents.agents.acting.spaces import SURE, Space, along_sides
from teach_agents.agents.acting.things import Thing
from teach_agents.arrays import FloatArray
from teach_agents.observations import Pose

_SMALL = 1.0
"""Longest side of a holder that is filled from one end, metres."""
_SLIM = 0.6
"""Least share of its longer side that the shorter one has in what is not slim."""
_ASIDE = 0.05
"""What it is worth to be off the middle, against being far along, so that two narrow things go side by side."""


def is_small(holder: Thing) -> bool:
    """Whether what stands in the middle of a holder leaves little room for more."""
    return holder.has("pickupable") or (max(holder.sides) < _SMALL and not holder.is_basin)


def is_slim(held: Thing) -> bool:
    """Whether several such things go side by side where one would be in the middle: slices of food above all."""
    return min(held.sides) < _SLIM * max(held.sides)


def packed(holder: Thing, held: Thing, pose: Pose, space: Space) -> Score:
    """Fill a small holder from its far end towards oneself, so that room is left for more.

    Slim things are put side by side on a dish, as they come to stand on it: square to it, as they are made. Where the
    holder is above the eyes its near end comes first, as its bottom hides what is farther in.
    """
    own = np.array([holder.center, pose.position])
    (x, z), (body_x, body_z) = np.stack(along_sides(own, holder), axis=1)
    away = x - body_x, z - body_z
    slim = is_slim(held) and holder.has("pickupable")
    along = _across(held, holder) if slim else int(abs(away[0]) <= abs(away[1]))
    sign = 1.0 if away[along] > 0 else -1.0
    if holder.low.y > pose.position.y + EYE_HEIGHT:
        sign = -sign

    def score(pixels: Pixels) -> FloatArray:
        value = space.score(pixels)
        offsets = [points - middle for points, middle in zip(along_sides(pixels.points, holder), (x, z), strict=True)]
        beside = _ASIDE * np.abs(offsets[1 - along]) if slim else 0.002 * pixels.depth_inside
        packed_at = SURE + _SMALL + sign * offsets[along] + beside
        return np.asarray(np.where(value >= SURE, packed_at, value), dtype=np.float64)

    return score


def _across(held: Thing, holder: Thing) -> int:
    """Along which side of a holder (0 its width, 1 its depth) a slim thing is slim when it stands on it."""
    width, depth = held.sides
    turned = (round(held.yaw / 90.0) + round(holder.yaw / 90.0)) % 2
    return int(depth < width) ^ turned
