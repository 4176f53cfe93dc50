"""What points back at the talk: "the same place", "the same drawer", "the first one after all", "the former"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_types import PRONOUNS, calls, noun_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.told_names import meant_by
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.lexicon import preposition

_PLACES = frozenset({"place", "spot", "location", "position", "same"})
"""Nouns for where something is, whatever that is."""
_PLACED = frozenset({"in", "on", "at", "to", "near"})
_RANKS = {
    **dict.fromkeys(("first", "former", "original", "earlier", "previous"), "first"),
    **dict.fromkeys(("second", "latter", "last"), "last"),
}
_SAME_SPOT = re.compile(
    r"\b(?:too|as well|also|likewise|and|next)\b.*\b(?<!from the )(?<!in the )same (?:spot|place|location|position)\b"
)
_HOMES = frozenset({"home"})
_ITS_PLACES = _PLACES - {"same"} | _HOMES | {"slot", "resting_place", "hiding_place"}
_ITS_OWN = frozenset(
    """old usual own proper former original previous normal regular right rightful accustomed first its their correct
    earlier initial customary""".split()
)
"""What is said of the place where a thing was before, or where it belongs."""
_ITS_SPOT = re.compile(r"\b(?:its|it's|their) (?:own |usual |right |proper )?(?:place|spot|location|position)\b")
_OTHERS = frozenset({"other", "another"})
_RANKED = PRONOUNS | {"choice", "option", "thing", ""}


def in_same_place(act: DialogueAct, before: Sequence[DialogueAct], resolver: Resolver) -> DialogueAct:
    """ "In the same place", "in the same drawer": where what was spoken of last is, or was just said to be."""
    slots = tuple(_same(slot, act, before, resolver) for slot in act.slots)
    return act if slots == act.slots else act._replace(slots=slots)


def _same(slot: Slot, act: DialogueAct, before: Sequence[DialogueAct], resolver: Resolver) -> Slot:
    phrase = slot.phrase
    same = "same" in (phrase.noun, *phrase.looks)
    if act.act is not Act.ORDER or slot.role not in _PLACED or not same:
        return slot
    if phrase.place is not None or phrase.holds is not None:
        return slot
    told = _said_before(before)
    if told is not None and (phrase.noun in _PLACES or told.phrase.noun == phrase.noun):
        return told
    moved = {one.object_id for part in act.slots if not part.role for one in resolver.find(part.phrase).chosen}
    for thing in _spoken_of(resolver):
        holder = next(iter(resolver.body.things.holders(thing)), None)
        if thing.object_id in moved or holder is None:
            continue
        if phrase.noun in _PLACES or calls(phrase.noun, holder):
            return _where(thing, holder)
    return slot


def also_there(act: DialogueAct, text: str) -> DialogueAct:
    """ "My card too, same spot" is to go there, though it was read as to be fetched."""
    fetched = act.act is Act.ORDER and act.about in ("get", "pick_up", "move") and len(act.slots) == 1
    if not fetched or act.slots[0].role or act.slots[0].phrase.place is not None or not _SAME_SPOT.search(text.lower()):
        return act
    return act._replace(about="put", slots=(*act.slots, Slot("in", Phrase("place", looks=("same",)))))


def to_its_place(act: DialogueAct, resolver: Resolver, text: str = "") -> DialogueAct:
    """ "Back to its old place with it", "where it was", "to where it lives": to put it back, unless somebody told what
    place goes by that name."""
    act = act._replace(of=tuple(to_its_place(one, resolver, text) for one in act.of))
    if act.act is not Act.ORDER or act.about not in ("put_back", "put", "move", "get") or len(act.slots) != 2:
        return act
    thing, where = act.slots
    phrase = where.phrase
    there = act.about == "put_back" and phrase == Phrase("there")  # "put it back there"
    if thing.role or where.role not in _PLACED or phrase.place is not None or not (there or _is_its_place(phrase)):
        return act
    plain = act.about == "put_back" or phrase.noun not in _ITS_PLACES - _HOMES
    own = phrase.looks or _ITS_SPOT.search(text.lower())
    if not {*phrase.looks} <= _ITS_OWN or not (own or plain):
        return act
    named = meant_by(phrase, resolver.facts).fact is not None
    return act if named else act._replace(about="put_back", slots=(thing,))


def _is_its_place(phrase: Phrase) -> bool:
    return phrase.noun in _ITS_PLACES or phrase.noun.startswith(("where_it_", "where_they_", "place_it_"))


def _said_before(before: Sequence[DialogueAct]) -> Slot | None:
    """Where an act of the same words, told or asked for before, has something."""
    for act in reversed(before):
        for slot in act.slots:
            if slot.role in ("in", "on"):
                return slot
            if slot.phrase.place is not None and slot.phrase.place[0] in ("in", "on"):
                return Slot(*slot.phrase.place)
    return None


def _spoken_of(resolver: Resolver) -> list[Thing]:
    """Single things that can be carried and were spoken of, the latest first."""
    found: list[Thing] = []
    for mention, known in resolver.salience.spoken_of(several=False):
        single = mention.ids and len(known) == 1
        found += [one for one in known if single and one.has("pickupable")]
    return found


def _where(thing: Thing, holder: Thing) -> Slot:
    """The very place that a thing is in or on; beside it where that is the floor."""
    noun = noun_of(thing.object_type)
    if holder.object_type == "Floor":
        return Slot("near", Phrase(noun))
    kind = holder.object_type.removesuffix("Basin")
    return Slot(preposition(kind), Phrase(noun_of(kind), holds=Phrase(noun)))


def place_of(mark: Phrase, resolver: Resolver) -> Slot:
    """Where a thing is, as a place for something else; beside it where that is not known."""
    thing = next(iter(resolver.find(mark).chosen), None)
    holder = next(iter(resolver.body.things.holders(thing)), None) if thing is not None else None
    return Slot("near", mark) if thing is None or holder is None else _where(thing, holder)


def ranked_before(act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "The first one after all", of things of two kinds that were asked for one after the other: the thing by name."""
    if act.act is not Act.INSTEAD or not act.slots:
        return act
    slot, *more = act.slots
    words = (slot.phrase.noun, *slot.phrase.looks)
    rank = next((_RANKS[one] for one in words if one in _RANKS), "")
    if not rank or slot.phrase.noun not in _RANKED | {*_RANKS}:
        return act
    kinds = [*dict.fromkeys(noun_of(one.object_type) for one in _spoken_of(resolver))]
    if len(kinds) < 2:
        return act
    return act._replace(slots=(slot._replace(phrase=Phrase(kinds[rank == "first"])), *more))


