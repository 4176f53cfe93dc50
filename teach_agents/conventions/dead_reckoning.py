"""Where a body stands that is only told what it did itself: TEACh's protocol carries no pose and no success."""

from __future__ import annotations

import sys
from dataclasses import replace

from teach_agents.actions import ACTION_TYPES, MOTIONS, Action
from teach_agents.core.json_types import JsonMapping
from teach_agents.data.interactions import pose_from_values
from teach_agents.household.geometry import moved
from teach_agents.observations import Pose, Vec3

_UNKNOWN = Pose(Vec3(0.0, 0.9, 0.0), yaw=0.0, horizon=30.0)
"""The origin, looking as a session begins: used where the history says nothing."""
_DRIVER = 1
_LOWEST, _HIGHEST = 60.0, -30.0


def first_pose(instance: JsonMapping) -> Pose:
    """Where the last recorded motion of an instance's history led; the origin where there is none.

    `instance` is in the released format; whatever of it cannot be read is passed over.
    """
    interactions = instance.get("interactions")
    start = instance.get("pred_start_idx")
    if isinstance(interactions, list) and isinstance(start, int):
        for one in reversed(interactions[:start]):
            values = one.get("pose") if isinstance(one, dict) and one.get("agent_id") == _DRIVER else None
            if isinstance(values, list) and len(values) == 6 and all(map(_is_finite, values)):
                return pose_from_values(tuple(map(float, values)))
    return _UNKNOWN


def _is_finite(value: object) -> bool:
    """Whether it is a number that a float can hold; JSON as Python reads it knows others."""
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def reckoned(pose: Pose, action: Action | None) -> Pose:
    """The pose after a motion, were it to succeed; any other action leaves it."""
    if action is None or action.name not in MOTIONS:
        return pose
    ahead, left, _, _, pitch, yaw_left = ACTION_TYPES[action.name].pose_delta
    horizon = min(max(pose.horizon + pitch, _HIGHEST), _LOWEST)
    position = moved(pose.position, pose.yaw, ahead, -left)
    return replace(pose, position=position, yaw=(pose.yaw - yaw_left) % 360.0, horizon=horizon)
