"""Descriptions that mean any one of a kind: "a towel", "one more slice", whichever is allowed."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.ambiguity import is_definite
from teach_agents.agents.dialogue.noun_types import PRONOUNS, called_in_part, noun_of
from teach_agents.agents.dialogue.prohibitions import breaks
from teach_agents.agents.dialogue.purposes import with_purpose
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import DialogueAct, Slot
from teach_agents.understanding.plain_text import plain_text

_FREE = re.compile(
    r"\b(?:whichever|whatever|any|anything|the ones?|those|which)\b[^.!?]*"
    r"(?:\b(?:free|allowed|permitted) to\b|\byou may\b|\bi (?:still )?(?:let|allow|have allowed)\b"
    r"|(?:n't|\bnot) (?:forbidden|off[- ]limits|banned|out of bounds))"
)
"""Words for what no rule is against."""
NEEDS_NOT = re.compile(
    r"\b(?:that|which|whatever|whichever|the ones?|those)\b[^.!?]*(?:n't|\bnot) (?:have|need|supposed|meant) to"
    r" (?:stay|be|remain|be (?:kept|left)) (?:on|off|open|shut|closed)\b"
)
"""Words for what need not stay as it is: "the lamps that don't have to stay on"."""


def free_one(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "I need a roll" where one of two is forbidden is the other; so is "whichever you are allowed to take"."""
    if not act.slots or act.slots[0].role or act.slots[0].phrase.noun in PRONOUNS:
        return act
    phrase = act.slots[0].phrase
    if (_FREE.search(text.lower()) or NEEDS_NOT.search(plain_text(text))) and not phrase.looks:
        free = replace(phrase, count="all" if phrase.count == "all" else "", looks=("allowed",))
        return act._replace(slots=(Slot("", free), *act.slots[1:])) if resolver.find(free).things else act
    plain = not phrase.count and phrase.place is None and (not phrase.looks or bool(with_purpose(phrase)[1]))
    if not plain or is_definite(text, phrase) or not breaks(act, resolver.rules, resolver):
        return act
    another = act._replace(slots=(Slot("", replace(phrase, count="1")), *act.slots[1:]))
    return act if breaks(another, resolver.rules, resolver) else another


def of_another_kind(act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "A towel" where the bath towels are forbidden: a hand towel is one as well."""
    if not act.slots or act.slots[0].phrase.count not in ("1", "any", "some", "another"):
        return act
    if not breaks(act, resolver.rules, resolver):
        return act
    phrase = act.slots[0].phrase
    for thing in called_in_part(phrase.noun, "", resolver.body.things):
        other = act._replace(slots=(Slot("", replace(phrase, noun=noun_of(thing.object_type))), *act.slots[1:]))
        if not breaks(other, resolver.rules, resolver):
            return other
    return act


def one_more(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "Put a slice on the plate" where one is there already, and "the" was not said: it is one more that is meant."""
    if act.about != "put" or len(act.slots) < 2 or act.slots[0].phrase.count or act.slots[0].phrase.noun in PRONOUNS:
        return act
    phrase, places = act.slots[0].phrase, resolver.find(act.slots[1].phrase).things
    found = resolver.find(phrase, having("pickupable"))
    there = [thing for thing in found.things if resolver.placed("in", thing, places)]
    if is_definite(text, phrase) or not set(found.chosen) <= set(there) or len(there) == len(found.things):
        return act
    return act._replace(slots=(Slot("", replace(phrase, count="1")), *act.slots[1:]))
