"""AI2-THOR as a `Simulator`: Unity, or whatever else the `ai2thor` package can start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import SceneError, SimulatorError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import (
    Camera,
    Channel,
    Frame,
    ObjectState,
    Outcome,
    Scene,
    Simulator,
    SimulatorAction,
    SimulatorState,
    follower_camera,
)
from teach_agents.simulator.thor.client import DOUBLE, Launch, ThorClient
from teach_agents.simulator.thor.requests import ObjectReader, agent_pose, answer_of, request_of
from teach_agents.simulator.thor.restoring import Restored, Step, randomized_state, restore

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray, Int32Array

_QUERIES = frozenset(
    {"GetCoordinateFromRaycast", "GetMapViewCameraProperties", "GetObjectInFrame", "GetReachablePositions"}
)
_INITIAL: JsonMapping = {
    "gridSize": 0.25,
    "snapToGrid": True,
    "visibilityDistance": 1.5,
    "fastActionEmit": False,
    "renderDepthImage": True,
}
"""As TEACh starts it (TEACh specification 5.1), with depth, and with pictures for questions too."""
_SIZE = 300


@dataclass
class ThorState:
    """The scene as the last event told it."""

    room: str = ""
    agent: Pose = Pose(Vec3(0.0, 0.0, 0.0), 0.0, 0.0)
    objects: Mapping[str, ObjectState] = field(default_factory=dict)
    held: str | None = None
    version: int = 0


class ThorSimulator(Simulator):
    """The contract over `ai2thor.controller.Controller`; options as in `Launch`. `name` tells the double from Unity.

    `ThorSimulator(executable="double")` runs the embedded simulator behind the package. The process starts with the
    first scene and serves all that follow; after a `SimulatorError` the next `reset` starts another. As TEACh does
    after loading, every breakable type is made unbreakable unless `breakable` is set. In a stored state objects are
    known by the stored ids; `restored` says how far the scene could be brought into it.
    """

    name = "ai2thor"

    def __init__(
        self,
        *,
        executable: str | None = None,
        platform: str | None = None,
        x_display: str | None = None,
        start_time: float = 300.0,
        step_time: float = 100.0,
        breakable: bool = False,
    ) -> None:
        self._launch = Launch(executable, platform, x_display, start_time, step_time)
        self.name = f"thor:executable={DOUBLE}" if self._launch.is_double else self.name
        self._breakable = breakable
        self._client: ThorClient | None = None
        self._state: ThorState | None = None
        self._reader = ObjectReader()
        self._visible: tuple[str, ...] = ()
        self._views: Views | None = None
        self.restored: Restored | None = None

    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        """Load a scene. Raises `SceneError` for a room that the build has not or a state of another room."""
        stored = randomized_state(scene, seed) if scene.randomize else scene.stored
        name = scene.room if stored is None else stored.room
        self._state = None
        event = self._load(name)
        self._reader = ObjectReader()
        self._views = Views(self._ask, self._reader.name, int(event.screen_width))
        self.restored = None
        rows: list[JsonMapping] = event.metadata["objects"]
        breakable = dict.fromkeys(str(row["objectType"]) for row in rows if row.get("breakable"))
        for object_type in () if self._breakable else breakable:
            self._ask_blind({"action": "MakeObjectsOfTypeUnbreakable", "objectType": object_type})
        if stored is not None:
            self.restored = restore(self._ask_blind, rows, stored)
            if len(self.restored.unmatched) * 2 > len(stored.objects):
                raise SceneError(f"stored state of {name}", "most of its objects are not in this room")
            self._reader.names.update(self.restored.names)
        self._state = ThorState(room=name.removesuffix("_physics"))
        self._take_in(self._ask_blind({"action": "Done"}).metadata)

    def _load(self, name: str) -> Any:
        """The event of a freshly loaded scene; starts a process where none is."""
        if not name:
            raise SceneError("AI2-THOR", "a scene needs a room", value=name)
        if self._client is None or self._client.closed:
            self._client = ThorClient(self._launch, name, _SIZE, _INITIAL)
            return self._client.event
        return self._client.reset(name)

    def _ask(self, request: JsonMapping) -> Any:
        if self._client is None:
            raise SimulatorError("step before reset")
        return self._client.step(request)

    def _ask_blind(self, request: JsonMapping) -> Any:
        """Carry out a request without having anything drawn."""
        return self._ask({**request, "renderImage": False})

    def step(self, action: SimulatorAction) -> Outcome:
        """Carry out one action or query."""
        state = self._now
        request = request_of(action)
        if action.name == "GetVisibleObjects":
            return Outcome(True, value=self._visible)
        if "objectId" in request:
            request["objectId"] = self._reader.thor_name(request["objectId"])
        metadata = self._ask_blind(request).metadata
        if action.name not in _QUERIES:
            self._take_in(metadata)
        if not metadata["lastActionSuccess"]:
            return Outcome(False, str(metadata["errorMessage"]) or f"{action.name} failed without a message")
        value = answer_of(action.name, metadata.get("actionReturn"))
        known = self._reader.name(value) if isinstance(value, str) else ""
        return Outcome(True, value=known if known in state.objects else value)

    def _take_in(self, metadata: JsonMapping) -> None:
        """Take over what an event tells of the scene."""
        state, rows = self._now, metadata["objects"]
        objects, changed = self._reader.read(rows)
        agent = agent_pose(metadata)
        self._visible = tuple(self._reader.name(str(row["objectId"])) for row in rows if row.get("visible"))
        if changed or agent != state.agent:
            state.objects = MappingProxyType(objects)
            state.agent = agent
            state.held = next((object_id for object_id, obj in objects.items() if obj.is_picked_up), None)
            state.version += 1

    @property
    def _now(self) -> ThorState:
        if self._state is None:
            raise SimulatorError("there is no state before reset")
        return self._state

    @property
    def state(self) -> SimulatorState:
        """The world now."""
        return self._now

    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        """Draw what `camera` sees."""
        state = self._now
        assert self._views is not None
        own = camera == follower_camera(state.agent)
        return self._views.draw(camera, channels, size, tuple(state.objects), own=own)

    @property
    def process_id(self) -> int | None:
        """The process that AI2-THOR runs in, `None` where there is none."""
        return None if self._client is None or self._client.closed else self._client.process_id

    def close(self) -> None:
        """End the process. Nothing of it is left."""
        if self._client is not None:
            self._client.close()
        self._client = None
        self._state = None

    def __del__(self) -> None:
        if getattr(self, "_client", None) is not None:
            self.close()


_NOTHING = {"action": "GetMapViewCameraProperties"}
"""A question; with `fastActionEmit` off its answer comes with new pictures, and nothing moves."""


@dataclass
class Views:
    """Draws views of one scene; the first carries out requests, the second gives our id of one of AI2-THOR's."""

    _step: Step
    _name: Callable[[str], str]
    _size: int
    _has_camera: bool = False

    def draw(
        self, camera: Camera, channels: frozenset[Channel], size: int, object_ids: Sequence[str], *, own: bool
    ) -> Frame:
        """What `camera` sees; `own` if it is the agent's. Ids index `object_ids`."""
        if size != self._size:
            self._step({"action": "ChangeResolution", "x": size, "y": size, "renderImage": False})
            self._size = size
        request = _NOTHING if own else self._aimed(camera)
        event = self._step({**request, "renderImage": True, "renderInstanceSegmentation": Channel.IDS in channels})
        if own:
            rgb, depth, colours = event.frame, event.depth_frame, event.instance_segmentation_frame
        else:
            rgb, depth = _first(event.third_party_camera_frames), _first(event.third_party_depth_frames)
            colours = _first(event.third_party_instance_segmentation_frames)
        return Frame(
            object_ids,
            rgb=_contiguous(rgb[..., :3]) if Channel.RGB in channels else None,
            ids=self._indices(colours, event, object_ids) if Channel.IDS in channels else None,
            depth=_contiguous(depth) if Channel.DEPTH in channels else None,
        )

    def _aimed(self, camera: Camera) -> JsonObject:
        """The request that brings the third-party camera there."""
        place = {
            "position": camera.position._asdict(),
            "rotation": {"x": camera.pitch, "y": camera.yaw, "z": camera.roll},
            "fieldOfView": camera.field_of_view,
            "orthographic": camera.orthographic is not None,
        }
        if camera.orthographic is not None:
            place["orthographicSize"] = camera.orthographic
        if self._has_camera:
            return {"action": "UpdateThirdPartyCamera", "thirdPartyCameraId": 0, **place}
        self._has_camera = True
        return {"action": "AddThirdPartyCamera", **place}

    def _indices(self, colours: ByteArray, event: Any, object_ids: Sequence[str]) -> Int32Array:
        """Colours as indices; structure and what is not listed as -1."""
        import numpy as np

        numbers = {object_id: number for number, object_id in enumerate(object_ids)}
        packed = colours.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
        found, where = np.unique(packed, return_inverse=True)
        colours_of = event.color_to_object_id.items()
        names = {(int(r) << 16) + (int(g) << 8) + int(b): name for (r, g, b), name in colours_of if "|" in name}
        indices = [numbers.get(self._name(names[value]), -1) if value in names else -1 for value in found.tolist()]
        return np.array(indices, np.int32)[where].reshape(packed.shape)


def _first(pictures: Sequence[Any]) -> Any:
    return pictures[0] if pictures else None


def _contiguous(picture: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(picture)
