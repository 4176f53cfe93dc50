"""Arranging a scene: objects put, taken away, multiplied and set to states by force (AI2-THOR specification 2.5).

AI2-THOR asks which trigger boxes a thing overlaps (4.2). Here a thing belongs to what it stands on or in by the height
of its pivot: on a surface it is within a hand's breadth of the learnt height, in an enclosure it is inside the box.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState, SimulatorState
from teach_agents.simulator.controller.requests import Act, Parameters, Refusal, known_object, shown_point
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import DOORED, ONE_PLACE, SINKS
from teach_agents.simulator.embedded.geometry import posed
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room
from teach_agents.simulator.embedded.spawn import Spawning, shuffle_places
from teach_agents.simulator.embedded.world import World, nearest_first
from teach_agents.simulator.metadata import FLAGS

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


_ABOVE = 0.06
_RIM = 0.03
_VESSEL = 0.02
_NOT_INITIALIZED = (
    "objectPoses was not initialized correctly. Please make sure each element in the objectPoses list is initialized."
)
_STATES: Mapping[str, tuple[str, str]] = {
    "toggleable": ("toggleable", "is_toggled"),
    "dirtyable": ("dirtyable", "is_dirty"),
    "cookable": ("cookable", "is_cooked"),
    "canBeUsedUp": ("can_be_used_up", "is_used_up"),
}
"""SetObjectStates: what can be set of what is able to be it."""


def parents_at(state: SimulatorState, obj: ObjectState) -> tuple[str, ...]:
    """The ids of the receptacles that hold `obj` where it is, nearest first; none for what is held or gone."""
    if obj.is_picked_up or not obj.exists:
        return ()
    holders = [other for other in state.objects.values() if _holds(state.room, other, obj)]
    if any(holder.object_type in SINKS for holder in holders):
        holders = [holder for holder in holders if holder.object_type != "CounterTop"]
    return nearest_first(holders)


def _holds(room: str, holder: ObjectState, obj: ObjectState) -> bool:
    kind, box, inside = holder.kind, holder.box, obj.box
    taken = ONE_PLACE.get(kind.object_type)
    if not kind.receptacle or not holder.exists or kind.object_id == obj.object_id or holder.is_picked_up:
        return False
    if taken is not None and obj.object_type not in taken:
        return False
    if not _over(box, inside.center, 0.0 if taken is None else _ABOVE):
        return False
    low, high, bottom, middle, height = box.low.y, box.high.y, inside.low.y, inside.center.y, inside.size.y
    if kind.object_type in DOORED:
        return low - _RIM <= bottom and middle <= high
    if kind.pickupable:
        return low - _VESSEL <= bottom <= high + _VESSEL and height < 3 * box.size.y + 1.0
    if taken is not None:
        return low - _ABOVE <= middle <= high + _ABOVE + height / 2
    levels = (high, *(low + height for height in tables.support_levels(room, holder)))
    return any(abs(bottom - level) <= _ABOVE for level in levels)


def _over(box: Box, point: Vec3, margin: float) -> bool:
    """Whether a point lies within the outline of a box, widened by a margin, seen from above."""
    x, _, z = point
    low, high = box.low, box.high
    return low.x - margin <= x <= high.x + margin and low.z - margin <= z <= high.z + margin


def rebuild(engine: Engine, objects: Iterable[ObjectState], moved: Iterable[str] = ()) -> None:
    """Go on with these objects alone; those that `moved` belong to what they now stand on or in."""
    before = engine.state
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


def _set_poses(engine: Engine, given: Parameters) -> None:
    """What can move and is not listed is taken away; a name listed again gets a copy there."""
    poses = given.get("objectPoses")
    if not poses or not all(isinstance(pose, Mapping) and pose.get("objectName") for pose in poses):
        raise Refusal(_NOT_INITIALIZED)
    objects = engine.state.objects
    loose = {o.kind.name: o for o in objects.values() if _is_loose(o)}
    placed: dict[str, ObjectState] = {}
    for pose in poses:
        name = str(pose["objectName"])
        if name not in loose:
            raise Refusal(f"No Pickupable or Moveable object of name {name} found in scene.")
        obj = _numbered(loose[name], placed)
        parameters = Parameters(pose)
        at, angles = parameters.point("position"), parameters.point("rotation")
        placed[obj.object_id] = replace(posed(obj, at, angles), is_picked_up=False)
    fixed = [o for o in objects.values() if not _is_loose(o)]
    in_order = {i: placed[i] for i in objects if i in placed} | placed
    rebuild(engine, [*fixed, *in_order.values()], placed)


def _is_loose(obj: ObjectState) -> bool:
    return obj.kind.pickupable or obj.kind.moveable


def _numbered(obj: ObjectState, placed: Mapping[str, ObjectState]) -> ObjectState:
    """The object itself, or a copy of it under the next free number."""
    if obj.object_id not in placed:
        return obj
    suffix = next(s for s in map("_copy_{}".format, count()) if obj.object_id + s not in placed)
    return replace(obj, kind=replace(obj.kind, object_id=obj.object_id + suffix, name=obj.kind.name + suffix))


def _set_states(engine: Engine, given: Parameters) -> None:
    """One state of every object of a type, whatever it takes to get there."""
    wanted = given.get("SetObjectStates") or {}
    change, object_type = wanted.get("stateChange"), wanted.get("objectType")
    with engine.simulator.editing() as setting:
        for object_id, obj in list(setting.world.objects.items()):
            if object_type in (None, "", obj.object_type):
                setting.world.update(object_id, **_changes(obj, str(change), wanted))


def _changes(obj: ObjectState, change: str, wanted: JsonMapping) -> JsonObject:
    if change == "openable" and obj.kind.openable:
        return {"openness": 1.0 if wanted.get("isOpen") else 0.0}
    if change == "canFillWithLiquid" and obj.kind.fillable:
        filled = bool(wanted.get("isFilledWithLiquid"))
        return {"is_filled": filled, "liquid": "water" if filled else None}
    if change not in _STATES:
        return {}
    affordance, field = _STATES[change]
    return {field: bool(wanted.get(FLAGS[field]))} if getattr(obj.kind, affordance) else {}


def _positions(given: Parameters) -> Sequence[Vec3]:
    places = given.get("positions", [given.get("position", {})])
    return [Parameters({"at": at}).point("at") for at in places]


def _place_at(engine: Engine, given: Parameters) -> object:
    """Stand an object on what lies below a point; the first of several points that is clear."""
    obj = known_object(engine, given.text("objectId"))
    problem = ""
    bounds = engine.bounds or obj.box
    for point in _positions(given):
        if not all(a <= v <= b for a, v, b in zip(bounds.low, point, bounds.high, strict=True)):
            limits = f"Center: {shown_point(bounds.center)}, Size: {shown_point(bounds.size)}"
            problem = f"Position coordinate ({shown_point(point)}) is not within scene bounds ({limits})"
            continue
        angles = given.point("rotation", obj.rotation)
        point = _ground(engine, obj, point)
        turned = posed(obj, point, angles)
        lift = point.y - turned.box.low.y
        landed = posed(turned, turned.position._replace(y=turned.position.y + lift), angles)
        other = _in_the_way(engine, landed)
        if other is None:
            _moved(engine, landed)
            return True
        problem = f"Spawn area not clear ({other}) is in the way, can't place object at that point"
    raise Refusal(problem)


def _teleport(engine: Engine, given: Parameters) -> object:
    """Put an object's pivot exactly there."""
    object_id = given.text("objectId")
    obj = engine.state.objects.get(object_id)
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
    others = (other for other in engine.state.objects.values() if other.exists and other.object_id != obj.object_id)
    heights = (other.box.high.y for other in others if _over(other.box, point, 0.0))
    return point._replace(y=max((height for height in heights if height <= point.y + 1e-3), default=0.0))


