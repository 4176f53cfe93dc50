"""Two orders in one breath that come to one: what is fetched, or emptied out of something, and put somewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.agents.dialogue.standpoints import WALKS
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

FETCHING = frozenset({"get", "pick_up", "find"})
VESSELS = frozenset("Mug Cup Bowl Pot Pan Kettle Bottle Vase WateringCan".split())
_CONTAINERS = frozenset(
    "Sink SinkBasin Bathtub BathtubBasin Drawer Fridge Cabinet Safe Box Dresser Microwave Shelf LaundryHamper".split()
)
"""What is emptied by taking things out."""
_WISH = re.compile(
    r"\b(?:i|we)(?:'d| would|'m| am)?(?: (?:really|just))? (?:want|need|fancy|like|love|feel like|having|making)"
    r" (?:some |a |my |a cup of )*tea\b",
    re.IGNORECASE,
)
_LEFT_THERE = re.compile(
    r"(?:\band|\bthen|[,.;]) (?:then |just |please )*(?:leave|put|place|set|stand|keep|pop|drop|park|stick|return)"
    r" (?:it|that|them|those|the [a-z]+)(?: one)?(?: back| down| there)? (?:in|into|on|onto|inside|by|at)\b"
)
"""What is done with a vessel once it is empty."""


_FIRST = re.compile(r"\bbut,? (?:please |you )?(?:first\b|before (?:that|this|you do)\b|beforehand\b)(?! of all)")
_BY_ITSELF = re.compile(
    r"\bwait(?:ing)? (?:(?:there|here|just) )?"
    r"(?:(?:for|(?:un)?till?) (?:it|them|that|they|the [a-z ]+?)(?: to(?: be)?|'s| is| are| has| have)?"
    r" (?:finish(?:e[sd])?|done|ready|boil(?:s|ed)?|cook(?:s|ed)?|brew(?:s|ed)?|full|fill(?:s|ed)?|hot|warm"
    r"|toasted|over)"
    r"|(?:for )?(?:a|an|one|two|three|five|ten|\d+|a few|half a) (?:bit|moment|second|sec|minute|min)s?)\b"
)
"""What is waited for that comes by itself."""


def in_order(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts in the order in which they are to be done: "get the bread, but first open the fridge"; without a wait in the
    midst of orders for what comes by itself."""
    words = text.lower().replace("\u2019", "'")
    if any(act.act is Act.ORDER for act in acts[-1:]) and _BY_ITSELF.search(words):
        acts = [act for act in acts if act.act is not Act.WAIT] or acts
    orders = [act for act in acts if act.act is Act.ORDER]
    if len(acts) != 2 or len(orders) != 2 or not _FIRST.search(words) or not all(act.slots for act in orders):
        return [*acts]
    last, first = orders
    if last.condition is not None or first.condition is not None:
        return [*acts]
    it, thing = Slot("", Phrase("it")), last.slots[0]
    slots = tuple(thing if slot == it else slot for slot in first.slots)
    return [first._replace(slots=slots), last]


def joined(before: DialogueAct, act: DialogueAct) -> DialogueAct | None:
    """ "Get two forks and put them on the table", "take everything out of the sink and put it on the counter" as one
    order, as a hand carries one at a time; `None` for orders that are two."""
    if _is_cleared_for(before, act):
        relation = "on" if before.about == "clear" else "in"
        thing = Slot("", Phrase("thing", "all", (), (relation, before.slots[0].phrase)))
    elif _goes_on(before, act):
        thing = _fetched(before)
    else:
        return None
    return act._replace(slots=(thing, *act.slots[1:]), condition=before.condition)


def joined_several(before: Sequence[DialogueAct], act: DialogueAct) -> list[DialogueAct]:
    """ "Grab the pen and the book and put both on the bed": each of the two or more that the last of the orders
    `before` fetch, as put there; none where "them" are no such things."""
    run = [*takewhile(_is_single, reversed(before))][::-1]
    if len(run) < 2 or not _goes_on(run[-1], act) or replace(act.slots[0].phrase, count="") != Phrase("them"):
        return []
    return [act._replace(slots=(one.slots[0], *act.slots[1:])) for one in run]


def sharing_place(before: DialogueAct | None, act: DialogueAct, text: str) -> DialogueAct | None:
    """The order `before`, to go where the next one goes, of "put away the spoon and the fork in a drawer"; `None` where
    it is another."""
    puts = before is not None and before.act is act.act is Act.ORDER and before.about == act.about == "put"
    if before is None or not puts or len(before.slots) != 1 or len(act.slots) < 2:
        return None
    one, other = (re.escape(slot.phrase.noun.replace("_", " ")) for slot in (before.slots[0], act.slots[0]))
    beside = re.search(rf"\b{one}s?(?:,| and|, and)(?: (?:the|my|our|a|an|some))?(?: [a-z]+)? {other}", text.lower())
    return None if beside is None else before._replace(slots=(*before.slots, *act.slots[1:]))


