"""Places that are told by what was said to be in them: "the keys are in one of the drawers. Open that one"."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

_UNNAMED = PRONOUNS | {"there", "here", "me", "us", "you"}


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
