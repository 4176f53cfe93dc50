"""`event.metadata` of one agent: the keys of AI2-THOR 5.0.0 in its order (AI2-THOR specification 4.1)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from operator import add, sub
from typing import NamedTuple

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Box, Camera, ObjectState, SimulatorState, follower_camera
from teach_agents.simulator.embedded.geometry import rotation_rows, turned
from teach_agents.simulator.metadata import box_metadata, object_metadata

_HAND = Vec3(0.0, -0.16, 0.38)
"""The hand in the camera's frame, metres (specification 3)."""
_CEILING = 2.7


class ObjectRows:
    """Objects as dictionaries; the costly part of one is kept for as long as its state is the same value."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[ObjectState, JsonObject]] = {}

    def of(
        self, state: SimulatorState, visible: Collection[str], wanted: Collection[str] | None = None
    ) -> list[JsonObject]:
        """A new list of new dictionaries in the state's order; nested values are shared with later ones.

        `wanted` are the ids to list, all by default.
        """
        burning = _burning(state)
        at = state.agent.position
        rows = []
        for object_id, obj in state.objects.items():
            if wanted is not None and object_id not in wanted:
                continue
            row = self._base(object_id, obj).copy()
            row["visible"] = row["isInteractable"] = object_id in visible
            row["distance"] = math.dist(at, obj.position)
            if object_id in burning:
                row["isToggled"] = True
            rows.append(row)
        if len(self._known) > 2 * len(state.objects):
            self._known.clear()
        return rows

    def _base(self, object_id: str, obj: ObjectState) -> JsonObject:
        known = self._known.get(object_id)
        if known is None or known[0] is not obj:
            row = object_metadata(obj)
            row["canBeUsedUp"] = row["isUsedUp"] = False  # as in AI2-THOR, whatever is true (specification 1.2)
            known = (obj, row)
            self._known[object_id] = known
        return known[1]


def _burning(state: SimulatorState) -> frozenset[str]:
    """Burners whose knob is on: AI2-THOR shows them toggled too."""
    return frozenset(controlled for obj in state.objects.values() if obj.is_toggled for controlled in obj.kind.controls)


def _agent(pose: Pose) -> JsonObject:
    """`metadata["agent"]`."""
    return {
        "name": "agent",
        "position": pose.position._asdict(),
        "rotation": {"x": -0.0, "y": pose.yaw, "z": 0.0},
        "cameraHorizon": pose.horizon,
        "isStanding": pose.standing,
        "inHighFrictionArea": False,
    }


def _hand(pose: Pose) -> JsonObject:
    """`metadata["heldObjectPose"]`: the hand, which pitches with the eyes."""
    camera = follower_camera(pose)
    offset = turned(rotation_rows((camera.pitch, camera.yaw, 0.0)), _HAND)
    at = Vec3(*map(add, camera.position, offset))
    return {
        "position": at._asdict(),
        "rotation": {"x": 0.0, "y": pose.yaw, "z": 0.0},
        "localPosition": _HAND._asdict(),
        "localRotation": Vec3(0.0, 0.0, 0.0)._asdict(),
    }


def scene_bounds(state: SimulatorState) -> Box:
    """The box around everything in the room, from the floor to the ceiling."""
    boxes = [obj.box for obj in state.objects.values() if obj.exists] or [Box(state.agent.position, Vec3(0, 0, 0))]
    low = Vec3(*map(min, *(box.low for box in boxes)))
    x, y, z = map(max, *(box.high for box in boxes))
    high = Vec3(x, max(y, _CEILING), z)
    center = Vec3(*((a + b) / 2 for a, b in zip(low, high, strict=True)))
    return Box(center, Vec3(*map(sub, high, low)))


class Result(NamedTuple):
    """What became of an action: `value` is its answer; `code` is one of AI2-THOR's error codes, if any."""

    action: str | None = None
    success: bool = True
    error: str = ""
    code: str | None = None
    value: object = None


def outcome(result: Result) -> JsonObject:
    """The part of the metadata that says what became of an action."""
    return {
        "lastAction": result.action,
        "errorMessage": result.error,
        "errorCode": result.code,
        "lastActionSuccess": result.success,
        "actionReturn": result.value,
    }


class Shown(NamedTuple):
    """A moment as an event tells it; the defaults are the moment before any scene is loaded.

    `camera` is the agent's own, `size` the width and height of its picture in pixels, `time` simulated seconds.
    """

    size: tuple[int, int]
    scene_name: str = "Bootstrap"
    pose: Pose = Pose(Vec3(0.0, 0.0, 0.0), 0.0, 0.0)
    camera: Camera = Camera(Vec3(0.0, 0.0, 0.0))
    rows: Sequence[JsonMapping] = ()
    held: ObjectState | None = None
    cameras: Sequence[JsonMapping] = ()
    colours: Sequence[JsonMapping] | None = None
    bounds: Box | None = None
    time: float = 0.0


def event_metadata(shown: Shown, result: Result) -> JsonObject:
    """Everything, in AI2-THOR's order."""
    held, found = shown.held, outcome(result)
    answer = found.pop("actionReturn")
    return {
        "objects": list(shown.rows),
        "isSceneAtRest": True,
        "agent": _agent(shown.pose),
        "heldObjectPose": _hand(shown.pose),
        "arm": None,
        "fov": shown.camera.field_of_view,
        "cameraPosition": shown.camera.position._asdict(),
        "cameraOrthSize": shown.camera.orthographic or 0.0,
        "thirdPartyCameras": list(shown.cameras),
        "collided": False,
        "collidedObjects": [],
        "inventoryObjects": [] if held is None else [{"objectId": held.object_id, "objectType": held.object_type}],
        "sceneName": shown.scene_name,
        **found,
        "screenWidth": shown.size[0],
        "screenHeight": shown.size[1],
        "agentId": 0,
        "depthFormat": "Meters",
        "colors": None if shown.colours is None else list(shown.colours),
        "flatSurfacesOnGrid": [],
        "distances": [],
        "normals": [],
        "isOpenableGrid": [],
        "segmentedObjectIds": [],
        "objectIdsInBox": [],
        "actionIntReturn": 0,
        "actionFloatReturn": 0.0,
        "actionStringsReturn": [],
        "actionFloatsReturn": [],
        "actionVector3sReturn": [],
        "visibleRange": None,
        "currentTime": shown.time,
        "sceneBounds": None if shown.bounds is None else box_metadata(shown.bounds),
        "actionReturn": answer,
    }
