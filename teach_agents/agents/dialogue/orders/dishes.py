"""Wash, fill, empty, pour, water."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Steps, attempted
from teach_agents.agents.acting.skills.hands import easiest, faucet_of, free_hand, pick_up, switch
from teach_agents.agents.acting.skills.water import fill, pour, sinks
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.noun_text import sentence, words_of
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.orders.availability import made_clean
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance
from teach_agents.agents.dialogue.orders.per_thing import Work, work
from teach_agents.agents.dialogue.orders.pick_and_place import put_in
from teach_agents.agents.dialogue.orders.pickup import candidates
from teach_agents.agents.dialogue.orders.recipes import coffee
from teach_agents.agents.dialogue.orders.table_clearing import lying_on, put_away
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Found
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Verb

_DRINK = "drink"
"""What no vessel is of itself: one that is full."""
_DISHES = ("Silverware", "KitchenUtensils", "Cookware", "Dishware", "Drinkware")


def _is_dish(thing: Thing) -> bool:
    """What is washed at a sink; cutlery too, although it never gets dirty here."""
    return thing.has("pickupable") and (thing.has("dirtyable") or any(map(thing.is_a, _DISHES)))


def _is_clean(thing: Thing) -> bool:
    return not thing.has("isDirty")


def _is_drink(thing: Thing) -> bool:
    return bool(liquid_in(thing)) and thing.has("pickupable") and thing.object_type != "WineBottle"


def _is_food(thing: Thing) -> bool:
    return thing.is_a("Food") and thing.has("pickupable")


def is_washable(thing: Thing) -> bool:
    """Whether it can be washed: a dish, or food, which is rinsed."""
    return _is_dish(thing) or _is_food(thing)


_WASH = Work(Verb.CLEAN, _is_dish, _is_clean, "I can wash dishes and rinse food, but not {x}.", "washed", "clean")
_FILL = Work(
    Verb.FILL,
    having("canFillWithLiquid", but="simbotIsFilledWithCoffee"),
    having("isFilledWithLiquid"),
    "be filled",
    "filled",
    "full of water",
)
_EMPTY = Work(
    Verb.EMPTY,
    having("canFillWithLiquid"),
    lambda one: not one.may("isFilledWithLiquid"),
    "be emptied",
    "emptied",
    "empty",
)
_FEW = 5
"""Of more things it would take too long to put them back where they were."""
_PLANTS = frozenset({"HousePlant"})
_WATER = Work(
    Verb.WATER,
    lambda one: one.object_type in _PLANTS,
    having("isFilledWithLiquid"),
    "I can water plants, but not {x}.",
    "watered",
    "watered",
)


def washed(context: OrderContext) -> Doing:
    """Wash dishes at a sink; food is rinsed."""
    phrase = context.phrase
    if phrase.looks == ("dirty",) and not context.known(phrase, _is_dish).things:
        plain = replace(phrase, looks=())
        clean = context.known(plain, _is_dish)
        if clean.things and (context.body.knowledge is None or context.known(plain).things):
            return Outcome(
                True, context.pick("Nothing is dirty that I know of.", "All that I know of is clean already.")
            )
    food, pointed = context.known(phrase, _is_food), context.known(phrase, is_washable).things[:1]
    is_food = phrase.noun in PRONOUNS and any(map(_is_food, pointed))
    if food.things and (is_food or not context.known(phrase, _is_dish).things):
        return (yield from _rinsed(context, food))
    found = yield from context.find(phrase, _is_dish, _WASH.cannot)
    found = yield from context.with_more(phrase, _is_dish, found, _WASH.so)
    yield from _running_water(context)
    outcome = yield from work(context, found, _WASH)
    yield from _leave_the_sink(context, outcome)
    return outcome


def _leave_the_sink(context: OrderContext, outcome: Outcome) -> Steps:
    """Where things had to make way for those that were in want of a sink, these make way for them again."""
    displaced = context.displaced(outcome.ids)
    if len(displaced) + len(outcome.ids) > _FEW:
        return
    sinks_left = [holder for _, holder in displaced if holder.is_basin]
    for one in context.body.things.known(outcome.ids):
        if any(context.body.things.is_inside(one, sink) for sink in sinks_left):
            yield from attempted(pick_up(context.body, one))
            yield from attempted(free_hand(context.body, avoid=sinks_left[0]))
    yield from context.put_displaced_back(outcome.ids, hopeful=True)


def _rinsed(context: OrderContext, found: Found) -> Doing:
    """Hold food under running water: in the sink while the tap runs."""
    body = context.body
    places = sinks(body.things) or [*(yield from context.find(Phrase("sink"), having("receptacle"))).things]
    outcome = yield from put_in(context, found, places)
    if not outcome.done:
        return outcome
    sink = body.things.known(outcome.place)[0]
    tap = faucet_of(body.things, sink)
    if tap is None:
        raise UnableError("There is no tap here.", outcome.ids)
    yield from switch(body, tap, on=True)
    ran = body.is_now(tap, "isToggled")
    yield from switch(body, tap, on=False)
    things = body.things.known(outcome.ids)
    words = context.the(things)
    return outcome._replace(
        done=ran, said=f"I rinsed {words}; {'it is' if len(things) == 1 else 'they are'} in the sink."
    )


def filled(context: OrderContext) -> Doing:
    """Fill vessels with water, or with coffee."""
    phrase = context.role("with")
    liquid = phrase.noun if phrase is not None else "water"
    if phrase is not None and phrase.place is not None and phrase.place[0] == "of":
        liquid = phrase.place[1].noun
    if liquid == "coffee":
        slots = tuple(slot._replace(role="in") for slot in context.order.slots if not slot.role)
        context.order = context.order._replace(slots=slots)
        return (yield from coffee(context))
    if liquid != "water":
        raise UnableError(f"I have no {liquid.replace('_', ' ')}; I can fill it with water or coffee.")
    known = context.known(context.phrase)
    full = [one for one in known.chosen if liquid_in(one) == "coffee"]
    if full and len(full) == len(known.chosen):
        raise UnableError(
            sentence(f"{context.the(full)} {are(full)} full of coffee and would have to be emptied first"), ids_of(full)
        )
    if any(one.is_basin for one in known.chosen):
        raise UnableError(
            f"I can only let the water run: {context.the(known.chosen[:1])} does not fill.", ids_of(known.chosen)
        )
    yield from made_clean(context, context.phrase)
    return (yield from filled_with_water(context, (yield from context.find(context.phrase, _FILL.able, _FILL.cannot))))


def filled_with_water(context: OrderContext, found: Found) -> Doing:
    """Fill as many of these as are meant at a sink."""
    yield from _running_water(context)
    outcome = yield from work(context, found, _FILL)
    yield from _leave_the_sink(context, outcome)
    return outcome


def emptied(context: OrderContext) -> Doing:
    """Pour out what vessels hold, take out what other things hold."""
    if context.phrase.noun in LIQUIDS or context.phrase.noun == _DRINK:
        full = context.known(context.phrase, _is_drink if context.phrase.noun == _DRINK else None)
        if not full.things:
            return Outcome(True, f"There is no {context.phrase.noun} anywhere that I know of.")
        return (yield from work(context, full, _EMPTY))
    found = yield from context.find(context.phrase, lambda one: _EMPTY.able(one) or one.has("receptacle"), "be emptied")
    things = candidates(found)[: found.many]
    if any(one.is_a("GarbageCan") for one in things):
        raise UnableError("I cannot empty the bin: there is nowhere to take the rubbish to.", ids_of(things))
    hidden = yield from context.look_into_unknown(things)
    things = context.now(things)
    holding = [one for one in things if context.body.things.contents(one)]
    if hidden and not holding:
        raise UnableError(context.knowing.not_looked_into(*hidden), ids_of(hidden))
    if any(map(liquid_in, things)) or not holding:
        able = [one for one in found.things if _EMPTY.able(one)]
        if not able:
            return Outcome(True, sentence(f"{context.the(things)} {are(things)} empty already"), ids_of(things))
        pourable = [one for one in able if liquid_in(one)] or able
        return (yield from work(context, found._replace(things=pourable), _EMPTY))
    inside = [one for holder in holding for one in lying_on(context, holder)]
    return (yield from put_away(context, inside, holding, f"{context.the(holding)} {are(holding)} empty now"))


def poured(context: OrderContext) -> Doing:
    """Pour out of a vessel into another one, onto a plant, or away."""
    body = context.body
    into = context.role("in", "on", "to", "at")
    source = yield from _source(context, into)
    if into is None:
        return (yield from work(context, Found([source], 1, salient=True), _EMPTY))
    found = yield from context.find(into, _takes_liquid, "hold water")
    target = found.chosen[0]
    content = liquid_in(body.now(source))
    if target.is_basin:
        return (yield from work(context, Found([source], 1, salient=True), _EMPTY))
    if liquid_in(target):
        raise UnableError(f"{sentence(context.the([target]), '')} is full already.", ids_of([target]))
    failure = yield from attempted(_pour(context, source, target))
    now = body.things.get(target.object_id)
    if now is None or not now.has("isFilledWithLiquid"):
        return Outcome(False, sentence(hindrance(failure, body) if failure else "it did not go in"), ids_of([target]))
    words = f"{content or 'water'} from {context.the([source])} into {context.the([now])}"
    if now.object_type in _PLANTS:
        return Outcome(True, f"I watered {context.the([now])}.", ids_of([now]))
    return Outcome(
        True,
        context.pick(f"I poured the {words}.", f"The {content or 'water'} is in {context.the([now])} now."),
        ids_of([now]),
    )


def _pour(context: OrderContext, source: Thing, target: Thing) -> Steps:
    yield from pick_up(context.body, source)
    yield from pour(context.body, target)


def _takes_liquid(thing: Thing) -> bool:
    return thing.has("canFillWithLiquid") or thing.is_basin


def _source(context: OrderContext, into: Phrase | None) -> Generator[Action, None, Thing]:
    """The vessel that is poured from, full; for water one is filled where none is."""
    body, phrase, named = context.body, context.phrase, context.role("from")
    targets = {one.object_id for one in context.known(into).chosen} if into is not None else set()
    if named is not None:
        vessels = [*(yield from context.find(named, having("canFillWithLiquid"), "be poured from")).chosen]
    elif phrase.noun in LIQUIDS or phrase.noun == "wine":
        vessels = [one for one in body.things if liquid_in(one) == phrase.noun and one.has("pickupable")]
    elif phrase.noun in PRONOUNS and body.held is not None and liquid_in(body.held):
        vessels = [body.held]
    else:
        fitting = yield from context.find(phrase, having("canFillWithLiquid"), "be poured")
        full = [one for one in fitting.things if (_is_drink if phrase.noun == _DRINK else liquid_in)(one)]
        if phrase.noun == _DRINK and not full:
            raise UnableError("There is no drink anywhere that I know of.")
        vessels = full or [*fitting.chosen]
    vessels = [one for one in vessels if one.object_id not in targets]
    full = [one for one in vessels if liquid_in(one)]
    if full:
        return body.held if body.held in full and body.held is not None else easiest(body, full)[0]
    if phrase.noun == "water":
        empty = vessels or [
            one
            for one in body.things
            if one.has("canFillWithLiquid") and one.has("pickupable") and one.object_id not in targets
        ]
        if empty:
            vessel = easiest(body, empty)[0]
            yield from fill(body, vessel)
            return body.now(vessel)
    if vessels:
        raise UnableError(sentence(f"{context.the(vessels[:1])} is empty"), ids_of(vessels))
    raise UnableError(f"I know of no {words_of(phrase, '')} to pour.")


def watered(context: OrderContext) -> Doing:
    """Water plants."""
    found = yield from context.find(context.phrase, _WATER.able, _WATER.cannot)
    if not any(one.has("isFilledWithLiquid") and one.has("pickupable") for one in context.body.things):
        yield from _running_water(context)
    return (yield from work(context, found, _WATER))


def _running_water(context: OrderContext) -> Steps:
    """A sink has to be known. Raises `UnableError` where there is none."""
    if not sinks(context.body.things):
        yield from context.find(Phrase("sink"))
