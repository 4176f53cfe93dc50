"""Questions about what is seen and what there is (AI2-THOR specification 2.5)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, SimulatorAction
from teach_agents.simulator.controller.actions.kit import Act, known_object, plain
from teach_agents.simulator.controller.requests import Parameters, Refusal
from teach_agents.simulator.controller.scene_metadata import scene_bounds

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


_SPACING = 0.1
_MINIMAL = ("name", "position", "rotation", "objectType", "objectId", "assetId")


def _at_point(name: str) -> Act:
    def ask(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
        return plain(engine.run(SimulatorAction(name, x=given.number("x", 0.0), y=given.number("y", 0.0))))

    return ask


def _raycast(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """What lies between two points, as {objectId, hitPoint, hitDistance}."""
    origin, end = given.point("origin"), given.point("destination")
    length = math.dist(origin, end)
    hit = _hit(engine, origin, end) if length > 0 else None
    if hit is None or hit.distance > length:
        raise Refusal(f"Raycast from {tuple(origin)} to {tuple(end)} hit nothing")
    return {"objectId": hit.object_id, "hitPoint": hit.point._asdict(), "hitDistance": hit.distance}


def _hit(engine: Engine, origin: Vec3, end: Vec3) -> Any:
    from teach_agents.simulator.embedded.visibility import raycast

    dx, dy, dz = (there - here for here, there in zip(origin, end, strict=True))
    yaw, pitch = math.degrees(math.atan2(dx, dz)), -math.degrees(math.atan2(dy, math.hypot(dx, dz)))
    return raycast(engine.simulator.state, Camera(origin, yaw=yaw, pitch=pitch), 0.5, 0.5)


def _visible(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    from teach_agents.simulator.embedded.facts import Gaze
    from teach_agents.simulator.embedded.visibility import visible_objects

    if "thirdPartyCameraIndex" in given:
        raise Refusal("GetVisibleObjects: thirdPartyCameraIndex is not available in the embedded simulator")
    gaze = Gaze(given.number("maxDistance", engine.settings.reach), engine.lens.square)
    seen = visible_objects(engine.simulator.state, gaze)
    wanted = given.get("objectIds")
    return [i for i in engine.simulator.state.objects if i in seen and (wanted is None or i in wanted)]


def _metadata(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    wanted = given.get("objectIds")
    if wanted is None:
        return engine.object_rows()
    for object_id in wanted:
        known_object(engine, str(object_id))
    return engine.object_rows(frozenset(map(str, wanted)))


def _minimal(engine: Engine, _given: Parameters, _request: JsonMapping) -> object:
    return [{key: row[key] for key in _MINIMAL} for row in engine.object_rows()]


def _filter(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    engine.listed = frozenset(map(str, given["objectIds"]))
    return None


def _filter_types(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    types = frozenset(map(str, given["objectTypes"]))
    engine.listed = frozenset(i for i, o in engine.simulator.state.objects.items() if o.object_type in types)
    return None


def _no_filter(engine: Engine, _given: Parameters, _request: JsonMapping) -> object:
    engine.listed = None
    return None


def _bounds(engine: Engine, _given: Parameters, _request: JsonMapping) -> object:
    box = engine.bounds or scene_bounds(engine.simulator.state)
    return [box.low._asdict(), box.high._asdict()]


def _coordinates_above(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """Points of a grid where a ray from above meets the receptacle; within reach only, unless `anywhere`."""
    obj = known_object(engine, given.text("objectId"))
    if not obj.kind.receptacle:
        raise Refusal("This target object is NOT a receptacle!")
    at, reach = engine.simulator.state.agent.position, engine.settings.reach
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


ACTIONS: Mapping[str, Act] = {
    "GetCoordinateFromRaycast": _at_point("GetCoordinateFromRaycast"),
    "GetMinimalObjectMetadata": _minimal,
    "GetObjectInFrame": _at_point("GetObjectInFrame"),
    "GetObjectMetadata": _metadata,
    "GetSceneBounds": _bounds,
    "GetSpawnCoordinatesAboveReceptacle": _coordinates_above,
    "GetVisibleObjects": _visible,
    "PerformRaycast": _raycast,
    "ResetObjectFilter": _no_filter,
    "SetObjectFilter": _filter,
    "SetObjectFilterForType": _filter_types,
}