def put_there(order: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "And the mug next to it", behind an order to put something else somewhere: where that is to go, which is no
    place where it is now."""
    (thing, *rest) = order.slots or (Slot("", Phrase("")),)
    if order.about != "put" or not rest or thing.role or thing.phrase.place is None:
        return order
    (relation, mark), anywhere = thing.phrase.place, replace(thing.phrase, place=None)
    points = mark.noun in PRONOUNS | {"there"}
    if not points and (resolver.find(thing.phrase).things or resolver.body.knowledge is not None):
        return order
    if relation not in _PLACED or not resolver.find(anywhere).things:
        return order
    where = rest if points and (relation != "near" or mark.noun == "there") else [Slot(relation, mark)]
    return order._replace(slots=(thing._replace(phrase=anywhere), *where))


def wherever_it_is(order: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "Not that one, the other roll": where the first was said to be, the other is not, unless one is there too."""
    phrase = order.slots[0].phrase if order.slots and not order.slots[0].role else Phrase("")
    origin = next((slot.phrase for slot in order.slots if slot.role == "from"), None)
    if not _OTHERS & {phrase.count, *phrase.looks} or (origin is None and phrase.place is None):
        return order
    there = phrase if phrase.place is not None or origin is None else replace(phrase, place=("in", origin))
    anywhere = replace(phrase, place=None)
    unseen = resolver.body.knowledge is not None  # it is looked for
    if resolver.find(there).things or not (unseen or resolver.find(anywhere).things):
        return order
    kept = (slot for slot in order.slots[1:] if slot.role != "from")
    return order._replace(slots=(Slot("", anywhere), *kept))
