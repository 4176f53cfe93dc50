"""What every handler gets, how it refuses, and how it finds its target (AI2-THOR specification 2.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn

from teach_agents.errors import ActionError
from teach_agents.simulator.contract import ObjectState, Outcome, SimulatorAction, follower_camera
from teach_agents.simulator.embedded.facts import GAZE, Gaze, is_shut
from teach_agents.simulator.embedded.senses import GeometricSenses, Hit
from teach_agents.simulator.embedded.world import World

DONE = Outcome(True)


@dataclass(frozen=True, slots=True)
class Manner:
    """How the body goes about: its step in metres, whether it keeps to the grid of that width, how it looks.

    AI2-THOR's `gridSize`, `snapToGrid`, `visibilityDistance` and `fieldOfView`.
    """

    grid: float = 0.25
    snaps: bool = True
    gaze: Gaze = GAZE


@dataclass(frozen=True, slots=True)
class Setting:
    """The world that a handler changes, the senses it may ask, and how the body goes about."""

    world: World
    senses: GeometricSenses
    manner: Manner = Manner()


class Refused(Exception):
    """AI2-THOR's refusal of an action, as its error message; becomes a failed `Outcome`."""


Handler = Callable[[Setting, SimulatorAction], Outcome]


def refuse(message: str, kind: str = "") -> NoReturn:
    """Refuse with AI2-THOR's text; `kind` is the .NET exception that its message starts with, if any."""
    raise Refused(f"{kind}: {message}" if kind else message)


def target(setting: Setting, action: SimulatorAction) -> ObjectState:
    """The object an action means, by id or by viewport point; refused as AI2-THOR does when it cannot be reached.

    Raises `ActionError` when the action names neither.
    """
    objects = setting.world.objects
    if action.object_id:
        obj = objects.get(action.object_id)
        if obj is None:
            refuse(f"objectId: {action.object_id} is not the objectId on any object in the scene!", "ArgumentException")
    else:
        obj = _clicked(setting, action)
    if not action.force and not _interactable(setting, obj):
        refuse("Target object not found within the specified visibility.", "NullReferenceException")
    return obj


def look_at(setting: Setting, action: SimulatorAction) -> Hit | None:
    """What is under the action's viewport point."""
    x, y = action.x, action.y
    if x is None or y is None:
        raise ActionError(f"simulator action {action.name}", "needs object_id, or both x and y")
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        refuse("x/y must be in [0:1]", "ArgumentOutOfRangeException")
    camera = replace(follower_camera(setting.world.agent), field_of_view=setting.manner.gaze.field_of_view)
    return setting.senses.ray(setting.world, camera, x, y)


def _clicked(setting: Setting, action: SimulatorAction) -> ObjectState:
    seen = look_at(setting, action)
    x, y = action.x or 0.0, 1.0 - (action.y or 0.0)
    if seen is None or seen.object_id is None:
        refuse(f"No SimObject found at (x: {x}, y: {y})", "InvalidOperationException")
    agent = setting.world.agent.position
    away = ((seen.point.x - agent.x) ** 2 + (seen.point.z - agent.z) ** 2) ** 0.5
    reach = setting.manner.gaze.reach
    if away > reach and not action.force:
        refuse(
            f"Target sim object: ({seen.object_id}) at screen coordinate: ({x}, {y}) is beyond your "
            f"visibilityDistance: {reach}!\nHint: Ignore this check by passing in forceAction=True or update "
            "visibility distance, call controller.reset(visibilityDistance=<new visibility distance>).",
            "InvalidOperationException",
        )
    return setting.world.objects[seen.object_id]


def _interactable(setting: Setting, obj: ObjectState) -> bool:
    world = setting.world
    return obj.exists and (
        obj.object_id == world.held or not hidden(world, obj) and setting.senses.visible(world, obj.object_id)
    )


def hidden(world: World, obj: ObjectState) -> bool:
    """Whether the object is inside something that is shut.

    Furniture is not: in some rooms a fridge counts the shut cabinets around it among its receptacles.
    """
    return obj.kind.pickupable and any(is_shut(world.objects[parent]) for parent in obj.parents)
