"""Cameras, the map view, and what only changes how things look (AI2-THOR specification 2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.controller.actions.kit import Act
from teach_agents.simulator.controller.cameras import camera_from, changed_camera
from teach_agents.simulator.controller.requests import Parameters, Refusal
from teach_agents.simulator.controller.settings import check_field_of_view
from teach_agents.simulator.embedded.handlers.queries import map_camera

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


def _add_camera(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    engine.cameras.append(camera_from(given))
    return None


def _update_camera(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    number, count = int(given.number("thirdPartyCameraId", 0)), len(engine.cameras)
    if not 0 <= number < count:
        raise Refusal(
            f"ArgumentOutOfRangeException: thirdPartyCameraId: {number} (int: default=0) must in 0 <= "
            f"thirdPartyCameraId < len(thirdPartyCameras)={count}."
        )
    engine.cameras[number] = changed_camera(engine.cameras[number], given)
    return None


def _map_view(engine: Engine, _given: Parameters, _request: JsonMapping) -> object:
    return engine.run(SimulatorAction("GetMapViewCameraProperties"))


def _toggle_map(engine: Engine, _given: Parameters, _request: JsonMapping) -> object:
    """The agent's camera hangs over the room until the next call."""
    if engine.map_view is not None:
        engine.map_view = None
    else:
        with engine.simulator.editing() as setting:
            engine.map_view = map_camera(setting.world)
    return None


def _field_of_view(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    degrees = given.number("fieldOfView", 90.0)
    check_field_of_view(degrees)
    engine.configure(replace(engine.settings, field_of_view=degrees))
    return None


def _looks_the_same(_engine: Engine, _given: Parameters, _request: JsonMapping) -> object:
    """Materials, lights and physics clocks: accepted, and nothing changes."""
    return None


ACTIONS: Mapping[str, Act] = {
    "AddThirdPartyCamera": _add_camera,
    "ChangeFOV": _field_of_view,
    "GetMapViewCameraProperties": _map_view,
    "ToggleMapView": _toggle_map,
    "UpdateThirdPartyCamera": _update_camera,
    **dict.fromkeys(
        (
            "AdvancePhysicsStep",
            "EnableTemperatureDecay",
            "MakeAllObjectsMoveable",
            "MakeAllObjectsStationary",
            "PausePhysicsAutoSim",
            "RandomizeColors",
            "RandomizeLighting",
            "RandomizeMaterials",
            "ResetColors",
            "ResetLighting",
            "ResetMaterials",
            "SetRandomSeed",
            "UnpausePhysicsAutoSim",
        ),
        _looks_the_same,
    ),
}
