"""Portions: a piece of what was cut, and what was put on a plate, with the plate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.noun_types import kinds_of, noun_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot

_CARRIERS = frozenset("Plate Bowl Mug Cup Pot Pan Box".split())
"""What is carried with what is in it or on it."""
_PIECES = frozenset({"piece", "slice", "bit", "chunk"})
_CUT = frozenset({"sliced", "cut", "cut_up", "chopped"})
_OF_IT = tuple(("of", Phrase(one)) for one in ("it", "that", "them"))


def with_vessel(act: DialogueAct, before: Sequence[DialogueAct]) -> DialogueAct:
    """ "Put the apple on a plate and bring it": the plate, with what is on it."""
    last = before[-1] if before else None
    if last is None or last.about != "put" or act.slots[:1] != (Slot("", Phrase("it")),):
        return act
    if act.about not in ("get", "put"):
        return act
    place = next((slot.phrase for slot in last.slots if slot.role in ("in", "on")), Phrase(""))
    if place == Phrase("it"):
        named = [one.slots[0].phrase for one in before[:-1] if one.slots and not one.slots[0].role]
        place = named[-1] if named else place
    if not _CARRIERS & {*kinds_of(place.noun)}:
        return act
    meant = replace(place, count="" if place.count == "1" else place.count)
    return act._replace(slots=(Slot("", meant), *act.slots[1:]))


def with_pieces(act: DialogueAct, before: Sequence[DialogueAct], resolver: Resolver) -> DialogueAct:
    """ "Slice the bread and bring me a piece of it": a slice of bread."""
    return act._replace(slots=tuple(_piece(slot, before, resolver) for slot in act.slots))


def _piece(slot: Slot, before: Sequence[DialogueAct], resolver: Resolver) -> Slot:
    phrase = slot.phrase
    if phrase.noun not in _PIECES:
        return slot
    relation, mark = phrase.place or ("", Phrase(""))
    if relation == "of" and (kinds_of(f"slice_of_{mark.noun}") or _CUT & {*mark.looks}):
        cut = [mark.noun, *_cut_up(resolver)]
        noun = next((one for one in cut if kinds_of(f"slice_of_{one}")), "")
        so = tuple(
            one for one in mark.looks if one not in _CUT
        )  # "a slice of cooked potato" is cooked, if there is one
        meant = _slice_of(noun, replace(phrase, looks=(*phrase.looks, *so))) if noun else phrase
        return slot if so and not resolver.find(meant).things else slot._replace(phrase=meant)
    if phrase.place not in (None, *_OF_IT):
        return slot
    named = [one.phrase.noun for act in reversed(before) for one in act.slots[:1]]
    named += [mention.noun.removesuffix("_sliced") for mention, _ in resolver.salience.spoken_of(several=True)]
    noun = next((one for one in named if kinds_of(f"slice_of_{one}") and _is_cut(one, resolver)), "")
    if not noun:
        return slot
    return slot._replace(phrase=_slice_of(noun, phrase))


def _slice_of(noun: str, piece: Phrase) -> Phrase:
    return replace(piece, noun=f"slice_of_{noun}", count=piece.count or "1", place=None)


def _cut_up(resolver: Resolver) -> list[str]:
    """The names of what lies about cut up."""
    cut = (one.object_type.removesuffix("Sliced") for one in resolver.body.things if one.object_type.endswith("Sliced"))
    return [*dict.fromkeys(map(noun_of, cut))]


def _is_cut(noun: str, resolver: Resolver) -> bool:
    """Whether something goes by a name that is sliced, or can be."""
    whole = resolver.find(Phrase(noun)).things
    return any(one.has("sliceable") for one in whole) or bool(resolver.find(Phrase(f"slice_of_{noun}")).things)
