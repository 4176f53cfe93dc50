"""Deeds that have a name of their own in every household: "set the table", "run me a bath", "cut me a slice"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from teach_agents.agents.acting.skills.heat import is_burning
from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.noun_phrases import noun_phrase

_SET = re.compile(
    r"^(?:set|lay) (?:the |our |my )?(?:(?P<table>[a-z]+ )?table)(?: for (?P<many>[a-z]+|\d))?\b(?! (?:down|on|aside))"
)
_PLACE_SETTING = (("plate",), ("fork",), ("butter_knife", "knife"), ("cup", "mug"))
"""What a table is set with; of two names the second where there is nothing of the first."""
_RUNS = re.compile(r"\b(?:run|running|draw)\b")
_BASINS = frozenset({"Bathtub", "Sink"})
_CUT_OFF = re.compile(
    r"\b(?:cut|slice|carve|chop) (?:(?:me|us|her|him|them) )?(?:off )?(?P<many>a|an|one|another|[a-z]+|\d) "
    r"(?:\w+ )?(?:slices?|pieces?|bits?) (?:of|off|from)\b"
)
"""Said by who wants a part of something, not all of it in parts."""
_FOR_SOMEBODY = re.compile(r"\b(?:cut|slice|carve|chop) (?:me|us) ")
_HANG = re.compile(r"\bhang (?:up (?P<x>[a-z ]+)|(?P<y>[a-z ]+?) (?:back )?up)\b")
_HEATED = re.compile(r"\b(?:turn|crank|switch|put) (?:up the|the (?=[a-z]+ up\b))\s*(?P<x>[a-z]+)")
_EMPTY_HANDED = re.compile(
    r"\bwith (?:nothing in (?:your|the) hands?|(?:your )?(?:hands? (?:empty|free)|(?:an )?empty hands?))\b"
    r"|\bempty-? ?handed\b|\bwithout (?:carrying|holding|taking) anything\b"
)
_ENOUGH_WATER = re.compile(r"\b(?:enough|no more) water\b|\b(?:stop|cut) the water\b")

_WALKED_WITH = re.compile(
    r"\b(?:go|walk|come|head|move|run|drive|roll|get|wander|return|hurry|travel|over|back|step)"
    r"(?: (?:over|back|across|along|on|up|now|please))* (?:to|towards?) (?P<where>(?:the|my|our) [a-z]+(?: [a-z]+)??)"
    r"(?:,? but)? (?P<how>with(?:out)?|holding|carrying|and (?:bring|take|carry)|taking|bringing)"
    r" (?P<what>(?:the|my|our|that|this) [a-z]+(?: [a-z]+)?|it|that)(?: with you| along| too| please| now)*[.!? ]*$"
)
"""A walk with something in the hand, or without it."""
_DRINKS = frozenset({*LIQUIDS, "drink"})
_BREWED = re.compile(r"\bcoffee\b")
_DRUNK_FROM = frozenset({"Cup", "Mug"})
_LET_IN = re.compile(r"\blet(?:ting)?\b[^.,;!?]*\blight\b")
_MADE = re.compile(
    r"\bmak(?:e|ing) (?:up )?(?:it|them|(?:the|my|your|his|her|our|that|this|their|both) [a-z ]*?beds?)\b"
)


def as_deeds(acts: Iterable[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts with such deeds in the orders that they come to."""
    plain = text.lower().replace("\u2019", "'")
    walk = _walked_with([*acts], plain, resolver)
    found = walk or [one for act in acts for one in _deeds(act, plain, resolver)]
    free = resolver.body.held is not None and _EMPTY_HANDED.search(plain) is not None
    emptied = any(one.about in ("drop", "put", "put_back") for one in found[:1])
    return [DialogueAct(Act.ORDER, "drop"), *found] if free and found and not emptied else found


