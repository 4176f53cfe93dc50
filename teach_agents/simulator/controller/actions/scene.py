"""Scenes, settings, cameras, questions, and what there is not (AI2-THOR specification 2.5, 6.7)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from operator import sub
from typing import TYPE_CHECKING

from teach_agents.errors import SceneError
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, SimulatorAction
from teach_agents.simulator.controller.pictures import changed_camera
from teach_agents.simulator.controller.requests import Act, Parameters, Refusal, known_object, plain
from teach_agents.simulator.controller.scene_metadata import scene_bounds
from teach_agents.simulator.controller.settings import FAR, NEAR, check_field_of_view, initialized
from teach_agents.simulator.embedded.facts import Gaze
from teach_agents.simulator.embedded.handlers.queries import map_camera
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
from teach_agents.simulator.embedded.senses import Hit
from teach_agents.simulator.embedded.visibility import raycast, visible_objects

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


SCENES = tuple(f"{name}_physics" for name in ROOM_NAMES)
"""Every scene there is, by AI2-THOR's name."""
_PROCEDURAL = "Procedural"
_NO_HOUSES = (
    "Procedural houses (CreateHouse) are not available in the embedded simulator; it has the 120 iTHOR rooms, "
    "FloorPlan1 to FloorPlan430"
)
_LARGEST = 4096
_SPACING = 0.1
_MINIMAL = ("name", "position", "rotation", "objectType", "objectId", "assetId")


def _reset(engine: Engine, given: Parameters) -> None:
    """A scene that is not there leaves none: what follows then fails instead of running in another scene."""
    name = given.text("sceneName")
    try:
        engine.load(name)
    except SceneError as error:
        engine.scene_name = ""
        raise Refusal(_NO_HOUSES if name == _PROCEDURAL else str(error)) from error


def _initialize(engine: Engine, given: Parameters) -> object:
    if not engine.scene_name:
        raise Refusal(engine.result.error or "Initialize: no scene is loaded; reset to one first")
    engine.configure(initialized(given, engine.request))
    return {"cameraNearPlane": NEAR, "cameraFarPlane": FAR}


def _resolution(engine: Engine, given: Parameters) -> None:
    width, height = given.number("x", 0.0), given.number("y", 0.0)
    if not all(1 <= side <= _LARGEST and side == int(side) for side in (width, height)):
        raise Refusal(f"ChangeResolution: {width:g} x {height:g} is no size from 1 to {_LARGEST} pixels")
    engine.reshape(int(width), int(height))


def _update_camera(engine: Engine, given: Parameters) -> None:
    number, count = int(given.number("thirdPartyCameraId", 0)), len(engine.cameras)
    if not 0 <= number < count:
        raise Refusal(
            f"ArgumentOutOfRangeException: thirdPartyCameraId: {number} (int: default=0) must in 0 <= "
            f"thirdPartyCameraId < len(thirdPartyCameras)={count}."
        )
    engine.cameras[number] = changed_camera(engine.cameras[number], given)


def _toggle_map(engine: Engine, _given: Parameters) -> None:
    """The agent's camera hangs over the room until the next call."""
    if engine.map_view is not None:
        engine.map_view = None
        return
    with engine.simulator.editing() as setting:
        engine.map_view = map_camera(setting.world)


def _field_of_view(engine: Engine, given: Parameters) -> None:
    degrees = given.number("fieldOfView", 90.0)
    check_field_of_view(degrees)
    engine.configure(engine.settings._replace(field_of_view=degrees))


def _looks_the_same(_engine: Engine, _given: Parameters) -> None:
    """Materials, lights, quality and physics clocks: accepted, and nothing changes."""


def _raycast(engine: Engine, given: Parameters) -> object:
    """What lies between two points, as {objectId, hitPoint, hitDistance}."""
    origin, end = given.point("origin"), given.point("destination")
    length = math.dist(origin, end)
    hit = _hit(engine, origin, end) if length > 0 else None
    if hit is None or hit.distance > length:
        raise Refusal(f"Raycast from {tuple(origin)} to {tuple(end)} hit nothing")
    return {"objectId": hit.object_id, "hitPoint": hit.point._asdict(), "hitDistance": hit.distance}


def _hit(engine: Engine, origin: Vec3, end: Vec3) -> Hit | None:
    dx, dy, dz = map(sub, end, origin)
    yaw, pitch = math.degrees(math.atan2(dx, dz)), -math.degrees(math.atan2(dy, math.hypot(dx, dz)))
    return raycast(engine.state, Camera(origin, yaw=yaw, pitch=pitch), 0.5, 0.5)


def _visible(engine: Engine, given: Parameters) -> object:
    if "thirdPartyCameraIndex" in given:
        raise Refusal("GetVisibleObjects: thirdPartyCameraIndex is not available in the embedded simulator")
    seen = visible_objects(engine.state, Gaze(given.number("maxDistance", engine.settings.reach), engine.lens.square))
    wanted = given.get("objectIds", engine.state.objects)
    return [i for i in engine.state.objects if i in seen and i in wanted]


