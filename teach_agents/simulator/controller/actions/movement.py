"""Moving the body, where it can go, and from where a thing can be seen (AI2-THOR specification 2.3)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.controller.requests import Act, Parameters, Refusal, known_object, shown_point
from teach_agents.simulator.embedded.visibility import is_visible

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


_LEVEL = 0.01
_STEP_UP = 0.05
_AT_A_LIMIT = "LookDownCantExceedMin"


def _mover(name: str, parameter: str, usual: str) -> Act:
    def move(engine: Engine, given: Parameters) -> object:
        size = given.number(parameter, getattr(engine.settings, usual))
        return engine.run(SimulatorAction(name, magnitude=size, force=given.flag("forceAction")))

    return move


def _looker(name: str) -> Act:
    def look(engine: Engine, given: Parameters) -> object:
        try:
            return engine.run(SimulatorAction(name, magnitude=given.get("degrees", 0.0)))
        except Refusal as refusal:
            code = _AT_A_LIMIT if str(refusal).startswith("can't look") else None
            raise Refusal(str(refusal), code) from refusal

    return look


def _teleport(engine: Engine, given: Parameters) -> object:
    """Teleport and TeleportFull: what is left out stays as it is; the body keeps to the floor."""
    pose, force = engine.state.agent, given.flag("forceAction")
    at = given.point("position", pose.position)
    at = Vec3(given.number("x", at.x), given.number("y", at.y), given.number("z", at.z))
    angles = given.point("rotation", Vec3(0.0, pose.yaw, 0.0))
    if abs(angles.x) >= _LEVEL or abs(angles.z) >= _LEVEL:
        shown = "({:.6f}, {:.6f}, {:.6f})".format(*angles)
        raise Refusal(
            "ArgumentOutOfRangeException: No agents currently can change in pitch or roll. So, you must set "
            f"rotation(x=0, y=yaw, z=0). You gave {shown}."
        )
    memory = engine.simulator.remember()
    drop = abs(at.y - pose.position.y)
    at = at if drop <= _STEP_UP else at._replace(y=pose.position.y)
    goal = Pose(at, angles.y, given.number("horizon", pose.horizon), given.flag("standing", pose.standing))
    value = engine.run(SimulatorAction("TeleportFull", pose=goal, force=force))
    if drop > _STEP_UP and not force:
        engine.simulator.recall(memory)
        raise Refusal(
            "After teleporting and adjusting agent position to floor, there was too large a "
            f"change({drop:.6g} > {_STEP_UP}) in the y component. Consider using `forceAction=true` if you'd like to "
            "teleport anyway."
        )
    return value


def _plain(name: str) -> Act:
    return lambda engine, _given: engine.run(SimulatorAction(name))


_CELL = 0.25
_MOST = 10_000
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
Cell = tuple[int, int]


def _reachable(engine: Engine, given: Parameters) -> object:
    grid = given.number("gridSize", engine.settings.grid)
    if grid <= 0:
        raise Refusal("grid size must be in the range (0,5]")
    most = int(given.number("maxStepCount", _MOST))
    agent, turned = engine.state.agent, given.flag("directionsRelativeAgent")
    if grid == _CELL and not turned and _on_map(agent.position) and most >= _MOST:
        found = engine.run(SimulatorAction("GetReachablePositions"))
        assert isinstance(found, tuple)
    else:
        found = tuple(_flood(engine, grid, agent.yaw if turned else 0.0).values())
        if len(found) > most:
            raise Refusal("InvalidOperationException: Too many steps taken in GetReachablePositions.")
    return [point._asdict() for point in found]


def _on_map(at: Vec3) -> bool:
    return all(abs(value / _CELL - round(value / _CELL)) < 1e-3 for value in (at.x, at.z))


def _flood(engine: Engine, grid: float, yaw: float = 0.0) -> dict[Cell, Vec3]:
    """Every point the body can step to on a grid through itself, turned by `yaw`; its own first, breadth first."""
    start = engine.state.agent.position
    sine, cosine = round(math.sin(math.radians(yaw)), 9), round(math.cos(math.radians(yaw)), 9)
    found: dict[Cell, Vec3] = {(0, 0): start}
    queue = deque([(0, 0)])
    with engine.simulator.editing() as setting:
        while queue and len(found) <= _MOST:
            i, j = queue.popleft()
            for di, dj in _STEPS:
                cell = (i + di, j + dj)
                dx, dz = (di * cosine + dj * sine) * grid, (dj * cosine - di * sine) * grid
                if cell not in found and setting.senses.blocker(setting.world, found[i, j], dx, dz) is None:
                    x, y, z = found[i, j]
                    found[cell] = Vec3(x + dx, y, z + dz)
                    queue.append(cell)
    return found


def _interactable(engine: Engine, given: Parameters) -> object:
    """Poses from which an object is visible, by horizon, posture, rotation and position."""
    obj = known_object(engine, given.text("objectId"))
    reach = given.number("maxDistance", engine.settings.reach)
    positions = [p for p in _places(engine, given) if _level(p, obj.box.center) <= reach + max(obj.box.size)]
    step, yaw = engine.settings.turn, engine.state.agent.yaw
    around = ((yaw + number * step) % 360.0 for number in range(round(360.0 / step)))
    turns = map(float, given.get("rotations", around))
    horizons = map(float, given.get("horizons", (-30.0, 0.0, 30.0, 60.0)))
    postures = map(bool, given.get("standings", (False, True)))
    most = int(given.number("maxPoses", 2**31 - 1))
    memory = engine.simulator.remember()
    found: list[JsonObject] = []
    with engine.simulator.editing() as setting:
        for horizon, standing, yaw, at in product(horizons, postures, turns, positions):
            setting.world.move_agent(Pose(at, yaw, horizon, standing))
            if len(found) < most and is_visible(setting.world, obj.object_id, engine.simulator.manner.gaze):
                found.append({**at._asdict(), "rotation": yaw, "standing": standing, "horizon": horizon})
    engine.simulator.recall(memory)
    return found


def _places(engine: Engine, given: Parameters) -> list[Vec3]:
    points = given.get("positions")
    if points is None:
        points = _reachable(engine, Parameters({}))
        assert isinstance(points, list)
    return [Parameters({"at": point}).point("at") for point in points]


def _level(a: Vec3, b: Vec3) -> float:
    return math.hypot(a.x - b.x, a.z - b.z)


def _sought(engine: Engine, given: Parameters) -> Vec3:
    """The middle of the object that a search names by id or by type."""
    objects = engine.state.objects
    if given.text("objectId"):
        return known_object(engine, given.text("objectId")).box.center
    wanted = given.text("objectType")
    found = [obj for obj in objects.values() if obj.object_type == wanted]
    if not found:
        raise Refusal(f"Object type {wanted} was not found in the scene.")
    if len(found) > 1:
        raise Refusal(f"Multiple objects of type {wanted} were found in the scene, cannot disambiguate.")
    return found[0].box.center


def _answer(engine: Engine, given: Parameters, goal: Vec3, allowed: float) -> JsonObject:
    path = _path(engine, given.point("position", engine.state.agent.position), goal, allowed)
    return {"corners": [point._asdict() for point in _corners(path)], "status": "PathComplete"}


def _path(engine: Engine, start: Vec3, goal: Vec3, allowed: float) -> list[Vec3]:
    """The shortest way over the grid to the reachable point nearest to `goal`, start and end included."""
    cells = _flood(engine, _CELL)
    first, last = (min(cells, key=lambda cell: _level(cells[cell], end)) for end in (start, goal))
    none = Refusal(f"Could not find path between {shown_point(start)} and {shown_point(goal)} using the NavMesh.")
    if _level(cells[last], goal) > allowed or _level(cells[first], start) > _CELL:
        raise none
    came: dict[Cell, Cell] = {first: first}
    queue = deque([first])
    with engine.simulator.editing() as setting:
        while queue and last not in came:
            i, j = queue.popleft()
            for di, dj in _STEPS:
                cell = (i + di, j + dj)
                free = cell in cells and cell not in came
                if free and setting.senses.blocker(setting.world, cells[i, j], di * _CELL, dj * _CELL) is None:
                    came[cell] = (i, j)
                    queue.append(cell)
    if last not in came:
        raise none
    way = [last]
    while way[-1] != first:
        way.append(came[way[-1]])
    return [cells[cell] for cell in reversed(way)]


def _corners(path: list[Vec3]) -> list[Vec3]:
    """The path's ends and where it turns."""
    turns = [
        here
        for before, here, after in zip(path, path[1:], path[2:], strict=False)
        if abs((here.x - before.x) - (after.x - here.x)) + abs((here.z - before.z) - (after.z - here.z)) >= 1e-6
    ]
    return [path[0], *turns, *path[1:][-1:]]


