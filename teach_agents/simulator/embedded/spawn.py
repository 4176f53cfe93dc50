"""Randomised initial states as TEACh's collectors made them (TEACh specification 5.7).

Per pickupable type one to three copies; every object moves to a random place in a random receptacle of a compatible
type, closed ones included; every switch, vessel and dirtyable thing flips a fair coin; the body stands on a random
reachable cell, facing one of four ways. All draws come from one `random.Random`, over lists in the state's order, so a
room and a seed give the same state in every process.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import ObjectKind, ObjectState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import DOORED, ONE_PLACE
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.senses import GeometricSenses
from teach_agents.simulator.embedded.world import World

_COPIES = (1, 2, 3)
_RECEPTACLES = 12
"""Receptacles tried per object before it keeps its place."""
_WEIGHTS = {"Cabinet": 0.5, "Drawer": 0.25, "Fridge": 1.5}
"""How readily a receptacle is taken, where it is not 1: what fits in Unity's cabinets and drawers is less than what
fits their boxes. Chosen so that kitchens look like TEACh's initial states (of 50 things, 7 in cabinets, 3 in drawers,
7 in the fridge)."""
_LIMBO = Vec3(0.0, -50.0, 0.0)
"""Where copies wait to be placed, out of every object's way."""
_HORIZON = 30.0
_COIN_STATES = (("toggleable", "is_toggled"), ("dirtyable", "is_dirty"), ("can_be_used_up", "is_used_up"))


def randomized(world: World, senses: GeometricSenses, *, seed: int) -> World:
    """A new world: `world` with objects duplicated and moved, states flipped and the body elsewhere.

    `world` is used up. New ids follow AI2-THOR's format from the new positions, as in TEACh's files.
    """
    rng = random.Random(f"{world.room}/{seed}")
    kinds = dict.fromkeys(obj.object_type for obj in _movable(world))
    copies = _add_copies(world, {kind: rng.choice(_COPIES) for kind in kinds})
    unplaced = _shuffle(world, senses, rng, copies, Spawning())
    fresh = _renamed(world, frozenset(unplaced))
    _flip_coins(fresh, rng)
    _stand_somewhere(fresh, senses, rng)
    return fresh


def randomized_room(room: str, seed: int) -> World:
    """An iTHOR room in the initial state that `seed` gives it: a world of the caller's own.

    Whoever generates an instance, plays it and replays its record asks for the same state three times; the latest few
    are kept. Raises `SceneError` for an unknown room.
    """
    return _randomized_room(room, seed).copy()


@lru_cache(maxsize=4)
def _randomized_room(room: str, seed: int) -> World:
    # A copy, so that nothing that was worked out about the world on the way (shapes, obstacles) is kept with it.
    return randomized(load_room(room), GeometricSenses(), seed=seed).copy()


@dataclass(frozen=True, slots=True)
class Spawning:
    """Limits of a shuffle: how many there shall be of a type, what stays where it is, where nothing is put.

    `counts` by object type, `staying` ids of objects, `barred` types of receptacles, `allowed` ids of receptacles
    (`None` for any), `in_the_open` for places that need not be opened.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    staying: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    allowed: frozenset[str] | None = None
    in_the_open: bool = False

    def admits(self, receptacle: ObjectState) -> bool:
        """Whether anything may be put there."""
        if receptacle.object_type in self.barred or (self.in_the_open and receptacle.object_type in DOORED):
            return False
        return self.allowed is None or receptacle.object_id in self.allowed


def shuffle_places(
    world: World, senses: GeometricSenses, *, seed: int, spawning: Spawning | None = None
) -> tuple[str, ...]:
    """AI2-THOR's InitialRandomSpawn: move every pickupable object to a random compatible place, in this world.

    Returns the copies that found no place; the caller takes them away.
    """
    if world.held is not None:
        world.place(world.release(), None)
    spawning = spawning or Spawning()
    copies = _add_copies(world, {kind: max(count, 1) for kind, count in spawning.counts.items()})
    return tuple(_shuffle(world, senses, random.Random(f"{world.room}/{seed}"), copies, spawning))


def _movable(world: World) -> list[ObjectState]:
    return [obj for obj in world.objects.values() if obj.kind.pickupable and obj.exists]


def _add_copies(world: World, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Add copies of each type until there are as many as it says; returns their ids."""
    by_type: dict[str, list[ObjectState]] = {kind: [] for kind in counts}
    for obj in _movable(world):
        if obj.object_type in by_type:
            by_type[obj.object_type].append(obj)
    made: list[str] = []
    for kind, originals in by_type.items():
        for number in range(len(originals), counts[kind] if originals else 0):
            original = originals[number % len(originals)]
            copy = replace(original, kind=_copied(original.kind, len(made)), parents=(), contents=())
            world.add(copy)
            world.pose(copy.object_id, _LIMBO, copy.rotation)
            made.append(copy.object_id)
    return tuple(made)


