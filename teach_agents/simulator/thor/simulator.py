"""AI2-THOR as a `Simulator`: Unity, or whatever else the `ai2thor` package can start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from teach_agents.core.json_types import JsonMapping
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
from teach_agents.simulator.thor.objects import ObjectReader, agent_pose
from teach_agents.simulator.thor.requests import answer_of, request_of
from teach_agents.simulator.thor.restoring import Restored, randomized_state, restore
from teach_agents.simulator.thor.views import Views

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
        if not self._breakable:
            self._make_unbreakable(event.metadata["objects"])
        if stored is not None:
            self.restored = restore(self._ask_blind, event.metadata["objects"], stored)
            if len(self.restored.unmatched) * 2 > len(stored.objects):
                raise SceneError(f"stored state of {name}", "most of its objects are not in this room")
            self._reader.names.update(self.restored.names)
        self._state = ThorState(room=_bare(name))
        self._take_in(self._ask_blind({"action": "Done"}).metadata)

    def _load(self, name: str) -> Any:
        """The event of a freshly loaded scene; starts a process where none is."""
        if not name:
            raise SceneError("AI2-THOR", "a scene needs a room", value=name)
        if self._client is None or self._client.closed:
            self._client = ThorClient(self._launch, name, _SIZE, _INITIAL)
            return self._client.event
        return self._client.reset(name)

    def _make_unbreakable(self, rows: list[JsonMapping]) -> None:
        for object_type in dict.fromkeys(str(row["objectType"]) for row in rows if row.get("breakable")):
            self._ask_blind({"action": "MakeObjectsOfTypeUnbreakable", "objectType": object_type})

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
        success = bool(metadata["lastActionSuccess"])
        if not success:
            return Outcome(False, str(metadata["errorMessage"]) or f"{action.name} failed without a message")
        value = answer_of(action.name, metadata.get("actionReturn"))
        known = isinstance(value, str) and self._reader.name(value) in state.objects
        return Outcome(True, value=self._reader.name(str(value)) if known else value)

    def _take_in(self, metadata: JsonMapping) -> None:
        """Take over what an event tells of the scene."""
        state = self._now
        objects, changed = self._reader.read(metadata["objects"])
        agent = agent_pose(metadata)
        rows = metadata["objects"]
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


def _bare(name: str) -> str:
    return name.removesuffix("_physics")
