"""Descriptions by several words as one noun: "a slice of bread", "the bottle of soap", "running water"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from teach_agents.agents.dialogue.earlier_places import is_earlier_place
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, is_name, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS
from teach_agents.agents.dialogue.rooms import ROOMS
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import grammar

_PLACED = frozenset({"in", "on", "at", "to", "from", "near"})
_PUTTING = frozenset({"put", "put_back", "move", "serve", "pour", "get"})
_TO_A_PLACE = (
    r"\b(?:in|on|at|to|from|off|out of|by|near|into|onto|inside|behind|under|beside|next to|on top of)"
    r" (?:the|my|our|your|that|this)"
)


_LAMPS = frozenset({"DeskLamp", "FloorLamp"})


def in_one(phrase: Phrase) -> Phrase:
    """A description with a name of several words as one noun, and what is of nothing but itself as that: "the head of
    lettuce" is the lettuce, "one of the mugs" a mug; "the drawer of the desk" is a drawer."""
    phrase = _flowing(phrase)
    if phrase.place is None:
        return phrase
    relation, mark = phrase.place
    mark = in_one(mark)
    name = f"{phrase.noun}_of_{mark.noun}"
    if phrase.noun == "light" and relation in ("in", "on", "from", "at") and _LAMPS & {*kinds_of(mark.noun)}:
        return replace(mark, count=phrase.count or mark.count)  # "some light from the desk lamp"
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


def without_itself(act: DialogueAct) -> DialogueAct:
    """An act without what is said to be in, on or with no more than itself: "fill it with it", "fry the egg in the
    egg", however that was read."""
    if not act.slots:
        return act
    phrase = act.slots[0].phrase
    plain = Phrase(phrase.noun)
    apart = act.about not in _PUTTING and phrase.noun not in PRONOUNS | ANYTHING
    itself = {
        slot
        for slot in act.slots[1:]
        if (slot.role == "with" and slot.phrase == phrase)
        or (apart and slot.role in _PLACED and replace(slot.phrase, count="") == plain)
    }
    if apart and phrase.place is not None and replace(phrase.place[1], count="") == plain:
        phrase = replace(phrase, place=None)
    first = act.slots[0]._replace(phrase=phrase)
    return act._replace(slots=(first, *(slot for slot in act.slots[1:] if slot not in itself)))


def places_as_said(act: DialogueAct, text: str) -> DialogueAct:
    """An act whose places go by the words that were said: "the toilet paper on the toilet" lies on a toilet, however
    like its own name that is."""
    words = " ".join(text.lower().split())
    slots = tuple(_place_as_said(slot, words) for slot in act.slots)
    if (condition := act.condition) is not None:
        condition = condition._replace(phrase=_marks_as_said(condition.phrase, words))
    return act._replace(slots=slots, condition=condition, of=tuple(places_as_said(one, text) for one in act.of))


def _place_as_said(slot: Slot, words: str) -> Slot:
    phrase = _marks_as_said(slot.phrase, words)
    return slot._replace(phrase=replace(phrase, noun=_as_said(phrase.noun, words)) if slot.role in _PLACED else phrase)


def _marks_as_said(phrase: Phrase, words: str) -> Phrase:
    if phrase.place is None:
        return phrase
    relation, mark = phrase.place
    mark = _marks_as_said(_other_mark(phrase, words) or mark, words)
    return replace(
        phrase, place=(relation, mark if relation == "of" else replace(mark, noun=_as_said(mark.noun, words)))
    )


def _other_mark(phrase: Phrase, words: str) -> Phrase | None:
    """ "I'm in bed. Is the tap in the bathroom on?" speaks of no tap in the bed: the place that is named right behind a
    thing, where that is another than was read; `None` where it is not."""
    relation, mark = phrase.place or ("", Phrase(""))
    if relation not in ("in", "on") or mark != Phrase(mark.noun) or not kinds_of(phrase.noun):
        return None
    name = re.escape(phrase.noun.replace("_", " "))
    behind = re.findall(rf"\b{name}s? {relation} (?:the|my|our|your|that|this) ([a-z]+)(?: ([a-z]+))?", words)
    said = [
        next((one for one in (f"{a}_{b}", a) if kinds_of(one) or one.replace("_", " ") in ROOMS), "") for a, b in behind
    ]
    named = mark.noun.replace("_", " ")
    if len(behind) != 1 or not said[0] or re.search(rf"\b{name}s? (?:\w+ ){{0,3}}{re.escape(named)}", words):
        return None
    return Phrase(said[0]) if said[0] != mark.noun else None


def _as_said(noun: str, words: str) -> str:
    """The name of a place, without words that were not said of it."""
    first, _, rest = noun.partition("_")
    if not rest or not kinds_of(first) or first not in words or _is_place(noun.replace("_", " "), words):
        return noun
    return first if _is_place(first, words) else noun


def _is_place(name: str, words: str) -> bool:
    """Whether something goes by just this name where words tell of a place."""
    return re.search(rf"{_TO_A_PLACE} {re.escape(name)}(?= *(?:$|[^\w ]| (?:{_borders()})\b))", words) is not None


@cache
def _borders() -> str:
    """Words with which no name goes on."""
    return "|".join(re.escape(one) for one in grammar()["borders"] if one.isalpha())


def of_tap(phrase: Phrase, state: str) -> Phrase:
    """Of water that is said to be on, or off, the tap is."""
    return replace(phrase, noun="tap") if phrase.noun == "water" and state_called(state) in ("on", "off") else phrase


def _flowing(phrase: Phrase) -> Phrase:
    """ "Running water" is a tap that is on; "a standing lamp" goes by a name of two words; "they" or "both" are "them";
    a lamp "with on" is one that is on."""
    if phrase.noun in ("they", "both"):
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
