"""What the Follower sees, as AI2-THOR's `visible` means it, and what a viewport point shows.

AI2-THOR asks whether a hand-authored point of an object near the body lies in view with nothing before it
(specification 5, scheme "Collider"). Here the points are the middles, face middles and corners of the object's parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from teach_agents.arrays import Float32Array, FloatArray
from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import EYE_HEIGHT, Camera, ObjectState, SimulatorState, follower_camera
from teach_agents.simulator.embedded.facts import GAZE, Gaze
from teach_agents.simulator.embedded.render import packed_camera
from teach_agents.simulator.embedded.room_shell import RoomShell
from teach_agents.simulator.embedded.senses import Hit
from teach_agents.simulator.embedded.shapes.assembly import Assembly, assembly_of

if TYPE_CHECKING:
    from teach_agents.simulator.embedded.kernels.pool import Pool


_FARTHEST = 50.0
_BASIN = "|SinkBasin"


class _Eyes(NamedTuple):
    """The Follower's camera, kept until the body's pose or the field of view changes."""

    pose: Pose
    camera: Camera
    packed: Float32Array


_EYES: WeakKeyDictionary[Assembly, _Eyes] = WeakKeyDictionary()


def _eyes(assembly: Assembly, state: SimulatorState, gaze: Gaze) -> _Eyes:
    """The Follower's eyes, the structure of the room shown as they see it, whoever looked last."""
    known = _EYES.get(assembly)
    if known is None or known.pose is not state.agent or known.camera.field_of_view != gaze.field_of_view:
        camera = replace(follower_camera(state.agent), field_of_view=gaze.field_of_view)
        known = _EYES[assembly] = _Eyes(state.agent, camera, packed_camera(camera))
    RoomShell.of(assembly, state).prepare(assembly, state, known.camera)
    return known


def is_visible(state: SimulatorState, object_id: str, gaze: Gaze = GAZE) -> bool:
    """Whether the object is `visible` to the Follower. Raises `KeyError` for an unknown id."""
    obj, assembly = state.objects[object_id], assembly_of(state)
    if object_id in assembly.in_hand:
        return True
    near = _near_enough(state.agent, (obj,), gaze.reach)
    return bool(near) and object_id in _seen(assembly, state, near, gaze)


def visible_objects(state: SimulatorState, gaze: Gaze = GAZE) -> frozenset[str]:
    """The ids of all objects that are `visible` to the Follower."""
    assembly = assembly_of(state)
    near = _near_enough(state.agent, state.objects.values(), gaze.reach)
    return frozenset((*assembly.in_hand, *_seen(assembly, state, near, gaze)))


def _near_enough(pose: Pose, objects: Iterable[ObjectState], reach: float) -> list[ObjectState]:
    """Those of which any part of the box is within reach of the body's axis, and not far above the eyes."""
    x, y, z = pose.position
    highest, furthest = y + EYE_HEIGHT + reach, reach * reach
    found = []
    for obj in objects:
        box = obj.box
        (cx, cy, cz), (w, h, d) = box.center, box.size
        dx, dz = abs(x - cx) - w / 2, abs(z - cz) - d / 2
        if dx < 0.0:
            dx = 0.0
        if dz < 0.0:
            dz = 0.0
        if dx * dx + dz * dz <= furthest and cy - h / 2 <= highest and obj.exists:
            found.append(obj)
    return found


def _seen(assembly: Assembly, state: SimulatorState, near: Iterable[ObjectState], gaze: Gaze) -> list[str]:
    """The ids of those objects, all near enough, of which something can be seen."""
    from teach_agents.simulator.embedded.kernels.sight import sees_each

    eyes = _eyes(assembly, state, gaze)
    seen: list[str] = []
    sought: dict[str, int] = {}
    for obj in near:
        if obj.object_type == "Floor":
            if _floor_visible(assembly, eyes, obj.object_id, gaze.reach):
                seen.append(obj.object_id)
        elif (slot := _drawn_as(assembly, state, obj.object_id)) is not None:
            sought[obj.object_id] = slot
    if sought:
        pool = assembly.arena.pool
        targets = np.array(list(sought.values()), np.int64)
        found = sees_each(pool.rows, pool.infos, pool.slots, pool.spheres, eyes.packed, targets)
        seen += [object_id for object_id, can in zip(sought, found.tolist(), strict=True) if can]
    return seen


def _drawn_as(assembly: Assembly, state: SimulatorState, object_id: str) -> int | None:
    """The slot whose parts show an object: its own, or its twin's where it has none; `None` where nothing does."""
    slot = assembly.slot(object_id)
    if not assembly.is_empty(slot):
        return slot
    twin = _twin(object_id)
    return assembly.slot(twin) if twin in state.objects else None


def _twin(object_id: str) -> str:
    """A sink's basin, or a basin's sink: where one is drawn for both, both are seen."""
    return object_id.removesuffix(_BASIN) if object_id.endswith(_BASIN) else object_id + _BASIN


def _floor_visible(assembly: Assembly, eyes: _Eyes, floor: str, reach: float) -> bool:
    """Whether any of nine points of the view shows floor within reach."""
    x, _, z = eyes.pose.position
    for v, u in product((0.98, 0.75, 0.5), (0.5, 0.1, 0.9)):
        hit = _met(assembly, _ray(eyes.camera, eyes.packed, u, v))
        if hit and hit.object_id == floor and math.hypot(hit.point.x - x, hit.point.z - z) <= reach:
            return True
    return False


def raycast(state: SimulatorState, camera: Camera, x: float, y: float) -> Hit | None:
    """What the viewport point (x, y in [0, 1], origin top left) of `camera` shows; `None` for nothing.

    What is held is looked through. Raises `ActionError` for a point outside the view.
    """
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise ActionError("raycast", "x and y must lie in [0, 1]", value=(x, y))
    assembly = assembly_of(state)
    RoomShell.of(assembly, state).prepare(assembly, state, camera)
    return _met(assembly, _ray(camera, packed_camera(camera), x, y))


def _met(assembly: Assembly, ray: FloatArray) -> Hit | None:
    """What a ray meets."""
    from teach_agents.simulator.embedded.kernels.rays import first_hit

    pool: Pool = assembly.arena.pool
    slot, distance = first_hit(pool.rows, pool.infos, pool.slots, pool.spheres, ray)
    if slot < 0:
        return None
    distance = float(distance)
    point = Vec3(*(a + distance * b for a, b in zip(ray[:3].tolist(), ray[3:6].tolist(), strict=True)))
    return Hit(assembly.identity(slot), point, distance)


def _ray(camera: Camera, packed: Float32Array, x: float, y: float) -> FloatArray:
    """Origin, unit direction and longest distance of a camera's ray through a viewport point."""
    exact = packed.astype(np.float64)
    eye, right, up, forward = exact[:3], exact[3:6], exact[6:9], exact[9:12]
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
