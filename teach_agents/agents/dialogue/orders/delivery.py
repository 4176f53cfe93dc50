"""Bring things and drinks to whoever speaks, serve food on plates."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from teach_agents.actions import Action
from teach_agents.agents.acting.body import SkillError, Steps, attempted
from teach_agents.agents.acting.skills.hands import easiest, free_hand, pick_up, put_held
from teach_agents.agents.acting.skills.water import pour
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.noun_text import sentence
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.orders.company import go_to_speaker, is_with_speaker, surfaces_at_speaker
from teach_agents.agents.dialogue.orders.dishes import filled_with_water
from teach_agents.agents.dialogue.orders.named_things import PERSONS
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import hindrance, placed
from teach_agents.agents.dialogue.orders.pick_and_place import put, put_in
from teach_agents.agents.dialogue.orders.pickup import candidates, doubt, lifting, take
from teach_agents.agents.dialogue.orders.recipes import clean_plates, coffee
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Found
from teach_agents.agents.dialogue.told_habits import drunk_from
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Verb

DRINKS = frozenset({*LIQUIDS, "wine"})
"""What is brought in a vessel."""
_VESSELS = ("Cup", "Mug", "Bottle", "WineBottle")
"""What one drinks from."""


def brought(context: OrderContext) -> Doing:
    """Bring things to whoever speaks: what is more than one is put down there but the last."""
    if context.phrase.noun in PERSONS:
        raise UnableError("I cannot carry you. Tell me what to bring.")
    to = context.role("to", "in", "on", "near", "at")
    wanted_drink, content = context.phrase, context.phrase.holds
    if content is not None and content.noun in DRINKS and wanted_drink.place is None:  # "a mug with coffee in it"
        wanted_drink = replace(wanted_drink, holds=None, place=("of", content))
    inside = context.phrase.place if context.phrase.place is not None and context.phrase.place[0] == "in" else None
    vessel = context.role("in", "with") or (inside[1] if inside is not None else None)
    if vessel is not None and context.phrase.noun in DRINKS:
        wanted_drink = replace(vessel, place=("of", context.phrase))
    elif to is not None and to.noun not in PERSONS:
        if to.noun == "there" or kinds_of(to.noun):
            return (yield from put(context))
    drink = yield from _drink(context, wanted_drink)
    found = drink or (yield from lifting(context, context.phrase))
    wanted = len(found.things) if found.many is None else min(found.many, len(found.things))
    if wanted > 1:
        return (yield from _brought_all(context, found, wanted))
    held = yield from take(context, found)
    yield from attempted(go_to_speaker(context))
    held = context.body.held or held
    if drink is not None and context.phrase.count.isdecimal() and int(context.phrase.count) > 1:
        context.lacking = "I can bring only one at a time."
    if drink is not None and context.body.holds(held) and is_with_speaker(context):
        return Outcome(True, _here_is_a_drink(context, held, _liquid(wanted_drink)), (held.object_id,))
    if not context.body.holds(held) or not is_with_speaker(context):
        return Outcome(False, f"I have {context.the([held])}, but I could not get back to you.", (held.object_id,))
    return Outcome(True, _here_is(context, held, to) + doubt(context, found), (held.object_id,))


def _here_is(context: OrderContext, held: Thing, to: Phrase | None) -> str:
    words = context.the([held])
    if to is not None and to.noun not in PERSONS:
        return f"I have {words} here. I see nobody but you to give it to."
    return context.pick(
        f"Here is {words}.", f"{sentence(words, '')} is here, in my hand.", f"I have brought you {words}."
    )


def _here_is_a_drink(context: OrderContext, vessel: Thing, drink: str) -> str:
    words = f"{drink} in {context.the([vessel])}"
    return context.pick(f"Here is your {words}.", f"I have brought you {words}.")


def _brought_all(context: OrderContext, found: Found, wanted: int) -> Doing:
    """One hand carries one thing: put down near whoever speaks, the last one held out."""
    body, waiting, brought_there = context.body, candidates(found), list[Thing]()
    places = [*surfaces_at_speaker(context)]
    failure: SkillError | None = None
    for number in range(wanted):
        left = Found([one for one in context.now(waiting) if one not in context.now(brought_there)], 1)
        if not left.things:
            break
        failure = yield from attempted(_bring_one(context, left, places, last=number == wanted - 1))
        if failure is not None:
            break
        brought_there += context.now([body.held] if body.held is not None else left.things and _latest(context))
    ids = tuple(one.object_id for one in brought_there)
    words = context.the(context.now(brought_there))
    if failure is not None or len(brought_there) < wanted:
        why = hindrance(failure, body) if failure is not None else "the rest is gone"
        in_hand = f"I have {context.the([body.held])}, and I can carry only one at a time" if body.held else ""
        had = f"I have brought {words}, one at a time" if brought_there else in_hand
        had = f"{had}; {why}" if had else why
        return Outcome(False, sentence(had), ids)
    place = places[0] if places else None
    where = f" the others are {placed(context.body.now(place))}" if wanted > 2 and place else ""
    last = context.the([body.held]) if body.held is not None else words
    rest = where or (f" the first is {placed(place)} next to you" if place else "")
    return Outcome(True, f"I can carry only one at a time: here is {last},{' and' if rest else ''}{rest}.", ids)


def _latest(context: OrderContext) -> list[Thing]:
    last = context.body.last_handled
    return [last] if last is not None else []


def _bring_one(context: OrderContext, left: Found, places: list[Thing], *, last: bool) -> Steps:
    yield from take(context, left)
    if last or not places:
        yield from go_to_speaker(context)
        return
    yield from _put_on_one(context, places)


def _put_on_one(context: OrderContext, places: list[Thing]) -> Steps:
    """Put what is held on the first of the places that takes it, which is the first from then on."""
    failure: SkillError | None = None
    for place in [*places]:
        failure = yield from attempted(put_held(context.body, place))
        if failure is None:
            places.remove(place)
            places.insert(0, place)
            return
    if failure is not None:
        raise failure


def _liquid(phrase: Phrase) -> str:
    """The drink that is named, as such or as what a vessel is full of; else the noun."""
    return phrase.place[1].noun if phrase.place is not None and phrase.place[0] == "of" else phrase.noun


def _drink(context: OrderContext, phrase: Phrase) -> Generator[Action, None, Found | None]:
    """A vessel that holds the drink that is wanted, filled if there is none; `None` where none is wanted.

    Raises `UnableError` where it cannot be had here.
    """
    liquid = _liquid(phrase)
    is_somewhere = context.role("from") is not None or (phrase.place is not None and phrase.place[0] != "of")
    if liquid == "wine" and is_somewhere:  # "the wine out of the fridge" is its bottle
        return None
    if liquid == "wine" and phrase.noun != "bottle":
        return Found([(yield from _wine(context, phrase))], 1, salient=True)
    if liquid not in LIQUIDS:
        return None
    if liquid == "tea":
        raise UnableError("I cannot make tea; I can bring you water or coffee where there is some.")
    ready = [one for one in context.known(phrase).things if one.object_type in _VESSELS and liquid_in(one) == liquid]
    if ready:
        return Found(ready, 1)
    if liquid == "coffee":
        outcome = yield from coffee(context)
    else:
        outcome = yield from _water(context, phrase)
    vessels = context.body.things.known(outcome.ids)
    if not outcome.done or not vessels:
        raise UnableError(outcome.said, outcome.ids)
    return Found(vessels, 1, salient=True)


def _water(context: OrderContext, phrase: Phrase) -> Doing:
    """Water in a vessel of the kind that is named, a clean one where there is one."""
    vessel_is_named = phrase.noun not in LIQUIDS
    usual = None if vessel_is_named else drunk_from("water", context.state.facts)
    plain = replace(phrase, place=None, holds=None) if vessel_is_named else usual or Phrase("cup")
    able = having("canFillWithLiquid", but="isFilledWithLiquid")
    if vessel_is_named and not context.known(plain, able).things:
        full = context.known(plain, lambda one: liquid_in(one) not in ("", "water")).things
        if full:
            yield from context.do(Verb.EMPTY, full[:1], count=1)
    vessels = [*context.known(plain, able).things]
    if not (vessel_is_named or usual):
        vessels = context.of_speaker([one for one in context.body.things.of(*_VESSELS) if able(one)], vessels)
    if not vessels:
        vessels = [*(yield from context.find(Phrase(plain.noun), able)).things]
    clean = [one for one in vessels if not one.has("isDirty")] or vessels
    return (yield from filled_with_water(context, Found(clean, 1)))


def _wine(context: OrderContext, phrase: Phrase) -> Generator[Action, None, Thing]:
    """A clean vessel with wine out of a bottle. Raises `UnableError` where there is no wine."""
    body = context.body
    bottles = [one for one in body.things.of("WineBottle") if liquid_in(one)]
    if not bottles:
        bottles = [one for one in (yield from context.find(Phrase("wine_bottle"))).things if liquid_in(one)]
    if not bottles:
        raise UnableError("There is no wine in the bottle any more.")
    able = having("canFillWithLiquid", but="isFilledWithLiquid")
    named = context.known(replace(phrase, place=None), able).things if phrase.noun != "wine" else ()
    vessels = [one for one in (named or body.things.of("Cup", "Mug")) if able(one)]
    if not vessels:
        raise UnableError("I know of nothing to pour the wine into.", ids_of(bottles))
    clean = [one for one in vessels if not one.has("isDirty")] or vessels
    target = easiest(body, clean)[0]
    yield from pick_up(body, easiest(body, bottles)[0])
    yield from pour(body, target)
    yield from context.hand_freed()  # of the bottle, which goes back
    yield from attempted(free_hand(body))
    return body.now(target)


def served(context: OrderContext) -> Doing:
    """Food on a plate, where that is wanted; a drink to whoever speaks."""
    if _liquid(context.phrase) in LIQUIDS and context.role("on", "in") is None:
        return (yield from brought(context))
    if context.role("on", "in") is not None:
        return (yield from put(context))
    found = yield from lifting(context, context.phrase)
    if not any(one.is_a("Food") for one in found.things):
        return (yield from brought(context))
    return (yield from put_in(context, found, (yield from clean_plates(context))))
