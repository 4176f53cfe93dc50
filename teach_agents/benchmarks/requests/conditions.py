"""Conditions of checks, each a line of words such as `any Mug in Fridge`, `not Fridge open`, `turned 90`, `still`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from teach_agents.benchmarks.requests.moments import Moment, check_noun, meant
from teach_agents.errors import InputError
from teach_agents.observations import Pose
from teach_agents.simulator.contract import ObjectState

NEAR_M = 1.5
"""How far from the Follower, over the floor, the middle of something may be that it is near to."""
_FACING_DEG = 46.0
_OFF_M = 0.06
_QUANTIFIERS = ("any", "all", "no")


@dataclass(frozen=True, slots=True)
class Course:
    """What conditions look at: the first moment of the case, that of the request, the last one, and what was done.

    `poses` are where the Follower stood when each turn of the talk was said; `acted` counts its actions since,
    `touched` are the ids of what has changed since, if only for a while.
    """

    first: Moment
    asked: Moment
    now: Moment
    poses: Sequence[Pose]
    acted: int = 0
    touched: Collection[str] = ()


def _boiled(moment: Moment, one: str) -> bool:
    return bool(moment.custom.get(one, {}).get("simbotIsBoiled"))


def _cooked(moment: Moment, one: str) -> bool:
    return moment.objects[one].is_cooked or bool(moment.custom.get(one, {}).get("simbotIsCooked"))


def _coffee(moment: Moment, one: str) -> bool:
    obj = moment.objects[one]
    return obj.is_filled and (
        obj.liquid == "coffee" or bool(moment.custom.get(one, {}).get("simbotIsFilledWithCoffee"))
    )


def _is_on(moment: Moment, one: str) -> bool:
    """A burner is on where a knob of it is."""
    return any(moment.objects[each].is_toggled for each in (one, *moment.controls_of(one)))


def _of(test: Callable[[ObjectState], bool]) -> Callable[[Moment, str], bool]:
    return lambda moment, one: test(moment.objects[one])


STATES: Mapping[str, Callable[[Moment, str], bool]] = {
    "held": lambda moment, one: moment.held == one,
    "dirty": _of(lambda one: one.is_dirty),
    "clean": _of(lambda one: not one.is_dirty),
    "open": _of(lambda one: one.is_open),
    "closed": _of(lambda one: not one.is_open),
    "on": _is_on,
    "off": lambda moment, one: not _is_on(moment, one),
    "sliced": _of(lambda one: one.is_sliced),
    "whole": _of(lambda one: one.exists and not one.is_sliced),
    "broken": _of(lambda one: one.is_broken),
    "cooked": _cooked,
    "boiled": _boiled,
    "filled": _of(lambda one: one.is_filled),
    "empty": _of(lambda one: not one.is_filled),
    "coffee": _coffee,
    "there": _of(lambda one: one.exists),
}
"""What a thing can be, behind its noun."""
_COOKED = frozenset({"cooked", "boiled"})
_OF_PIECES = _COOKED | {"held", "dirty", "in", "on"}
"""What the pieces of a thing are in its stead: where it was cut up before it was asked for; `_COOKED` wherever any will
do, as bread is toasted in slices."""


def holds(condition: str, course: Course) -> bool:
    """Whether a condition holds. Raises `InputError` for one that cannot be read."""
    words = condition.split()
    if words[:1] == ["not"]:
        return not _plain(condition, words[1:], course, negated=True)
    return _plain(condition, words, course)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A condition taken apart: its noun ("" where it is of the body alone), its state, motion, "hand", or "in" for
    any place; `negated` where it must not be so (`not`, `no`); `is_state` where things are to be in a state."""

    noun: str
    state: str
    negated: bool
    is_state: bool


