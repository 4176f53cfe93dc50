""" "It" that means what the same utterance names in passing: "I think I left the fridge open, can you shut it?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.noun_types import is_name, kinds_of
from teach_agents.agents.dialogue.plausibility import NEEDS
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.core.dialogue import ABOUT_ACTS, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import singular
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.tokens import tokens

_POINTING = frozenset({"it", "that", "them", "those", "him", "her"})
_MANY = frozenset({"them", "those"})
_VERBS_TOO = frozenset("switch light water slice plant dish book cover shower sink clean ring box can pan".split())
_BEFORE_A_VERB = frozenset("you to please and then . ,".split()) | {""}
_BEHIND_A_VERB = frozenset("it that this them those the off on you i".split())
"""What tells that a word is a verb."""
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
    asked = [both for one in acts for both in _of_both(one, acts, text)]
    for act in asked:
        before = found[-1] if found else None
        if before is not None and before.act is Act.FACT and before.slots:
            act = _of_fact(act, before.slots[0].phrase, resolver)
        elif not any(one.slots or one.of or one.condition for one in found) and act.condition is None:
            act = _named(act, text, resolver)
        found.append(act)
    return found


def _of_both(act: DialogueAct, acts: Sequence[DialogueAct], text: str) -> Iterator[DialogueAct]:
    """ "Are the cup and the bowl clean?" asks about both, where no more than the first was read."""
    yield act
    if act.act is not Act.QUESTION or act.about not in ("state", "where", "what_state") or len(act.slots) != 1:
        return
    phrase = act.slots[0].phrase
    name = re.escape(phrase.noun.replace("_", " "))
    found = re.search(rf"\b{name} and (?:the |my |a |an )?(?P<other>[a-z]+)\b", text.lower())
    other = singular(found["other"]) if found is not None and not phrase.place else ""
    if other and kinds_of(other) and not any(slot.phrase.noun == other for one in acts for slot in one.slots):
        yield act._replace(slots=(act.slots[0]._replace(phrase=replace(phrase, noun=other)),))


def _of_fact(act: DialogueAct, told: Phrase, resolver: Resolver) -> DialogueAct:
    """An act, or what it forbids or allows, about the thing that a fact is of, or what that is in or on."""
    if act.of and act.act in ABOUT_ACTS:
        return act._replace(of=(_of_fact(act.of[0], told, resolver), *act.of[1:]))
    if act.act is not Act.ORDER:
        return act
    return act._replace(slots=tuple(_of_what(slot, act.about, told, resolver) for slot in act.slots))


def _of_what(slot: Slot, verb: str, told: Phrase, resolver: Resolver) -> Slot:
    """A thing or a place that is pointed at, as what a fact is of or where that is."""
    if not _points(slot) or slot.role not in ("", "in", "on", "from"):
        return slot
    wholes = [] if told.place is None else [told.place[1]]
    for phrase in (replace(told, place=None), *wholes):
        fits = _suits(phrase.noun, verb, resolver) if not slot.role else _holds(phrase.noun, resolver)
        if fits:
            return slot._replace(phrase=phrase)
    return slot


def _holds(noun: str, resolver: Resolver) -> bool:
    return bool(kinds_of(noun)) and bool(resolver.find(Phrase(noun), having("receptacle")).things)


def _points(slot: Slot) -> bool:
    phrase = slot.phrase
    return replace(phrase, count="") == Phrase(phrase.noun) and phrase.count in ("", "all") and phrase.noun in _POINTING


def _named(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    if act.act is not Act.ORDER or not act.slots:
        return act
    act = act._replace(slots=tuple(_of_several(slot, text, resolver) for slot in act.slots))
    slot = act.slots[0]
    if slot.role or not _points(slot):
        return act
    noun = next((one for one in mentions_in(text, slot.phrase.noun) if _suits(one, act.about, resolver)), "")
    if not noun:
        return act
    return act._replace(slots=(Slot("", Phrase(noun, "all" if slot.phrase.noun in _MANY else "")), *act.slots[1:]))


def _of_several(slot: Slot, text: str, resolver: Resolver) -> Slot:
    """ "There are two sofas: put it on the one with the cushion" is one of those that were named."""
    told = slot.phrase.looks or slot.phrase.place or slot.phrase.holds
    if slot.phrase.noun != "one" or not told or resolver.find(slot.phrase).things:
        return slot
    several = (noun for noun in mentions_in(text, "one") if len(resolver.find(Phrase(noun)).things) > 1)
    noun = next(several, "one")
    return slot._replace(phrase=replace(slot.phrase, noun=noun))


def mentions_in(text: str, pronoun: str = "") -> Iterator[str]:
    """The names of things in words before a pronoun, in all of them where there is none to be before."""
    words = tokens(fitting(text)[0])
    until = max((at for at, word in enumerate(words) if word == pronoun), default=0 if pronoun else len(words))
    at = 0
    while at < until:
        for length in range(min(_LONGEST, until - at), 0, -1):
            name = "_".join((*words[at : at + length - 1], singular(words[at + length - 1])))
            if _is_verb(words, at) and length == 1:
                continue
            if name in LIQUIDS or _is_named(name, length):
                yield name
                at += length - 1
                break
        at += 1


def _is_named(name: str, length: int) -> bool:
    if length > 1:
        return is_name(name)
    return (len(name) > 2 or name in ("cd", "tv")) and bool(kinds_of(name))


def _is_verb(words: Sequence[str], at: int) -> bool:
    """Whether a word is what is to be done, rather than a thing: "can you switch that off"."""
    if words[at] not in _VERBS_TOO:
        return False
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    return before in _BEFORE_A_VERB or after in _BEHIND_A_VERB


def _suits(noun: str, verb: str, resolver: Resolver) -> bool:
    """Whether an order can be about a thing of a name, as far as things are known here."""
    if noun in LIQUIDS:
        return verb == "get"
    needed = _NEEDS.get(verb)
    things: Sequence[Thing] = resolver.find(Phrase(noun), having(needed) if needed else None).things
    return bool(things)
