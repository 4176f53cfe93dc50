"""`Controller`: AI2-THOR's Python surface over the embedded simulator."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import SimulatorError
from teach_agents.simulator.controller.actions.scene import SCENES
from teach_agents.simulator.controller.engine import Engine
from teach_agents.simulator.controller.event import Event
from teach_agents.simulator.controller.requests import CALLER_ERRORS
from teach_agents.simulator.embedded.rooms import kind_of

_ELSEWHERE = frozenset(
    "quality fullscreen headless port start_unity local_executable_path local_build commit_id branch x_display host "
    "image_dir save_image_per_frame depth_format add_depth_noise download_only include_private_scenes server_class "
    "gpu_device platform server_timeout server_start_timeout".split()
)
"""Options of AI2-THOR's Controller that are about its process; here there is none."""
_FIRST_SCENE = "FloorPlan10_physics"


class Controller:
    """`ai2thor.controller.Controller` without Unity: the same calls, the same events, in this process.

    ```python
    controller = Controller(scene="FloorPlan1", renderDepthImage=True)
    event = controller.step(action="MoveAhead")
    event.metadata["agent"]["position"], event.frame, event.depth_frame
    ```

    `width` and `height` are in pixels. Any other option is a parameter of AI2-THOR's Initialize (`gridSize`,
    `snapToGrid`, `rotateStepDegrees`, `visibilityDistance`, `fieldOfView`, `renderInstanceSegmentation`...); options
    about AI2-THOR's process (`platform`, `x_display`...) are accepted and have no effect, except that `headless` draws
    no frames. `docs/thor.md` lists which actions are exact, approximate and refused.
    """

    def __init__(self, *, scene: str | JsonMapping | None = None, **options: Any) -> None:
        self.width, self.height = int(options.pop("width", 300)), int(options.pop("height", 300))
        self._headless = bool(options.pop("headless", False))
        self.initialization_parameters = {key: value for key, value in options.items() if key not in _ELSEWHERE}
        self.scene: str | JsonMapping = _FIRST_SCENE if scene is None else scene
        self.last_action: JsonObject = {}
        self._engine: Engine | None = Engine(self.width, self.height)
        self.last_event: Event
        self.reset(self.scene)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    @property
    def scenes_in_build(self) -> set[str]:
        """The scenes that `reset` takes."""
        return set(SCENES)

    def ithor_scenes(
        self,
        include_kitchens: bool = True,
        include_living_rooms: bool = True,
        include_bedrooms: bool = True,
        include_bathrooms: bool = True,
    ) -> list[str]:
        """The scenes of some kinds of rooms, in order."""
        included = (include_kitchens, include_living_rooms, include_bedrooms, include_bathrooms)
        wanted = dict(zip(("kitchen", "living room", "bedroom", "bathroom"), included, strict=True))
        return [name for name in SCENES if wanted[kind_of(name.removesuffix("_physics"))]]

    def scene_names(self) -> list[str]:
        """Every scene, in order."""
        return list(SCENES)

    def reset(self, scene: str | JsonMapping | None = None, **options: Any) -> Event:
        """Load a scene, the present one by default, with changed options.

        Raises `ValueError` for an unknown scene and `RuntimeError` for options that Initialize refuses, and for
        houses (a mapping), which the embedded simulator does not have.
        """
        scene = self.scene if scene is None else scene
        name = "Procedural" if isinstance(scene, Mapping) else _with_suffix(scene)
        if isinstance(scene, str) and name not in SCENES:
            raise ValueError(
                f"\nScene '{name}' not contained in build (scene names are case sensitive)."
                f"\nPlease choose one of the following scene names:\n\n{', '.join(sorted(SCENES))}"
            )
        width, height = options.pop("width", self.width), options.pop("height", self.height)
        self._send({"action": "Reset", "sceneName": name})
        self.width, self.height = int(width), int(height)
        if (self.width, self.height) != (self.last_event.screen_width, self.last_event.screen_height):
            self.step(action="ChangeResolution", x=self.width, y=self.height, raise_for_failure=True)
        self.initialization_parameters.update(options)
        event = self.step(action="Initialize", raise_for_failure=True, **self.initialization_parameters)
        self.scene = scene
        return event

    def step(self, action: str | JsonMapping | None = None, **parameters: Any) -> Event:
        """Carry out an action: its name and parameters, or one mapping with both.

        A refused action is an event with `lastActionSuccess` false. Raises `ValueError` for an unknown action, and for
        parameters that are unknown, missing or of a wrong type; with `raise_for_failure` raises `RuntimeError` for any
        other refusal.
        """
        request: JsonObject = dict(action) if isinstance(action, Mapping) else {"action": action}
        raises = bool(parameters.pop("raise_for_failure", False))
        request.update(parameters)
        rotation = request.get("rotation")
        if rotation is not None and not isinstance(rotation, Mapping):
            request["rotation"] = {"y": rotation}
        if self._headless:
            request["renderImage"] = False
        event = self._send(request)
        if not event:
            message = event.metadata["errorMessage"]
            if event.metadata["errorCode"] in CALLER_ERRORS:
                raise ValueError(message)
            if raises:
                raise RuntimeError(message)
        return event

    def _send(self, request: JsonObject) -> Event:
        if self._engine is None:
            raise SimulatorError("the controller was stopped")
        self.last_action = request
        self.last_event = Event(self._engine.act(deepcopy(_jsonable(request))))
        return self.last_event

    def stop(self) -> None:
        """Let the scene go; the controller is not used again."""
        self._engine = None


def _with_suffix(scene: str) -> str:
    """`FloorPlan1` as `FloorPlan1_physics`; any other name as it is."""
    return f"{scene}_physics" if scene.startswith("FloorPlan") and scene.removeprefix("FloorPlan").isdigit() else scene


def _jsonable(value: Any) -> Any:
    """A request as it would be after its way as JSON: numpy's numbers and arrays as Python's."""
    if isinstance(value, Mapping):
        return {key: _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value