def parsed(condition: str) -> Parsed:
    """A condition taken apart. Raises `InputError` for one that cannot be read."""
    words = [word for word in condition.split() if word != "not"]
    negated = condition.split()[:1] == ["not"]
    if words[:1] == ["hand"] or (words and words[0] in _MOTIONS):
        noun = words[1] if words[0] in ("near", "facing", "untouched") and len(words) > 1 else ""
        return Parsed(noun, words[0], negated, is_state=False)
    quantifier, rest = (words[0], words[1:]) if words and _is_quantifier(words[0]) else ("", words)
    if len(rest) < 2:
        raise _unread(condition)
    return Parsed(rest[0], "in" if rest[1] == "on" and len(rest) > 2 else rest[1], negated or quantifier == "no", True)


def test_of(condition: str, course: Course) -> Callable[[str], bool]:
    """The test of a condition's state on one thing, by id."""
    words = [word for word in condition.split() if word != "not"]
    return _test(condition, words[2:] if _is_quantifier(words[0]) else words[1:], course)


def subjects(conditions: Sequence[str], course: Course) -> frozenset[str]:
    """The ids of what conditions are about: what may have changed, as a request asks for it."""
    found: set[str] = set()
    for condition in conditions:
        words = [word for word in condition.split() if word != "not"]
        if words[0] not in _MOTIONS and words[0] != "hand":
            rest = words[1:] if _is_quantifier(words[0]) else words
            found.update(meant(rest[0], course.first, course.now))
    return frozenset(found)


def _plain(condition: str, words: Sequence[str], course: Course, *, negated: bool = False) -> bool:
    if words and words[0] in _MOTIONS:
        try:
            return _MOTIONS[words[0]](condition, words[1:], course)
        except (LookupError, TypeError, ValueError) as error:
            raise _unread(condition) from error
    if list(words) == ["hand", "empty"]:
        return course.now.held is None
    return _state(condition, words, course, negated)


def _is_quantifier(word: str) -> bool:
    return word in _QUANTIFIERS or word.isdigit()


def _state(condition: str, words: Sequence[str], course: Course, negated: bool) -> bool:
    quantifier, rest = (words[0], words[1:]) if words and _is_quantifier(words[0]) else ("", words)
    if len(rest) < 2:
        raise _unread(condition)
    test = _test(condition, rest[1:], course)
    found = meant(rest[0], course.first, course.now)
    if not quantifier and len(found) != 1:
        problem = f"means {len(found)} things: say any, all, no or a number, or Mug@Place"
        raise InputError(f"condition {condition!r}", problem, value=rest[0])
    if quantifier.isdigit():
        return sum(map(test, found)) == int(quantifier)
    cut: Mapping[str, Sequence[str]] = {}
    before = course.now if quantifier == "any" and rest[1] in _COOKED else course.asked
    if rest[1] in _OF_PIECES:
        every = quantifier in ("", "all") and rest[1] != "held" and not negated
        cut = {one: course.now.pieces_of(one) for one in found if one in before.objects and before.pieces_of(one)}
        test = _or_of_pieces(test, cut, all if every else any)
    true = sum(map(test, found))
    there = sum(course.now.objects[one].exists or bool(cut.get(one)) for one in found)
    return {"any": true > 0, "all": 0 < there <= true, "no": true == 0, "": true == 1}[quantifier]


def _or_of_pieces(
    test: Callable[[str], bool], cut: Mapping[str, Sequence[str]], enough: Callable[[Iterable[bool]], bool]
) -> Callable[[str], bool]:
    """A test of a thing, or, where it was `cut`, of `enough` of its pieces."""
    return lambda one: enough(map(test, cut[one])) if cut.get(one) else test(one)


def _test(condition: str, words: Sequence[str], course: Course) -> Callable[[str], bool]:
    now = course.now
    if len(words) == 1 and words[0] in STATES:
        state = STATES[words[0]]
        return lambda one: state(now, one)
    if len(words) == 2 and words[0] in ("in", "on"):
        holders = meant(words[1], course.first, now)
        if not holders:
            raise InputError(f"condition {condition!r}", "there is no such thing in the room", value=words[1])
        return lambda one: any(now.is_in(one, holder) for holder in holders)
    raise _unread(condition)


