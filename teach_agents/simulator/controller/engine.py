"""AI2-THOR's side of the conversation: a request comes in, an event goes out.

The same engine answers `Controller` in this process and, over pipes or HTTP, the real `ai2thor` package.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import ActionError
from teach_agents.simulator.contract import (
    Box,
    Camera,
    ObjectState,
    Scene,
    SimulatorAction,
    SimulatorState,
    follower_camera,
)
from teach_agents.simulator.controller.actions import ACTIONS, QUERIES, WITHOUT_SCENE
from teach_agents.simulator.controller.pictures import Lens, Pictures, Wanted, camera_metadata, colour_table, draw
from teach_agents.simulator.controller.requests import Refusal, accept
from teach_agents.simulator.controller.scene_metadata import (
    ObjectRows,
    Result,
    Shown,
    event_metadata,
    outcome,
    scene_bounds,
)
from teach_agents.simulator.controller.settings import Settings
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.simulator.embedded.visibility import visible_objects


class Answer(NamedTuple):
    """An event: the agent's metadata, its pictures, and those of the third-party cameras in their order.

    `unchanged` says that only what became of the action differs from the event before, as after a question.
    """

    metadata: JsonObject
    pictures: Pictures
    third_party: tuple[Pictures, ...]
    unchanged: bool = False


class Engine:
    """One scene, its agent and its cameras, driven by AI2-THOR's requests.

    The attributes are what actions change: `listed` are the ids that metadata lists (all when `None`), `map_view` the
    agent's camera while the map is toggled on, `disabled` what can be enabled again.
    """

    def __init__(self, width: int = 300, height: int = 300) -> None:
        self.simulator = EmbeddedSimulator(breakable=True)
        self.settings = Settings()
        self.lens = Lens(width, height)
        self.cameras: list[Camera] = []
        self.listed: frozenset[str] | None = None
        self.disabled: dict[str, ObjectState] = {}
        self.map_view: Camera | None = None
        self.scene_name = ""
        self.bounds: Box | None = None
        self.request: JsonMapping = {}
        self.result = Result()
        self._rows = ObjectRows()
        self._last: Answer | None = None
        self._time = 0.0

    def act(self, request: JsonMapping) -> Answer:
        """Carry out one request, a flat mapping with `action` and its parameters; never raises for what it asks."""
        name = str(request.get("action", ""))
        self.request = request
        try:
            given = accept(name, request)
            if not self.scene_name and name not in WITHOUT_SCENE:
                raise Refusal(f"{name}: no scene is loaded; reset to one first")
            self.result = Result(name, value=ACTIONS[name](self, given))
        except Refusal as refusal:
            self.result = Result(name, False, str(refusal), refusal.code)
        question = name in QUERIES
        self._time += 0.0 if question else 1.0
        if question and self.settings.answers_queries_fast and self._last is not None:
            return self._last._replace(metadata={**self._last.metadata, **outcome(self.result)}, unchanged=True)
        self._last = self._answer()
        return self._last

    def load(self, scene_name: str) -> None:
        """Load a room as it ships; cameras, filters and settings are those of a fresh start.

        Raises `SceneError` for an unknown room; the present scene then stays.
        """
        self.simulator.reset(Scene(scene_name))
        self.cameras.clear()
        self.disabled.clear()
        self.listed = None
        self.map_view = None
        self.scene_name = scene_name
        self.bounds = scene_bounds(self.state)
        self._time = 0.0

    def configure(self, settings: Settings) -> None:
        """Go by other settings from now on."""
        self.settings = settings
        self.reshape(self.lens.width, self.lens.height)

    def reshape(self, width: int, height: int) -> None:
        """Take pictures of another size, pixels."""
        self.lens = Lens(width, height, self.settings.field_of_view)
        self.simulator.behave(self.settings.manner(self.lens.square))

    def run(self, action: SimulatorAction) -> object:
        """Carry out a simulator action and return its answer; raises `Refusal` where it fails."""
        if action.x is not None and action.y is not None:
            x, y = self.lens.point(action.x, action.y)
            action = replace(action, x=x, y=y)
        try:
            outcome = self.simulator.step(action)
        except ActionError as error:
            raise Refusal(str(error)) from error
        if not outcome.success:
            raise Refusal(outcome.error)
        return outcome.value

    @property
    def state(self) -> SimulatorState:
        """The scene now."""
        return self.simulator.state

    @property
    def eyes(self) -> Camera:
        """The agent's camera."""
        return replace(follower_camera(self.state.agent), field_of_view=self.settings.field_of_view)

    def object_rows(self, wanted: frozenset[str] | None = None) -> list[JsonObject]:
        """Metadata of the objects as they are now, `wanted` ids or all."""
        state = self.state
        return self._rows.of(state, visible_objects(state, self.simulator.manner.gaze), wanted)

    def _answer(self) -> Answer:
        lens = self.lens
        if not self.scene_name:
            black = Pictures(np.zeros((lens.height, lens.width, 3), np.uint8))
            return Answer(event_metadata(Shown((lens.width, lens.height)), self.result), black, ())
        wanted, camera = self._wanted(), self.map_view or self.eyes
        pictures, *others = (draw(self.simulator, lens, one, wanted) for one in (camera, *self.cameras))
        state = self.state
        shown = Shown(
            size=(lens.width, lens.height),
            scene_name=self.scene_name,
            pose=state.agent,
            camera=camera,
            rows=self.object_rows(self.listed),
            held=None if state.held is None else state.objects[state.held],
            cameras=[camera_metadata(number, camera) for number, camera in enumerate(self.cameras)],
            colours=colour_table(state.objects.values()) if wanted.instances or wanted.classes else None,
            bounds=self.bounds,
            time=self._time,
        )
        return Answer(event_metadata(shown, self.result), pictures, tuple(others))

    def _wanted(self) -> Wanted:
        """The pictures that Initialize set, as far as the request does not say otherwise."""
        settings, request = self.settings, self.request
        instances = request.get("renderInstanceSegmentation", request.get("renderObjectImage"))
        classes = request.get("renderSemanticSegmentation", request.get("renderClassImage"))
        if request.get("renderImage") is False:
            return Wanted(False)
        return Wanted(
            depth=settings.depth,
            instances=settings.instances if instances is None else bool(instances),
            classes=settings.classes if classes is None else bool(classes),
        )
