"""Places that words tell in passing: by what was said to be in them ("the keys are in one of the drawers. Open that
one"), by where the Follower stands, by what will do."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.statements import AT_HOME
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_AT_YOU = re.compile(
    r"\b(?:the|that) (?:[a-z]+ )?(?P<thing>[a-z]+) (?:(?:that|which|where) )?you(?:'re| are)(?: now| just| currently)?"
    r" (?:(?:standing|stood|parked|waiting) )?(?:right )?(?:at|by|next to|beside|near|in front of|close to)"
    r"(?! (?:the|a|an|my|our|your|that|this)\b)"
)
_UNNAMED = PRONOUNS | {"there", "here", "me", "us", "you"}
_MOVING = frozenset({"move", "put", "clear", "get", "pick_up"})
_ON_FURNITURE = frozenset({"open", "close", "turn_on", "turn_off", "look_in"})
_WILL_DO = re.compile(
    r"(?:[.,;!?:-]|\b(?:and|so)) *(?:and |so |i think |maybe |perhaps )*"
    r"(?:(?:in|on|onto|into|to) )?(?:the |my |our |a |any )?(?P<place>[a-z]+(?: [a-z]+)?)"
    r"(?:(?:'s| is| would be| will be|'d be) (?:just |perfectly |totally |absolutely )?"
    r"(?:fine|ok|okay|good|alright|all right|great|perfect|free|cool)|(?: will|'ll| would|'d| should| can) do"
    r"|(?: would| will|'ll)? works?)\b"
)
"""Words for a place that will do for what is to go somewhere."""


def with_holders(told: DialogueAct, act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """A fact of where a thing is, "the keys are in one of the drawers", with the place told by what it holds: of all
    drawers the one with the keys. Where `act` moves that very thing, the place is where it belongs."""
    if told.act is not Act.FACT or not told.slots:
        return told
    slot, *more = told.slots
    relation, place = slot.phrase.place or ("", Phrase(""))
    moves = act.slots and act.slots[0].phrase.noun in (*PRONOUNS, slot.phrase.noun) and len(act.slots) > 1
    if relation not in ("in", "on") or place.holds is not None or moves or place.noun in _UNNAMED:
        return told
    holder = replace(place, holds=replace(slot.phrase, count="", place=None))
    if not kinds_of(slot.phrase.noun) or not resolver.find(holder, having("receptacle")).things:
        return told
    return told._replace(slots=(slot._replace(phrase=replace(slot.phrase, place=(relation, holder))), *more))


def may_be_unseen(phrase: Phrase, verb: str, resolver: Resolver) -> bool:
    """Whether what was said to be somewhere may well be there, where nobody has looked yet: a thing of the same name
    elsewhere is not the one that is meant."""
    relation, place = phrase.place or ("", Phrase(""))
    if resolver.body.knowledge is None or place == Phrase(""):
        return False
    if phrase.noun in ANYTHING:
        return True
    named = bool(kinds_of(phrase.noun)) and bool(kinds_of(place.noun)) and verb not in _ON_FURNITURE
    holders = resolver.find(place, having("receptacle")).things
    looked = resolver.body.memory.looked_into
    unknown = not holders or not all(looked[one.object_id] for one in holders)
    return named and relation in ("in", "on") and unknown and not resolver.find(phrase).things


def of_unseen(act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "I lost my bank card. Go and get it", "my mug is in the microwave. Get it", with none seen yet: what was spoken
    of last, by its name, where it is said to be."""
    mention, known = next(resolver.salience.spoken_of(several=False), (None, []))
    if mention is None or mention.ids or resolver.body.knowledge is None or not kinds_of(mention.noun):
        return act
    if not act.slots or act.slots[0] not in (Slot("", Phrase("it")), Slot("", Phrase(mention.noun))):
        return act
    told = _as_told(act, mention.noun, resolver)
    return act if known and told.place is None else act._replace(slots=(Slot("", told), *act.slots[1:]))


