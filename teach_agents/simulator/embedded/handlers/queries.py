"""Questions: they change nothing and take no time; the answer is `Outcome.value` (AI2-THOR specification 2.5)."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Outcome, SimulatorAction
from teach_agents.simulator.embedded.geometry import around, rectangle_of
from teach_agents.simulator.embedded.handlers.setting import Handler, Setting, hidden, look_at, refuse
from teach_agents.simulator.embedded.world import World


def _reachable(setting: Setting, action: SimulatorAction) -> Outcome:
    """Grid positions the body can walk to, as `Vec3` at its height: its own first, then by distance, x and z."""
    x, y, z = setting.world.agent.position
    cells = setting.senses.reachable(setting.world)

    ranked = sorted([((cx - x) * (cx - x) + (cz - z) * (cz - z), cx, cz) for cx, cz in cells])
    return Outcome(True, value=tuple([Vec3(cx, y, cz) for _, cx, cz in ranked]))


def map_camera(world: World) -> Camera:
    """AI2-THOR's map view: straight down from above the room, half its larger side as the orthographic size."""
    boxes = [world.objects[i].box for i in world.of_type("Floor")] or [
        obj.box for obj in world.objects.values() if obj.exists
    ]
    area = around(map(rectangle_of, boxes))
    (x, z), half = area.middle, max(area.size) / 2
    top = max(obj.box.high.y for obj in world.objects.values())
    return Camera(Vec3(x, max(top, _CEILING), z), yaw=0.0, pitch=90.0, orthographic=half)


_CEILING = 2.5


def _map_view(setting: Setting, action: SimulatorAction) -> Outcome:
    """AI2-THOR's own form: `position`, `rotation`, `orthographicSize` in metres, `orthographic`."""
    camera = map_camera(setting.world)
    value = {
        "position": camera.position._asdict(),
        "rotation": {"x": camera.pitch, "y": camera.yaw, "z": 0.0},
        "orthographicSize": camera.orthographic,
        "orthographic": True,
    }
    return Outcome(True, value=value)


def _visible(setting: Setting, action: SimulatorAction) -> Outcome:
    """The ids of the objects that are `visible`, in the state's order."""
    world, senses = setting.world, setting.senses
    seen = senses.all_visible(world)
    return Outcome(True, value=tuple(i for i, obj in world.objects.items() if i in seen and not hidden(world, obj)))


def _coordinate(setting: Setting, action: SimulatorAction) -> Outcome:
    """The world point (`Vec3`) under a viewport point."""
    seen = look_at(setting, action)
    if seen is None:
        refuse(f"Raycast to objects layers hit no collider at ({action.x}, {action.y})")
    return Outcome(True, value=seen.point)


def _object_in_frame(setting: Setting, action: SimulatorAction) -> Outcome:
    """The id of the object under a viewport point, if it is visible."""
    seen = look_at(setting, action)
    x, y = action.x, 1.0 - (action.y or 0.0)
    if seen is None or seen.object_id is None:
        refuse(f"no sim objects found at ({x},{y})", "InvalidOperationException")
    if not setting.senses.visible(setting.world, seen.object_id):
        refuse(
            f"target hit ({seen.object_id}) at ({x}, {y}) is not currently Visible to Agent",
            "InvalidOperationException",
        )
    return Outcome(True, value=seen.object_id)


HANDLERS: Mapping[str, Handler] = {
    "GetCoordinateFromRaycast": _coordinate,
    "GetMapViewCameraProperties": _map_view,
    "GetObjectInFrame": _object_in_frame,
    "GetReachablePositions": _reachable,
    "GetVisibleObjects": _visible,
}