def _unread(condition: str) -> InputError:
    return InputError("condition", "cannot be read", value=condition, valid=(*STATES, "in", "on", *_MOTIONS, "hand"))


def _nearest(course: Course, noun: str) -> tuple[float, ObjectState]:
    """The distance over the floor to the nearest of what a noun means, and which that is."""
    x, _, z = course.now.pose.position
    found = [course.now.objects[one] for one in meant(noun, course.first, course.now)]
    if not found:
        raise InputError("condition", "there is no such thing in the room", value=noun)
    return min(((_away(one, x, z), one) for one in found), key=lambda pair: pair[0])


def _away(obj: ObjectState, x: float, z: float) -> float:
    low, high = obj.box.low, obj.box.high
    return math.hypot(max(low.x - x, 0.0, x - high.x), max(low.z - z, 0.0, z - high.z))


def _near(condition: str, words: Sequence[str], course: Course) -> bool:
    check_noun(f"condition {condition!r}", *words)
    return _nearest(course, words[0])[0] <= NEAR_M


def _facing(condition: str, words: Sequence[str], course: Course) -> bool:
    check_noun(f"condition {condition!r}", *words)
    pose = course.now.pose
    x, _, z = pose.position
    for one in meant(words[0], course.first, course.now):
        center = course.now.objects[one].box.center
        yaw = math.degrees(math.atan2(center.x - x, center.z - z))
        if abs(_angle(yaw - pose.yaw)) <= _FACING_DEG:
            return True
    return False


def _angle(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0


def _turned(condition: str, words: Sequence[str], course: Course) -> bool:
    (wanted,) = map(float, words)
    return abs(_angle(course.now.pose.yaw - course.asked.pose.yaw - wanted)) < 1.0


def _moved(condition: str, words: Sequence[str], course: Course) -> bool:
    """`moved 0.5 ahead`, as the Follower stood when it was asked; `moved 0` is to stand in the same place."""
    wanted, way = float(words[0]), words[1] if len(words) > 1 else "ahead"
    before, now = course.asked.pose, course.now.pose
    yaw = math.radians(before.yaw + {"ahead": 0.0, "right": 90.0, "back": 180.0, "left": -90.0}[way])
    x = before.position.x + wanted * math.sin(yaw)
    z = before.position.z + wanted * math.cos(yaw)
    return math.hypot(now.position.x - x, now.position.z - z) <= _OFF_M


def _looks(condition: str, words: Sequence[str], course: Course) -> bool:
    """`looks down`, `looks up`: further down or up than when it was asked."""
    lower = course.now.pose.horizon - course.asked.pose.horizon
    return lower > 1.0 if {"down": True, "up": False}[words[0]] else lower < -1.0


def _untouched(condition: str, words: Sequence[str], course: Course) -> bool:
    """`untouched Fridge`: it was never changed, not even for a while."""
    check_noun(f"condition {condition!r}", *words)
    return not set(meant(words[0], course.first)).intersection(course.touched)


def _still(condition: str, words: Sequence[str], course: Course) -> bool:
    """Nothing was done since, but for waiting and talking."""
    return course.acted == 0


def _acted(condition: str, words: Sequence[str], course: Course) -> bool:
    return course.acted > 0


def _back(condition: str, words: Sequence[str], course: Course) -> bool:
    """`back 0`: it stands again where it stood when that turn of the talk was said."""
    x, _, z = course.poses[int(words[0])].position
    now = course.now.pose.position
    return math.hypot(now.x - x, now.z - z) <= _OFF_M


_MOTIONS: Mapping[str, Callable[[str, Sequence[str], Course], bool]] = {
    "acted": _acted,
    "back": _back,
    "facing": _facing,
    "looks": _looks,
    "moved": _moved,
    "near": _near,
    "still": _still,
    "turned": _turned,
    "untouched": _untouched,
}
"""Conditions on the Follower's body, by their first word."""
MOTIONS = tuple(_MOTIONS)
