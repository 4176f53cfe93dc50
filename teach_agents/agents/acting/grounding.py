"""From noun phrases to things, and from a thing to a noun phrase that picks it out, or to a hint of where it is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, Things, same_type
from teach_agents.understanding.english.values import Instruction, Landmark, Reference, Relation, State, Verb

_TESTS: Mapping[State, Callable[[Thing, Things], bool]] = {
    State.CLEAN: lambda thing, _: not thing.has("isDirty"),
    State.DIRTY: lambda thing, _: thing.has("isDirty"),
    State.COOKED: lambda thing, _: thing.is_cooked,
    State.RAW: lambda thing, _: not thing.is_cooked,
    State.TOASTED: lambda thing, _: thing.has("isCooked"),
    State.BOILED: lambda thing, _: thing.has("simbotIsBoiled"),
    State.EMPTY: lambda thing, things: not thing.has("isFilledWithLiquid") and not things.contents(thing),
    State.FULL: lambda thing, _: thing.has("isFilledWithLiquid"),
    State.WHOLE: lambda thing, _: not thing.object_type.endswith(("Sliced", "Cracked")),
    State.SAME: lambda _, __: True,
}


def fits(reference: Reference, thing: Thing, things: Things) -> bool:
    """Whether a thing is what a noun phrase speaks of (its count left out)."""
    if reference.ids is not None:
        return thing.object_id in reference.ids
    if not thing.is_a(reference.noun) or not all(_TESTS[state](thing, things) for state in reference.states):
        return False
    place, content, landmark = reference.place, reference.content, reference.landmark
    if landmark is not None and not any(
        is_by(landmark.relation, thing, mark) for mark in things if fits(landmark.thing, mark, things)
    ):
        return False
    if place is not None and not any(fits(place, holder, things) for holder in things.holders(thing)):
        return False
    return content is None or any(fits(content, held, things) for held in things.contents(thing))


def matching(reference: Reference, things: Things) -> list[Thing]:
    """Everything that a noun phrase may speak of."""
    return [thing for thing in things if fits(reference, thing, things)]


def describe(target: Thing, things: Things, states: tuple[State, ...] = ()) -> Reference:
    """The shortest noun phrase that picks out `target`, or the one that leaves the fewest others.

    `states` are adjectives that may help, tried singly. A thing that cannot be told apart from others is "a", not
    "the".
    """
    best: tuple[int, Reference] | None = None
    for reference in _candidates(target, things, states):
        number = len(matching(reference, things))
        if number == 1:
            return reference
        if best is None or number < best[0]:
            best = number, reference
    assert best is not None, "the bare noun is always a candidate"
    return replace(best[1], definite=False)


def _candidates(target: Thing, things: Things, states: tuple[State, ...]) -> Iterator[Reference]:
    plain = _the(target)
    bare = [plain, *(replace(plain, states=(state,)) for state in states if _TESTS[state](target, things))]
    yield from bare
    inside = [held.object_type for held in things.contents(target) if target in things.holders(held)[:1]]
    yield from (replace(one, content=Reference(kind)) for one in bare for kind in dict.fromkeys(inside))
    holders = things.holders(target)
    places = [_the(holder) for holder in holders if holder.object_type != "Floor" or len(holders) == 1]
    yield from (replace(one, place=place) for one in bare for place in places)


def _the(thing: Thing, *, definite: bool = True) -> Reference:
    """A thing by its kind alone; a basin is called a sink, or a bathtub."""
    return Reference(thing.object_type.removesuffix("Basin"), 1, definite)


_NEAR = 0.7
"""Widest gap between two boxes on the map at which one is by the other, metres."""
_FAR = 2.5
"""The same where nothing is so near."""
_UNTOLD = frozenset("Faucet ShelvingUnit Drawer Cabinet Shelf StoveBurner Chair Stool".split())
"""Parts of others, and what most rooms have several of, known or not: no landmarks for a person."""
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
    what = _the(thing, definite=len(things.of(thing.object_type)) == 1)
    holder = next((holder for holder in things.holders(thing)[:1] if holder.object_type != "Floor"), None)
    if holder is None or (not holder.has("openable") and rng.random() < 0.5):
        mark = _landmark(thing, things, rng)
        if mark is not None:
            return Instruction(Verb.LOOK, replace(what, landmark=mark))
    if holder is None:
        return None
    alone = len(things.of(holder.object_type)) == 1
    where = _the(holder, definite=alone)
    if rng.random() < (0.12 if alone else 0.35):
        mark = _landmark(holder, things, rng)
        if mark is not None:
            where = replace(where, definite=True, landmark=mark)
    return Instruction(Verb.LOOK, what, where)


def is_by(relation: Relation, thing: Thing, mark: Thing) -> bool:
    """Whether a thing is by another, in the sense of a relation; the sides are not told apart."""
    if thing is mark or gap(thing, mark) > _NEAR:
        return False
    if relation is Relation.ABOVE:
        return thing.center.y > mark.center.y
    return relation is not Relation.BELOW or thing.center.y < mark.center.y


def _landmark(thing: Thing, things: Things, rng: random.Random) -> Landmark | None:
    around = _landmarks(thing, things)
    if not around:
        return None
    fixed = [other for other in around if not other.has("pickupable")]
    mark = rng.choice(fixed if fixed and rng.random() < _FIXED else around)
    return Landmark(_relation(thing, mark, things), Reference(mark.object_type, 1, True))


def landmark_of(thing: Thing, things: Things) -> Landmark | None:
    """The nearest landmark of a thing, furniture rather than what lies about; `None` where there is none."""
    unfit = _UNTOLD if thing.has("openable") else {*_UNTOLD, "CounterTop"}
    for within in (_NEAR, _FAR):
        around = [other for other in _landmarks(thing, things, within) if other.object_type not in unfit]
        if around:
            break
    else:
        return None
    mark = min(around, key=lambda other: (other.has("pickupable"), gap(thing, other), other.object_id))
    return Landmark(_relation(thing, mark, things), Reference(mark.object_type, 1, True))


def _landmarks(thing: Thing, things: Things, within: float = _NEAR) -> list[Thing]:
    """What is near a thing, is the only one of its kind, and can be seen."""
    return [
        other
        for other in things
        if other is not thing
        and other.object_type not in _NO_LANDMARKS
        and not same_type(other.object_type, thing.object_type)
        and len(things.of(other.object_type)) == 1
        and gap(thing, other) <= within
        and other not in things.holders(thing)
        and thing not in things.holders(other)
        and not things.closed_around(other)
    ]


def _relation(thing: Thing, mark: Thing, things: Things) -> Relation:
    if gap(thing, mark) <= 0.0:
        if thing.low.y >= mark.high.y - 0.05:
            return Relation.ABOVE
        if thing.high.y <= mark.low.y + 0.05:
            return Relation.BELOW
    found = [other.center for other in things]
    x, _, z = mark.center
    ahead_x, ahead_z = x - sum(p.x for p in found) / len(found), z - sum(p.z for p in found) / len(found)
    apart_x, apart_z = thing.center.x - x, thing.center.z - z
    length = (ahead_x**2 + ahead_z**2) ** 0.5 * (apart_x**2 + apart_z**2) ** 0.5
    if not length:
        return Relation.NEAR
    onward = (apart_x * ahead_x + apart_z * ahead_z) / length
    rightward = (apart_x * ahead_z - apart_z * ahead_x) / length
    if abs(rightward) >= _ALIGNED:
        return Relation.RIGHT if rightward > 0 else Relation.LEFT
    if abs(onward) >= _ALIGNED:
        return Relation.BEHIND if onward > 0 else Relation.BEFORE
    return Relation.NEAR


def gap(one: Thing, other: Thing) -> float:
    """Distance between two boxes on the map, metres; nothing where they overlap."""
    x = max(one.low.x - other.high.x, other.low.x - one.high.x, 0.0)
    z = max(one.low.z - other.high.z, other.low.z - one.high.z, 0.0)
    return float((x * x + z * z) ** 0.5)
