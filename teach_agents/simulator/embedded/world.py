"""The mutable container of immutable object states.

A `World` is the simulator's state (`SimulatorState`). It alone keeps `parents` and `contents` inverse to each other
and the held object without a place, so that handlers and rules cannot break either.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import ObjectState, SimulatorState, eyes_of
from teach_agents.simulator.embedded.facts import SHARES_PARENTS
from teach_agents.simulator.embedded.geometry import carried, plus, posed, rotation_rows, turned

_HAND = Vec3(0.0, -0.16, 0.38)
"""Where the hand is in the camera's frame, metres (AI2-THOR specification section 3)."""
_ROOM = "RoomTemp"


@dataclass(frozen=True, slots=True)
class WorldMemory:
    """What a world was at one moment; cheap, because object states are immutable."""

    agent: Pose
    objects: Mapping[str, ObjectState]
    held: str | None


class World:
    """A room (its name without suffix), a body, and objects; its attributes are read, and changed by its methods.

    `objects` are all objects by id, in AI2-THOR's list order, a live read-only view; `held` is the id of the one in
    the hand. `version` grows with every change of anything, `changes` with every change of an object except that the
    held one follows the body. `tempered` are the ids of what is not at room temperature.
    """

    def __init__(self, room: str, agent: Pose, objects: Iterable[ObjectState]) -> None:
        self.room = room
        self.agent = agent
        self._objects = {obj.object_id: obj for obj in objects}
        self.objects: Mapping[str, ObjectState] = MappingProxyType(self._objects)
        self.held = next((obj.object_id for obj in self._objects.values() if obj.is_picked_up), None)
        self.version = 0
        self.changes = 0
        self._by_type: dict[str, tuple[str, ...]] | None = None
        self.tempered = _tempered(self._objects)
        self.unbreakable: set[str] = set()
        """Types that `MakeObjectsOfTypeUnbreakable` named."""

    def of_type(self, object_type: str) -> tuple[str, ...]:
        """The ids of all objects of a type, in list order."""
        if self._by_type is None:
            found: dict[str, list[str]] = {}
            for object_id, obj in self._objects.items():
                found.setdefault(obj.kind.object_type, []).append(object_id)
            self._by_type = {name: tuple(ids) for name, ids in found.items()}
        return self._by_type.get(object_type, ())

    def update(self, object_id: str, **changes: Any) -> ObjectState:
        """Change fields of an object other than its place (`parents`, `contents`, `is_picked_up`)."""
        return self._store(self._objects[object_id].changed(**changes))

    def pose(self, object_id: str, position: Vec3, rotation: Vec3) -> None:
        """Move an object, and what a pickupable receptacle carries with it, as one rigid piece."""
        obj = self._objects[object_id]
        moved = posed(obj, position, rotation)
        turn = rotation.y - obj.rotation.y
        for inner in self.cargo(object_id):
            self._store(carried(self._objects[inner], obj.position, position, turn))
        self._store(moved)

    def cargo(self, object_id: str) -> tuple[str, ...]:
        """What moves along with an object: the contents of a pickupable receptacle, and theirs."""
        found: dict[str, None] = {}
        pending = [object_id]
        while pending:
            obj = self._objects[pending.pop()]
            if obj.kind.pickupable:
                for inner in obj.contents:
                    if inner not in found and inner != object_id and self._objects[inner].kind.pickupable:
                        found[inner] = None
                        pending.append(inner)
        return tuple(found)

    def reparent(self, object_id: str, parents: tuple[str, ...]) -> None:
        """Give an object new parents, nearest first, and keep the parents' contents inverse."""
        obj = self._objects[object_id]
        if obj.parents == parents:
            return
        for parent in obj.parents:
            if parent not in parents:
                holder = self._objects[parent]
                self._store(holder.changed(contents=tuple(i for i in holder.contents if i != object_id)))
        for parent in parents:
            if parent not in obj.parents:
                holder = self._objects[parent]
                self._store(holder.changed(contents=(*holder.contents, object_id)))
        self._store(self._objects[object_id].changed(parents=parents))

    def place(self, object_id: str, receptacle_id: str | None) -> None:
        """Put an object into a receptacle, or nowhere; its cargo's further parents follow.

        Pickupable receptacles and a few others pass their own parents on (`facts.SHARES_PARENTS`). Raises
        `ValueError` for a receptacle that the object itself carries.
        """
        parents: tuple[str, ...] = ()
        if receptacle_id is not None:
            if receptacle_id == object_id or receptacle_id in self.cargo(object_id):
                raise ValueError(f"{object_id} cannot be put into {receptacle_id}, which it carries")
            holder = self._objects[receptacle_id]
            shares = holder.kind.pickupable or holder.object_type in SHARES_PARENTS
            above = tuple(p for p in holder.parents if p not in (object_id, receptacle_id)) if shares else ()
            parents = (receptacle_id, *above)
        self.reparent(object_id, parents)
        obj = self._objects[object_id]
        if obj.kind.pickupable:
            for inner in obj.contents:
                if self._objects[inner].parents[:1] == (object_id,):
                    self.place(inner, object_id)

    def take(self, object_id: str) -> None:
        """Put an object into the empty hand; it then has no parents."""
        self.held = object_id
        self.place(object_id, None)
        self._store(self._objects[object_id].changed(is_picked_up=True))
        self.pose(object_id, *self.hand)

    def release(self) -> str:
        """Empty the hand and say what was in it; the caller poses and places it."""
        released = self.held
        if released is None:
            raise ValueError("nothing is held")
        self.held = None
        self._store(self._objects[released].changed(is_picked_up=False))
        return released

    def add(self, obj: ObjectState) -> None:
        """Append a new object; its parents must exist and it brings no contents."""
        self._by_type = None
        self._store(obj.changed(parents=(), contents=()))
        self.reparent(obj.object_id, obj.parents)

    def discard(self, object_id: str) -> None:
        """An object loses its geometry but stays in the list; what it held goes to its own parents."""
        if self.held == object_id:
            self.release()
        obj = self._objects[object_id]
        for inner in obj.contents:
            rest = tuple(p for p in self._objects[inner].parents if p != object_id)
            self.reparent(inner, rest or obj.parents)
        self.reparent(object_id, ())
        self._store(self._objects[object_id].changed(exists=False))

    def move_agent(self, pose: Pose) -> None:
        """Move the body; what it holds follows."""
        self.agent = pose
        self.version += 1
        if self.held is not None:
            changes = self.changes
            self.pose(self.held, *self.hand)
            self.changes = changes

    def remember(self) -> WorldMemory:
        """The world as it is, for `recall`."""
        return WorldMemory(self.agent, dict(self._objects), self.held)

    def recall(self, memory: WorldMemory) -> bool:
        """Become again what this world was; true when objects that were made since are gone. `version` goes on."""
        gone = len(self._objects) != len(memory.objects)
        self._objects.clear()
        self._objects.update(memory.objects)
        self.agent, self.held = memory.agent, memory.held
        self.tempered = _tempered(self._objects)
        if gone:
            self._by_type = None
        self.version += 1
        self.changes += 1
        return gone

    def copy(self) -> World:
        """An independent world in the same state."""
        other = World(self.room, self.agent, self._objects.values())
        other.unbreakable = set(self.unbreakable)
        return other

    def _store(self, obj: ObjectState) -> ObjectState:
        object_id = obj.kind.object_id
        self._objects[object_id] = obj
        if obj.temperature != _ROOM:
            self.tempered[object_id] = None
        elif object_id in self.tempered:
            del self.tempered[object_id]
        self.version += 1
        self.changes += 1
        return obj

    @property
    def hand(self) -> tuple[Vec3, Vec3]:
        """Where what is held has its pivot, and its Euler angles."""
        agent = self.agent
        out = turned(rotation_rows((agent.horizon, agent.yaw, 0.0)), _HAND)
        return plus(eyes_of(agent), out), Vec3(0.0, agent.yaw, 0.0)


def _tempered(objects: Mapping[str, ObjectState]) -> dict[str, None]:
    return {object_id: None for object_id, obj in objects.items() if obj.temperature != _ROOM}


def digest(state: SimulatorState) -> str:
    """A SHA-256 over everything in the state: equal digests mean equal states, bit for bit."""
    everything = (state.room, state.agent, state.held), *state.objects.values()
    return hashlib.sha256("".join(map(repr, everything)).encode()).hexdigest()


def nearest_first(parents: Iterable[ObjectState]) -> tuple[str, ...]:
    """The ids of an object's parents, the tightest box first and the Floor last (AI2-THOR lists them in any order)."""
    ranked = sorted((obj.object_type == "Floor", math.prod(obj.box.size), obj.object_id) for obj in parents)
    return tuple(object_id for *_, object_id in ranked)
