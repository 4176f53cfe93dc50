"""Actions that need what the embedded simulator does not have; they fail and say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping
from teach_agents.simulator.controller.actions.kit import Act
from teach_agents.simulator.controller.requests import Parameters, Refusal

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


_HOLDING = "Agent can only move hand if currently holding an item"
_TURNING = "InvalidOperationException: Can't rotate held object since no object is being held."


def _without_physics(name: str) -> Act:
    def refuse(engine: Engine, given: Parameters, request: JsonMapping) -> object:
        raise Refusal(f"{name} is not available in the embedded simulator: it has no physics engine")

    return refuse


def _hand(name: str, empty: str) -> Act:
    def refuse(engine: Engine, given: Parameters, request: JsonMapping) -> object:
        if engine.simulator.state.held is None:
            raise Refusal(empty)
        raise Refusal(f"{name} is not available in the embedded simulator: the hand stays before the eyes")

    return refuse


def _decay(engine: Engine, given: Parameters, request: JsonMapping) -> object:
    raise Refusal("temperatures always decay after ten actions in the embedded simulator")


_HAND_MOVES = ("MoveHeldObject", *(f"MoveHeldObject{way}" for way in "Ahead Back Left Right Up Down".split()))

ACTIONS: Mapping[str, Act] = {
    **{name: _hand(name, _HOLDING) for name in _HAND_MOVES},
    **dict.fromkeys(("DisableTemperatureDecay", "SetTemperatureDecayTime"), _decay),
    "RotateHeldObject": _hand("RotateHeldObject", _TURNING),
    **{
        name: _without_physics(name)
        for name in ("ApplyForceObject", "DirectionalPush", "PullObject", "PushObject", "TouchThenApplyForce")
    },
}
