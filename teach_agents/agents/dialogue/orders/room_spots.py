"""Go to what is no thing: the middle of the room, a corner of it, its other end, between two things, once round one."""

from __future__ import annotations

import math
from collections.abc import Mapping

from teach_agents.agents.acting.body import SkillError
from teach_agents.agents.acting.skills.approach import (
    go_near,
    go_off,
    go_to_corner,
    go_to_middle,
    go_to_side,
    turn_to,
)
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.motion_phrases import LAP
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, ids_of
from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.observations import Vec3

_ROOM = frozenset("room floor kitchen bedroom bathroom living_room".split())
_SPOTS: Mapping[str, str] = {
    **dict.fromkeys(("middle", "center", "centre"), "middle"),
    "corner": "corner",
    **dict.fromkeys(("end", "side", "wall"), "end"),
    LAP: LAP,
}
_FAR = frozenset("far other opposite farther further furthest farthest".split())
_SIDES = 4


def spot_of(order: DialogueAct) -> str:
    """Which spot an order has one go to that is no thing: "middle", "corner", "end", "between", or a lap; "" for any
    other."""
    phrase = next((slot.phrase for slot in order.slots if not slot.role), Phrase("it"))
    spot = _SPOTS.get(phrase.noun, "")
    if spot == "middle" and len(_marks(order)) > 1:
        return "between"
    of_room = phrase.place is None or phrase.place[1].noun in _ROOM or spot == "corner"
    if spot == "end" and not _is_far(phrase):
        return ""
    return spot if of_room else ""


def _is_far(phrase: Phrase) -> bool:
    return bool(_FAR & {phrase.count, *phrase.looks})


def _marks(order: DialogueAct) -> list[Phrase]:
    """The things that tell where a spot is."""
    placed = [slot.phrase.place[1] for slot in order.slots if slot.phrase.place is not None]
    return [one for one in (*placed, *(slot.phrase for slot in order.slots if slot.role)) if kinds_of(one.noun)]


def gone_to_spot(context: OrderContext, spot: str) -> Doing:
    """Go to such a spot."""
    body, marks = context.body, list[Thing]()
    for phrase in _marks(context.order):
        marks += (yield from context.find(phrase)).chosen[:1]
    here, words = body.pose.position, [context.the([one]) for one in marks]
    if spot == LAP:
        return (yield from _round(context, marks[0]))
    if spot == "between":
        one, other = (mark.center for mark in marks[:2])
        yield from go_near(body, Vec3((one.x + other.x) / 2, here.y, (one.z + other.z) / 2))
        yield from turn_to(body, marks[0])
        return Outcome(True, f"I am between {words[0]} and {words[1]}, as near to the middle as I get.", ids_of(marks))
    if spot == "middle":
        yield from go_to_middle(body)
        return Outcome(True, "I am in the middle of the room.")
    if spot == "corner":
        yield from go_to_corner(body, marks[0].center if marks else here, far=_is_far(context.phrase))
        return Outcome(True, f"I am in the corner{f' by {words[0]}' if words else ''}, as far as I get into it.")
    yield from go_off(body, math.inf)
    return Outcome(True, "I am at the other end of the room.")


def _round(context: OrderContext, thing: Thing) -> Doing:
    """Go once round a thing, by its four sides."""
    reached, quarters = 0, 1
    for _ in range(_SIDES):
        try:
            there = yield from go_to_side(context.body, thing, quarters)
        except SkillError:
            there = False
        quarters = 1 if there else quarters + 1
        reached += there
    words = context.the([thing])
    said = f"I went round {words}." if reached == _SIDES else f"I could not get all the way round {words}."
    return Outcome(reached == _SIDES, said, (thing.object_id,))
