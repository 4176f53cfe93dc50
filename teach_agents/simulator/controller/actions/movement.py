"""Moving the body (AI2-THOR specification 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.controller.actions.kit import Act
from teach_agents.simulator.controller.requests import Parameters, Refusal

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


_LEVEL = 0.01
_STEP_UP = 0.05
_AT_A_LIMIT = "LookDownCantExceedMin"


def _mover(name: str, parameter: str, usual: str) -> Act:
    def move(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
        size = given.number(parameter, getattr(engine.settings, usual))
        return engine.run(SimulatorAction(name, magnitude=size, force=given.flag("forceAction")))

    return move


def _looker(name: str) -> Act:
    def look(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
        try:
            return engine.run(SimulatorAction(name, magnitude=given.get("degrees", 0.0)))
        except Refusal as refusal:
            code = _AT_A_LIMIT if str(refusal).startswith("can't look") else None
            raise Refusal(str(refusal), code) from refusal

    return look


def _teleport(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """Teleport and TeleportFull: what is left out stays as it is; the body keeps to the floor."""
    pose = engine.simulator.state.agent
    force = given.flag("forceAction")
    at = given.point("position", pose.position)
    at = Vec3(given.number("x", at.x), given.number("y", at.y), given.number("z", at.z))
    angles = given.point("rotation", Vec3(0.0, pose.yaw, 0.0))
    if abs(angles.x) >= _LEVEL or abs(angles.z) >= _LEVEL:
        shown = "({:.6f}, {:.6f}, {:.6f})".format(*angles)
        raise Refusal(
            "ArgumentOutOfRangeException: No agents currently can change in pitch or roll. So, you must set "
            f"rotation(x=0, y=yaw, z=0). You gave {shown}."
        )
    goal = Pose(at, angles.y, given.number("horizon", pose.horizon), given.flag("standing", pose.standing))
    memory = engine.simulator.remember()
    drop = abs(at.y - pose.position.y)
    value = engine.run(
        SimulatorAction("TeleportFull", pose=goal if drop <= _STEP_UP else _on_floor(goal, pose), force=force)
    )
    if drop > _STEP_UP and not force:
        engine.simulator.recall(memory)
        raise Refusal(
            "After teleporting and adjusting agent position to floor, there was too large a "
            f"change({drop:.6g} > {_STEP_UP}) in the y component. Consider using `forceAction=true` if you'd like to "
            "teleport anyway."
        )
    return value


def _on_floor(goal: Pose, now: Pose) -> Pose:
    return Pose(goal.position._replace(y=now.position.y), goal.yaw, goal.horizon, goal.standing)


def _plain(name: str) -> Act:
    return lambda engine, _given, _request: engine.run(SimulatorAction(name))


ACTIONS: Mapping[str, Act] = {
    **{name: _mover(name, "moveMagnitude", "grid") for name in ("MoveAhead", "MoveBack", "MoveLeft", "MoveRight")},
    **{name: _mover(name, "degrees", "turn") for name in ("RotateLeft", "RotateRight")},
    **{name: _looker(name) for name in ("LookDown", "LookUp")},
    **{name: _plain(name) for name in ("Crouch", "Done", "Pass", "Stand")},
    "NoOp": _plain("Pass"),
    "Teleport": _teleport,
    "TeleportFull": _teleport,
}
