"""Arranging a scene: objects put, taken away, multiplied and set to states by force (AI2-THOR specification 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.controller.actions.containing import parents_at
from teach_agents.simulator.controller.actions.kit import Act, known_object, shown_point, standing_on
from teach_agents.simulator.controller.requests import Parameters, Refusal
from teach_agents.simulator.embedded.geometry import posed
from teach_agents.simulator.embedded.world import World

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


_NOT_INITIALIZED = (
    "objectPoses was not initialized correctly. Please make sure each element in the objectPoses list is initialized."
)
_STATES: Mapping[str, tuple[str, str, str]] = {
    "toggleable": ("toggleable", "isToggled", "is_toggled"),
    "dirtyable": ("dirtyable", "isDirty", "is_dirty"),
    "cookable": ("cookable", "isCooked", "is_cooked"),
    "canBeUsedUp": ("can_be_used_up", "isUsedUp", "is_used_up"),
}
"""SetObjectStates: what can be set, its key in the request, its field."""


def rebuild(engine: Engine, objects: Iterable[ObjectState], moved: Iterable[str] = ()) -> None:
    """Go on with these objects alone; those that `moved` belong to what they now stand on or in."""
    before = engine.simulator.state
    kept = {obj.object_id: replace(obj, contents=()) for obj in objects}
    draft = World(before.room, before.agent, kept.values())
    for object_id in moved:
        kept[object_id] = replace(kept[object_id], parents=parents_at(draft, kept[object_id]))
    contents: dict[str, list[str]] = {object_id: [] for object_id in kept}
    for object_id, obj in kept.items():
        kept[object_id] = replace(obj, parents=tuple(p for p in obj.parents if p in kept))
        for parent in kept[object_id].parents:
            contents[parent].append(object_id)
    world = World(before.room, before.agent, (replace(o, contents=tuple(contents[i])) for i, o in kept.items()))
    with engine.simulator.editing() as setting:
        world.unbreakable = set(setting.world.unbreakable)
    engine.simulator.adopt(world)


def _set_poses(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """What can move and is not listed is taken away; a name listed again gets a copy there."""
    poses = given.get("objectPoses")
    if not poses or not all(isinstance(pose, Mapping) and pose.get("objectName") for pose in poses):
        raise Refusal(_NOT_INITIALIZED)
    objects = engine.simulator.state.objects
    loose = {o.kind.name: o for o in objects.values() if (o.kind.pickupable or o.kind.moveable)}
    placed: dict[str, ObjectState] = {}
    for pose in poses:
        name = str(pose["objectName"])
        if name not in loose:
            raise Refusal(f"No Pickupable or Moveable object of name {name} found in scene.")
        obj = _numbered(loose[name], placed)
        parameters = Parameters(pose)
        at, angles = parameters.point("position"), parameters.point("rotation")
        placed[obj.object_id] = replace(posed(obj, at, angles), is_picked_up=False)
    fixed = [o for o in objects.values() if not (o.kind.pickupable or o.kind.moveable)]
    in_order = [placed[i] for i in objects if i in placed]
    copies = [obj for object_id, obj in placed.items() if object_id not in objects]
    rebuild(engine, [*fixed, *in_order, *copies], placed)
    return None


def _numbered(obj: ObjectState, placed: Mapping[str, ObjectState]) -> ObjectState:
    """The object itself, or a copy of it under the next free number."""
    if obj.object_id not in placed:
        return obj
    number = next(n for n in range(len(placed) + 1) if f"{obj.object_id}_copy_{n}" not in placed)
    suffix = f"_copy_{number}"
    return replace(obj, kind=replace(obj.kind, object_id=obj.object_id + suffix, name=obj.kind.name + suffix))


def _set_states(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """One state of every object of a type, whatever it takes to get there."""
    wanted = given.get("SetObjectStates") or {}
    change, object_type = wanted.get("stateChange"), wanted.get("objectType")
    with engine.simulator.editing() as setting:
        for object_id, obj in list(setting.world.objects.items()):
            if object_type in (None, "", obj.object_type):
                setting.world.update(object_id, **_changes(obj, str(change), wanted))
    return None


def _changes(obj: ObjectState, change: str, wanted: JsonMapping) -> JsonObject:
    if change == "openable" and obj.kind.openable:
        return {"openness": 1.0 if wanted.get("isOpen") else 0.0}
    if change == "canFillWithLiquid" and obj.kind.fillable:
        filled = bool(wanted.get("isFilledWithLiquid"))
        return {"is_filled": filled, "liquid": "water" if filled else None}
    affordance, key, field = _STATES.get(change, ("", "", ""))
    return {field: bool(wanted.get(key))} if affordance and getattr(obj.kind, affordance) else {}


def _positions(given: Parameters) -> Sequence[Vec3]:
    if "positions" in given:
        return [Parameters({"at": at}).point("at") for at in given["positions"]]
    return [given.point("position")]


def _place_at(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """Stand an object on what lies below a point; the first of several points that is clear."""
    obj = known_object(engine, given.text("objectId"))
    problem = ""
    for point in _positions(given):
        bounds = engine.bounds or obj.box
        if not all(a <= v <= b for a, v, b in zip(bounds.low, point, bounds.high, strict=True)):
            limits = f"Center: {shown_point(bounds.center)}, Size: {shown_point(bounds.size)}"
            problem = f"Position coordinate ({shown_point(point)}) is not within scene bounds ({limits})"
            continue
        angles = given.point("rotation", obj.rotation)
        landed = standing_on(obj, _ground(engine, obj, point), angles)
        other = _in_the_way(engine, landed)
        if other is None:
            _moved(engine, landed)
            return True
        problem = f"Spawn area not clear ({other}) is in the way, can't place object at that point"
    raise Refusal(problem)


def _teleport(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """Put an object's pivot exactly there."""
    object_id = given.text("objectId")
    obj = engine.simulator.state.objects.get(object_id)
    if obj is None:
        raise Refusal(f"Cannot find object with id {object_id}")
    if obj.is_picked_up and not given.flag("allowTeleportOutOfHand"):
        raise Refusal("Cannot teleport object in hand.")
    problem = ""
    for point in _positions(given):
        moved = posed(obj, point, given.point("rotation", obj.rotation))
        other = None if given.flag("forceAction") else _in_the_way(engine, moved)
        if other is None:
            if given.flag("makeUnbreakable"):
                with engine.simulator.editing() as setting:
                    setting.world.unbreakable.add(obj.object_type)
            _moved(engine, moved)
            return None
        problem = f"{object_id} is colliding with {other} after teleport."
    raise Refusal(problem)


