""" "It" that means what the same utterance names in passing: "I think I left the fridge open, can you shut it?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.plausibility import NEEDS
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import ABOUT_ACTS, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import singular
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.tokens import tokens

_POINTING = frozenset({"it", "that", "them", "those", "him", "her"})
_MANY = frozenset({"them", "those"})
_TURNS = frozenset({"turn_around", "turn_left", "turn_right"})
_FACING = re.compile(r"\b(?:face|facing|towards?|until|till?|so(?: that)?|to look at|see) (?:you )?((?:\w+ ){0,4}\w+)")
_LONGEST = 3
"""Words of a name."""
_NEEDS = {
    **dict.fromkeys(("get", "pick_up", "put", "put_back", "throw_away", "wash", "cook", "fill", "drop"), "pickupable"),
    "look_in": "openable",
    **NEEDS,
}


def with_antecedents(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts that name what they point at, where the act before tells a fact of it ("the stove is broken, do not use it")
    or no act before it does and the words do.
    """
    found: list[DialogueAct] = []
    for act in acts:
        before = found[-1] if found else None
        if before is not None and before.act is Act.FACT and before.slots:
            act = _of_fact(act, before.slots[0], resolver)
        elif not any(one.slots or one.of or one.condition for one in found) and act.condition is None:
            act = (
                _named(act, text, resolver) if len(acts) > 1 or act.about not in _TURNS else _faced(act, text, resolver)
            )
        found.append(act)
    return found


def _of_fact(act: DialogueAct, told: Slot, resolver: Resolver) -> DialogueAct:
    """An act, or what it forbids or allows, about the thing that a fact is of, or what that is in or on; "there" is the
    latter."""
    if act.of and act.act in ABOUT_ACTS:
        return act._replace(of=(_of_fact(act.of[0], told, resolver), *act.of[1:]))
    if act.act is not Act.ORDER or not act.slots:
        return act
    act = act._replace(slots=tuple(_there(slot, told.phrase) for slot in act.slots))
    if not _points(act.slots[0]):
        return act
    meant = (one for one in _told(told) if _suits(one, act.about, resolver))
    phrase = next(meant, None)
    return act if phrase is None else act._replace(slots=(Slot("", phrase), *act.slots[1:]))


def _told(told: Slot) -> Iterator[Phrase]:
    """What a fact may say that "it" is, the closest first: "a drawer is open: shut it" is about one that is open. It
    may say how things are, or how they should be."""
    phrase, state = told.phrase, state_called(told.role.removeprefix(":"))
    so = replace(phrase, looks=(*phrase.looks, state)) if state in LOOKS else phrase
    yield from (so, replace(so, place=None), phrase, replace(phrase, place=None))
    if phrase.place is not None:
        yield phrase.place[1]


def _there(slot: Slot, told: Phrase) -> Slot:
    """A place that a fact told of, in place of "there": "the apple belongs in the fridge, put it in there"."""
    names_place = slot.phrase == Phrase("there") or (slot.role and slot.phrase == Phrase("it"))
    if not names_place or told.place is None or not kinds_of(told.place[1].noun):
        return slot
    relation, mark = told.place
    return Slot(relation if slot.role and relation in ("in", "on", "near") else slot.role, mark)


def _points(slot: Slot) -> bool:
    return not slot.role and slot.phrase == Phrase(slot.phrase.noun) and slot.phrase.noun in _POINTING


def _named(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    if act.act is not Act.ORDER or not act.slots:
        return act
    act = act._replace(slots=tuple(_of_several(slot, text, resolver) for slot in act.slots))
    slot = act.slots[0]
    if not _points(slot):
        return act
    noun = next((one for one in _mentions(text, slot.phrase.noun) if _suits(Phrase(one), act.about, resolver)), "")
    if not noun:
        return act
    return act._replace(slots=(Slot("", Phrase(noun, "all" if slot.phrase.noun in _MANY else "")), *act.slots[1:]))


def _faced(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "Turn until the bed is ahead of you" is to look at the bed."""
    facing = _FACING.search(text.lower())
    if act.slots or facing is None:
        return act
    nouns = (noun for noun in _mentions(f"{facing[1]} it", "it") if resolver.find(Phrase(noun)).things)
    noun = next(nouns, "")
    return DialogueAct(Act.ORDER, "look_at", (Slot("", Phrase(noun)),)) if noun else act


def _of_several(slot: Slot, text: str, resolver: Resolver) -> Slot:
    """ "There are two sofas: put it on the one with the cushion" is one of those that were named."""
    told = slot.phrase.looks or slot.phrase.place or slot.phrase.holds
    if slot.phrase.noun != "one" or not told or resolver.find(slot.phrase).things:
        return slot
    several = (noun for noun in _mentions(text, "one") if len(resolver.find(Phrase(noun)).things) > 1)
    noun = next(several, "one")
    return slot._replace(phrase=replace(slot.phrase, noun=noun))


def _mentions(text: str, pronoun: str) -> Iterator[str]:
    """The names of things in words before a pronoun, in the order said."""
    words = tokens(fitting(text)[0])
    until = max((at for at, word in enumerate(words) if word == pronoun), default=0)
    at = 0
    while at < until:
        for length in range(min(_LONGEST, until - at), 0, -1):
            name = "_".join((*words[at : at + length - 1], singular(words[at + length - 1])))
            if name in LIQUIDS or (length > 1 or len(name) > 2) and kinds_of(name):
                yield name
                at += length - 1
                break
        at += 1


def _suits(phrase: Phrase, verb: str, resolver: Resolver) -> bool:
    """Whether an order can be about a thing of a description, as far as things are known here."""
    if phrase.noun in LIQUIDS:
        return verb == "get"
    needed = _NEEDS.get(verb)
    things: Sequence[Thing] = resolver.find(phrase, having(needed) if needed else None).things
    return bool(things)