def _in_the_way(engine: Engine, obj: ObjectState) -> str | None:
    """The id of another thing that can move and whose box the object's overlaps by more than a touch."""
    own = {obj.object_id, *obj.contents}
    loose = (o for o in engine.state.objects.values() if _is_loose(o) and o.exists and not o.kind.receptacle)
    return next((o.object_id for o in loose if o.object_id not in own and _overlap(obj, o)), None)


def _overlap(one: ObjectState, other: ObjectState) -> bool:
    pairs = zip(one.box.low, one.box.high, other.box.low, other.box.high, strict=True)
    return all(min(high, far) - max(low, near) > 0.005 for low, high, near, far in pairs)


def _remove(engine: Engine, given: Parameters) -> None:
    """RemoveFromScene and DisableObject: gone from the scene; a disabled one can come back."""
    ids = [given.text("objectId")] if "objectId" in given else [str(i) for i in given["objectIds"]]
    for object_id in ids:
        obj = known_object(engine, object_id)
        engine.disabled[object_id] = replace(obj, is_picked_up=False)
    gone = frozenset(ids)
    rebuild(engine, [o for i, o in engine.state.objects.items() if i not in gone])


def _enable(engine: Engine, given: Parameters) -> None:
    object_id = given.text("objectId")
    if object_id not in engine.disabled:
        known_object(engine, object_id)
        return
    obj = engine.disabled.pop(object_id)
    rebuild(engine, [*engine.state.objects.values(), obj], [object_id])


