"""Descriptions by several words as one noun: "a slice of bread", "the bottle of soap", "running water"."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.agents.dialogue.earlier_places import is_earlier_place
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, is_name, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Phrase


def in_one(phrase: Phrase) -> Phrase:
    """A description with a name of several words as one noun, and what is of nothing but itself as that: "the head of
    lettuce" is the lettuce, "one of the mugs" a mug; "the drawer of the desk" is a drawer."""
    phrase = _flowing(phrase)
    if phrase.place is None:
        return phrase
    relation, mark = phrase.place
    mark = in_one(mark)
    name = f"{phrase.noun}_of_{mark.noun}"
    if relation != "of" or mark.noun in LIQUIDS or is_earlier_place(phrase):
        return replace(phrase, place=(relation, mark))
    if is_name(name) and not mark.looks:
        return replace(phrase, noun=name, place=mark.place)
    own, kinds = {*kinds_of(phrase.noun)}, {*kinds_of(mark.noun)}
    if own and own <= kinds:
        return replace(phrase, place=mark.place)
    if phrase.noun == "one" or (phrase.noun not in PRONOUNS | ANYTHING and kinds and (not own or own & kinds)):
        count = phrase.count or ("1" if phrase.noun == "one" else mark.count)
        return replace(mark, count=count, looks=(*phrase.looks, *mark.looks))
    compound = f"{mark.noun}_{phrase.noun}"  # "the bottle of soap"
    if not mark.looks and {*kinds_of(compound)} & kinds:
        return replace(phrase, noun=compound, place=mark.place)
    return replace(phrase, place=(relation, mark))


def of_tap(phrase: Phrase, state: str) -> Phrase:
    """Of water that is said to be on, or off, the tap is."""
    return replace(phrase, noun="tap") if phrase.noun == "water" and state_called(state) in ("on", "off") else phrase


def _flowing(phrase: Phrase) -> Phrase:
    """ "Running water" is a tap that is on; "a standing lamp" goes by a name of two words; "they" are "them"; a lamp
    "with on" is one that is on."""
    if phrase.noun == "they":
        return replace(phrase, noun="them", count="")
    if phrase.noun == "water" and "on" in map(state_called, phrase.looks):
        return replace(phrase, noun="tap", looks=("on",))
    if (
        phrase.holds is not None
        and phrase.holds == Phrase(phrase.holds.noun)
        and state_called(phrase.holds.noun) in LOOKS
    ):
        phrase = replace(phrase, looks=(*phrase.looks, phrase.holds.noun), holds=None)
    name = f"{phrase.looks[-1]}_{phrase.noun}" if phrase.looks else ""
    return replace(phrase, noun=name, looks=phrase.looks[:-1]) if name and is_name(name) else phrase