def _moved(engine: Engine, obj: ObjectState) -> None:
    """Take over an object's new pose; what it carries goes along."""
    with engine.simulator.editing() as setting:
        world = setting.world
        if world.held == obj.object_id:
            world.release()
        world.pose(obj.object_id, obj.position, obj.rotation)
        world.reparent(
            obj.object_id,
            tuple(p for p in parents_at(world, world.objects[obj.object_id]) if p not in world.cargo(obj.object_id)),
        )


def _ground(engine: Engine, obj: ObjectState, point: Vec3) -> Vec3:
    """The highest thing below a point, other than the object itself; the room's floor if there is none."""
    below = [
        other.box.high.y
        for other in engine.simulator.state.objects.values()
        if other.exists and other.object_id != obj.object_id and _covers(other, point)
    ]
    return point._replace(y=max(below, default=0.0))


def _covers(other: ObjectState, point: Vec3) -> bool:
    low, high = other.box.low, other.box.high
    return low.x <= point.x <= high.x and low.z <= point.z <= high.z and high.y <= point.y + 1e-3


def _in_the_way(engine: Engine, obj: ObjectState) -> str | None:
    """The id of another thing that can move and whose box the object's overlaps by more than a touch."""
    cargo = set(obj.contents)
    for other in engine.simulator.state.objects.values():
        loose = other.kind.pickupable or other.kind.moveable
        apart = not loose or not other.exists or other.object_id == obj.object_id or other.object_id in cargo
        if not apart and not other.kind.receptacle and _overlap(obj, other):
            return other.object_id
    return None


def _overlap(one: ObjectState, other: ObjectState) -> bool:
    pairs = zip(one.box.low, one.box.high, other.box.low, other.box.high, strict=True)
    return all(min(high, far) - max(low, near) > 0.005 for low, high, near, far in pairs)


