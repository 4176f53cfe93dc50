"""What a place in an order is attached to: to the thing, which is there, or to the deed, where it goes."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.noun_types import ANYTHING, kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot

_MOVING = re.compile(r"\b(?:put|take|carry|move|bring|pop|set|drop|lay|place)\b")
_ONTO = re.compile(r"\b(?:onto|into|over to)\b")
_OFF = re.compile(r"\b(?:off|elsewhere|away|some(?:where|place) else)\b")
_TAKEN = frozenset({"get", "pick_up", "put", "move", "throw_away"})
TO_SOMEBODY = re.compile(r"\b(?:me|us)\b")


def out_of_hand(phrase: Phrase) -> Phrase:
    """ "Take it in your hand": where it is then, not where it is; "the thing in your hand" is the one that is there."""
    there = phrase.place is not None and phrase.place[1].noun == "hand"
    return replace(phrase, place=None) if there and phrase.noun not in ANYTHING else phrase


def with_contents(act: DialogueAct) -> DialogueAct:
    """ "Put the mug in the cabinet with a cup in it": what is in it tells the cabinet from others."""
    if act.about != "put" or len(act.slots) < 2 or act.slots[1].phrase.noun not in ("it", "them"):
        return act
    thing = act.slots[0].phrase
    if act.slots[1].role not in ("in", "on") or thing.place is None or thing.place[1].holds is None:
        return act
    relation, mark = thing.place
    return act._replace(slots=(Slot("", replace(thing, place=None)), Slot(relation, mark)))


def off_it(act: DialogueAct, text: str) -> DialogueAct:
    """ "Take the other stuff off it and put it somewhere else" clears what that is on: nothing is put where it is."""
    if act.about not in ("put", "move") or len(act.slots) != 2 or act.slots[0].phrase.place is None:
        return act
    thing, place = act.slots[0].phrase, act.slots[1].phrase
    whatever = thing.noun in ANYTHING and thing.place is not None and thing.place[1] == place
    return act._replace(about="clear", slots=(Slot("", place),)) if whatever and _OFF.search(text.lower()) else act


def reattached(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "Take the mug onto the table", with no mug there: the table is where it goes, not where it is."""
    if act.about not in ("put", "get", "pick_up") or len(act.slots) != 1 or act.slots[0].phrase.place is None:
        return act
    phrase = act.slots[0].phrase
    relation, mark = phrase.place or ("", Phrase(""))
    if relation not in ("in", "on", "near") or phrase.noun in ANYTHING or not _tells_whither(act, text, resolver):
        return act
    thing = replace(phrase, place=None)
    there, anywhere = (resolver.find(one, having("pickupable")).things for one in (phrase, thing))
    if there or not anywhere or not (resolver.find(mark).things or kinds_of(mark.noun)):
        return act
    return act._replace(about="put", slots=(Slot("", thing), Slot(relation, mark)))


def whatever_is_in_there(act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "Whatever it is, take it out of the microwave": of "it" that points at nothing in there, what is in there."""
    whence = next((slot for slot in act.slots if slot.role == "from"), None)
    if (
        act.about not in _TAKEN
        or whence is None
        or act.slots[0] not in (Slot("", Phrase("it")), Slot("", Phrase("that")))
    ):
        return act
    holders = resolver.find(whence.phrase, having("receptacle")).things
    meant = resolver.find(act.slots[0].phrase, having("pickupable")).chosen
    if not kinds_of(whence.phrase.noun) or any(resolver.placed("in", one, holders) for one in meant):
        return act
    inside = Phrase("something", place=("in", whence.phrase))
    there = resolver.body.knowledge is not None or resolver.find(inside, having("pickupable")).things
    rest = (slot for slot in act.slots[1:] if slot is not whence)
    return act._replace(slots=(Slot("", inside), *rest)) if there and not meant else act


def _tells_whither(act: DialogueAct, text: str, resolver: Resolver) -> bool:
    """Whether a place may be where a thing is to go: not what is to be brought to somebody, and of an order to fetch
    only where the words say so, or where it is known what is there."""
    if act.about == "put" or _ONTO.search(text.lower()):
        return True
    moves = _MOVING.search(text.lower()) is not None and TO_SOMEBODY.search(text.lower()) is None
    return moves and resolver.body.knowledge is None