def _expert(engine: Engine, given: Parameters) -> object:
    """The next action on the way: a turn until the way lies ahead, then a step; nothing once there."""
    goal = given.point("position") if "position" in given else _sought(engine, given)
    agent = engine.state.agent
    path = _path(engine, agent.position, goal, math.inf)
    if len(path) < 2:
        return None
    heading = math.degrees(math.atan2(path[1].x - path[0].x, path[1].z - path[0].z))
    off = (heading - agent.yaw + 180.0) % 360.0 - 180.0
    if abs(off) < engine.settings.turn / 2:
        return "MoveAhead"
    return "RotateRight" if off > 0 else "RotateLeft"


ACTIONS: Mapping[str, Act] = {
    **{name: _mover(name, "moveMagnitude", "grid") for name in "MoveAhead MoveBack MoveLeft MoveRight".split()},
    **{name: _mover(name, "degrees", "turn") for name in ("RotateLeft", "RotateRight")},
    **{name: _looker(name) for name in ("LookDown", "LookUp")},
    **{name: _plain(name) for name in ("Crouch", "Done", "Pass", "Stand")},
    "NoOp": _plain("Pass"),
    "Teleport": _teleport,
    "TeleportFull": _teleport,
    "GetInteractablePoses": _interactable,
    "GetReachablePositions": _reachable,
    "GetShortestPath": lambda engine, given: _answer(engine, given, _sought(engine, given), math.inf),
    "GetShortestPathToPoint": lambda engine, given: _answer(engine, given, given.point("target"), _CELL),
    "ObjectNavExpertAction": _expert,
}
