"""Where a thing is, as one would tell a person: what holds it, and what well-known thing it is by."""

from __future__ import annotations

import random
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, Things, same_type
from teach_agents.agents.english.values import Instruction, Landmark, Reference, Relation, Verb
from teach_agents.observations import Vec3

_NEAR = 0.7
"""Widest gap between two boxes on the map at which one is by the other, metres."""
_ALIGNED = 0.8
"""Cosine from which on a direction counts as to the side, or to the front."""
_FIXED = 0.85
"""How often furniture is preferred to what lies about."""
_NO_LANDMARKS = frozenset(
    """Floor Wall Window LightSwitch StoveKnob Curtains Blinds SinkBasin BathtubBasin HandTowelHolder TowelHolder
    ToiletPaperHanger ShowerGlass Painting Poster Mirror Slice""".split()
)


def hint_about(thing: Thing, things: Things, rng: random.Random) -> Instruction | None:
    """A true hint of where a thing is, or `None` when there is nothing to say.

    With a definite noun phrase when it is the only one of its kind.
    """
    definite = len(things.of(thing.object_type)) == 1
    what = Reference(thing.object_type.removesuffix("Basin"), 1, definite)
    holders = [holder for holder in things.holders(thing)[:1] if holder.object_type != "Floor"]
    if not holders:
        mark = _landmark(thing, things, rng)
        return Instruction(Verb.LOOK, replace(what, landmark=mark)) if mark else None
    holder = holders[0]
    alone = len(things.of(holder.object_type)) == 1
    where = Reference(holder.object_type.removesuffix("Basin"), 1, alone)
    inside = holder.has("openable")
    if not inside and rng.random() < 0.5:
        mark = _landmark(thing, things, rng)
        if mark is not None:
            return Instruction(Verb.LOOK, replace(what, landmark=mark))
    if rng.random() < (0.12 if alone else 0.35):
        mark = _landmark(holder, things, rng)
        if mark is not None:
            where = replace(where, definite=True, landmark=mark)
    return Instruction(Verb.LOOK, what, where)


def is_by(relation: Relation, thing: Thing, mark: Thing) -> bool:
    """Whether a thing is by another, in the sense of a relation; the sides are not told apart."""
    if thing is mark or _gap(thing, mark) > _NEAR:
        return False
    if relation is Relation.ABOVE:
        return thing.center.y > mark.center.y
    return thing.center.y < mark.center.y if relation is Relation.BELOW else True


def _landmark(thing: Thing, things: Things, rng: random.Random) -> Landmark | None:
    around = [
        other
        for other in things
        if other is not thing
        and other.object_type not in _NO_LANDMARKS
        and not same_type(other.object_type, thing.object_type)
        and len(things.of(other.object_type)) == 1
        and _gap(thing, other) <= _NEAR
        and other not in things.holders(thing)
        and thing not in things.holders(other)
        and not things.closed_around(other)
    ]
    if not around:
        return None
    fixed = [other for other in around if not other.has("pickupable")]
    mark = rng.choice(fixed if fixed and rng.random() < _FIXED else around)
    return Landmark(_relation(thing, mark, things), Reference(mark.object_type, 1, True))


def _relation(thing: Thing, mark: Thing, things: Things) -> Relation:
    if _gap(thing, mark) <= 0.0:
        if thing.low.y >= mark.high.y - 0.05:
            return Relation.ABOVE
        if thing.high.y <= mark.low.y + 0.05:
            return Relation.BELOW
    middle = _middle(things)
    ahead = Vec3(mark.center.x - middle.x, 0.0, mark.center.z - middle.z)
    apart = Vec3(thing.center.x - mark.center.x, 0.0, thing.center.z - mark.center.z)
    length = (ahead.x**2 + ahead.z**2) ** 0.5 * (apart.x**2 + apart.z**2) ** 0.5
    if not length:
        return Relation.NEAR
    onward = (apart.x * ahead.x + apart.z * ahead.z) / length
    rightward = (apart.x * ahead.z - apart.z * ahead.x) / length
    if abs(rightward) >= _ALIGNED:
        return Relation.RIGHT if rightward > 0 else Relation.LEFT
    if abs(onward) >= _ALIGNED:
        return Relation.BEHIND if onward > 0 else Relation.BEFORE
    return Relation.NEAR


def _gap(one: Thing, other: Thing) -> float:
    """Distance between two boxes on the map, metres; nothing where they overlap."""
    x = max(one.low.x - other.high.x, other.low.x - one.high.x, 0.0)
    z = max(one.low.z - other.high.z, other.low.z - one.high.z, 0.0)
    return float((x * x + z * z) ** 0.5)


def _middle(things: Things) -> Vec3:
    found = [thing.center for thing in things]
    return Vec3(sum(p.x for p in found) / len(found), 0.0, sum(p.z for p in found) / len(found))
