"""Moving the body: steps, turns, looks, crouching, teleports (AI2-THOR specification 2.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded.handlers.setting import DONE, Handler, Setting, refuse
from teach_agents.simulator.embedded.world import World

HORIZONS = (-30.0, 60.0)
"""Limits of the camera's pitch in degrees, up and down."""

_TOLERANCE = 0.01
_PIECE = 0.25
_QUARTERS = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}


def snapped(value: float, grid: float) -> float:
    """The nearest multiple of the grid size, half to even as in .NET."""
    return round(value / grid) * grid


def _forward(yaw: float) -> tuple[float, float]:
    return _QUARTERS.get(yaw) or (math.sin(math.radians(yaw)), math.cos(math.radians(yaw)))


def _move(setting: Setting, action: SimulatorAction, quarter: float) -> Outcome:
    manner = setting.manner
    distance = manner.grid if action.magnitude is None else action.magnitude
    if distance <= 0:
        refuse("moveMagnitude must be > 0", "InvalidOperationException")
    world = setting.world
    pose = world.agent
    x, y, z = pose.position
    sx, sz = _forward((pose.yaw + quarter) % 360.0)
    end_x, end_z = x + sx * distance, z + sz * distance
    if manner.snaps:
        end_x, end_z = snapped(end_x, manner.grid), snapped(end_z, manner.grid)
    for start, dx, dz in _steps(pose.position, end_x, end_z):
        blocker = setting.senses.blocker(world, start, dx, dz)
        if blocker is not None:
            by = f"({sx * distance:.4f}, {0.0:.4f}, {sz * distance:.4f})"
            refuse(f"{blocker} is blocking Agent 0 from moving by {by}.")
    world.move_agent(Pose(Vec3(end_x, y, end_z), pose.yaw, pose.horizon, pose.standing))
    return DONE


def _steps(start: Vec3, end_x: float, end_z: float) -> Iterator[tuple[Vec3, float, float]]:
    """The way cut into pieces of at most one cell of the map, as the sweep sees it."""
    dx, dz = end_x - start.x, end_z - start.z
    count = max(1, math.ceil(max(abs(dx), abs(dz)) / _PIECE - 1e-6))
    dx, dz = dx / count, dz / count
    return ((Vec3(start.x + n * dx, start.y, start.z + n * dz), dx, dz) for n in range(count))


def _mover(quarter: float) -> Handler:
    return lambda setting, action: _move(setting, action, quarter)


def _turner(sign: float) -> Handler:
    def turn(setting: Setting, action: SimulatorAction) -> Outcome:
        degrees = 90.0 if action.magnitude is None else action.magnitude
        if degrees == 0:
            refuse(
                "Cannot rotate by 0 degrees as this previously defaulted to rotating by a diferent amount.",
                "InvalidOperationException",
            )
        pose = setting.world.agent
        setting.world.move_agent(replace(pose, yaw=(pose.yaw + sign * degrees) % 360.0))
        return DONE

    return turn


def _looker(word: str, sign: float, limit: str) -> Handler:
    def look(setting: Setting, action: SimulatorAction) -> Outcome:
        degrees = action.magnitude or 30.0
        if degrees < 0:
            refuse(f"{word} action requires positive degree value. Invalid value used: {degrees}")
        if abs(degrees * 10 - round(degrees * 10)) > 1e-6:
            refuse(f"{word} action requires degree value to be a multiple of 0.1f")
        pose = setting.world.agent
        horizon = round(pose.horizon + sign * degrees, 3)
        if not HORIZONS[0] - _TOLERANCE <= horizon <= HORIZONS[1] + _TOLERANCE:
            refuse(limit)
        setting.world.move_agent(replace(pose, horizon=horizon))
        return DONE

    return look


def _teleport(setting: Setting, action: SimulatorAction) -> Outcome:
    pose = action.pose
    if pose is None:
        raise ActionError(f"simulator action {action.name}", "needs a pose")
    numbers = (*pose.position, pose.yaw, pose.horizon)
    if not all(map(math.isfinite, numbers)):
        raise ActionError(f"simulator action {action.name}", "the pose must be finite", value=pose)
    if not HORIZONS[0] - _TOLERANCE <= pose.horizon <= HORIZONS[1] + _TOLERANCE:
        refuse(f"Each horizon must be in [-30:60]. You gave {pose.horizon}.", "ArgumentOutOfRangeException")
    if not action.force:
        _check_landing(setting, pose)
    setting.world.move_agent(replace(pose, yaw=pose.yaw % 360.0))
    return DONE


def _check_landing(setting: Setting, pose: Pose) -> None:
    x, _, z = pose.position
    grid = setting.manner.grid
    shown = "({:.4f}, {:.4f}, {:.4f})".format(*pose.position)
    if not _in_bounds(setting.world, pose.position):
        message = f"Teleport position {shown} out of scene bounds! Ignore this by setting forceAction=true."
        refuse(message, "ArgumentOutOfRangeException")
    if setting.manner.snaps and max(abs(x - snapped(x, grid)), abs(z - snapped(z, grid))) > 1e-3:
        refuse(f"Teleport position {shown} is not on the grid of size {grid}.", "ArgumentOutOfRangeException")
    if (snapped(x, _PIECE), snapped(z, _PIECE)) in setting.senses.reachable(setting.world) and setting.manner.snaps:
        return
    obstacle = _obstacle(setting, pose.position)
    if obstacle is not None:
        refuse(f"Collided with: {obstacle}.", "InvalidOperationException")


def _in_bounds(world: World, point: Vec3) -> bool:
    """Whether a point lies within what the room's objects span, level; a room without floor has no bounds."""
    floors = [(box.low, box.high) for i in world.of_type("Floor") for box in (world.objects[i].box,)]
    x, _, z = point
    return not floors or any(low.x <= x <= high.x and low.z <= z <= high.z for low, high in floors)


def _obstacle(setting: Setting, point: Vec3) -> str | None:
    """What the body would overlap at a point, `None` for nothing: an id, or structure."""
    name = setting.senses.occupant(setting.world, point)
    return next((i for i, obj in setting.world.objects.items() if obj.kind.name == name), name)


def _posture(standing: bool, already: str) -> Handler:
    def change(setting: Setting, action: SimulatorAction) -> Outcome:
        pose = setting.world.agent
        if pose.standing is standing:
            refuse(already)
        setting.world.move_agent(replace(pose, standing=standing))
        return DONE

    return change


def _pass(setting: Setting, action: SimulatorAction) -> Outcome:
    return DONE


HANDLERS: Mapping[str, Handler] = {
    "Crouch": _posture(False, "Already crouching."),
    "Done": _pass,
    "LookDown": _looker("LookDown", 1.0, "can't look down beyond 60 degrees below the forward horizon"),
    "LookUp": _looker("LookUp", -1.0, "can't look up beyond 30 degrees above the forward horizon"),
    "MoveAhead": _mover(0.0),
    "MoveBack": _mover(180.0),
    "MoveLeft": _mover(270.0),
    "MoveRight": _mover(90.0),
    "Pass": _pass,
    "RotateLeft": _turner(-1.0),
    "RotateRight": _turner(1.0),
    "Stand": _posture(True, "Already standing."),
    "Teleport": _teleport,
    "TeleportFull": _teleport,
}
