"""Make room: take what is least in the way off a holder that is too full."""

from __future__ import annotations

from teach_agents.agents.acting.body import Body, Steps, attempted
from teach_agents.agents.acting.skills.hands import free_hand, pick_up, put_held, room_on
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.english.values import ReportKind

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
        trouble = yield from attempted(_take_away(body, holder, aside))
        if trouble and trouble.kind is not ReportKind.NOT_REACHED:
            raise trouble
        yield from pick_up(body, held)
    yield from put_held(body, holder, min(patience, _HOPE), hopeful=True)


def _aside(body: Body, holder: Thing) -> list[Thing]:
    """What to take away: as few things as possible, rather none handled in this session, none that was asked for there
    or is out of reach.

    Where boxes leave room and the thing was refused all the same, it is what takes up most.
    """
    if body.held is None:
        return []

    def cost(thing: Thing) -> float:
        fixed = thing.object_id in body.memory.kept or thing.object_id in body.memory.troubles
        if fixed or not thing.has("pickupable"):
            return _FIXED
        ours = thing.object_id in body.memory.handled
        return 1.0 + (_OURS if ours else 0.0) + len(body.things.contents(thing))

    space = room_on(body, holder, body.held)
    found = space.hindrance(cost)
    if found and len(found) <= _MOST and sum(map(cost, found)) < _FIXED:
        return found
    return [thing for thing in space.loose if cost(thing) < _OURS][:1]


def _take_away(body: Body, holder: Thing, aside: list[Thing]) -> Steps:
    yield from free_hand(body, avoid=holder)
    for thing in aside:
        if body.things.get(thing.object_id) is not None:
            yield from pick_up(body, body.now(thing))
            yield from free_hand(body, avoid=holder)
