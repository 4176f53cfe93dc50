"""Cut, crack, cook, warm up, boil and toast."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from teach_agents.actions import Action
from teach_agents.agents.acting.body import SkillError, Steps, attempted
from teach_agents.agents.acting.skills.hands import easiest, pick_up
from teach_agents.agents.acting.skills.heat import burn, cook, heat_up
from teach_agents.agents.acting.skills.searching import look_at
from teach_agents.agents.acting.skills.water import fill, sinks
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.noun_text import sentence, words_of
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.orders.availability import made_so
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, placed
from teach_agents.agents.dialogue.orders.per_thing import Work, told, work
from teach_agents.agents.dialogue.orders.pick_and_place import put_in
from teach_agents.agents.dialogue.orders.pickup import candidates
from teach_agents.agents.dialogue.prohibitions import against_tool, told_not_to
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Verb
from teach_agents.understanding.noun_phrases import singular


def _is_cooked(thing: Thing) -> bool:
    return thing.is_cooked


def is_food(thing: Thing) -> bool:
    """Whether it is something to eat, whole, cut or cooked."""
    return thing.is_a("Food") or thing.object_type.startswith(("Bread", "Egg", "Potato", "Tomato", "Apple", "Lettuce"))


def _can_be_cooked(thing: Thing) -> bool:
    """What can be cooked as it is, or once it is sliced or cracked."""
    return thing.has("cookable") or thing.object_type in ("Egg", "Bread")


_SLICE = Work(Verb.SLICE, having("sliceable"), lambda _: False, "be sliced", "sliced", "sliced")
_CRACK = Work(Verb.SLICE, lambda one: one.object_type == "Egg", lambda _: False, "be cracked", "cracked", "cracked")
_TOAST = Work(Verb.TOAST, having("cookable"), having("isCooked"), "be toasted", "toasted", "toasted")
_BOIL = Work(Verb.BOIL, having("cookable"), having("simbotIsBoiled"), "be boiled", "boiled", "boiled")
_COOKED = Work(Verb.COOK, _can_be_cooked, _is_cooked, "be cooked", "cooked", "cooked")
_MACHINES = frozenset({"microwave", "oven"})
EGGS = frozenset({"fried_egg", "egg", "omelette", "omelet", "scrambled_egg"})


def sliced(context: OrderContext) -> Doing:
    """Cut things into slices; with the knife that is named, if one is."""
    knife = context.role("with") or _bare_hands(context.state.doing_said)
    found = yield from _whole(context)
    if isinstance(found, Outcome):
        return found
    if knife is not None and _is_blunt(context, knife):
        raise UnableError(f"I cannot cut with {words_of(knife, 'a')}: that takes a knife.", ids_of(found.chosen))
    if not any(one.is_knife for one in context.body.things):
        yield from context.find(Phrase("knife"))
    named = context.known(knife).things if knife is not None else context.body.things
    yield from _take_a_knife(context, [one for one in named if one.is_knife])
    return (yield from work(context, found, _SLICE))


_BARE = re.compile(r"\b(?:with|using|by) (?:the |your |my |a |some )?(?:bare |own )?(?P<tool>[a-z]+)\b")
_NO_KNIVES = frozenset("axe cleaver finger fingernail hand razor saw scissors sword tooth teeth".split())
"""What somebody may want to cut with that no room has, or nobody should."""


def _bare_hands(said: str) -> Phrase | None:
    """What words want something cut with that is no knife, and may be read as nothing: "with your hands"."""
    found = (singular(one["tool"]) for one in _BARE.finditer(said.lower()))
    return next((Phrase(tool) for tool in found if tool in _NO_KNIVES), None)


def _is_blunt(context: OrderContext, tool: Phrase) -> bool:
    """Whether what something is to be cut with is named, and no knife."""
    things, kinds = context.known(tool, having("pickupable")).things, kinds_of(tool.noun)
    if things or kinds:
        return not any(one.is_knife for one in things) and not {"Knife", "ButterKnife"} & {*kinds}
    return tool.noun in _NO_KNIVES


def _take_a_knife(context: OrderContext, knives: Sequence[Thing]) -> Steps:
    """Take the sharpest that is not forbidden, unless one is held. Raises `UnableError` where all are forbidden."""
    allowed = context.allowed(knives, to="Pickup")
    if not allowed or context.body.held in allowed:
        return
    sharp = [one for one in allowed if one.object_type == "Knife"]
    for one in easiest(context.body, sharp or allowed)[:1]:
        yield from attempted(pick_up(context.body, one))


def _whole(context: OrderContext) -> Generator[Action, None, Found | Outcome]:
    """What is to be cut, or that it is cut already."""
    known = context.known(context.phrase)
    if not context.known(context.phrase, _SLICE.able).things and known.things:
        kinds = {f"{one.object_type}{end}" for one in known.things for end in ("Sliced", "Cracked")}
        slices = [one for one in known.things if one.object_type.endswith(("Sliced", "Cracked"))]
        slices = slices or [*context.body.things.of(*kinds)]
        if slices:
            name = slices[0].object_type.removesuffix("Sliced").removesuffix("Cracked").lower()
            cut = "cracked" if slices[0].object_type.endswith("Cracked") else "sliced"
            return Outcome(True, f"The {name} is {cut} already.", ids_of(slices))
    return (yield from context.find(context.phrase, _SLICE.able, _SLICE.cannot))


def cracked(context: OrderContext) -> Doing:
    """Crack eggs; into what is named, if anything is."""
    found = yield from context.find(
        context.phrase, lambda one: one.is_a("Egg") or "Egg" in one.object_type, "be cracked"
    )
    whole = [one for one in found.things if one.object_type == "Egg"]
    if not whole:
        return Outcome(True, "The egg is cracked already.", ids_of(found.things))
    outcome = yield from work(context, found._replace(things=whole), _CRACK)
    place = context.role("in", "on")
    if not outcome.done or place is None:
        return outcome
    places = yield from context.find(place, having("receptacle"), "hold an egg")
    eggs = [one for one in context.body.things.known(outcome.ids) if one.object_type == "EggCracked"]
    if not eggs:
        return outcome
    return (yield from put_in(context, Found(eggs, None, salient=True), places.chosen))


_HEATERS = ("StoveBurner", "Microwave")
_WARM = re.compile(r"\b(?:re-?)?(?:heat|warm|hot)|\b(?:microwave|nuke|zap|cold|again)\b")
"""Words of who wants something warm, cooked or not."""
_FRIED = re.compile(r"\bfr(?:y|ies|ied|ying)\b|\bsaut")


def cooked(context: OrderContext) -> Doing:
    """Cook food, or warm it up where it is cooked already; what is no food is warmed up if it holds some."""
    phrase = context.phrase
    if phrase.noun in EGGS:
        phrase = replace(phrase, noun="egg")
    found = yield from _food(context, phrase)
    things = candidates(found)
    tool = yield from _tool(context)
    if tool is None and not context.body.things.of(*_HEATERS):
        yield from context.seek(*_HEATERS)
    is_done = all(map(_is_cooked, things[: found.many]))
    if is_done and tool is None and not _WARM.search(context.state.doing_said.lower()):
        things = things[: found.many]
        return Outcome(True, sentence(f"{context.the(things)} {are(things)} cooked already"), ids_of(things))
    if is_done or not any(_can_be_cooked(one) for one in things):
        return (yield from _warmed(context, found, tool))
    raw = [one for one in things if _can_be_cooked(one) and not one.is_cooked]
    wanted = len(raw) if found.many is None or found.salient else min(found.many, len(raw))
    ready = yield from _prepared(context, raw[:wanted] if found.salient else easiest(context.body, raw)[:wanted])
    if tool is None and not context.body.things.of(*_HEATERS):
        raise UnableError("There is nothing here to cook with.", ids_of(ready))
    tool = tool or _permitted(context) or (yield from _frying_pan(context))
    failure = yield from attempted(cook(context.body, ready, tool))
    done = [one for one in context.now(ready) if one.is_cooked]
    said = told(context, _COOKED, done, len(ready), failure)
    place = next((one for one in done for one in context.body.things.holders(one)[:1]), None)
    apart = {one.object_id for thing in done for one in context.body.things.holders(thing)[:1]}
    if len(done) == len(ready) and place is not None and len(apart) == 1:
        said = f"{said[:-1]}; {'it is' if len(done) == 1 else 'they are'} {placed(place)}."
        said += _not_fried(context, place)
    return Outcome(len(done) == len(ready), said, ids_of(done or ready), ids_of([place] if place else []))


def _permitted(context: OrderContext) -> Thing | None:
    """What is left to cook with where something may not be used; `None` where anything will do.

    Raises `UnableError` where all is forbidden.
    """
    heaters = context.body.things.of(*_HEATERS)
    rules = [
        context.barred("ToggleOn", one) or context.barred("Open", one) or _against_it(context, one) for one in heaters
    ]
    rule = next(filter(None, rules), None)
    if rule is None:
        return None
    left = [one for one, barred in zip(heaters, rules, strict=True) if barred is None]
    if not left:
        raise UnableError(told_not_to(rule.said), ids_of(heaters))
    pans = context.body.things.of("Pan") if any(one.object_type == "StoveBurner" for one in left) else []
    return easiest(context.body, pans or left)[0]


def _against_it(context: OrderContext, tool: Thing) -> Rule | None:
    """The rule against using a tool, or putting anything in it, if any."""
    return next((rule for rule in context.state.in_force if against_tool(rule, tool)), None)


def _frying_pan(context: OrderContext) -> Generator[Action, None, Thing | None]:
    """The pan, where something is to be fried, and there is a stove; one is looked for where none is known."""
    things = context.body.things
    if not _FRIED.search(context.state.doing_said.lower()) or not things.of("StoveBurner"):
        return None
    if not things.of("Pan"):
        yield from context.seek("Pan")
    return next(iter(easiest(context.body, context.body.things.of("Pan"))), None)


def _not_fried(context: OrderContext, place: Thing) -> str:
    """Why what was to be fried was cooked in the microwave, where nobody asked for that; "" where it was not."""
    fries = _FRIED.search(context.state.doing_said.lower()) and place.is_a("Microwave")
    if not fries or len(context.order.slots) > 1:
        return ""
    things, wanted = context.body.things, "pan" if context.body.things.of("StoveBurner") else "stove"
    if things.of("StoveBurner") and things.of("Pan"):
        return " I could not fry it on the stove."
    found = "found" if context.body.knowledge is not None else "know of"
    return f" I {found} no {wanted} to fry {'it in' if wanted == 'pan' else 'it on'}."


def _food(context: OrderContext, phrase: Phrase) -> Generator[Action, None, Found]:
    """What is to be heated: food, cut where slices are wanted, or a vessel. Raises `UnableError` for anything else."""
    yield from made_so(context, phrase)
    found = yield from context.find(phrase)
    heated = [one for one in found.things if is_food(one) or (liquid_in(one) and one.has("pickupable"))]
    if not heated:
        words = context.the(found.chosen[:1])
        raise UnableError(f"I only heat food and drinks, not {words}.", ids_of(found.chosen))
    return found._replace(things=heated)


def _tool(context: OrderContext) -> Generator[Action, None, Thing | None]:
    """Where it is to be heated: a microwave, a burner, a pan; `None` where that is not said."""
    phrase = context.role("in", "on", "with", "at")
    if phrase is None or (phrase.noun in _MACHINES and not context.body.things.of("Microwave")):
        return None
    found = yield from context.find(replace(phrase, noun="microwave") if phrase.noun == "oven" else phrase)
    return found.chosen[0]


def _prepared(context: OrderContext, food: Sequence[Thing]) -> Generator[Action, None, list[Thing]]:
    """Food as it can be cooked: eggs cracked, bread sliced."""
    ready = [one for one in food if one.has("cookable")]
    whole = [one for one in food if not one.has("cookable")]
    if whole:
        ready += (yield from parts(context, whole))[: max(1, len(whole))]
    return ready


def parts(context: OrderContext, whole: Sequence[Thing]) -> Generator[Action, None, list[Thing]]:
    """What things are after they were cut up. Raises `SkillError`."""
    before = {one.object_id for one in context.body.things}
    yield from context.do(Verb.SLICE, whole, count=len(whole))
    kinds = tuple(one.object_type for one in whole)
    for one in whole:
        yield from look_at(context.body, one)
    return [one for one in context.body.things if one.object_id not in before and one.object_type.startswith(kinds)]


def _warmed(context: OrderContext, found: Found, tool: Thing | None) -> Doing:
    """Heat things in a microwave, on the stove where that is said."""
    body = context.body
    things = candidates(found)[: found.many]
    warm = [one for one in things if one.temperature == "Hot"]
    if len(warm) == len(things):
        return Outcome(True, sentence(f"{context.the(things)} {are(things)} hot already"), ids_of(things))
    machines = [tool] if tool is not None and tool.is_a("Microwave") else easiest(body, body.things.of("Microwave"))
    if not machines:
        raise UnableError("There is no microwave here to warm it up in.", ids_of(things))
    if (rule := _against_it(context, machines[0])) is not None:
        raise UnableError(told_not_to(rule.said), ids_of(things))
    failure: SkillError | None = None
    for one in things:
        failure = (yield from attempted(heat_up(body, machines[0], [one]))) or failure
    hot = [one for one in context.now(things) if one.temperature == "Hot"]
    words = context.the(things)
    if len(hot) < len(things):
        return Outcome(
            False, sentence(hindrance(failure, body) if failure else f"{words} did not get hot"), ids_of(things)
        )
    said = sentence(f"{words} {are(things)} hot now, in the microwave")
    return Outcome(True, said, ids_of(things), ids_of(machines[:1]))


def boiled(context: OrderContext) -> Doing:
    """Boil food; water in a pot on the stove."""
    if context.phrase.noun == "water":
        return (yield from _boiling_water(context))
    found = yield from context.find(context.phrase, _BOIL.able, "I can boil potatoes, but not {x}.")
    things = candidates(found)
    if all(map(_is_cooked, things)) and not any(map(_BOIL.so, things)):
        raise UnableError(
            sentence(f"{context.the(things[:1])} is cooked already, so it cannot be boiled"), ids_of(things)
        )
    if not sinks(context.body.things):
        yield from context.find(Phrase("sink"))
    found = found._replace(things=[one for one in found.things if one.has("simbotIsBoiled") or not one.is_cooked])
    return (yield from work(context, found, _BOIL))


def _boiling_water(context: OrderContext) -> Doing:
    return (yield from water_put_on(context, "pot"))


def water_put_on(context: OrderContext, vessel: str) -> Doing:
    """Water on the stove, in a pot or a kettle."""
    body = context.body
    pots = (yield from context.find(Phrase(vessel))).things
    burners = (yield from context.find(Phrase("burner"))).things
    pot = easiest(body, [*pots])[0]
    yield from fill(body, pot)
    free = [one for one in burners if pot in body.things.contents(one)] or [
        one for one in burners if not body.things.contents(one)
    ]
    if not free:
        raise UnableError("There is no free burner on the stove.")
    if not any(body.things.is_inside(body.now(pot), one) for one in free):
        yield from context.do(Verb.PUT, [pot], free, count=1)
    burner = next(one for one in free if body.things.is_inside(body.now(pot), one))
    context.meant |= {one.object_id for one in body.things.of("StoveKnob")}
    yield from burn(body, burner)
    return Outcome(
        True, f"A {vessel} of water is on the stove, and the burner is on.", (pot.object_id,), (burner.object_id,)
    )


def toasted(context: OrderContext) -> Doing:
    """Toast slices of bread; a loaf is sliced first."""
    phrase = context.phrase
    if "_of_" in phrase.noun and not context.body.things.of("BreadSliced"):
        phrase = replace(phrase, noun="bread", count=phrase.count or "1")
    found = yield from context.find(phrase, lambda one: one.object_type in ("Bread", "BreadSliced"), "be toasted")
    if not context.body.things.of("Toaster"):
        yield from context.find(Phrase("toaster"))
    slices = [one for one in found.things if one.object_type == "BreadSliced"]
    if not slices:
        whole = context.body.things.of("BreadSliced")
        named = phrase.noun == "bread" and not phrase.looks and phrase.place is None
        slices = whole if named and whole else (yield from parts(context, found.things[:1]))
    if not slices:
        raise UnableError("I sliced the bread, but I see no slices.")
    if len(slices) >= (found.many or 1):
        context.lacking = ""  # one loaf has several slices
    many = found.many or (2 if phrase.count == "some" else 1) if found.many is not None else None
    many = 1 if phrase.noun == "bread" and phrase.count in ("", "all") else many
    return (yield from work(context, Found(slices, many, (), (), (), False), _TOAST))
