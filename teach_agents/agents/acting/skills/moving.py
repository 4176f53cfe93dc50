"""Put things in or on other things, and make room for them where it is lacking."""

from __future__ import annotations

from teach_agents.agents.acting.body import Body, Finding, SkillError, Steps, attempted
from teach_agents.agents.acting.skills.hands import easiest, free_hand, pick_up, put_held, room_on
from teach_agents.agents.acting.things import Thing
from teach_agents.understanding.english.values import ReportKind

_ROUNDS = 3
_HOPE = 2
_MOST = 6
_OURS = 5.0
_FIXED = 1000.0


def put_making_room(body: Body, holder: Thing, patience: int = 3) -> Steps:
    """Put what is held in or on a holder; when that is full, first take off what is least in the way.

    Raises `SkillError` when it does not fit, or would take moving more than a few things.
    """
    for _ in range(0 if holder.has("pickupable") else _ROUNDS):
        held = body.held
        failure = yield from attempted(put_held(body, holder, patience))
        if not failure:
            return
        if held is None or failure.kind is not ReportKind.NO_ROOM:
            raise failure
        aside = _aside(body, holder)
        if not aside:
            break
        yield from attempted(_take_away(body, holder, aside), ReportKind.NOT_REACHED)
        yield from pick_up(body, held)
    yield from put_held(body, holder, min(patience, _HOPE), hopeful=True)


def could_be_packed(body: Body, holder: Thing) -> bool:
    """Whether what is held, and the one thing that a holder has in it, take up less than half of its bottom."""
    held, inside = body.held, body.things.contents(body.now(holder))
    if held is None or len(inside) != 1 or not inside[0].has("pickupable"):
        return False
    taken = sum(one.sides[0] * one.sides[1] for one in (held, *inside))
    return taken < holder.sides[0] * holder.sides[1] / 2


def _aside(body: Body, holder: Thing) -> list[Thing]:
    """What to take away: as few things as possible, of those the smallest, rather none handled in this session, none
    that was asked for there or is out of reach.

    Where boxes leave room and the thing was refused all the same, it is what takes up most.
    """
    if body.held is None:
        return []

    def cost(thing: Thing) -> float:
        fixed = thing.object_id in body.memory.kept or thing.object_id in body.memory.troubles
        if fixed or not thing.has("pickupable"):
            return _FIXED
        ours = _OURS if thing.object_id in body.memory.handled else 0.0
        return 1.0 + ours + len(body.things.contents(thing)) + min(thing.sides[0] * thing.sides[1], 1.0)

    space = room_on(body, holder, body.held)
    found = space.hindrance(cost)
    if found and len(found) <= _MOST and sum(map(cost, found)) < _FIXED:
        return found
    return [thing for thing in space.loose if cost(thing) < _OURS][:1]


def _take_away(body: Body, holder: Thing, aside: list[Thing]) -> Steps:
    yield from free_hand(body, avoid=holder)
    for thing in aside:
        if not body.is_gone(thing):
            yield from pick_up(body, body.now(thing))
            yield from free_hand(body, avoid=holder)


_CHOICE = 6
"""Among how many of the easiest to get a small one is chosen."""


def gather(body: Body, things: list[Thing], holders: list[Thing], count: int | None) -> Steps:
    """Put `count` of the things (all when `None`) in the first holder that takes them, in order of preference.

    With one holder, a thing that does not fit ends it with `SkillError`; with several the next one is tried. What took
    a thing is the first to be offered the next: things that are put away together belong together.
    """
    wanted = len(things[:count])
    moved, failure, resettled = 0, SkillError(ReportKind.NOT_FOUND), False
    waiting = list(things)
    while waiting and moved < wanted:
        thing = _next(body, waiting, holders[0])
        waiting.remove(thing)
        try:
            yield from _settle(body, holders[0])
            yield from pick_up(body, thing)
            taken = yield from _put_in_any(body, holders)
            holders = [taken, *(holder for holder in holders if holder is not taken)]
            body.memory.kept.add(thing.object_id)
            moved += 1
        except SkillError as error:
            failure = error
            if error.kind is ReportKind.NOT_REACHED and error.thing == body.now(holders[0]):
                break
            if error.kind is not ReportKind.NO_ROOM:
                continue
            if resettled or not body.now(holders[0]).has("pickupable"):
                break
            resettled = True
            waiting.append(thing)
            yield from _bring_elsewhere(body, holders[0])
    if moved < wanted:
        raise failure


def _next(body: Body, waiting: list[Thing], holder: Thing) -> Thing:
    """What is in the hand, else the easiest to get; for a dish, on which room is scarce, rather a small one."""
    held = next(filter(body.holds, waiting), None)
    if held is not None:
        return held
    ranked = easiest(body, waiting)
    if not holder.has("pickupable"):
        return ranked[0]
    return min(ranked[:_CHOICE], key=lambda thing: thing.sides[0] * thing.sides[1])


def _put_in_any(body: Body, holders: list[Thing]) -> Finding:
    """Put what is held into the first of the holders that takes it; when none does, room is made in the first."""
    failure: SkillError | None = None
    for holder in holders[:4]:
        failure = yield from attempted(put_held(body, holder))
        if not failure:
            body.memory.used.append(holder.object_id)
            return holder
    if failure is not None and failure.kind is not ReportKind.NO_ROOM:
        raise failure
    yield from put_making_room(body, holders[0], patience=2)
    body.memory.used.append(holders[0].object_id)
    return holders[0]


def _bring_elsewhere(body: Body, dish: Thing) -> Steps:
    """Nothing fits on a dish where it stands: other things may be too close to it."""
    under = body.holders(dish)
    yield from free_hand(body)
    yield from pick_up(body, dish)
    yield from free_hand(body, avoid=under[0] if under else None)


def _settle(body: Body, dish: Thing) -> Steps:
    """A dish in a closet or sink is first brought to a surface where things can be put on it."""
    now = body.now(dish)
    if not now.has("pickupable"):
        return
    if now.has("isPickedUp") or any(h.has("openable") or h.is_basin for h in body.things.holders(now)):
        yield from pick_up(body, dish)
        yield from free_hand(body)
