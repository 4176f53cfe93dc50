"""A second, tiny implementation of the Simulator contract: a room of plain boxes, drawn ray by ray.

Everything is computed from the boxes with a few lines of numpy, so that tests of the household know the exact answer
and depend on no other simulator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teach_agents.errors import ActionError, SceneError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import (
    Box,
    Camera,
    Channel,
    Frame,
    ObjectKind,
    ObjectState,
    Outcome,
    Scene,
    Simulator,
    SimulatorAction,
    follower_camera,
)

__all__ = ["BoxRoom", "FakeSimulator", "box", "kitchen", "shed"]

FAR = 20.0
HALF_MAP = 3.0


@dataclass
class BoxRoom:
    """The fake's world: implements `SimulatorState`."""

    objects: dict[str, ObjectState]
    agent: Pose
    room: str = "FloorPlan1"
    held: str | None = None
    version: int = 0


def box(
    object_type: str,
    center: Sequence[float],
    size: Sequence[float],
    *,
    parents: Sequence[str] = (),
    object_id: str = "",
    **properties: Any,
) -> ObjectState:
    """One box; `properties` go to the kind or the state, whichever has them."""
    x, y, z = center
    identity = object_id or f"{object_type}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}"
    own = {key: value for key, value in properties.items() if key in ObjectState.__dataclass_fields__}
    fixed = {key: value for key, value in properties.items() if key not in own}
    kind = ObjectKind(identity, object_type, f"{object_type}_0a1b2c3d", **fixed)
    shape = Box(Vec3(x, y, z), Vec3(*size))
    return ObjectState(kind, shape.center, Vec3(0.0, 0.0, 0.0), shape, parents=tuple(parents), **own)


FLOOR = "Floor|+00.00|+00.00|+00.00"
COUNTER = "CounterTop|+00.00|+00.90|+01.00"
SINK = "Sink|-01.00|+00.90|+00.50"


def _furniture() -> Iterator[ObjectState]:
    yield box("Floor", (0, -0.05, 0), (6, 0.1, 6), object_id=FLOOR, receptacle=True)
    yield box("CounterTop", (0, 0.85, 1.0), (1.6, 0.1, 0.6), object_id=COUNTER, receptacle=True)
    yield box("Sink", (-1.1, 0.85, 0.4), (0.5, 0.1, 0.5), object_id=SINK)
    basin = f"{SINK}|SinkBasin"
    yield box("SinkBasin", (-1.1, 0.91, 0.4), (0.4, 0.02, 0.4), object_id=basin, receptacle=True)
    yield box("Faucet", (-1.3, 1.05, 0.4), (0.06, 0.25, 0.06), toggleable=True)
    yield box("CoffeeMachine", (0.6, 1.05, 1.15), (0.2, 0.3, 0.2), receptacle=True, toggleable=True)
    yield box("Microwave", (1.1, 1.1, 0.3), (0.3, 0.3, 0.4), receptacle=True, toggleable=True, openable=True)
    yield box("StoveBurner", (1.1, 0.91, -0.4), (0.25, 0.02, 0.25), receptacle=True, heat_source=True)
    yield box("HousePlant", (-0.6, 1.1, 1.2), (0.15, 0.4, 0.15), fillable=True)


def _things() -> Iterator[ObjectState]:
    on = (COUNTER,)
    vessel: dict[str, Any] = {"pickupable": True, "fillable": True, "receptacle": True}
    food: dict[str, Any] = {"pickupable": True, "sliceable": True}
    yield box("Mug", (0.35, 0.96, 0.85), (0.1, 0.12, 0.1), parents=on, dirtyable=True, is_dirty=True, **vessel)
    yield box("Pot", (0.05, 0.96, 1.1), (0.2, 0.12, 0.2), parents=on, dirtyable=True, **vessel)
    yield box(
        "Plate", (-0.2, 0.91, 0.85), (0.2, 0.02, 0.2), parents=on, pickupable=True, receptacle=True, dirtyable=True
    )
    yield box("Knife", (0.15, 0.915, 0.8), (0.04, 0.03, 0.2), parents=on, pickupable=True)
    yield box("Tomato", (-0.4, 0.95, 0.9), (0.1, 0.1, 0.1), parents=on, **food)
    yield box("Potato", (-0.1, 0.95, 1.2), (0.1, 0.1, 0.1), parents=on, cookable=True, **food)


def kitchen() -> BoxRoom:
    """A small kitchen: the body stands at the origin, 0.4 m or more from everything, looking at the counter (+z)."""
    return _room("FloorPlan1", _furniture(), _things())