def is_wish_for(before: DialogueAct, act: DialogueAct, text: str) -> bool:
    """Whether an order is no more than what the vessel is for that the next one fetches: "I want tea: bring a cup"."""
    wishes = before.about in FETCHING and len(before.slots) == 1 and before.slots[0].phrase == Phrase("tea")
    fetches = act.act is Act.ORDER and act.about in FETCHING and bool(act.slots)
    return wishes and fetches and bool(VESSELS & {*kinds_of(act.slots[0].phrase.noun)}) and bool(_WISH.search(text))


def is_said_again(before: DialogueAct, act: DialogueAct) -> bool:
    """Whether an order asks once more for what the one before fetches: "I need my keys, get them"."""
    fetches = before.about in FETCHING and act.about in FETCHING and len(before.slots) == len(act.slots) == 1
    return fetches and act.slots[0].phrase in (Phrase("it"), Phrase("them"))


def stays_there(before: DialogueAct, act: DialogueAct) -> bool:
    """Whether an act only has somebody stay where they then are: "look at the bed, but stay where you are", "go to the
    sink and stop there"."""
    stops = act == DialogueAct(Act.STOP)
    return before.about in WALKS and stops or before.about == "look_at" and act.act in (Act.WAIT, Act.STOP)


def _is_single(order: DialogueAct) -> bool:
    """Whether an order does no more than to fetch one thing that it names."""
    fetches = order.act is Act.ORDER and order.about in FETCHING and order.condition is None
    named = [slot.phrase.noun for slot in order.slots if not slot.role]
    return fetches and len(order.slots) == len(named) == 1 and named[0] not in PRONOUNS | ANYTHING


def emptied(act: DialogueAct) -> DialogueAct:
    """ "Empty the drawer onto the bed" is to put all that is in it there; "pour out what's in the cup" to empty it."""
    place = act.slots[0].phrase.place if act.about == "pour" and len(act.slots) == 1 else None
    if place is not None and place[0] == "in" and act.slots[0].phrase.noun in ANYTHING | {*LIQUIDS}:
        return act._replace(about="empty", slots=(Slot("", place[1]),))
    if act.about not in ("empty", "clear") or len(act.slots) != 2 or act.slots[0].role:
        return act
    inside, whither = act.slots
    if whither.role not in ("in", "on", "to") or not _is_container(inside.phrase):
        return act
    return act._replace(about="put", slots=(Slot("", Phrase("thing", "all", (), ("in", inside.phrase))), whither))


def emptied_into(acts: Sequence[DialogueAct], resolver: Resolver) -> list[DialogueAct]:
    """ "Empty the bowl, what is in it goes on the bed" as one order, where no drink is in it."""
    found: list[DialogueAct] = []
    for act in acts:
        before = found[-1] if found else None
        if (
            before is None
            or not _is_of_contents(before, act)
            or any(map(liquid_in, resolver.find(before.slots[0].phrase).chosen))
        ):
            found.append(act)
            continue
        thing = Phrase("thing", "all", place=("in", before.slots[0].phrase))
        found[-1] = act._replace(slots=(Slot("", thing), *act.slots[1:]), condition=before.condition)
    return found


def _is_of_contents(before: DialogueAct, act: DialogueAct) -> bool:
    """Whether an order puts somewhere what is in the vessel that the one before empties."""
    empties = before.act is Act.ORDER and before.about == "empty" and len(before.slots) == 1
    if not empties or act.about != "put" or not act.slots or act.slots[0].phrase.place is None:
        return False
    return act.slots[0].phrase.noun in ANYTHING and _goes_there(_without_place(act, before.slots[0].phrase))


def emptied_and_left(act: DialogueAct, text: str) -> list[DialogueAct]:
    """ "Empty the cup and leave it in the sink", read as one order, as two: it is in the sink afterwards."""
    if act.act is not Act.ORDER or act.about != "empty" or len(act.slots) != 2 or not _LEFT_THERE.search(text.lower()):
        return [act]
    vessel, place = act.slots
    if vessel.role or place.role not in ("in", "on", "to", "at") or _is_container(vessel.phrase):
        return [act]
    return [act._replace(slots=(vessel,)), act._replace(about="put", slots=(Slot("", Phrase("it")), place))]


def _goes_there(act: DialogueAct) -> bool:
    """Whether an order puts somewhere what lies on a table that is to be cleared: "put the stuff on the sofa"."""
    puts = act.act is Act.ORDER and act.about == "put" and len(act.slots) > 1 and act.condition is None
    return puts and act.slots[0].phrase.noun in ANYTHING | {"it", "them"} and act.slots[0].phrase.place is None


