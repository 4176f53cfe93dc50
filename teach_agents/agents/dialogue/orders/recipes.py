"""Make what is named by its name: coffee, toast, a fried egg, a salad, a sandwich."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from teach_agents.actions import Action
from teach_agents.agents.acting.body import attempted
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.skills.water import sinks
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.noun_text import MASS, article, listed, sentence
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.orders.availability import made_clean
from teach_agents.agents.dialogue.orders.food import EGGS, cooked, is_food, parts, toasted
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, placed
from teach_agents.agents.dialogue.orders.per_thing import Ready, Work, work
from teach_agents.agents.dialogue.orders.pick_and_place import put_in
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Found
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.english.values import Verb

_COFFEE = Work(
    Verb.COFFEE,
    having("canFillWithLiquid"),
    having("simbotIsFilledWithCoffee"),
    "hold coffee",
    "made coffee in",
    "full of coffee",
)
_SALAD = ("Lettuce", "Tomato")


def made(context: OrderContext) -> Doing:
    """Make what can be made: coffee, toast, a fried egg, a salad, a sandwich."""
    noun = context.phrase.noun
    if noun == "coffee" or noun.endswith("_coffee") or (noun in ("pot", "cup", "mug") and _of(context) == "coffee"):
        return (yield from coffee(context))
    if noun == "toast":
        return (yield from _with_phrase(context, replace(context.phrase, noun="bread"), toasted))
    if noun in EGGS:
        return (yield from cooked(context))
    if noun.endswith("salad"):
        return (yield from _dish(context, "salad", _SALAD))
    if noun.endswith("sandwich"):
        return (yield from _dish(context, "sandwich", ("Bread",)))
    known = context.known(context.phrase)
    if known.chosen and all(one.object_type == "Bed" and not one.has("isDirty") for one in known.chosen):
        return Outcome(
            True, sentence(f"{context.the(known.chosen)} {are(known.chosen)} made already"), ids_of(known.chosen)
        )
    raise UnableError(_cannot_make(context), ())


def prepared(context: OrderContext) -> Doing:
    """Cook what is there to be cooked; of a meal or a dish that is no thing of a room, say what can be made."""
    phrase = context.phrase
    if kinds_of(phrase.noun) or phrase.noun in EGGS | PRONOUNS | ANYTHING | {*LIQUIDS} or context.known(phrase).things:
        return (yield from cooked(context))
    return (yield from made(context))


def _of(context: OrderContext) -> str:
    place = context.phrase.place
    return place[1].noun if place is not None and place[0] == "of" else ""


def _with_phrase(context: OrderContext, phrase: Phrase, handler: Ready) -> Doing:
    slots = tuple(slot._replace(phrase=phrase) if not slot.role else slot for slot in context.order.slots)
    context.order = context.order._replace(slots=slots)
    return (yield from handler(context))


_DISHES = (
    ("coffee", ("CoffeeMachine", "Mug")),
    ("toast", ("Toaster", "Bread")),
    ("a salad", ("Lettuce", "Tomato", "Plate")),
    ("a fried egg", ("Egg", "Pan")),
    ("a cooked potato", ("Potato",)),
)
"""What can be made, and what it takes."""


def _cannot_make(context: OrderContext) -> str:
    things = context.body.things
    possible = [words for words, needed in _DISHES if all(things.of(one) for one in needed)]
    if not possible and context.body.knowledge is not None and things.of("StoveBurner", "Microwave"):
        possible = [words for words, _ in _DISHES]  # what it takes may be found
    name = " ".join((_of(context) or context.phrase.noun).split("_"))
    known = context.known(context.phrase).chosen if not _of(context) else ()
    if known and not known[0].has("pickupable"):
        return sentence(f"I cannot make {context.the(known)}")
    can = f", but I can make {listed(possible, last='or')}" if possible else ""
    return f"I cannot make {name if name in MASS else article(name)}{can}."


def coffee(context: OrderContext) -> Doing:
    """Coffee, in the vessel that is named, or a mug that is clean, or a cup."""
    if not context.body.things.of("CoffeeMachine"):
        yield from context.find(Phrase("coffee_machine"))
    into = context.role("in", "with")
    suits = _COFFEE.able
    if into is not None:
        yield from made_clean(context, into)
        found = yield from context.find(into, suits, "hold coffee")
    else:
        found = yield from _a_mug(context)
    many = int(context.phrase.count) if context.phrase.count.isdecimal() else 1
    found = context.counted(found._replace(many=many)) if into is None else found
    found, washed = (yield from clean_vessels(context, found)) if into is not None else (found, "")
    outcome = yield from work(context, found, _COFFEE)
    if not outcome.done and not any(one.object_type == "Mug" for one in found.chosen):
        words = sentence(f"{context.the(found.chosen[:1])} does not go into the coffee machine; a mug does")
        return outcome._replace(said=words)
    if outcome.done and len(outcome.ids) == 1:
        vessel = context.body.things.get(outcome.ids[0])
        if vessel is not None and vessel.has("simbotIsFilledWithCoffee"):
            holder = next(iter(context.body.things.holders(vessel)), None)
            where = f", {placed(holder)}" if holder is not None else ""
            said = context.pick(f"There is coffee in {context.the([vessel])}{where}.", f"The coffee is ready{where}.")
            return outcome._replace(said=f"{washed}{said}", place=ids_of([holder] if holder is not None else []))
    return outcome


def clean_vessels(context: OrderContext, found: Found) -> Generator[Action, None, tuple[Found, str]]:
    """Those that are to be filled with a drink, washed where all are dirty that may be meant, and what is said of
    that."""
    meant = [one for one in (found.chosen if found.salient else found.things) if _is_free(one)]
    dirty = [one for one in meant if one.has("isDirty")]
    if not dirty or not sinks(context.body.things):
        return found, ""
    if len(dirty) < len(meant) and found.many is not None:
        return found._replace(things=[one for one in meant if one not in dirty]), ""
    count = len(dirty) if found.many is None else min(found.many, len(dirty))
    yield from attempted(context.do(Verb.CLEAN, dirty, count=count))
    now = context.now(found.things)
    washed = [one for one in context.now(dirty) if not one.has("isDirty")]
    told = f"I washed {context.the(washed)} first. " if washed else ""
    return found._replace(things=[*washed, *(one for one in now if one not in washed)]), told


def _a_mug(context: OrderContext) -> Generator[Action, None, Found]:
    """Mugs for coffee, clean ones; where all are dirty one is washed. Mugs of coffee where there are no others."""
    known = context.body.things.of("Mug")
    mugs = [one for one in known if _is_free(one)]
    if known and not mugs:
        return Found(known, 1, ("Mug",))
    if not mugs:
        found = yield from context.find(Phrase("mug"), _is_free)
        mugs = [*found.things]
    clean = [one for one in mugs if not one.has("isDirty")]
    if not clean and sinks(context.body.things):
        yield from attempted(context.do(Verb.CLEAN, mugs, count=1))
        clean = [one for one in context.now(mugs) if not one.has("isDirty")]
    return Found(clean or context.now(mugs), 1, ("Mug",))


def _is_free(vessel: Thing) -> bool:
    return vessel.has("canFillWithLiquid") and not vessel.has("simbotIsFilledWithCoffee")


def _dish(context: OrderContext, name: str, needed: Sequence[str]) -> Doing:
    """Slices together on a clean plate: those that are named, else what belongs to the dish."""
    named = [slot.phrase for slot in context.order.slots if slot.role == "with" and slot.phrase.noun != "them"]
    kinds = [Phrase(kind.lower()) for kind in needed] + [one for one in named if one.noun not in map(str.lower, needed)]
    plate = (yield from clean_plates(context))[0]
    things: list[Found] = []
    for kind in kinds:
        things.append((yield from context.find(kind, is_food, "be eaten")))
    on_it: list[Thing] = []
    for found in things:
        slices = yield from _slices_of(context, found)
        number = 2 if name == "sandwich" and slices[0].object_type == "BreadSliced" else 1
        if name == "sandwich" and slices[0].object_type == "BreadSliced" and context.body.things.of("Toaster"):
            failure = yield from attempted(context.do(Verb.TOAST, slices, count=number))
            slices = context.now(slices)
            slices.sort(key=lambda one: not one.has("isCooked"))
            if failure is not None:
                raise failure
        outcome = yield from put_in(context, Found(slices[:number], None, (), (), (), True), [plate])
        if not outcome.done:
            words = (
                f"the {name} is not finished: {outcome.said[0].lower() if not outcome.said.startswith('I ') else 'I'}"
            )
            return outcome._replace(said=sentence(words + outcome.said[1:]))
        on_it += context.body.things.known(outcome.ids)
    words = listed([f"{number_word(len(on_it))} slices"] if len(on_it) > 3 else [context.the(on_it)])
    holder = next(iter(context.body.things.holders(context.body.now(plate))), None)
    where = f" {placed(holder)}" if holder is not None else ""
    return Outcome(
        True, sentence(f"the {name} is ready: {words} on a plate{where}"), ids_of([plate, *on_it]), ids_of([plate])
    )


def clean_plates(context: OrderContext) -> Generator[Action, None, list[Thing]]:
    """Plates that are clean and empty; where all are dirty one is washed. Raises `UnableError` where there is none."""
    body = context.body
    plates = yield from context.find(Phrase("plate"), having("receptacle"))
    empty = [one for one in plates.things if not body.things.contents(one)]
    clean = [one for one in empty if not one.has("isDirty")]
    if not clean and empty and sinks(body.things):
        yield from attempted(context.do(Verb.CLEAN, empty, count=1))
        clean = [one for one in context.now(empty) if not one.has("isDirty")]
    if not clean:
        raise UnableError("There is no clean and empty plate for it.")
    return easiest(body, clean)


def _slices_of(context: OrderContext, found: Found) -> Generator[Action, None, list[Thing]]:
    slices = [one for one in found.things if one.object_type.endswith("Sliced")]
    if not slices:
        kind = f"{found.things[0].object_type}Sliced"
        slices = context.body.things.of(kind) or (yield from parts(context, found.things[:1]))
    if not slices:
        raise UnableError(f"I see no slices of {found.things[0].object_type.lower()}.")
    return slices