def _remove(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """RemoveFromScene and DisableObject: gone from the scene; a disabled one can come back."""
    ids = [given.text("objectId")] if "objectId" in given else [str(i) for i in given["objectIds"]]
    for object_id in ids:
        obj = known_object(engine, object_id)
        engine.disabled[object_id] = replace(obj, is_picked_up=False)
    gone = frozenset(ids)
    rebuild(engine, [o for i, o in engine.simulator.state.objects.items() if i not in gone])
    return None


def _enable(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    object_id = given.text("objectId")
    if object_id not in engine.disabled:
        known_object(engine, object_id)
        return None
    obj = engine.disabled.pop(object_id)
    rebuild(engine, [*engine.simulator.state.objects.values(), obj], [object_id])
    return None


def _spawn(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """Move everything to random compatible places; copies that find none are not made."""
    from teach_agents.simulator.embedded.spawn import shuffle_places

    spawning = _spawning(engine, given)
    with engine.simulator.editing() as setting:
        unplaced = shuffle_places(
            setting.world, setting.senses, seed=int(given.number("randomSeed", 0)), spawning=spawning
        )
    if unplaced:
        rebuild(engine, [o for i, o in engine.simulator.state.objects.items() if i not in unplaced])
    return None


def _spawning(engine: Engine, given: Parameters) -> Any:
    from teach_agents.simulator.embedded.spawn import Spawning

    objects = engine.simulator.state.objects
    if given.number("numPlacementAttempts", 5) <= 0:
        raise Refusal("numPlacementAttempts must be a positive integer.")
    barred = frozenset(map(str, given.get("excludedReceptacles", ())))
    known = {obj.object_type for obj in objects.values()} | _receptacle_types()
    for object_type in sorted(barred - known):
        raise Refusal(f"invalid Object Type used in excludedReceptacles array: {object_type}")
    lists = {key: given.get(key) for key in ("excludedObjectIds", "objectIds", "receptacleObjectIds")}
    for object_id in (str(i) for ids in lists.values() for i in ids or ()):
        if object_id not in objects:
            raise Refusal(f"Cannot find sim object with id '{object_id}'")
    staying = set(lists["excludedObjectIds"] or ())
    if lists["objectIds"]:
        staying |= objects.keys() - set(lists["objectIds"])
    return Spawning(
        counts={str(one["objectType"]): int(one["count"]) for one in given.get("numDuplicatesOfType", ())},
        staying=frozenset(staying),
        barred=barred,
        allowed=frozenset(lists["receptacleObjectIds"]) if lists["receptacleObjectIds"] else None,
        in_the_open=given.flag("forceVisible"),
    )


def _receptacle_types() -> frozenset[str]:
    """Types that hold things in some room."""
    from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room

    return frozenset(o.object_type for name in ROOM_NAMES for o in room(name).objects.values() if o.kind.receptacle)


def _unbreakable(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """MakeObjectsOfTypeUnbreakable, and MakeAllObjectsUnbreakable without a type."""
    object_type = given.text("objectType")
    with engine.simulator.editing() as setting:
        types = {o.object_type for o in setting.world.objects.values() if o.kind.breakable}
        setting.world.unbreakable |= types if not object_type else {object_type}
    return None


def _mass(engine: Engine, given: Parameters, _request: JsonMapping) -> object:
    """Only the metadata know of a mass."""
    obj = known_object(engine, given.text("objectId"))
    with engine.simulator.editing() as setting:
        setting.world.update(obj.object_id, kind=replace(obj.kind, mass=given.number("mass", obj.kind.mass)))
    return None


ACTIONS: Mapping[str, Act] = {
    "DisableObject": _remove,
    "EnableObject": _enable,
    "InitialRandomSpawn": _spawn,
    "MakeAllObjectsUnbreakable": _unbreakable,
    "MakeObjectsOfTypeUnbreakable": _unbreakable,
    "PlaceObjectAtPoint": _place_at,
    "RemoveFromScene": _remove,
    "SetMassProperties": _mass,
    "SetObjectPoses": _set_poses,
    "SetObjectStates": _set_states,
    "TeleportObject": _teleport,
}
