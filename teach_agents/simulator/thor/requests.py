"""Our actions as AI2-THOR's requests, and its answers as ours (TEACh specification 2.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import SimulatorAction

Request = JsonObject
Make = Callable[[SimulatorAction], Request]


def request_of(action: SimulatorAction) -> Request:
    """The request of an action. Raises `ActionError` for an unknown name and for a magnitude that is no number."""
    make = _TABLE.get(action.name)
    if make is None:
        raise ActionError("simulator action", "no such action", value=action.name, valid=ACTION_NAMES)
    size = action.magnitude
    if size is not None and not (isinstance(size, int | float) and math.isfinite(size)):
        raise ActionError(f"simulator action {action.name}", "magnitude must be a finite number", value=size)
    return {"action": action.name, **make(action)}


def teleport(pose: Pose, *, force: bool) -> Request:
    """The request that puts the body somewhere."""
    return {
        "action": "TeleportFull",
        "position": pose.position._asdict(),
        "rotation": {"x": 0.0, "y": pose.yaw, "z": 0.0},
        "horizon": pose.horizon,
        "standing": pose.standing,
        "forceAction": force,
    }


def answer_of(name: str, value: Any) -> object:
    """What a query answered, with points as `Vec3`."""
    if name == "GetReachablePositions" and isinstance(value, list | tuple):
        return tuple(vector(point) for point in value)
    if name in ("DropHandObject", "DropHeldObject", "GetCoordinateFromRaycast") and isinstance(value, Mapping):
        return vector(value)
    return value


def vector(value: JsonMapping) -> Vec3:
    """A vector as AI2-THOR writes it."""
    return Vec3(float(value["x"]), float(value["y"]), float(value["z"]))


def _sized(key: str) -> Make:
    return lambda action: {} if action.magnitude is None else {key: action.magnitude}


def _forced(key: str) -> Make:
    return lambda action: {**_sized(key)(action), "forceAction": action.force}


def _pose(action: SimulatorAction) -> Request:
    if action.pose is None:
        raise ActionError(f"simulator action {action.name}", "needs a pose")
    if not all(map(math.isfinite, (*action.pose.position, action.pose.yaw, action.pose.horizon))):
        raise ActionError(f"simulator action {action.name}", "the pose must be finite", value=action.pose)
    return {key: value for key, value in teleport(action.pose, force=action.force).items() if key != "action"}


def _point(action: SimulatorAction) -> Request:
    if action.x is None or action.y is None:
        raise ActionError(f"simulator action {action.name}", "needs object_id, or both x and y")
    return {"x": action.x, "y": action.y}


def _target(action: SimulatorAction) -> Request:
    aim = {"objectId": action.object_id} if action.object_id else _point(action)
    return {**aim, "forceAction": action.force}


def _put(action: SimulatorAction) -> Request:
    """With a click the object's id is not sent, as in TEACh: AI2-THOR puts things near what the click shows."""
    if action.x is None or action.y is None:
        return {**_target(action), "placeStationary": True}
    return {**_point(action), "putNearXY": True, "forceAction": action.force, "placeStationary": True}


def _type(action: SimulatorAction) -> Request:
    if not action.object_id:
        raise ActionError(f"simulator action {action.name}", "needs the object type in object_id")
    return {"objectType": action.object_id}


_TABLE: Mapping[str, Make] = {
    **dict.fromkeys(("MoveAhead", "MoveBack", "MoveLeft", "MoveRight"), _forced("moveMagnitude")),
    **dict.fromkeys(("RotateLeft", "RotateRight"), _forced("degrees")),
    **dict.fromkeys(("LookDown", "LookUp"), _sized("degrees")),
    **dict.fromkeys(
        "Crouch Done GetMapViewCameraProperties GetReachablePositions GetVisibleObjects Pass Stand".split(),
        lambda _action: {},
    ),
    **dict.fromkeys(("Teleport", "TeleportFull"), _pose),
    **dict.fromkeys(
        "BreakObject CleanObject CloseObject CookObject DirtyObject EmptyLiquidFromObject PickupObject SliceObject "
        "ToggleObjectOff ToggleObjectOn UseUpObject".split(),
        _target,
    ),
    **dict.fromkeys(("PlaceHeldObject", "PutObject"), _put),
    **dict.fromkeys(("DropHandObject", "DropHeldObject"), lambda action: {"forceAction": action.force}),
    **dict.fromkeys(("GetCoordinateFromRaycast", "GetObjectInFrame"), _point),
    "FillObjectWithLiquid": lambda action: {**_target(action), "fillLiquid": action.liquid},
    "InitialRandomSpawn": lambda action: {"randomSeed": int(action.magnitude or 0), "placeStationary": True},
    "MakeObjectsOfTypeUnbreakable": _type,
    "OpenObject": lambda action: {
        **_target(action),
        "openness": 1.0 if action.magnitude is None else action.magnitude,
    },
}

ACTION_NAMES = tuple(sorted(_TABLE))
"""Every action and query that can be carried out."""
