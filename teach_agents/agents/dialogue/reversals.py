"""The other way round: what makes the opposite of a state that was asked about, or that was just made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import Deed
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.repair import opposite
from teach_agents.agents.dialogue.states import state_called
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import RESULTS
from teach_agents.understanding.plain_text import plain_text

_ROUND = re.compile(
    r"\bother way (?:a)?round\b|\bvice versa\b"
    r"|\b(?:the|its|it's|exact|very) (?:opposite|reverse)\b(?! (?:side|end|wall|corner|direction|way))"
    r"|\b(?:change|flip|reverse|invert) (?:that|it|this)\b(?! (?:to|into|with|from|over|back|in)\b)"
)
_DO_IT = re.compile(
    r"(?:(?:then|well|ok|okay|so|please|just|and|no|oh|right|alright|go (?:on|ahead)(?: and)?|(?:can|could) you)\W+)*"
    r"(?:please )?do (?:it|that|so)(?: for me)?(?: then| now| please| right away| straight away)*\W*"
)
_NEVER_AGAIN = re.compile(
    r"(?:(?:please|and|but|hey|robot|well|now|ok|okay|no)\W+)*(?:don't|dont|do not|never|you (?:must not|mustn't"
    r"|may not|should not|shouldn't))(?: (?:ever|you|dare|just))* do (?:that|this|it|so|such a thing)"
    r"(?: (?:ever|once|to me|please))* (?:again|any ?more)(?: please)?\W*"
)
_UNREAD = frozenset({Act.STOP, Act.NEVER, Act.UNCLEAR, Act.FACT, Act.COMPLAIN, Act.NOT, Act.UNDO, Act.WRONG})
_TO_MAKE_SO = {state: verb for verb, state in reversed(RESULTS.items()) if verb != "break"}
"""By a state that was asked about, what makes a thing so."""
_ASKED = frozenset({"state", "what_state"})
_SWITCHED = frozenset({"open", "close", "turn_on", "turn_off"})
_STAYS = re.compile(
    r"\b(?:leave|keep|let|put|turn|switch|stays?|should(?: have)? stay(?:ed)?|want|back)\b(?: [a-z]+){0,4}?"
    r" (?P<so>on|off|open|shut|closed|alone|be|back|where it (?:was|is))\b(?! (?:the|my|our|a)\b)"
)
"""How a thing is to be that was mistaken for another."""
_MADE: Mapping[str, str] = {"on": "turn_off", "off": "turn_on", "open": "close", "shut": "open", "closed": "open"}
"""By how a thing is to stay, the order that made it otherwise."""


class _Pair(NamedTuple):
    """Two states of things that are `able` to be in either, `flag` telling which, and the verbs that lead there."""

    able: str
    flag: str
    states: frozenset[str]
    on: str
    off: str


_PAIRS = (
    _Pair("openable", "isOpen", frozenset({"open", "closed"}), "open", "close"),
    _Pair("toggleable", "isToggled", frozenset({"on", "off"}), "turn_on", "turn_off"),
)


def turned_round(
    acts: Sequence[DialogueAct], text: str, asked: DialogueAct | None, last: DialogueAct | None, resolver: Resolver
) -> DialogueAct | None:
    """ "I would like it the other way round": the order for the opposite of what was `asked` about or, where nothing
    was asked since, of what the `last` order made; that this is forbidden where words are "don't do that again"; `None`
    where words mean nothing of the kind, or name a thing."""
    words = plain_text(text)
    if last is not None and _NEVER_AGAIN.fullmatch(words) and {act.act for act in acts} <= _UNREAD:
        return DialogueAct(Act.NEVER, of=(last._replace(condition=None),))
    if not _ROUND.search(words) or any(map(_names_something, acts)):
        return None
    if asked is not None:
        return _of_asked(asked, resolver) if asked.about in _ASKED else None
    return opposite(last) if last is not None and last.about in _SWITCHED else None


def done_as_asked(
    acts: Sequence[DialogueAct], text: str, asked: DialogueAct | None, resolver: Resolver
) -> DialogueAct | None:
    """ "Is the lettuce sliced? Then do it": the order for what was asked about; `None` where words mean no such thing,
    or nothing of the kind was asked since something was done."""
    if asked is None or not _DO_IT.fullmatch(plain_text(text)) or any(map(_names_something, acts)):
        return None
    if asked.about in ("did", "can"):
        return next(iter(asked.of), None)
    role, phrase = asked.slots[0] if asked.slots else Slot("", Phrase(""))
    verb = _TO_MAKE_SO.get(state_called(role.removeprefix(":"))) if asked.about == "state" else None
    verb = "make" if verb == "wash" and "Bed" in kinds_of(phrase.noun) else verb
    return None if verb is None else DialogueAct(Act.ORDER, verb, (Slot("", phrase),))


def put_right(last: DialogueAct, deeds: Sequence[Deed], text: str) -> DialogueAct | None:
    """ "Leave that one on, I meant the other": the order that takes the `last` one back, as its deed was done; `None`
    where a correction says nothing of how the first thing is to stay."""
    found = _STAYS.search(plain_text(text))
    if found is None or not deeds or not (deeds[-1].done and deeds[-1].changed):
        return None
    made = _MADE.get(found["so"])
    fits = last.about == made if made else last.about in _SWITCHED | {"put", "get", "pick_up"}
    return opposite(last) if fits else None


def _names_something(act: DialogueAct) -> bool:
    """Whether an act names a thing, or is about a certain one."""
    free = act.act is Act.ORDER and act.about == "do"
    slots = [slot for one in (act, *act.of) for slot in one.slots]
    return act.act is Act.QUESTION or (not free and any(kinds_of(slot.phrase.noun) for slot in slots))


def _of_asked(asked: DialogueAct, resolver: Resolver) -> DialogueAct | None:
    slot = asked.slots[0]
    things = resolver.find(slot.phrase).chosen
    pair = _pair_of(things[0], slot.role.removeprefix(":"), resolver) if len(things) == 1 else None
    if pair is None:
        return None
    verb = pair.off if things[0].has(pair.flag) else pair.on
    return DialogueAct(Act.ORDER, verb, (Slot("", Phrase(slot.phrase.noun, "", slot.phrase.looks, slot.phrase.place)),))


def _pair_of(thing: Thing, state: str, resolver: Resolver) -> _Pair | None:
    """Which two states are meant: those of the state that was named, in the question or its reading."""
    pairs = [one for one in _PAIRS if thing.has(one.able)]
    said = [line.removeprefix("person: ") for line in resolver.recent if line.startswith("person: ")][-2:-1]
    named = {state_called(word) for word in (state, *(word for line in said for word in re.findall(r"[a-z]+", line)))}
    return next((one for one in pairs if one.states & named), next(iter(pairs), None))
