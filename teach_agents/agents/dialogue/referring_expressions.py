"""Things in words, as they are told apart and found: "the mug on the counter", "next to the sink"; what is in view."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.skills.hands import faucet_of
from teach_agents.agents.acting.things import Thing, Things, are_twins
from teach_agents.agents.dialogue.conditions import remarkable
from teach_agents.agents.dialogue.noun_text import article, called, listed
from teach_agents.agents.dialogue.noun_types import FRAMED
from teach_agents.understanding.english.lexicon import number_word, preposition

STRUCTURE = frozenset({"Floor", "Wall", "Ceiling", "Window", "Curtains", "Blinds", "Doorframe", "Doorway"})
"""What is everywhere and is told of only as a place for other things."""
PARTS = frozenset("StoveKnob SinkBasin BathtubBasin ShowerGlass ShowerHead TargetCircle ToiletPaperHanger".split())
"""What is a part of something else, and told of only when asked for."""
FURNITURE = frozenset(
    """ArmChair Bathtub Bed Bench Blinds Cabinet Cart Chair ClothesDryer CoffeeMachine CoffeeTable CounterTop Curtains
    Desk DeskLamp Desktop DiningTable DogBed Drawer Dresser Faucet Floor FloorLamp Footstool Fridge GarbageCan
    HousePlant LaundryHamper LightSwitch Microwave Mirror Ottoman Painting Poster Safe Shelf ShelvingUnit ShowerCurtain
    ShowerDoor ShowerGlass ShowerHead SideTable Sink Sofa Stool StoveBurner StoveKnob TVStand Television Toaster Toilet
    TowelHolder HandTowelHolder ToiletPaperHanger VacuumCleaner WashingMachine Window""".split()
)
"""What is never in anything else, and is not looked for there."""
_FEWEST = 12
"""Pixels of a thing below which it is not told of."""
_NEAR, _LEVEL = 0.7, 0.6
"""As far as a thing may be from what it is next to: on the map, and in height, metres."""
_FRAMES = frozenset("Dresser Desk ShelvingUnit SideTable TVStand CoffeeTable DiningTable".split())
"""What drawers and shelves are in."""
_SAME_HEIGHT = 0.05
_ADJECTIVES = frozenset("open dirty broken cooked boiled".split())
"""Those that stand before a noun."""
_MOST_PLACES = 3
"""Of more places only the number of what is there is told."""


def in_view(body: Body) -> list[Thing]:
    """What is seen now, the nearest first."""
    segmentation = body.observation.privileged.segmentation
    counts = np.bincount(segmentation.ids.ravel() + 1, minlength=len(segmentation.object_ids) + 1)[1:]
    ids = [name for name, count in zip(segmentation.object_ids, counts.tolist(), strict=True) if count >= _FEWEST]
    seen = [thing for name in ids if (thing := body.things.get(name))]
    return sorted(seen, key=lambda thing: body.distance(thing.center))


def distinct(things: Iterable[Thing]) -> list[Thing]:
    """Things, a sink and its basin only once."""
    listed = [*things]
    wholes = [thing for thing in listed if thing.is_basin and not thing.object_type.endswith("Basin")]
    basins = {id(one) for whole in wholes for one in listed if one is not whole and are_twins(one, whole)}
    return [thing for thing in listed if id(thing) not in basins]


def holder_of(thing: Thing, body: Body) -> Thing | None:
    """What a thing that can be moved is in or on, unless that is the floor; only loose ones are in what opens."""
    found = next(iter(body.things.holders(thing)), None)
    if found is None or found.object_type == "Floor":
        return None
    loose = thing.has("pickupable") or (thing.has("moveable") and not found.has("openable"))
    return found if loose else None


def describe_thing(thing: Thing, body: Body, *, definite: bool | None = None) -> str:
    """The shortest noun phrase that picks a thing out of all that are known: "the mug", "the dirty mug", "the mug on
    the counter".

    One that cannot be told apart is "a", not "the", unless that is said by `definite`.
    """
    name = called(thing)
    rivals = [other for other in distinct(body.things) if called(other) == name and not are_twins(other, thing)]
    if definite is False:
        return article(name.one)
    if not rivals:
        return f"the {name.alone}"
    fewest, best = len(rivals), name.one
    for words, others in _tellings(thing, rivals, body):
        if others <= fewest:
            fewest, best = others, words
        if not others:
            return f"the {words}"
    return f"the {best}" if definite else article(best)


def _tellings(thing: Thing, rivals: Sequence[Thing], body: Body) -> Iterator[tuple[str, int]]:
    """Noun phrases for a thing, and how many others each fits, the plainest first."""
    name = called(thing).one
    if body.holds(thing):
        yield f"{name} in my hand", 0
    heights = [other.center.y for other in rivals]
    for word in remarkable(thing):
        if word in _ADJECTIVES:
            yield f"{word} {name}", sum(word in remarkable(other) for other in rivals)
    holder, mark = holder_of(thing, body), _neighbour(thing, body.things)
    if holder is not None:
        there = [other for other in rivals if _called_alike(holder, holder_of(other, body))]
        yield f"{name} {_held_by(holder, body)}", len(there)
        if mark is not None:
            where = f"{_held_by(holder, body)} {_by(thing, mark)}"
            yield f"{name} {where}", sum(_neighbour(other, body.things) is mark for other in there)
    elif mark is not None:
        where = _by(thing, mark)
        yield f"{name} {where}", sum(_is_where(other, where, body.things) for other in rivals)
    if thing.object_type not in FRAMED:
        return
    if min(heights) > thing.center.y + _SAME_HEIGHT:
        yield f"bottom {name}", 0
    if max(heights) < thing.center.y - _SAME_HEIGHT:
        yield f"top {name}", 0


def _is_where(other: Thing, where: str, things: Things) -> bool:
    mark = _neighbour(other, things)
    return mark is not None and _by(other, mark) == where


def _called_alike(one: Thing, other: Thing | None) -> bool:
    return other is not None and called(one) == called(other)


def where_phrase(thing: Thing, body: Body, *, short: bool = False) -> str:
    """Where a thing is: "on the counter next to the sink", "in the fridge", "in my hand"; of what stands in nothing
    that it is next to, or how far away. `short` says no more than what it is in or on, where that says enough."""
    if body.holds(thing):
        return "in my hand"
    things, holder = body.things, holder_of(thing, body)
    if thing.object_type == "Floor":
        return "under us"
    mark = _neighbour(thing, things)
    if thing.object_type == "Faucet":
        basin = next((one for one in distinct(things) if one.is_basin and faucet_of(things, one) is thing), None)
        if basin is not None:
            return f"at {describe_thing(basin, body)}"
    if holder is None:
        floor = any(found.object_type == "Floor" for found in things.holders(thing)[:1]) and thing.has("pickupable")
        where = _by(thing, mark) if mark is not None else direction(thing, body)
        return ("on the floor" if short else f"on the floor {where}") if floor else where
    if holder.has("pickupable"):
        return f"{_held_by(holder, body)} {where_phrase(holder, body, short=short)}"
    if _is_only(holder, things):
        there = f"{place_word(holder)} the {called(holder).alone}"
    elif place_word(holder) == "in" or holder.object_type in FRAMED or mark is None:
        return f"{place_word(holder)} {describe_thing(holder, body)}"
    else:
        there = f"on the {called(holder).alone}"
    return there if mark is None or place_word(holder) == "in" or short else f"{there} {_by(thing, mark)}"


def _held_by(holder: Thing, body: Body) -> str:
    """A holder in a noun phrase that is to be short: "on the counter", "in a cabinet"."""
    name = called(holder)
    words = f"the {name.alone}" if _is_only(holder, body.things) else article(name.one)
    return f"{place_word(holder)} {words}"


def place_word(holder: Thing) -> str:
    """How one speaks of what a thing holds: "in" or "on" it."""
    return "on" if holder.object_type == "Toilet" else preposition(holder.object_type)


def _is_only(thing: Thing, things: Things) -> bool:
    return not any(called(other) == called(thing) and not are_twins(other, thing) for other in things)


def _neighbour(thing: Thing, things: Things) -> Thing | None:
    """The best landmark for a thing: what stands nearest to it of all that there is only one of."""
    main = distinct(things)
    numbers = Counter(called(mark) for mark in main)
    around = [
        mark
        for mark in main
        if (numbers[called(mark)] == 1 or mark.object_type == "StoveBurner")
        and mark.object_type not in STRUCTURE | PARTS
        and _is_beside(thing, mark, things)
    ]
    fixed = [mark for mark in around if not mark.has("pickupable")]
    return min(fixed or around, key=lambda mark: gap(thing, mark), default=None)


def _is_beside(thing: Thing, mark: Thing, things: Things) -> bool:
    """Whether it makes sense to say where a thing is by another: in plain view, and near it in height or right above
    or below it."""
    if mark.object_type == thing.object_type or are_twins(thing, mark) or gap(thing, mark) > _NEAR:
        return False
    if mark.has("isPickedUp") or things.is_inside(thing, mark) or things.is_inside(mark, thing):
        return False
    if thing.has("pickupable"):
        same = things.holders(thing)[:1] == things.holders(mark)[:1]
        level = mark.low.y - _LEVEL <= thing.low.y <= mark.high.y + _LEVEL / 2
        around = mark.object_type in _FRAMES and gap(thing, mark) <= 0.0
        return level and not around and (not mark.has("pickupable") or same)
    if mark.has("pickupable") or (thing.is_basin and mark.object_type == "Faucet"):
        return False
    return gap(thing, mark) <= 0.0 or max(thing.low.y - mark.high.y, mark.low.y - thing.high.y) <= _LEVEL


def _by(thing: Thing, mark: Thing) -> str:
    """Where a thing is as seen from a landmark."""
    word = "next to"
    if gap(thing, mark) <= 0.0 and not thing.has("pickupable"):
        if thing.low.y >= mark.high.y - _SAME_HEIGHT:
            word = "above"
        elif thing.high.y <= mark.low.y + _SAME_HEIGHT:
            word = "below"
        elif mark.object_type in _FRAMES:
            word = "in" if thing.object_type in FRAMED else "at"
        if mark.object_type == "CounterTop" and thing.is_basin:
            word = "in"
        if mark.is_basin and thing.object_type == "CounterTop":
            word = "with"
    return f"{word} the {'stove' if mark.object_type == 'StoveBurner' else called(mark).alone}"


def direction(thing: Thing, body: Body) -> str:
    """How far away a thing is and on which side: "two metres ahead of me", "close by, on my left"."""
    here, yaw = body.pose.position, math.radians(body.pose.yaw)
    x, z = thing.center.x - here.x, thing.center.z - here.z
    ahead, right = x * math.sin(yaw) + z * math.cos(yaw), x * math.cos(yaw) - z * math.sin(yaw)
    away = round(math.hypot(x, z))
    if abs(ahead) >= abs(right):
        side = "ahead of me" if ahead > 0 else "behind me"
    else:
        side = "on my right" if right > 0 else "on my left"
    if away < 1:
        return f"close by, {side}"
    return f"about {number_word(away)} {'metre' if away == 1 else 'metres'} away, {side}"


def whereabouts(things: Sequence[Thing], body: Body) -> list[str]:
    """Where each of several things is: "one on the counter", "two in the drawer", "three elsewhere"."""
    short = len(things) > _MOST_PLACES
    places: dict[str, list[Thing]] = {}
    for thing in things:
        places.setdefault(where_phrase(thing, body, short=short), []).append(thing)
    told = [f"{number_word(len(there))} {_of_several(place, there, body)}" for place, there in places.items()]
    if len(told) <= _MOST_PLACES:
        return told
    rest = sum(map(len, [*places.values()][_MOST_PLACES:]))
    return [*told[:_MOST_PLACES], f"{number_word(rest)} elsewhere"]


def _of_several(place: str, things: Sequence[Thing], body: Body) -> str:
    """A place of several things: "on shelves" where "a shelf" is another for each."""
    holders = distinct(holder for thing in things if (holder := holder_of(thing, body)) is not None)
    if len(set(map(id, holders))) < 2:
        return place
    name = called(holders[0])
    return place.replace(f" {article(name.one)}", f" {name.many}", 1)


def subject(thing: Thing) -> str:
    """What a sentence about a thing begins with, its place left out: "the mug"."""
    return f"the {called(thing).alone}"


def the_one(thing: Thing, body: Body) -> str:
    """A thing with its place: "the mug on the counter next to the sink"."""
    return f"{subject(thing)} {where_phrase(thing, body)}"


def all_of(things: Sequence[Thing], body: Body) -> str:
    """Several things together: "the mug", "the three plates", "the mug and the fork"."""
    if len(things) == 1:
        return describe_thing(things[0], body, definite=True)
    numbers = Counter(map(called, things))
    told = [f"the {name.alone}" if n == 1 else f"the {number_word(n)} {name.many}" for name, n in numbers.items()]
    return listed([*told[:_MOST_PLACES], "the rest"] if len(told) > _MOST_PLACES else told)


def contents_of(holders: Sequence[Thing], body: Body) -> list[Thing]:
    """What lies in or on any of these, not what is in that again."""
    things = body.things
    return [
        thing
        for thing in things
        if thing.object_type not in STRUCTURE
        and any(are_twins(holder, inner) for holder in holders for inner in things.holders(thing)[:1])
    ]