def _without_place(act: DialogueAct, cleared: Phrase) -> DialogueAct:
    """An order about "what's on it", or "what's on the sofa", without that place, where it is what was cleared."""
    if not act.slots or act.slots[0].phrase.place is None:
        return act
    (thing, *rest), place = act.slots, act.slots[0].phrase.place[1]
    if place.noun not in {cleared.noun, "it", "that", "there", "them", "those", "these"} or place.place is not None:
        return act
    return act._replace(slots=(thing._replace(phrase=replace(thing.phrase, place=None)), *rest))


def _is_cleared_for(before: DialogueAct, act: DialogueAct) -> bool:
    """Whether an order tells where all goes that the one before takes out of, or off, something: "empty the drawer,
    everything goes on the bed"."""
    if not before.slots or before.slots[0].role or len(before.slots) > 1:
        return False
    if not _goes_there(act) and not _goes_there(_without_place(act, before.slots[0].phrase)):
        return False
    every = act.slots[0].phrase.noun in ANYTHING
    return before.about == "clear" or (before.about == "empty" and every and _is_container(before.slots[0].phrase))


def _is_container(phrase: Phrase) -> bool:
    """Whether a description is of what things are in rather than of a vessel: what is emptied of them."""
    kinds = {*kinds_of(phrase.noun)}
    return bool(kinds & _CONTAINERS) and not kinds & VESSELS


def _goes_on(before: DialogueAct, act: DialogueAct) -> bool:
    """Whether an order puts somewhere what the one before fetches."""
    fetches = before.act is Act.ORDER and before.about in FETCHING and (len(before.slots) == 1 or _is_of_place(before))
    puts = act.act is Act.ORDER and act.about == "put" and len(act.slots) > 1 and act.condition is None
    pointed = replace(act.slots[0].phrase, count="") if puts and act.slots[0].phrase.count == "all" else None
    meant = pointed or (act.slots[0].phrase if act.slots else None)
    return fetches and puts and meant in (Phrase("it"), Phrase("them")) and not act.slots[0].role


def _is_of_place(fetched: DialogueAct) -> bool:
    """Whether an order takes more than a hand holds, or whatever is there, out of, or off, something: "take everything
    out of the sink", "take out what is in the box"."""
    (_, phrase), *more = fetched.slots
    placed = len(more) == 1 and more[0].role == "from" and phrase.place is None
    return placed and (_is_many(phrase) or phrase.noun in ANYTHING)


def _is_many(phrase: Phrase) -> bool:
    """Whether a description may be of more than a hand holds."""
    many = phrase.count in ("all", "some", "rest") or (phrase.count.isdecimal() and phrase.count != "1")
    return many or phrase.noun in ("everything", "whatever", "stuff", "them")


def _fetched(order: DialogueAct) -> Slot:
    """What an order fetches, with the place that it takes that from."""
    slot, *more = order.slots
    if not more:
        return slot
    named = slot.phrase.noun not in ANYTHING | PRONOUNS or not _is_many(slot.phrase)
    phrase = slot.phrase if named else Phrase("thing", "all", slot.phrase.looks)
    return slot._replace(phrase=replace(phrase, place=("in", more[0].phrase)))


def emptied_first(acts: Sequence[DialogueAct]) -> list[DialogueAct]:
    """ "Fill the cup; if there's anything left in it, tip it out": what is in there goes out first."""
    found: list[DialogueAct] = []
    for act in acts:
        before = found[-1] if found else None
        condition = act.condition
        fills = before is not None and before.act is Act.ORDER and before.about == "fill" and bool(before.slots)
        if before is None or not fills or act.about != "empty" or condition is None or not act.slots:
            found.append(act)
            continue
        vessel = before.slots[0]
        if act.slots[0].phrase.noun not in (*PRONOUNS, vessel.phrase.noun):
            found.append(act)
            continue
        place = condition.phrase.place
        if place is not None and place[1].noun in PRONOUNS:
            condition = condition._replace(phrase=replace(condition.phrase, place=(place[0], vessel.phrase)))
        elif condition.phrase.noun in PRONOUNS:
            condition = condition._replace(phrase=vessel.phrase)
        found[-1:] = [act._replace(slots=(vessel, *act.slots[1:]), condition=condition), before]
    return found


def filled(act: DialogueAct) -> DialogueAct:
    """ "Put some coffee in my mug" is to fill the mug."""
    if act.about != "put" or len(act.slots) != 2 or act.slots[0].phrase.noun not in LIQUIDS:
        return act
    drink, vessel = act.slots
    if vessel.role not in ("in", "to") or not VESSELS & {*kinds_of(vessel.phrase.noun)} or drink.phrase.place:
        return act
    return act._replace(about="fill", slots=(Slot("", vessel.phrase), Slot("with", drink.phrase)))
