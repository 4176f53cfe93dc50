"""Opening, closing, switching (AI2-THOR specification 2.4)."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded.handlers.drawers import carry_contents, stopped_by_body
from teach_agents.simulator.embedded.handlers.setting import DONE, Handler, Setting, refuse, target

_BODY = "FPSController"
"""What AI2-THOR calls the Follower's body."""


def _set_open(setting: Setting, action: SimulatorAction, openness: float) -> Outcome:
    if not 0.0 <= openness <= 1.0:
        refuse("openness must be in [0:1]")
    obj = target(setting, action)
    if not obj.kind.openable:
        refuse(f"{obj.object_id} is not an Openable object")
    if obj.object_type == "Microwave" and obj.is_toggled:
        refuse("Target must be OFF to open!")
    if not action.force and stopped_by_body(setting.world, obj, openness):
        refuse(f"Openable object collided with {_BODY}")
    if obj.openness != openness:
        carry_contents(setting.world, obj, openness)
        setting.world.update(obj.object_id, openness=openness)
    return DONE


def _open(setting: Setting, action: SimulatorAction) -> Outcome:
    return _set_open(setting, action, 1.0 if action.magnitude is None else action.magnitude)


def _close(setting: Setting, action: SimulatorAction) -> Outcome:
    return _set_open(setting, action, 0.0)


def _switcher(on: bool) -> Handler:
    word = "on" if on else "off"

    def switch(setting: Setting, action: SimulatorAction) -> Outcome:
        obj = target(setting, action)
        if obj.object_type == "StoveBurner":
            refuse("target object is controlled by another sim object. target object cannot be turned on/off directly")
        if not obj.kind.toggleable:
            refuse("object is not toggleable.")
        if obj.is_toggled is on:
            refuse(f"can't toggle object {word} if it's already {word}!")
        if on and obj.object_type == "Microwave" and obj.is_open:
            refuse("Target must be closed to Toggle On!")
        if on and obj.is_broken:
            refuse("Target is broken and cannot be Toggled On!")
        setting.world.update(obj.object_id, is_toggled=on)
        return DONE

    return switch


HANDLERS: Mapping[str, Handler] = {
    "CloseObject": _close,
    "OpenObject": _open,
    "ToggleObjectOff": _switcher(False),
    "ToggleObjectOn": _switcher(True),
}
