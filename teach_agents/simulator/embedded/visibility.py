"""What the Follower sees, as AI2-THOR's `visible` means it, and what a viewport point shows.

AI2-THOR asks whether a hand-authored point of an object near the body lies in view with nothing before it
(specification 5, scheme "Collider"). Here the points are the middles, face middles and corners of the object's parts.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import EYE_HEIGHT, Camera, ObjectState, SimulatorState, follower_camera
from teach_agents.simulator.embedded.render import packed_camera
from teach_agents.simulator.embedded.room_shell import RoomShell
from teach_agents.simulator.embedded.senses import GAZE, Gaze
from teach_agents.simulator.embedded.shapes.assembly import Assembly, assembly_of

if TYPE_CHECKING:
    from teach_agents.simulator.embedded.kernels.pool import Pool

__all__ = ["Hit", "is_visible", "raycast", "visible_objects"]

_FARTHEST = 50.0
_BASIN = "|SinkBasin"


class Hit(NamedTuple):
    """What a ray meets: the object (`None` for the room's structure), the world point, the distance in metres."""

    object_id: str | None
    point: Vec3
    distance: float


class _Eyes:
    """What changes with the body's pose only, kept until the pose changes."""

    __slots__ = ("camera", "field_of_view", "pose")

    def __init__(self, pose: Pose, field_of_view: float) -> None:
        self.pose = pose
        self.field_of_view = field_of_view
        self.camera = packed_camera(replace(follower_camera(pose), field_of_view=field_of_view))


_EYES: WeakKeyDictionary[Assembly, _Eyes] = WeakKeyDictionary()


def _eyes(assembly: Assembly, pose: Pose, field_of_view: float) -> NDArray[np.float32]:
    known = _EYES.get(assembly)
    if known is None or known.pose is not pose or known.field_of_view != field_of_view:
        known = _Eyes(pose, field_of_view)
        _EYES[assembly] = known
    return known.camera


def _near_enough(pose: Pose, obj: ObjectState, reach: float) -> bool:
    """Whether any part of the object's box is within reach of the body's axis, and not far above the eyes."""
    (cx, cy, cz), (w, h, d) = obj.box.center, obj.box.size
    x, y, z = pose.position
    dx, dz = max(abs(x - cx) - w / 2, 0.0), max(abs(z - cz) - d / 2, 0.0)
    if dx * dx + dz * dz > reach * reach:
        return False
    return cy - h / 2 <= y + EYE_HEIGHT + reach


def is_visible(state: SimulatorState, object_id: str, gaze: Gaze = GAZE) -> bool:
    """Whether the object is `visible` to the Follower. Raises `KeyError` for an unknown id."""
    return _visible(assembly_of(state), state, state.objects[object_id], gaze)


def visible_objects(state: SimulatorState, gaze: Gaze = GAZE) -> frozenset[str]:
    """The ids of all objects that are `visible` to the Follower."""
    assembly = assembly_of(state)
    return frozenset(i for i, obj in state.objects.items() if _visible(assembly, state, obj, gaze))


def _visible(assembly: Assembly, state: SimulatorState, obj: ObjectState, gaze: Gaze) -> bool:
    if obj.object_id in assembly.in_hand:
        return True
    if not obj.exists or not _near_enough(state.agent, obj, gaze.reach):
        return False
    if obj.object_type == "Floor":
        return _floor_visible(state, obj.object_id, gaze)
    slot = assembly.slot(obj.object_id)
    if assembly.is_empty(slot):
        twin = _twin(obj.object_id)
        if twin not in state.objects:
            return False
        slot = assembly.slot(twin)
    return _sees(assembly, state, slot, gaze)


def _twin(object_id: str) -> str:
    """A sink's basin, or a basin's sink: where one is drawn for both, both are seen."""
    return object_id.removesuffix(_BASIN) if object_id.endswith(_BASIN) else object_id + _BASIN


def _floor_visible(state: SimulatorState, floor: str, gaze: Gaze) -> bool:
    """Whether any of nine points of the view shows floor within reach."""
    camera = replace(follower_camera(state.agent), field_of_view=gaze.field_of_view)
    x, _, z = state.agent.position
    for v in (0.98, 0.75, 0.5):
        for u in (0.5, 0.1, 0.9):
            hit = raycast(state, camera, u, v)
            if hit is not None and hit.object_id == floor:
                if math.hypot(hit.point.x - x, hit.point.z - z) <= gaze.reach:
                    return True
    return False


def _sees(assembly: Assembly, state: SimulatorState, slot: int, gaze: Gaze) -> bool:
    from teach_agents.simulator.embedded.kernels.rays import sees

    pool = assembly.arena.pool
    camera = _eyes(assembly, state.agent, gaze.field_of_view)
    return bool(sees(pool.rows, pool.infos, pool.slots, pool.spheres, camera, slot))


def raycast(state: SimulatorState, camera: Camera, x: float, y: float) -> Hit | None:
    """What the viewport point (x, y in [0, 1], origin top left) of `camera` shows; `None` for nothing.

    What is held is looked through. Raises `ActionError` for a point outside the view.
    """
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise ActionError("raycast", "x and y must lie in [0, 1]", value=(x, y))
    from teach_agents.simulator.embedded.kernels.rays import first_hit

    assembly = assembly_of(state)
    RoomShell.of(assembly, state).prepare(assembly, state, camera)
    pool: Pool = assembly.arena.pool
    ray = _ray(camera, x, y)
    slot, distance = first_hit(pool.rows, pool.infos, pool.slots, pool.spheres, ray)
    if slot < 0:
        return None
    point = Vec3(*(float(a + distance * b) for a, b in zip(ray[:3], ray[3:6], strict=True)))
    return Hit(assembly.identity(slot), point, float(distance))


def _ray(camera: Camera, x: float, y: float) -> NDArray[np.float64]:
    """Origin, unit direction and longest distance of the ray through a viewport point."""
    packed = packed_camera(camera).astype(np.float64)
    eye, right, up, forward = packed[:3], packed[3:6], packed[6:9], packed[9:12]
    sx, sy = 2 * x - 1, 1 - 2 * y
    ray = np.empty(7)
    if camera.orthographic is not None:
        ray[:3] = eye + camera.orthographic * (sx * right + sy * up)
        ray[3:6] = forward
    else:
        direction = forward + math.tan(math.radians(camera.field_of_view) / 2) * (sx * right + sy * up)
        ray[:3] = eye
        ray[3:6] = direction / np.linalg.norm(direction)
    ray[6] = _FARTHEST
    return ray
