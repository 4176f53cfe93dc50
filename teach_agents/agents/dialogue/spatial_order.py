"""The order of things that words such as "left", "nearest" and "second" ask for, as they are seen from somewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.noun_types import FRAMED
from teach_agents.core.dialogue import Phrase
from teach_agents.observations import Pose, Vec3

RANKS = frozenset(
    """first second third last left right leftmost rightmost middle
    nearest closest nearer closer near far furthest farthest further farther
    top bottom upper lower big bigger biggest large largest small smaller smallest little tall""".split()
)
"""Words that tell things apart by their place among others, or by their size."""
NEAREST = frozenset({"nearest", "closest", "nearer", "closer"})
_BESIDE = frozenset({"left", "right", "behind", "front"})
_SAME_HEIGHT = 0.05
"""What differs by no more than this stands side by side, metres."""

_NOT_FAR = 1.2
"""What shares a surface with a landmark is beside it as far as this, metres."""
_AHEAD = 46.0
"""What is within so many degrees of the way that the body looks is faced."""


_SIDES = frozenset("side end edge front back rear foot head left right there here somewhere place spot".split())
_QUARTERS = dict.fromkeys(("other", "opposite", "far", "behind", "back", "rear"), 2) | {"left": 1, "right": -1}
"""How many quarters clockwise about a thing, from where one faces it, its sides are."""


def side_of(phrase: Phrase) -> tuple[Phrase, int] | None:
    """What a description is a side of, and how many quarters clockwise about it from the viewer that is: "the other
    side of the bed", "there, left of the bed". `None` for anything else."""
    relation, mark = phrase.place or ("", None)
    if mark is None or phrase.noun not in _SIDES or relation not in ("of", "left", "right", "behind", "front"):
        return None
    said = (relation, phrase.count, phrase.noun, *phrase.looks)
    return mark, next((_QUARTERS[one] for one in said if one in _QUARTERS), 0)


def ranked(
    looks: Sequence[str], things: Sequence[Thing], pose: Pose, salient: Callable[[Sequence[Thing]], Sequence[Thing]]
) -> list[Thing]:
    """Things in the order that words ask for, as they are seen from a pose; else the `salient` ones first, then the
    nearest."""
    near = sorted(things, key=lambda thing: thing.distance(pose.position))
    for look in looks:
        if look == "middle" and _are_stacked(things):
            return _in_a_row(look, sorted(things, key=lambda thing: thing.center.y))
        if look in ("left", "leftmost", "right", "rightmost", "first", "second", "third", "last", "middle"):
            return _in_a_row(look, _from_left(things, pose))
        if look in NEAREST or look == "near":
            return near
        if look in ("far", "further", "farther", "furthest", "farthest"):
            return near[::-1]
        if look in ("top", "upper"):
            return sorted(things, key=lambda thing: -thing.center.y)
        if look in ("bottom", "lower"):
            return sorted(things, key=lambda thing: thing.center.y)
        if look in ("big", "bigger", "biggest", "large", "largest", "tall"):
            return sorted(things, key=lambda thing: -thing.longest)
        if look in ("small", "smaller", "smallest", "little"):
            return sorted(things, key=lambda thing: thing.longest)
    spoken = salient(near)
    return [*spoken, *(thing for thing in near if thing not in spoken)]


def faces(body: Body, thing: Thing) -> bool:
    """Whether a thing is ahead, however far."""
    here = body.pose.position
    heading = math.degrees(math.atan2(thing.center.x - here.x, thing.center.z - here.z))
    return abs((heading - body.stand[1] * 90.0 + 180.0) % 360.0 - 180.0) <= _AHEAD


def quarters_to(body: Body, thing: Thing) -> int:
    """How many quarters clockwise from where the body looks the nearest side of a thing is."""
    here, center, (width, depth) = body.pose.position, thing.center, thing.box
    across = center.x - here.x - max(-width / 2, min(width / 2, center.x - here.x))
    along = center.z - here.z - max(-depth / 2, min(depth / 2, center.z - here.z))
    return (round(math.degrees(math.atan2(across, along)) / 90.0) - body.stand[1]) % 4


def apart(thing: Thing, mark: Thing) -> float:
    """How far two things are apart on the map, and a little in height, metres."""
    return gap(thing, mark) + 0.1 * abs(thing.center.y - mark.center.y)


def best_placed(
    found: list[Thing], others: Sequence[Thing], relation: str, marks: Sequence[Thing], things: Things
) -> list[Thing]:
    """Of things `found` below landmarks those that these are on, where there are any: of four burners the one with the
    pot. Of things near landmarks what shares a surface with one, `others` too that are not far; else what is near on
    another surface, else whatever shares one."""
    if relation == "below":
        return [one for one in found if any(things.is_inside(mark, one) for mark in marks)] or found
    floors = {one.object_id for one in things.of("Floor")}
    shared = {holder.object_id for mark in marks for holder in things.holders(mark)[:1]} - floors
    beside = [one for one in others if any(by.object_id in shared for by in things.holders(one)[:1])]
    near = [one for one in beside if one in found]
    not_far = [one for one in beside if any(apart(one, mark) < _NOT_FAR for mark in marks)]
    return near or not_far or found or beside


def _from_left(things: Sequence[Thing], pose: Pose) -> list[Thing]:
    """From left to right as they are seen from where the body stands, facing their middle."""
    if not things:
        return []
    here = pose.position
    x = sum(thing.center.x for thing in things) / len(things) - here.x
    z = sum(thing.center.z for thing in things) / len(things) - here.z
    return sorted(things, key=lambda thing: (thing.center.x - here.x) * z - (thing.center.z - here.z) * x)


def _are_stacked(things: Sequence[Thing]) -> bool:
    """Whether things are shelves, drawers or cabinets at several heights."""
    heights = [thing.center.y for thing in things if thing.object_type in FRAMED]
    return len(heights) == len(things) > 1 and max(heights) - min(heights) > _SAME_HEIGHT


def _in_a_row(look: str, row: list[Thing]) -> list[Thing]:
    place = {"left": 0, "leftmost": 0, "first": 0, "second": 1, "third": 2, "right": -1, "rightmost": -1, "last": -1}
    at = place.get(look, len(row) // 2)
    if not row or at >= len(row):
        return []
    return [row[at], *(thing for thing in row if thing is not row[at])]


def is_outside(relation: str, thing: Thing, mark: Thing, things: Things) -> bool:
    """Whether a thing may be on a side of a landmark or below it: not what that holds, nor to a side what is shut in
    somewhere else. Nothing in the fridge is behind the toaster."""
    if relation in _BESIDE | {"below"} and things.is_inside(thing, mark):
        return False
    return relation not in _BESIDE or {*things.closed_around(thing)} <= {mark, *things.closed_around(mark)}


def is_beside(relation: str, thing: Thing, mark: Thing, here: Vec3) -> bool:
    """Whether a thing is to the left, the right, before or behind another as they are seen from a place."""
    ahead_x, ahead_z = mark.center.x - here.x, mark.center.z - here.z
    off_x, off_z = thing.center.x - mark.center.x, thing.center.z - mark.center.z
    rightward, onward = off_x * ahead_z - off_z * ahead_x, off_x * ahead_x + off_z * ahead_z
    sides = {"left": rightward < 0, "right": rightward > 0, "behind": onward > 0, "front": onward < 0}
    return sides.get(relation, True)