def _walked_with(acts: list[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """ "Go to the bed with the book": with it in the hand; "without the book": having put it down. None where what is
    named tells which place is meant, "the table with the lamp"."""
    found = _WALKED_WITH.search(text)
    orders = [at for at, act in enumerate(acts) if act.act is Act.ORDER]
    where, what = (None, None) if found is None else (noun_phrase(found["where"]), noun_phrase(found["what"]))
    if found is None or len(orders) != 1 or where is None or what is None or not kinds_of(where.noun):
        return []
    things = resolver.find(what, having("pickupable")).things
    there = resolver.find(replace(where, holds=what)).things if found["how"].startswith("with") else ()
    if not things or there:
        return []
    walk = acts[orders[0]]._replace(about="go_to", slots=(Slot("", where),))
    is_held, without = resolver.body.held in things, found["how"] == "without"
    first = [walk._replace(about="drop" if without else "pick_up", slots=(Slot("", what),))]
    rest = [act for act in acts if act.act not in (Act.ORDER, Act.NOT, Act.NEVER)]
    return [*rest, *(first if is_held is without else []), walk]


def _deeds(act: DialogueAct, text: str, resolver: Resolver) -> Iterator[DialogueAct]:
    if act.act is Act.STOP and not act.slots and act.condition is None and _ENOUGH_WATER.search(text):
        yield DialogueAct(Act.ORDER, "turn_off", (Slot("", Phrase("water")),))
    elif act.act is not Act.ORDER or not act.slots:
        yield act
    elif act.about in ("clear", "wash") and "Bed" in kinds_of(act.slots[0].phrase.noun) and _MADE.search(text):
        yield act._replace(about="make")
    elif act.about == "do" and (found := _SET.search(act.slots[0].phrase.noun.replace("_", " "))):
        yield from _set(act, found, resolver)
    elif act.about == "throw_away" and act.slots[0].phrase.noun in _DRINKS and not act.slots[0].phrase.holds:
        yield act._replace(about="empty", slots=act.slots[:1])  # the vessel is no rubbish
    elif act.about == "open" and _LET_IN.search(text) and not resolver.find(act.slots[0].phrase).things:
        yield act._replace(about="turn_on", slots=(Slot("", Phrase("light")),))
    elif act.about == "do" and (heat := _heated(act.slots[0].phrase, resolver)) is not None:
        yield act._replace(about="turn_on", slots=(Slot("", heat),))
    elif act.about == "do" and (hung := _hung(act.slots[0].phrase)) is not None:
        yield act._replace(about="put", slots=(Slot("", hung),))
    else:
        yield _brewed(_cut_off(_run(act, text), text), text)


def _set(act: DialogueAct, found: re.Match[str], resolver: Resolver) -> Iterator[DialogueAct]:
    """ "Set the table for two": two of what a place is laid with, as far as there is such a thing here."""
    table = Phrase(f"{(found['table'] or '').strip()} table".strip().replace(" ", "_"))
    said = found["many"] or "one"
    many = NUMBERS.index(said) if said in NUMBERS else int(said) if said.isdecimal() else 1
    there = [next((one for one in names if resolver.find(Phrase(one)).things), "") for names in _PLACE_SETTING]
    if not resolver.find(table).things or not any(there):
        yield act
        return
    for noun in filter(None, there):
        yield DialogueAct(
            Act.ORDER, "put", (Slot("", Phrase(noun, str(many))), Slot("on", table)), condition=act.condition
        )


def _heated(said: Phrase, resolver: Resolver) -> Phrase | None:
    """ "Turn up the heat", where the stove is off, turns it on."""
    found = _HEATED.search(said.noun.replace("_", " "))
    phrase = Phrase(found["x"]) if found is not None else Phrase("")
    burners = resolver.find(phrase).things if kinds_of(phrase.noun)[:1] == ("StoveBurner",) else []
    return phrase if burners and not any(is_burning(resolver.body, one) for one in burners) else None


def _hung(said: Phrase) -> Phrase | None:
    """ "Hang it up" puts it where it belongs."""
    found = _HANG.search(said.noun.replace("_", " "))
    return None if found is None else noun_phrase(found["x"] or found["y"])


def _run(act: DialogueAct, text: str) -> DialogueAct:
    """ "Run a bath" is to let the water run into it."""
    what = act.slots[0].phrase
    if act.about not in ("fill", "make") or not _RUNS.search(text) or not _BASINS & {*kinds_of(what.noun)}:
        return act
    return act._replace(
        about="turn_on", slots=(Slot("", replace(what, noun="tap", count="", place=("near", Phrase(what.noun)))),)
    )


def _cut_off(act: DialogueAct, text: str) -> DialogueAct:
    """ "Cut me a slice of bread" is to bring one."""
    what = act.slots[0].phrase
    if (
        act.about != "slice"
        or act.slots[0].role
        or not _FOR_SOMEBODY.search(text)
        or not (found := _CUT_OFF.search(text))
    ):
        return act
    said = found["many"]
    many = str(NUMBERS.index(said)) if said in NUMBERS else said if said.isdecimal() else "1"
    noun = what.noun if "_of_" in what.noun else f"slice_of_{what.noun}"
    return act._replace(about="get", slots=(Slot("", replace(what, noun=noun, count=many)),))


def _brewed(act: DialogueAct, text: str) -> DialogueAct:
    """ "I promised her a coffee: make one, in a clean mug" is to make that in the mug; "I need a coffee: wash the mug,
    then make me one" is to make one."""
    vessel, drink = act.slots[0].phrase, _BREWED.search(text)
    if act.about != "make" or act.slots[0].role or vessel.place is not None or drink is None:
        return act
    if vessel in (Phrase("one"), Phrase("it"), Phrase("some")):
        return act._replace(slots=(Slot("", Phrase(drink[0])), *act.slots[1:]))
    if not _DRUNK_FROM & {*kinds_of(vessel.noun)}:
        return act
    return act._replace(slots=(Slot("", Phrase(drink[0])), Slot("in", vessel), *act.slots[1:]))
