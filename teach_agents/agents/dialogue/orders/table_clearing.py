"""Clear a table, tidy a room: everything portable goes where it may well be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from teach_agents.agents.acting.body import SkillError, Steps, attempted
from teach_agents.agents.acting.skills.hands import free_hand, pick_up
from teach_agents.agents.acting.things import Thing, are_twins, having
from teach_agents.agents.dialogue.noun_text import listed, sentence
from teach_agents.agents.dialogue.orders.named_things import PERSONS
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, placed
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.english.values import Verb

_SURFACES = tuple("CounterTop DiningTable CoffeeTable SideTable Desk Dresser TVStand Shelf".split())
_MOST = 20
"""Things that are put away at one go."""


def cleared(context: OrderContext) -> Doing:
    """Put everything portable that is on something somewhere else; of a room, what lies on its floor."""
    phrase = context.phrase
    if context.knowing.is_room(phrase.noun) or phrase.noun in PERSONS:
        if context.knowing.is_room(phrase.noun) and not context.knowing.is_this_room(phrase.noun):
            raise UnableError(f"I only know this {context.knowing.room}.")
        return (yield from _tidied(context))
    found = yield from context.find(phrase, having("receptacle"), "be cleared")
    hidden = yield from context.look_into_unknown(found.chosen)
    holders = context.now(found.chosen)
    things = [one for holder in holders for one in lying_on(context, holder)]
    barred = [one for one in things if context.barred("Pickup", one)]
    things = [one for one in things if one not in barred]
    context.leave(barred, partial(context.barred, "Pickup"))
    if hidden and not things:
        raise UnableError(context.knowing.not_looked_into(*hidden), ids_of(hidden))
    if not things:
        return Outcome(True, sentence(f"there is nothing on {context.the(holders)}"), ids_of(holders))
    return (yield from put_away(context, things, holders, f"{context.the(holders)} {are(holders)} clear now"))


def _tidied(context: OrderContext) -> Doing:
    things = context.body.things
    lying = [one for floor in things.of("Floor") for one in lying_on(context, floor)]
    dirty = [one for one in things if one.has("isDirty") and one.has("pickupable") and not _is_in_sink(context, one)]
    sinks = things.of("Sink")
    out = [*lying, *(one for one in dirty if sinks and one not in lying and not things.closed_around(one))]
    if not out:
        return Outcome(True, context.pick("It is tidy here already.", "Nothing lies about that I know of."))
    return (yield from put_away(context, out, things.of("Floor"), f"the {context.knowing.room} is tidy now"))


def _is_in_sink(context: OrderContext, thing: Thing) -> bool:
    return any(one.is_basin for one in context.body.things.holders(thing))


def lying_on(context: OrderContext, holder: Thing) -> list[Thing]:
    """What is directly on something and can be carried."""
    things = context.body.things
    found = []
    for one in things.contents(holder):
        first = next(iter(things.holders(one)), None)
        if one.has("pickupable") and first is not None and are_twins(first, holder):
            found.append(one)
    return found


def put_away(context: OrderContext, things: Sequence[Thing], away_from: Sequence[Thing], done: str) -> Doing:
    """Put things where such things may be, and not where they were; `done` is what is so then, in words."""
    failure: SkillError | None = None
    where: list[str] = []
    yield from attempted(free_hand(context.body, avoid=away_from[0]))
    memory, ids = context.body.memory, ids_of(things)
    kept, memory.kept = memory.kept, {one.object_id for one in context.body.things if one.object_id not in ids}
    try:  # nothing else makes room, or it might come to where these were
        for one in things[:_MOST]:
            failure = (yield from attempted(_away(context, one, away_from))) or failure
            now = context.body.things.get(one.object_id)
            place = next(iter(context.body.things.holders(now)), None) if now is not None else None
            if place is not None and not _is_one_of(place, away_from):
                where.append(placed(place))
    finally:
        memory.kept = kept
    yield from context.shut_behind()
    left = [one for one in context.now(things) if _is_left(context, one, away_from)]
    if not left:
        places = list(dict.fromkeys(where))
        what = context.the(things) if len(things) == 1 else "everything"  # "it" might be what is clear now
        told = f": I put {what} {listed(places)}" if 0 < len(places) <= 3 else ""
        return Outcome(True, sentence(done + told), ids)
    why = hindrance(failure, context.body) if failure is not None else "there is more than I can do at one go"
    moved = len(things) - len(left)
    if not moved:
        return Outcome(False, sentence(why), ids)
    return Outcome(False, f"I put away {number_word(moved)} of the {number_word(len(things))} things; {why}.", ids)


def _away(context: OrderContext, thing: Thing, away_from: Sequence[Thing]) -> Steps:
    """Put one thing where it belongs, failing that anywhere else."""
    for places in _homes(context, thing, away_from):
        if places and not (yield from attempted(context.do(Verb.PUT, [thing], places, count=1))):
            return
    yield from pick_up(context.body, thing)
    yield from free_hand(context.body, avoid=away_from[0])


def _homes(context: OrderContext, thing: Thing, away_from: Sequence[Thing]) -> list[list[Thing]]:
    """Where a thing may go, the likeliest kinds of places first."""
    kinds: list[tuple[str, ...]] = [_SURFACES]
    if thing.has("isDirty"):
        kinds.insert(0, ("Sink",))
    elif thing.is_a("Food"):
        kinds = [("CounterTop",), ("Fridge",), _SURFACES]
    elif thing.object_type in ("GarbageBag", "TissueBox", "PaperTowel", "Newspaper"):
        kinds.append(("GarbageCan",))
    elif any(thing.is_a(kind) for kind in ("Tableware", "Cookware", "Silverware", "KitchenUtensils")):
        kinds = [("CounterTop",), ("Sink",), _SURFACES]
    elif thing.object_type == "Pillow":
        kinds.insert(0, ("Bed", "Sofa", "ArmChair"))
    places = [[one for one in context.body.things.of(*names) if one.has("receptacle")] for names in kinds]
    return [[one for one in some if not _is_one_of(one, away_from)] for some in places]


def _is_one_of(place: Thing, places: Sequence[Thing]) -> bool:
    return any(are_twins(place, one) for one in places)


def _is_left(context: OrderContext, thing: Thing, away_from: Sequence[Thing]) -> bool:
    if context.body.holds(thing):
        return True
    if not away_from or all(one.object_type == "Floor" for one in away_from):
        dirty = thing.has("isDirty") and bool(context.body.things.of("Sink"))
        on_floor = any(one.object_type == "Floor" for one in context.body.things.holders(thing)[:1])
        return on_floor or (dirty and not _is_in_sink(context, thing))
    return any(context.body.things.is_inside(thing, one) for one in away_from)