def _copied(kind: ObjectKind, number: int) -> ObjectKind:
    return replace(
        kind, object_id=f"{kind.object_id}_copy_{number}", name=f"{kind.name.partition('(')[0]}(Clone)_copy_{number}"
    )


def _shuffle(
    world: World, senses: GeometricSenses, rng: random.Random, copies: tuple[str, ...], spawning: Spawning
) -> list[str]:
    """Move everything pickupable; returns the copies that found no place."""
    ids = [obj.object_id for obj in _movable(world) if obj.object_id not in spawning.staying]
    rng.shuffle(ids)
    fixed = (o for o in world.objects.values() if o.kind.receptacle and not o.kind.pickupable and o.exists)
    receptacles = list(filter(spawning.admits, fixed))
    taking: dict[str, list[str]] = {}
    unplaced = []
    for object_id in ids:
        kind = world.objects[object_id].object_type
        if kind not in taking:
            taking[kind] = [r.object_id for r in receptacles if _takes(r, kind)]
        options = sorted(taking[kind], key=lambda option: _eagerness(world.objects[option], rng), reverse=True)
        placed = any(_settle(world, senses, rng, object_id, option) for option in options[:_RECEPTACLES])
        if not placed and object_id in copies:
            unplaced.append(object_id)
    return unplaced


def _eagerness(receptacle: ObjectState, rng: random.Random) -> float:
    """A key that sorts receptacles into a random order, weighted."""
    return float(rng.random() ** (1.0 / _WEIGHTS.get(receptacle.object_type, 1.0)))


def _takes(receptacle: ObjectState, object_type: str) -> bool:
    fitting = ONE_PLACE.get(receptacle.object_type)
    if fitting is not None:
        return object_type in fitting and not receptacle.contents
    return receptacle.object_type != "Floor" and tables.compatible(object_type, receptacle.object_type)


def _settle(world: World, senses: GeometricSenses, rng: random.Random, object_id: str, receptacle_id: str) -> bool:
    """Try one receptacle from a random point outwards; a shut one is entered as if it were open."""
    receptacle = world.objects[receptacle_id]
    low, high, was = receptacle.box.low, receptacle.box.high, receptacle.openness
    if receptacle.object_type in DOORED:
        world.update(receptacle_id, openness=1.0)
    try:
        x, z, y = (rng.uniform(low[axis], high[axis]) for axis in (0, 2, 1))
        landing = senses.landing(world, object_id, receptacle_id, Vec3(x, y, z), True)
        if not landing.refusal:
            world.pose(object_id, landing.position, landing.rotation)
            world.place(object_id, receptacle_id)
        return not landing.refusal
    finally:
        if world.objects[receptacle_id].openness != was:
            world.update(receptacle_id, openness=was)


def _coordinate(value: float) -> str:
    text = f"{value:+06.2f}"
    return "00.00" if text == "-00.00" else text


def _renamed(world: World, dropped: frozenset[str]) -> World:
    """The same world with ids made from the new positions, and without `dropped`."""
    names: dict[str, str] = {}
    taken = {o.object_id for o in world.objects.values() if not o.kind.pickupable}
    for object_id, obj in world.objects.items():
        if object_id not in dropped:
            names[object_id] = _fresh_id(obj, taken) if obj.kind.pickupable and obj.exists else object_id
            taken.add(names[object_id])
    objects = [
        replace(
            obj,
            kind=replace(obj.kind, object_id=names[object_id]) if names[object_id] != object_id else obj.kind,
            parents=tuple(names[p] for p in obj.parents if p in names),
            contents=tuple(names[c] for c in obj.contents if c in names),
        )
        for object_id, obj in world.objects.items()
        if object_id in names
    ]
    return World(world.room, world.agent, objects)


def _fresh_id(obj: ObjectState, taken: set[str]) -> str:
    """`Type|+xx.xx|+yy.yy|+zz.zz`; a second object at the same spot gets the next free hundredth."""
    x, y, z = obj.position
    while True:
        made = "|".join((obj.object_type, *map(_coordinate, (x, y, z))))
        if made not in taken:
            return made
        y += 0.01


def _flip_coins(world: World, rng: random.Random) -> None:
    for object_id, obj in list(world.objects.items()):
        if not obj.exists:
            continue
        for affordance, state in _COIN_STATES:
            if getattr(obj.kind, affordance):
                world.update(object_id, **{state: rng.random() < 0.5})
        if obj.kind.fillable:
            filled = rng.random() < 0.5
            world.update(object_id, is_filled=filled, liquid="water" if filled else None)


def _stand_somewhere(world: World, senses: GeometricSenses, rng: random.Random) -> None:
    cells = sorted(senses.reachable(world))
    if cells:
        x, z = rng.choice(cells)
        world.move_agent(Pose(Vec3(x, world.agent.position.y, z), 90.0 * rng.randrange(4), _HORIZON))