def shed() -> BoxRoom:
    """No kitchen: a workbench with tools, a chest, a bucket, a log and a lamp."""
    bench, chest = "Workbench|+00.00|+00.85|+01.00", "Chest|+01.10|+00.30|+00.30"
    furniture = (
        box("Floor", (0, -0.05, 0), (6, 0.1, 6), object_id=FLOOR, receptacle=True),
        box("Workbench", (0, 0.85, 1.0), (1.6, 0.1, 0.6), object_id=bench, receptacle=True),
        box("Chest", (1.1, 0.3, 0.3), (0.4, 0.6, 0.4), object_id=chest, receptacle=True, openable=True),
        box("Lamp", (-1.1, 1.2, 0.4), (0.2, 0.2, 0.2), toggleable=True),
    )
    things = (
        box("Hammer", (0.2, 0.92, 0.9), (0.1, 0.05, 0.3), parents=(bench,), pickupable=True),
        box("Bucket", (-0.4, 1.0, 0.9), (0.2, 0.2, 0.2), parents=(bench,), pickupable=True, fillable=True),
        box("Log", (0.5, 0.95, 1.0), (0.1, 0.1, 0.3), parents=(bench,), pickupable=True, sliceable=True),
        box("Rag", (1.1, 0.6, 0.3), (0.2, 0.05, 0.2), parents=(chest,), pickupable=True, dirtyable=True, is_dirty=True),
    )
    return _room("Shed", furniture, things)


def _room(name: str, *parts: Iterable[ObjectState]) -> BoxRoom:
    """A room of boxes around the body at the origin; what a thing lies in is told of both."""
    objects = {obj.object_id: obj for part in parts for obj in part}
    for obj in tuple(objects.values()):
        for parent in obj.parents:
            holder = objects[parent]
            objects[parent] = replace(holder, contents=(*holder.contents, obj.object_id))
    return BoxRoom(objects, Pose(Vec3(0.0, 0.9, 0.0), yaw=0.0, horizon=30.0), room=name)


_MOVES: Mapping[str, float] = {"MoveAhead": 0.0, "MoveRight": 90.0, "MoveBack": 180.0, "MoveLeft": 270.0}


class FakeSimulator(Simulator):
    """The box room behind the contract. `steps` lists every action it was given, `drawn` every view's channels."""

    name = "fake"

    def __init__(self, make: Callable[[], BoxRoom] = kitchen) -> None:
        self._make = make
        self.world = make()
        self.steps: list[SimulatorAction] = []
        self.drawn: list[frozenset[Channel]] = []

    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        world = self._make()
        if scene.stored is None and scene.room != world.room:
            raise SceneError("fake simulator", "unknown room", value=scene.room, valid=(world.room,))
        self.world = world
        if scene.stored is not None:
            self.world.agent = scene.stored.agent
        self.steps.clear()
        self.drawn.clear()

    @property
    def state(self) -> BoxRoom:
        return self.world

    def change(self, object_id: str, **fields: Any) -> None:
        """Edit one object as if the world had done it; what holds it is told."""
        objects, before = self.world.objects, self.world.objects[object_id]
        for parent in set(before.parents) ^ set(fields.get("parents", before.parents)):
            others = tuple(inner for inner in objects[parent].contents if inner != object_id)
            held = others if parent in before.parents else (*others, object_id)
            objects[parent] = replace(objects[parent], contents=held)
        objects[object_id] = replace(before, **fields)
        self.world.version += 1

    def step(self, action: SimulatorAction) -> Outcome:
        self.steps.append(action)
        if action.name in _MOVES:
            return self._move(action)
        handler = _HANDLERS.get(action.name)
        if handler is None:
            raise ActionError("fake simulator", "unknown action", value=action.name, valid=_HANDLERS)
        affordance, target = _AFFORDANCES.get(action.name), self.world.objects.get(action.object_id)
        if affordance is not None and target is not None and not getattr(target.kind, affordance):
            return Outcome(False, f"{target.kind.name} is not {affordance}")
        return handler(self, action)

    def _move(self, action: SimulatorAction) -> Outcome:
        agent = self.world.agent
        angle = math.radians(agent.yaw + _MOVES[action.name])
        length = 0.25 if action.magnitude is None else action.magnitude
        x = round((agent.position.x + length * math.sin(angle)) * 4) / 4
        z = round((agent.position.z + length * math.cos(angle)) * 4) / 4
        if max(abs(x), abs(z)) > 0.5:
            return Outcome(False, "CounterTop_0a1b2c3d is blocking Agent 0 from moving by (0.0000, 0.0000, 0.2500).")
        self._stand(replace(agent, position=Vec3(x, agent.position.y, z)))
        return Outcome(True)

    def _stand(self, pose: Pose) -> None:
        self.world.agent = pose
        self.world.version += 1

    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        self.drawn.append(channels)
        ids, depth = _trace(self.world, camera, size)
        names = tuple(self.world.objects)
        rgb = (np.stack([ids * 7, ids * 31, ids * 57], axis=-1) % 200 + 40).astype(np.uint8)
        return Frame(
            names,
            rgb=rgb if Channel.RGB in channels else None,
            ids=ids if Channel.IDS in channels else None,
            depth=depth if Channel.DEPTH in channels else None,
        )