def _as_told(act: DialogueAct, noun: str, resolver: Resolver) -> Phrase:
    """What was spoken of, with the place where it is said to be and was not seen yet, unless it is to go there."""
    fact = next((one for one in reversed(resolver.facts) if one.noun == noun and one.place), None)
    if fact is None or fact.ids or fact.state == AT_HOME or any(slot.phrase.noun == fact.place for slot in act.slots):
        return Phrase(noun)
    kinds = kinds_of(fact.place)
    told = Phrase(noun, place=(preposition(kinds[0]) if kinds else "in", Phrase(fact.place)))
    return told if may_be_unseen(told, act.about, resolver) else Phrase(noun)


def to_what_will_do(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "Move that off the ottoman? Coffee table is fine": to there, where the order names no place."""
    if act.act is not Act.ORDER or act.about not in _MOVING or not act.slots:
        return act
    if act.about in ("get", "pick_up") and not any(slot.role == "from" for slot in act.slots):
        return act  # which is to be brought
    found = None if any(slot.role in ("in", "on", "to", "at", "near") for slot in act.slots) else _will_do(text)
    place = noun_phrase(found) if found is not None else None
    known = () if place is None else resolver.find(place, having("receptacle")).things
    named = [one.noun for slot in act.slots for one in (slot.phrase, *(slot.phrase.place or ())[1:])]
    if place is None or not known or place.noun in named:
        return act
    what = act.slots
    if act.about == "clear":
        what = tuple(Slot("from", slot.phrase) if not slot.role else slot for slot in act.slots)
        what = (Slot("", Phrase("thing", "all")), *what)
    return act._replace(
        about="put", slots=(*what, Slot(preposition(known[0].object_type.removesuffix("Basin")), place))
    )


def _will_do(text: str) -> str | None:
    found = _WILL_DO.search(plain_text(text))
    return None if found is None else found["place"]


def whereabouts_of(question: DialogueAct, told: Phrase) -> DialogueAct:
    """ "My keys are in one of the drawers. Which one?" asks where the keys are."""
    place = told.place[1] if told.place is not None else None
    phrase = question.slots[0].phrase if question.slots else None
    if question.about not in ("which", "what", "where") or place is None or phrase is None:
        return question
    plain = replace(phrase, count="") == Phrase(phrase.noun) and phrase.noun in (place.noun, "one", "it", "that")
    return DialogueAct(Act.QUESTION, "where", (Slot("", replace(told, place=None)),)) if plain else question


def of_same_kind(act: DialogueAct, before: DialogueAct | None) -> DialogueAct:
    """ "Put the dirty plate in the sink and the clean one in the cupboard" is of two plates."""
    if before is None or not act.slots or not before.slots or before.act is not Act.ORDER or act.about != before.about:
        return act
    (role, phrase), first = act.slots[0], before.slots[0].phrase
    if role or before.slots[0].role or phrase.noun != "one" or not (phrase.looks and first.looks):
        return act
    return act._replace(slots=(Slot("", replace(phrase, noun=first.noun)), *act.slots[1:]))


def to_where_things_are(act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "What's on the sofa?" "Put it there too", with something in the hand: not what lies there already."""
    held = resolver.body.held
    if act.act is not Act.ORDER or act.about not in ("put", "drop", "move") or held is None or len(act.slots) != 2:
        return act
    thing, place = act.slots
    if thing.role or thing.phrase.noun not in ("it", "that", "this") or thing.phrase.place or not place.role:
        return act
    there = resolver.find(place.phrase, having("receptacle")).things or resolver.salience.there()
    told = resolver.salience.together(having("pickupable")) or resolver.find(thing.phrase, having("pickupable")).chosen
    if held in told or not told or not all(resolver.placed("in", one, there) for one in told):
        return act
    return act._replace(slots=(Slot("", Phrase("thing", place=("in", Phrase("hand")))), place))


def where_you_are(act: DialogueAct, text: str) -> DialogueAct:
    """ "The lamp that you are standing at": of all lamps the nearest."""
    at = _AT_YOU.search(text)
    if at is None or not act.slots or act.slots[0].role:
        return act
    phrase = act.slots[0].phrase
    here = phrase.place is None or phrase.place[1].noun in ("you", "it")
    if not here or phrase.noun.rpartition("_")[2] != at["thing"] or phrase.looks:
        return act
    return act._replace(slots=(Slot("", replace(phrase, looks=("nearest",), place=None)), *act.slots[1:]))
