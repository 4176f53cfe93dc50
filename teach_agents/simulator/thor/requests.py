"""Our actions as AI2-THOR's requests, its answers as ours (TEACh specification 2.3).

Its metadata as object states, of old and new releases (AI2-THOR specification 4.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import is_not
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Box, ObjectKind, ObjectState, SimulatorAction
from teach_agents.simulator.embedded.world import nearest_first
from teach_agents.simulator.metadata import AFFORDANCES, FLAGS

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
    "OpenObject": lambda action: {**_target(action), "openness": 1.0, **_sized("openness")(action)},
}

ACTION_NAMES = tuple(sorted(_TABLE))
"""Every action and query that can be carried out."""


Raw = JsonMapping
_FLEETING = frozenset({"distance", "isInteractable", "isMoving", "visible", "visibleBounds2D"})
_NOWHERE = Vec3(0.0, 0.0, 0.0)


class ObjectReader:
    """Reads the objects of one event after the other; what has not changed keeps its `ObjectState`.

    `names` gives the ids by which objects are known here, where they are not AI2-THOR's own.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._raw: dict[str, JsonObject] = {}
        self._states: dict[str, ObjectState] = {}

    def read(self, rows: Sequence[Raw]) -> tuple[dict[str, ObjectState], bool]:
        """The objects by id, in AI2-THOR's order, and whether any differs from the last reading."""
        by_id = {self.name(str(row["objectId"])): row for row in rows}
        bare = {object_id: self._state(object_id, row) for object_id, row in by_id.items()}
        parents = {object_id: self._parents(object_id, row, bare) for object_id, row in by_id.items()}
        contents: dict[str, list[str]] = {object_id: [] for object_id in by_id}
        for object_id, holders in parents.items():
            for holder in holders:
                contents[holder].append(object_id)
        states: dict[str, ObjectState] = {}
        for object_id, obj in bare.items():
            now = replace(obj, parents=parents[object_id], contents=tuple(contents[object_id]))
            before = self._states.get(object_id, now)
            states[object_id] = before if before == now else now
        changed = [*states] != [*self._states] or any(map(is_not, states.values(), self._states.values()))
        self._states = states
        return states, changed

    def name(self, thor_id: str) -> str:
        """The id by which an object is known here. A piece of an object is known by its whole's name."""
        return _renamed(self.names, thor_id)

    def thor_name(self, object_id: str) -> str:
        """AI2-THOR's id of an object known here."""
        return _renamed({ours: theirs for theirs, ours in self.names.items()}, object_id)

    def _state(self, object_id: str, row: Raw) -> ObjectState:
        lasting = {key: value for key, value in row.items() if key not in _FLEETING}
        before = self._states.get(object_id)
        if before is not None and self._raw.get(object_id) == lasting:
            return before
        self._raw[object_id] = lasting
        return _state(object_id, row, before)

    def _parents(self, object_id: str, row: Raw, known: Mapping[str, ObjectState]) -> tuple[str, ...]:
        if row.get("isPickedUp") or not known[object_id].exists:
            return ()
        holders = dict.fromkeys(self.name(str(parent)) for parent in row.get("parentReceptacles") or ())
        return nearest_first(known[i] for i in holders if i in known and i != object_id and known[i].exists)


def _renamed(names: Mapping[str, str], object_id: str) -> str:
    whole, bar, piece = object_id.rpartition("|")
    return names.get(object_id, f"{names.get(whole, whole)}{bar}{piece}")


def _flags(row: Raw, keys: Mapping[str, str]) -> JsonObject:
    return {name: bool(row.get(key)) for name, key in keys.items()}


def _state(object_id: str, row: Raw, before: ObjectState | None) -> ObjectState:
    box = row.get("axisAlignedBoundingBox") or {}
    corners = (row.get("objectOrientedBoundingBox") or {}).get("cornerPoints")
    there = box.get("cornerPoints") is not None
    last = before.box if before is not None else Box(vector(row["position"]), _NOWHERE)
    flags = _flags(row, FLAGS)
    if row["objectType"] == "StoveBurner":
        flags["is_toggled"] = False  # the knob decides; AI2-THOR repeats it here
    return ObjectState(
        kind=_kind(object_id, row),
        position=vector(row["position"]),
        rotation=vector(row["rotation"]),
        box=Box(vector(box["center"]), vector(box["size"])) if there else last,
        corners=None if corners is None else tuple(Vec3(*map(float, corner)) for corner in corners),
        openness=float(row.get("openness", 1.0)) if row.get("isOpen") else 0.0,
        liquid=row.get("fillLiquid") or None,
        **flags,
        temperature=str(row.get("temperature", row.get("ObjectTemperature", "RoomTemp"))),
        exists=there and not row.get("isSliced"),
    )


def _kind(object_id: str, row: Raw) -> ObjectKind:
    materials = row.get("salientMaterials")
    return ObjectKind(
        object_id=object_id,
        object_type=str(row["objectType"]),
        name=str(row["name"]),
        asset_id=str(row.get("assetId") or ""),
        **_flags(row, AFFORDANCES),
        mass=float(row.get("mass") or 0.0),
        materials=None if materials is None else tuple(map(str, materials)),
        controls=tuple(map(str, row.get("controlledObjects") or ())),
    )


def agent_pose(metadata: Raw) -> Pose:
    """The body, of an event's metadata."""
    agent = metadata["agent"]
    yaw = float(agent["rotation"]["y"])
    return Pose(vector(agent["position"]), yaw, float(agent["cameraHorizon"]), bool(agent.get("isStanding", True)))