def _rays(camera: Camera, size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    yaw, pitch = math.radians(camera.yaw), math.radians(camera.pitch)
    ahead = np.array([math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch)])
    right = np.array([math.cos(yaw), 0.0, -math.sin(yaw)])
    up = np.cross(ahead, right)
    u = (np.arange(size) + 0.5) / size * 2 - 1
    offsets = u[None, :, None] * right - u[:, None, None] * up
    eye = np.array(camera.position, dtype=float)
    if camera.orthographic is not None:
        return eye + offsets * camera.orthographic, np.broadcast_to(ahead, offsets.shape)
    spread = math.tan(math.radians(camera.field_of_view) / 2)
    return np.broadcast_to(eye, offsets.shape), ahead + offsets * spread


def _trace(world: BoxRoom, camera: Camera, size: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    origin, direction = _rays(camera, size)
    with np.errstate(divide="ignore"):
        inverse = 1.0 / direction
    ids = np.full((size, size), -1, dtype=np.int32)
    depth = np.full((size, size), FAR, dtype=np.float32)
    for index, obj in enumerate(world.objects.values()):
        if not obj.exists:
            continue
        with np.errstate(invalid="ignore"):
            near = (np.array(obj.box.low) - origin) * inverse
            far = (np.array(obj.box.high) - origin) * inverse
        enter = np.minimum(near, far).max(axis=-1)
        leave = np.maximum(near, far).min(axis=-1)
        hit = (enter <= leave) & (enter > 0.01) & (enter < depth)
        ids[hit] = index
        depth[hit] = enter[hit]
    return ids, depth


def _handles(simulator: FakeSimulator, action: SimulatorAction) -> tuple[str, ObjectState]:
    return action.object_id, simulator.world.objects[action.object_id]


def _turn(degrees: float) -> Callable[[FakeSimulator, SimulatorAction], Outcome]:
    def handler(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
        agent = simulator.world.agent
        simulator._stand(replace(agent, yaw=(agent.yaw + degrees) % 360))
        return Outcome(True)

    return handler


def _look(degrees: float) -> Callable[[FakeSimulator, SimulatorAction], Outcome]:
    def handler(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
        agent = simulator.world.agent
        horizon = agent.horizon + degrees
        if not -30 <= horizon <= 60:
            where = "down beyond 60 degrees below" if degrees > 0 else "up beyond 30 degrees above"
            return Outcome(False, f"can't look {where} the forward horizon")
        simulator._stand(replace(agent, horizon=horizon))
        return Outcome(True)

    return handler


def _set(field: str, value: object, refusal: str) -> Callable[[FakeSimulator, SimulatorAction], Outcome]:
    def handler(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
        object_id, obj = _handles(simulator, action)
        if getattr(obj, field) == value:
            return Outcome(False, refusal)
        simulator.change(object_id, **{field: value})
        return Outcome(True)

    return handler


def _toggle(value: bool) -> Callable[[FakeSimulator, SimulatorAction], Outcome]:
    def handler(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
        object_id, obj = _handles(simulator, action)
        if obj.is_toggled == value:
            way = "on" if value else "off"
            return Outcome(False, f"can't toggle object {way} if it's already {way}!")
        simulator.change(object_id, is_toggled=value)
        if obj.object_type == "CoffeeMachine" and value:
            for other in list(simulator.world.objects.values()):
                if object_id in other.parents and other.kind.fillable and not other.is_filled:
                    simulator.change(other.object_id, is_filled=True, liquid="coffee")
        return Outcome(True)

    return handler


def _pick_up(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    object_id, _ = _handles(simulator, action)
    if simulator.world.held is not None:
        return Outcome(False, "Agent hand has something in it already! Can't pick up anything else")
    hand = Box(Vec3(0.0, -5.0, 0.0), Vec3(0.1, 0.1, 0.1))
    simulator.change(object_id, is_picked_up=True, parents=(), box=hand, position=hand.center)
    simulator.world.held = object_id
    return Outcome(True)


def _put(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    held = simulator.world.held
    target = simulator.world.objects[action.object_id]
    if held is None:
        return Outcome(False, "Can't place an object if Agent isn't holding anything")
    if target.kind.openable and not target.is_open:
        return Outcome(False, "Target openable Receptacle is CLOSED, can't place if target is not open!")
    spot = action.near or target.position
    lifted = Vec3(spot.x, target.box.high.y + 0.06, spot.z)
    shape = Box(lifted, Vec3(0.1, 0.12, 0.1))
    simulator.change(held, is_picked_up=False, parents=(action.object_id,), box=shape, position=lifted)
    simulator.world.held = None
    return Outcome(True)


def _slice(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    object_id, obj = _handles(simulator, action)
    for number in range(3):
        x, y, z = obj.position
        part = box(
            f"{obj.object_type}Sliced",
            (x + 0.05 * number, y, z),
            (0.04, 0.08, 0.08),
            object_id=f"{object_id}|{obj.object_type}Sliced_{number}",
            pickupable=True,
            is_cooked=obj.is_cooked,
        )
        simulator.world.objects[part.object_id] = part
        simulator.change(part.object_id, parents=obj.parents)
    simulator.change(object_id, is_sliced=True, exists=False, parents=())
    return Outcome(True)


def _fill(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    object_id, obj = _handles(simulator, action)
    if obj.is_filled:
        return Outcome(False, f"{obj.kind.name} is already Filled!")
    simulator.change(object_id, is_filled=True, liquid=action.liquid)
    return Outcome(True)


def _empty(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    object_id, obj = _handles(simulator, action)
    if not obj.is_filled:
        return Outcome(False, "object already empty")
    simulator.change(object_id, is_filled=False, liquid=None)
    return Outcome(True)


def _reachable(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    steps = (-0.5, -0.25, 0.0, 0.25, 0.5)
    return Outcome(True, value=[Vec3(x, 0.9, z) for x in steps for z in steps])


def _visible(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    frame = simulator.view(follower_camera(simulator.world.agent), frozenset({Channel.IDS}), size=100)
    assert frame.ids is not None
    return Outcome(True, value=[frame.object_ids[index] for index in np.unique(frame.ids) if index >= 0])


def _map_view(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    value = {
        "position": {"x": 0.0, "y": 3.0, "z": 0.0},
        "rotation": {"x": 90.0, "y": 0.0, "z": 0.0},
        "orthographicSize": HALF_MAP,
        "orthographic": True,
    }
    return Outcome(True, value=value)


def _teleport(simulator: FakeSimulator, action: SimulatorAction) -> Outcome:
    assert action.pose is not None
    simulator._stand(action.pose)
    return Outcome(True)


_AFFORDANCES: Mapping[str, str] = {
    "PickupObject": "pickupable",
    "PutObject": "receptacle",
    "OpenObject": "openable",
    "CloseObject": "openable",
    "ToggleObjectOn": "toggleable",
    "ToggleObjectOff": "toggleable",
    "SliceObject": "sliceable",
    "CleanObject": "dirtyable",
    "FillObjectWithLiquid": "fillable",
}

_HANDLERS: Mapping[str, Callable[[FakeSimulator, SimulatorAction], Outcome]] = {
    "RotateLeft": _turn(-90.0),
    "RotateRight": _turn(90.0),
    "LookUp": _look(-30.0),
    "LookDown": _look(30.0),
    "PickupObject": _pick_up,
    "PutObject": _put,
    "OpenObject": _set("openness", 1.0, "already open"),
    "CloseObject": _set("openness", 0.0, "already closed"),
    "ToggleObjectOn": _toggle(True),
    "ToggleObjectOff": _toggle(False),
    "TeleportFull": _teleport,
    "SliceObject": _slice,
    "CleanObject": _set("is_dirty", False, "is already Clean!"),
    "FillObjectWithLiquid": _fill,
    "EmptyLiquidFromObject": _empty,
    "GetReachablePositions": _reachable,
    "GetVisibleObjects": _visible,
    "GetMapViewCameraProperties": _map_view,
}
