"""Taking, putting, opening, switching and changing objects (AI2-THOR specification 2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.controller.requests import Act, Parameters, Refusal, aimed, plain
from teach_agents.simulator.embedded.visibility import raycast

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


def _on_target(name: str) -> Act:
    return lambda engine, given: engine.run(aimed(name, given))


def _put(engine: Engine, given: Parameters) -> None:
    """Close to the point of a click with `putNearXY`, else where it fits nearest to the body."""
    action, near = aimed("PutObject", given), given.flag("putNearXY")
    target: object = None
    if not (action.object_id or engine.state.held is None):
        if not action.force:
            target = engine.run(SimulatorAction("GetObjectInFrame", x=action.x, y=action.y))
        elif not near:
            target = _under(engine, given)
    if target is not None and not near:
        action = SimulatorAction("PutObject", str(target), force=action.force)
    engine.run(action)


def _under(engine: Engine, given: Parameters) -> str:
    """The id under a click, in sight or not."""
    x, y = given.number("x", 0.0), given.number("y", 0.0)
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise Refusal("ArgumentOutOfRangeException: x/y must be in [0:1]")
    hit = raycast(engine.state, engine.lens.through(engine.eyes), *engine.lens.point(x, y))
    if hit is None or hit.object_id is None:
        raise Refusal(f"InvalidOperationException: no sim objects found at ({x},{1.0 - y})")
    return hit.object_id


def _drop(engine: Engine, _given: Parameters) -> object:
    return plain(engine.run(SimulatorAction("DropHeldObject")))


def _throw(engine: Engine, given: Parameters) -> object:
    """Without physics a thrown object falls before the feet."""
    if engine.state.held is None:
        raise Refusal("InvalidOperationException: Nothing in Hand to Throw!")
    return _drop(engine, given)


ACTIONS: Mapping[str, Act] = {
    **{
        name: _on_target(name)
        for name in (
            "BreakObject CleanObject CloseObject CookObject DirtyObject EmptyLiquidFromObject PickupObject SliceObject "
            "ToggleObjectOff ToggleObjectOn UseUpObject".split()
        )
    },
    "DropHandObject": _drop,
    "DropHeldObject": _drop,
    "FillObjectWithLiquid": lambda engine, given: engine.run(
        replace(aimed("FillObjectWithLiquid", given), liquid=given.text("fillLiquid"))
    ),
    "OpenObject": lambda engine, given: engine.run(
        aimed("OpenObject", given, given.number("openness", given.number("moveMagnitude", 1.0) or 1.0))
    ),
    "PlaceHeldObject": _put,
    "PutObject": _put,
    "ThrowObject": _throw,
}
