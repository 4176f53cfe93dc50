"""Scenes and settings: what the client itself sends (AI2-THOR specification 2.5, 6.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import SceneError
from teach_agents.simulator.controller.actions.kit import Act
from teach_agents.simulator.controller.requests import Parameters, Refusal
from teach_agents.simulator.controller.settings import FAR, NEAR, initialized

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


PROCEDURAL = "Procedural"
NO_HOUSES = (
    "Procedural houses (CreateHouse) are not available in the embedded simulator; it has the 120 iTHOR rooms, "
    "FloorPlan1 to FloorPlan430"
)
_SUFFIX = "_physics"
_LARGEST = 4096


def scenes() -> list[str]:
    """Every scene there is, by AI2-THOR's name."""
    from teach_agents.simulator.embedded.rooms import ROOM_NAMES

    return [f"{name}{_SUFFIX}" for name in ROOM_NAMES]


def _scenes(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    return scenes()


def _reset(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    """A scene that is not there leaves none: what follows then fails instead of running in another scene."""
    name = given.text("sceneName")
    try:
        engine.load(name)
    except SceneError as error:
        engine.scene_name = ""
        raise Refusal(NO_HOUSES if name == PROCEDURAL else str(error)) from error
    return None


def _initialize(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    if not engine.scene_name:
        raise Refusal(engine.result.error or "Initialize: no scene is loaded; reset to one first")
    engine.configure(initialized(given, request))
    return {"cameraNearPlane": NEAR, "cameraFarPlane": FAR}


def _resolution(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    width, height = given.number("x", 0.0), given.number("y", 0.0)
    if not all(1 <= side <= _LARGEST and side == int(side) for side in (width, height)):
        raise Refusal(f"ChangeResolution: {width:g} x {height:g} is no size from 1 to {_LARGEST} pixels")
    engine.reshape(int(width), int(height))
    return None


def _quality(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    return None


def _house(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    raise Refusal(NO_HOUSES)


ACTIONS: Mapping[str, Act] = {
    "ChangeQuality": _quality,
    "ChangeResolution": _resolution,
    "CreateHouse": _house,
    "GetScenesInBuild": _scenes,
    "Initialize": _initialize,
    "Reset": _reset,
}