def _spawn(engine: Engine, given: Parameters) -> None:
    """Move everything to random compatible places; copies that find none are not made."""
    spawning = _spawning(engine, given)
    with engine.simulator.editing() as setting:
        unplaced = shuffle_places(
            setting.world, setting.senses, seed=int(given.number("randomSeed", 0)), spawning=spawning
        )
    if unplaced:
        rebuild(engine, [o for i, o in engine.state.objects.items() if i not in unplaced])


def _spawning(engine: Engine, given: Parameters) -> Spawning:
    objects = engine.state.objects
    if given.number("numPlacementAttempts", 5) <= 0:
        raise Refusal("numPlacementAttempts must be a positive integer.")
    barred = frozenset(map(str, given.get("excludedReceptacles", ())))
    holders = (obj for name in ROOM_NAMES for obj in room(name).objects.values() if obj.kind.receptacle)
    known = {obj.object_type for obj in chain(objects.values(), holders)}
    for object_type in sorted(barred - known):
        raise Refusal(f"invalid Object Type used in excludedReceptacles array: {object_type}")
    lists = ("excludedObjectIds", "objectIds", "receptacleObjectIds")
    staying, moving, allowed = (frozenset(given.get(key, ())) for key in lists)
    for object_id in (str(i) for key in lists for i in given.get(key, ())):
        if object_id not in objects:
            raise Refusal(f"Cannot find sim object with id '{object_id}'")
    return Spawning(
        counts={str(one["objectType"]): int(one["count"]) for one in given.get("numDuplicatesOfType", ())},
        staying=staying.union(objects.keys() - moving if moving else ()),
        barred=barred,
        allowed=allowed or None,
        in_the_open=given.flag("forceVisible"),
    )


def _unbreakable(engine: Engine, given: Parameters) -> None:
    """MakeObjectsOfTypeUnbreakable, and MakeAllObjectsUnbreakable without a type."""
    object_type = given.text("objectType")
    with engine.simulator.editing() as setting:
        types = {o.object_type for o in setting.world.objects.values() if o.kind.breakable}
        setting.world.unbreakable |= {object_type} if object_type else types


def _mass(engine: Engine, given: Parameters) -> None:
    """Only the metadata know of a mass."""
    obj = known_object(engine, given.text("objectId"))
    with engine.simulator.editing() as setting:
        setting.world.update(obj.object_id, kind=replace(obj.kind, mass=given.number("mass", obj.kind.mass)))


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