def _metadata(engine: Engine, given: Parameters) -> object:
    wanted = given.get("objectIds")
    if wanted is None:
        return engine.object_rows()
    for object_id in wanted:
        known_object(engine, str(object_id))
    return engine.object_rows(frozenset(map(str, wanted)))


def _filter(engine: Engine, given: Parameters) -> None:
    engine.listed = frozenset(map(str, given["objectIds"])) if "objectIds" in given else None


def _filter_types(engine: Engine, given: Parameters) -> None:
    types = {*map(str, given["objectTypes"])}
    engine.listed = frozenset(i for i, o in engine.state.objects.items() if o.object_type in types)


def _bounds(engine: Engine, _given: Parameters) -> object:
    box = engine.bounds or scene_bounds(engine.state)
    return [box.low._asdict(), box.high._asdict()]


def _coordinates_above(engine: Engine, given: Parameters) -> object:
    """Points of a grid where a ray from above meets the receptacle; within reach only, unless `anywhere`."""
    obj = known_object(engine, given.text("objectId"))
    if not obj.kind.receptacle:
        raise Refusal("This target object is NOT a receptacle!")
    at, reach = engine.state.agent.position, engine.settings.reach
    low, high = obj.box.low, obj.box.high
    found = []
    for x in _between(low.x, high.x):
        for z in _between(low.z, high.z):
            above = Vec3(x, high.y + 0.2, z)
            hit = _hit(engine, above, above._replace(y=0.0))
            near = given.flag("anywhere") or math.hypot(x - at.x, z - at.z) <= reach
            if near and hit is not None and hit.object_id == obj.object_id:
                found.append(hit.point._asdict())
    return found


def _between(low: float, high: float) -> list[float]:
    count = max(1, int((high - low) / _SPACING))
    return [low + (high - low) * (n + 0.5) / count for n in range(count)]


def _at_point(name: str) -> Act:
    return lambda engine, given: plain(
        engine.run(SimulatorAction(name, x=given.number("x", 0.0), y=given.number("y", 0.0)))
    )


def _refused(problem: str, empty: str = "") -> Act:
    """What needs something that the embedded simulator has not; `empty` is said instead while the hand is empty."""

    def refuse(engine: Engine, _given: Parameters) -> None:
        raise Refusal(empty if empty and engine.state.held is None else problem)

    return refuse


def _hand(name: str, empty: str) -> Act:
    return _refused(f"{name} is not available in the embedded simulator: the hand stays before the eyes", empty)


_HOLDING = "Agent can only move hand if currently holding an item"
_TURNING = "InvalidOperationException: Can't rotate held object since no object is being held."

ACTIONS: Mapping[str, Act] = {
    "AddThirdPartyCamera": lambda engine, given: engine.cameras.append(
        changed_camera(Camera(Vec3(0.0, 0.0, 0.0)), given)
    ),
    "ChangeFOV": _field_of_view,
    "ChangeResolution": _resolution,
    "CreateHouse": _refused(_NO_HOUSES),
    "GetCoordinateFromRaycast": _at_point("GetCoordinateFromRaycast"),
    "GetMapViewCameraProperties": lambda engine, _given: engine.run(SimulatorAction("GetMapViewCameraProperties")),
    "GetMinimalObjectMetadata": lambda engine, _given: [
        {key: row[key] for key in _MINIMAL} for row in engine.object_rows()
    ],
    "GetObjectInFrame": _at_point("GetObjectInFrame"),
    "GetObjectMetadata": _metadata,
    "GetSceneBounds": _bounds,
    "GetScenesInBuild": lambda _engine, _given: list(SCENES),
    "GetSpawnCoordinatesAboveReceptacle": _coordinates_above,
    "GetVisibleObjects": _visible,
    "Initialize": _initialize,
    "PerformRaycast": _raycast,
    "Reset": _reset,
    "ResetObjectFilter": _filter,
    "RotateHeldObject": _hand("RotateHeldObject", _TURNING),
    "SetObjectFilter": _filter,
    "SetObjectFilterForType": _filter_types,
    "ToggleMapView": _toggle_map,
    "UpdateThirdPartyCamera": _update_camera,
    **dict.fromkeys(
        "AdvancePhysicsStep ChangeQuality EnableTemperatureDecay MakeAllObjectsMoveable MakeAllObjectsStationary "
        "PausePhysicsAutoSim RandomizeColors RandomizeLighting RandomizeMaterials ResetColors ResetLighting "
        "ResetMaterials SetRandomSeed UnpausePhysicsAutoSim".split(),
        _looks_the_same,
    ),
    **dict.fromkeys(
        ("DisableTemperatureDecay", "SetTemperatureDecayTime"),
        _refused("temperatures always decay after ten actions in the embedded simulator"),
    ),
    **{
        name: _hand(name, _HOLDING)
        for name in map("MoveHeldObject{}".format, ("", "Ahead", "Back", "Left", "Right", "Up", "Down"))
    },
    **{
        name: _refused(f"{name} is not available in the embedded simulator: it has no physics engine")
        for name in ("ApplyForceObject", "DirectionalPush", "PullObject", "PushObject", "TouchThenApplyForce")
    },
}
