"""What the actions of the engine share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, SimulatorAction
from teach_agents.simulator.controller.requests import Parameters, Refusal
from teach_agents.simulator.embedded.geometry import posed

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


Act = Callable[["Engine", Parameters, Mapping[str, Any]], object]
"""An action: the engine, the checked parameters, the request as it came; returns the answer or raises `Refusal`."""


def aimed(name: str, given: Parameters, magnitude: float | None = None) -> SimulatorAction:
    """A simulator action on what the parameters target: an id, else a viewport point, (0, 0) if none is given."""
    force = given.flag("forceAction")
    if given.text("objectId"):
        return SimulatorAction(name, object_id=given.text("objectId"), magnitude=magnitude, force=force)
    x, y = given.number("x", 0.0), given.number("y", 0.0)
    return SimulatorAction(name, x=x, y=y, magnitude=magnitude, force=force)


def known_object(engine: Engine, object_id: str) -> ObjectState:
    """The object of an id; refused as AI2-THOR refuses an unknown one."""
    obj = engine.simulator.state.objects.get(object_id)
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


def standing_on(obj: ObjectState, point: Vec3, rotation: Vec3) -> ObjectState:
    """The object turned to `rotation`, its box standing on `point`, its pivot above it."""
    turned = posed(obj, point, rotation)
    lift = point.y - turned.box.low.y
    return posed(turned, turned.position._replace(y=turned.position.y + lift), rotation)
