"""What the conditions of an utterance are about, and which of its orders hang on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.branches import USED
from teach_agents.agents.dialogue.conditions import OPPOSITES
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

_AGAIN = re.compile(r"(?:[.!?;,\n]|\b(?:and|but|or))\s*(?:and |but |or )?(?:if|when|in case) (?:it|they|that)\b")
""" "If it's off already", behind something else."""
_OWN = re.compile(
    r"\W*(?P<deed>(?!if\b|when\b)[^.!?;]*?) if (?P<condition>[^.!?;,]+?)(?:[,;.] *(?:and )?| and )"
    r"(?:then|afterwards?|after (?:that|this))\b[ ,]*(?P<next>[^.!?;]+)\W*"
)
"""A condition behind its own order, and what is done next: "wash it if it's dirty, then put it away"."""
_IS_THERE = re.compile(
    r"\b(?:there(?:'s| is| are|'re| isn't| aren't)|(?:you|we) (?:find|see|spot|can see)|any|none)\b"
    r"|(?:\b(?:is|are|lies|sits)|'s|'re|n't|\bnot) (?:[a-z]+ ){0,2}(?:there|in it|on it|inside)\b"
)
_USE = re.compile(
    r"\b(?:if|in case) you(?: do| did|'ve|'d)?(?: have| had)? (?:(?:to |need(?:ed)? to |end(?:ed)? up )?us(?:e|ed|ing)"
    r"|need(?:ed)?) (?:the|my|our|a|an|any) (?P<tool>[a-z-]+(?: [a-z-]+)?)"
)
""" "If you had to use the knife for it"."""
_LOOKS = {"look_in": "in", "look_at": "on", "go_to": "on"}
_READY = frozenset("done ready finished cooked made toasted boiled full hot brewed over complete".split())
_MAKING = frozenset({"make", "get", "cook", "toast", "boil", "fill", "wash"})
"""How things are once they were made, and what makes them so."""
_ANOTHER = frozenset({"one", "another", "another_one", "other", "other_one", "more", "second"})
_MANY = frozenset({"all", "both", "every", "each"})


def with_scope(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts with their conditions as the words of all of them have it."""
    plain = plain_text(text)
    found: list[DialogueAct] = []
    for act in _own_condition(acts, plain):
        changed = _in_what_is_looked_into(_once_made(act, found), found, plain)
        changed = _another(_of_same_thing(changed, found, plain), found)
        found.append(_if_used(_them(changed, found), found, plain))
    return found


def _own_condition(acts: Sequence[DialogueAct], plain: str) -> list[DialogueAct]:
    """ "Wash the bowl if it's dirty, then put it in the fridge": the washing alone hangs on that."""
    said = _OWN.fullmatch(plain)
    orders = [act for act in acts if act.act is Act.ORDER]
    conditions = {act.condition for act in orders if act.condition is not None}
    if said is None or len(conditions) != 1 or len(orders) != 2 or len(acts) != 2 or re.search(r"\bif\b", said["next"]):
        return [*acts]
    if re.search(r"\b(?:and|then)\b", said["deed"]):
        return [*acts]
    first, second = orders
    (condition,) = conditions
    return [first._replace(condition=condition), second._replace(condition=None)]


def _in_what_is_looked_into(act: DialogueAct, before: Sequence[DialogueAct], plain: str) -> DialogueAct:
    """ "Look in the fridge. If there is a potato", "go to the desk. If my phone is there": in or on that."""
    condition = act.condition
    looks = next((one for one in before if one.act is Act.ORDER and one.condition is None), None)
    if condition is None or looks is None or looks.about not in _LOOKS or not looks.slots:
        return act
    deeds = [one for one in before if one.condition is None and one.about not in _LOOKS]
    phrase, mark = condition.phrase, looks.slots[0].phrase
    if deeds or condition.state or phrase.place is not None or phrase.noun in PRONOUNS or not _IS_THERE.search(plain):
        return act
    if phrase.noun == mark.noun or mark.noun in PRONOUNS:
        return act
    return act._replace(condition=condition._replace(phrase=replace(phrase, place=(_LOOKS[looks.about], mark))))


def _once_made(act: DialogueAct, before: Sequence[DialogueAct]) -> DialogueAct:
    """ "Make coffee. When it's ready, bring it": making it is over only then."""
    condition = act.condition
    if condition is None or not condition.holds or condition.state not in _READY:
        return act
    made = {slot.phrase.noun for one in before if one.about in _MAKING for slot in one.slots if not slot.role}
    return act._replace(condition=None) if condition.phrase.noun in made | (PRONOUNS if made else set()) else act


def _of_same_thing(act: DialogueAct, before: Sequence[DialogueAct], plain: str) -> DialogueAct:
    """ "Turn the TV off if it's on. If it's off already, get the remote": the TV, not the remote."""
    condition = act.condition
    if condition is None or condition.phrase.noun not in PRONOUNS or not act.slots or not _AGAIN.search(plain):
        return act
    for one in reversed(before):
        other = one.condition
        if other is None or condition.state not in (other.state, OPPOSITES.get(other.state)):
            continue
        thing = other.phrase
        if thing.noun in PRONOUNS and one.slots:
            thing = one.slots[0].phrase
        if thing.noun in PRONOUNS or (other.state == condition.state and other.holds == condition.holds):
            continue
        return act._replace(condition=condition._replace(phrase=thing))
    return act


def _another(act: DialogueAct, before: Sequence[DialogueAct]) -> DialogueAct:
    """ "Hang up a roll from the counter, and if there is another one left there": another roll."""
    condition = act.condition
    if condition is None or condition.phrase.noun.removeprefix("another_") not in _ANOTHER:
        return act
    named = (one.slots[0].phrase for one in reversed(before) if one.act is Act.ORDER and one.slots)
    thing = next((phrase for phrase in named if phrase.noun not in PRONOUNS), None)
    if thing is None or (place := condition.phrase.place or thing.place) is None:
        return act
    return act._replace(condition=condition._replace(phrase=replace(thing, count="", place=place)))


def _them(act: DialogueAct, before: Sequence[DialogueAct]) -> DialogueAct:
    """ "Them", behind a condition about one thing, is the several that were named before."""
    condition = act.condition
    if condition is None or condition.phrase.count or condition.phrase.noun in PRONOUNS or not condition.state:
        return act
    named = [slot.phrase for one in reversed(before) for slot in one.slots if not slot.role]
    several = next((one for one in named if one.count in _MANY and one.noun != condition.phrase.noun), None)
    if several is None:
        return act
    slots = (Slot(one.role, several) if one.phrase == Phrase("them") else one for one in act.slots)
    return act._replace(slots=tuple(slots))


def _if_used(act: DialogueAct, before: Sequence[DialogueAct], plain: str) -> DialogueAct:
    """ "Make toast. If you had to use the knife for it, put the knife in the sink": only then."""
    said = _USE.search(plain)
    if said is None or not before or act.act is not Act.ORDER or act.condition is not None or not act.slots:
        return act
    thing = act.slots[0].phrase
    tool = next(
        (slot.phrase for one in before for slot in one.slots if slot.role == "with"), Phrase(said["tool"].split()[0])
    )
    if said["tool"].startswith(thing.noun.replace("_", " ")):
        return act._replace(condition=Condition(thing, USED, True))
    return act._replace(condition=Condition(tool, USED, True)) if thing == Phrase("it") else act
