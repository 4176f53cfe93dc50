"""What the actions of the engine share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, SimulatorAction
from teach_agents.simulator.controller.requests import Parameters, Refusal

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


Act = Callable[["Engine", Parameters], object]
"""An action: the engine and the checked parameters; returns the answer or raises `Refusal`."""


def aimed(name: str, given: Parameters, magnitude: float | None = None) -> SimulatorAction:
    """A simulator action on what the parameters target: an id, else a viewport point, (0, 0) if none is given."""
    action = SimulatorAction(name, given.text("objectId"), magnitude=magnitude, force=given.flag("forceAction"))
    return action if action.object_id else replace(action, x=given.number("x", 0.0), y=given.number("y", 0.0))


def known_object(engine: Engine, object_id: str) -> ObjectState:
    """The object of an id; refused as AI2-THOR refuses an unknown one."""
    obj = engine.state.objects.get(object_id)
    if obj is None:
        raise Refusal(f"ArgumentException: objectId: {object_id} is not the objectId on any object in the scene!")
    return obj


def plain(value: object) -> object:
    """An answer as JSON has it: points as mappings, tuples as lists."""
    if isinstance(value, Vec3):
        return value._asdict()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def shown_point(point: Vec3) -> str:
    """A point as AI2-THOR prints it."""
    return "({:.4f}, {:.4f}, {:.4f})".format(*point)
