"""One object in an empty room, and cameras to look at it."""

from __future__ import annotations

from typing import Any

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Box, Camera, ObjectKind, ObjectState
from teach_agents.simulator.embedded.world import World

__all__ = ["CAMERA", "corners_of", "exhibit", "floor", "showroom"]

CAMERA = Camera(Vec3(0.5, 1.95, 0.75), yaw=213.7, pitch=43.0, field_of_view=30.0)
"""Looks down at the exhibit's front from its left."""


def floor() -> ObjectState:
    """A floor of 4 x 4 m around the origin."""
    kind = ObjectKind("Floor|+00.00|+00.00|+00.00", "Floor", "Floor_1", receptacle=True)
    return ObjectState(kind, Vec3(0, 0, 0), Vec3(0, 0, 0), Box(Vec3(0, 0.0, 0), Vec3(4.0, 0.02, 4.0)))


def corners_of(box: Box) -> tuple[Vec3, ...]:
    """The corners of a box in AI2-THOR's order."""
    low, high = box.low, box.high
    around = ((high.x, high.z), (low.x, high.z), (low.x, low.z), (high.x, low.z))
    return tuple(Vec3(x, y, z) for y in (low.y, high.y) for x, z in around)


def exhibit(
    object_type: str, size: tuple[float, float, float] = (0.3, 0.3, 0.3), at: Vec3 | None = None, **state: Any
) -> ObjectState:
    """An object whose box stands on y = 1, or around `at`, its front toward +z; `state` are fields of its state."""
    center = at or Vec3(0.0, 1.0 + size[1] / 2, 0.0)
    box = Box(center, Vec3(*size))
    kind = ObjectKind(f"{object_type}|+00.00|+01.00|+00.00", object_type, f"{object_type}_1", pickupable=True)
    position = Vec3(center.x, box.low.y, center.z)
    return ObjectState(kind, position, Vec3(0, 0, 0), box, corners_of(box), **state)


def showroom(*objects: ObjectState, agent: Pose | None = None) -> World:
    """A world of a floor and these objects; the Follower stands aside unless told."""
    return World("FloorPlan1", agent or Pose(Vec3(-1.5, 0.9, -1.5), 180.0, 0.0), (floor(), *objects))
