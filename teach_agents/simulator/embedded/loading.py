"""A `World` from a room as it ships, or from a state stored in a TEACh file.

A stored state is taken as it is: objects, places and affordances come from the file; what AI2-THOR's older metadata
leaves out (asset, heat and cold sources, what a knob controls) comes from the room, matched by id, else by prefab.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import SceneError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Box, ObjectKind, ObjectState, StoredState
from teach_agents.simulator.embedded.facts import STAYS_WHEN_BROKEN, TEMPERATURES
from teach_agents.simulator.embedded.geometry import minus
from teach_agents.simulator.embedded.rooms import Room, prefab_of, room, room_name
from teach_agents.simulator.embedded.world import World, nearest_first
from teach_agents.simulator.metadata import AFFORDANCES, FLAGS

_RECOGNISED = 0.5
"""A stored state whose static objects are known to its room in a smaller part than this is of another room.

In TEACh's games 95 % or more are known.
"""

Raw = Mapping[str, object]


def load_room(name: str) -> World:
    """The room as it ships (`FloorPlan1`, with or without `_physics`). Raises `SceneError` for an unknown room."""
    loaded = room(room_name(name))
    return World(loaded.name, loaded.agent, loaded.objects.values())


def load_stored(stored: StoredState) -> World:
    """The stored state. Raises `SceneError`, naming the object and the key, for what cannot be loaded."""
    known = room(room_name(stored.room))
    _finite_pose(stored.agent, known.name)
    states: dict[str, ObjectState] = {}
    parents: dict[str, list[str]] = {}
    for number, raw in enumerate(stored.objects):
        where = f"stored state of {known.name}, object {number}"
        if not isinstance(raw, Mapping):
            raise SceneError(where, "an object is no mapping", value=type(raw).__name__)
        state = _state(_Reader(raw, where), known)
        if state.object_id in states:
            # Six released train games hold a clone in the very place of its original, under the same id.
            state = replace(state, kind=replace(state.kind, object_id=f"{state.object_id}_copy_{number}"))
        states[state.object_id] = state
        parents[state.object_id] = _ids(raw.get("parentReceptacles"), where)
    _check_room(states.values(), known)
    return World(known.name, stored.agent, _linked(states, parents, known.name))


def _linked(states: dict[str, ObjectState], parents: dict[str, list[str]], name: str) -> list[ObjectState]:
    """Parents nearest first, contents their inverse; ids that the state does not hold are dropped."""
    contents: dict[str, list[str]] = {object_id: [] for object_id in states}
    held = [state.object_id for state in states.values() if state.is_picked_up]
    if len(held) > 1:
        raise SceneError(f"stored state of {name}", "more than one object is held", value=held)
    for object_id, state in states.items():
        found = [states[p] for p in dict.fromkeys(parents[object_id]) if p in states and p != object_id]
        gone = state.is_picked_up or not state.exists
        states[object_id] = state.changed(parents=() if gone else nearest_first(p for p in found if p.exists))
        for parent in states[object_id].parents:
            contents[parent].append(object_id)
    return [state.changed(contents=tuple(contents[object_id])) for object_id, state in states.items()]


def _check_room(states: Iterable[ObjectState], known: Room) -> None:
    static = [s for s in states if not s.kind.pickupable and not s.kind.moveable]
    if not static:
        raise SceneError(f"stored state of {known.name}", "holds none of the room's fixed objects")
    familiar = sum(s.object_id in known.objects or prefab_of(s.kind.name) in known.by_prefab for s in static)
    if familiar < _RECOGNISED * len(static):
        raise SceneError(
            f"stored state of {known.name}",
            f"only {familiar} of {len(static)} fixed objects belong to this room; the state is of another room",
        )


class _Reader:
    """Typed access to one stored object; what is missing or malformed raises `SceneError` with the key."""

    def __init__(self, raw: Raw, where: str) -> None:
        self.raw = raw
        self.where = where

    def fail(self, key: str, problem: str, value: object = None, valid: Sequence[str] = ()) -> SceneError:
        return SceneError(f"{self.where}, key {key!r}", problem, value=value, valid=valid)

    def text(self, key: str) -> str:
        value = self.raw.get(key)
        if not isinstance(value, str) or not value:
            raise self.fail(key, "a non-empty text is needed", value)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.raw.get(key)
        return default if value is None else bool(value)

    def number(self, key: str, default: float) -> float:
        value = self.raw.get(key)
        if value is None:
            return default
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise self.fail(key, "a finite number is needed", value)
        return float(value)

    def vector(self, key: str, value: Any) -> Vec3:
        try:
            x, y, z = (value["x"], value["y"], value["z"]) if isinstance(value, Mapping) else value
            point = Vec3(float(x), float(y), float(z))
        except (KeyError, TypeError, ValueError):
            raise self.fail(key, "a point with x, y and z is needed", value) from None
        if not all(map(math.isfinite, point)):
            raise self.fail(key, "coordinates must be finite", value)
        return point


def _ids(value: object, where: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise SceneError(f"{where}, key 'parentReceptacles'", "a list of object ids or null is needed", value=value)
    return list(value)


_UNKNOWN = ObjectKind("", "", "")
"""What nothing is known of."""


def _kind(read: _Reader, known: Room) -> ObjectKind:
    object_id, name = read.text("objectId"), read.text("name")
    same = known.objects.get(object_id)
    like = same.kind if same is not None else known.by_prefab.get(prefab_of(name), _UNKNOWN)
    flags = {field: read.flag(key, default=getattr(like, field)) for field, key in AFFORDANCES.items()}
    materials = read.raw.get("salientMaterials")
    return ObjectKind(
        object_id=object_id,
        object_type=read.text("objectType"),
        name=name,
        asset_id=like.asset_id,
        mass=read.number("mass", like.mass),
        materials=tuple(str(m) for m in materials) if isinstance(materials, list | tuple) else None,
        controls=like.controls,
        **flags,
    )


def _box(read: _Reader, position: Vec3, like: ObjectState | None) -> Box:
    raw = read.raw.get("axisAlignedBoundingBox")
    if isinstance(raw, Mapping) and raw.get("cornerPoints") is not None:
        return Box(*(read.vector("axisAlignedBoundingBox", raw.get(part)) for part in ("center", "size")))
    if like is None:
        return Box(position, Vec3(0.0, 0.0, 0.0))
    return like.box.moved(minus(position, like.position))


def _corners(read: _Reader) -> tuple[Vec3, ...] | None:
    raw = read.raw.get("objectOrientedBoundingBox")
    points = raw.get("cornerPoints") if isinstance(raw, Mapping) else None
    if points is None:
        return None
    key = "objectOrientedBoundingBox"
    if not isinstance(points, list | tuple) or len(points) != 8:
        raise read.fail(key, "eight corner points are needed", points)
    return tuple(read.vector(key, point) for point in points)


def _temperature(read: _Reader) -> str:
    value = read.raw.get("temperature", read.raw.get("ObjectTemperature"))
    if value is None:
        return TEMPERATURES[0]
    if value not in TEMPERATURES:
        raise read.fail("temperature", "no such temperature", value, TEMPERATURES)
    return str(value)


def _liquid(read: _Reader, filled: bool) -> str | None:
    if not filled:
        return None
    value = read.raw.get("fillLiquid")
    if isinstance(value, str) and value:
        return value
    return "coffee" if read.raw.get("simbotIsFilledWithCoffee") else "water"


def _state(read: _Reader, known: Room) -> ObjectState:
    kind = _kind(read, known)
    position = read.vector("position", read.raw.get("position"))
    rotation = read.vector("rotation", read.raw.get("rotation"))
    flags: JsonObject = {field: read.flag(key) for field, key in FLAGS.items()}
    if kind.object_type == "StoveBurner":
        flags["is_toggled"] = False  # AI2-THOR 5 repeats the knob here; the knob decides
    shattered = flags["is_broken"] and kind.object_type not in STAYS_WHEN_BROKEN
    return ObjectState(
        kind=kind,
        position=position,
        rotation=rotation,
        box=_box(read, position, known.objects.get(kind.object_id)),
        corners=_corners(read),
        openness=(min(1.0, read.number("openness", 1.0)) or 1.0) if read.flag("isOpen") else 0.0,
        liquid=_liquid(read, flags["is_filled"]),
        temperature=_temperature(read),
        exists=not flags["is_sliced"] and not shattered,
        **flags,
    )


def _finite_pose(pose: Pose, name: str) -> None:
    if not all(map(math.isfinite, (*pose.position, pose.yaw, pose.horizon))):
        raise SceneError(f"stored state of {name}", "the agent's pose must be finite", value=pose)
