"""What an utterance forbids of its own orders, though it says so behind them: "something to write with, just not the
pencil", "take the apple out and leave the fridge open"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.excepted_kinds import EXCEPTING
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.prohibitions import limits
from teach_agents.agents.dialogue.purposes import use_in
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

_KEPT = re.compile(r"\b(?:leave|leaving|left|keep|keeping|stay|don't (?:you )?(?:close|shut)|do not (?:close|shut))\b")
"""Words for what is to stay as an order makes it on its way."""
_LEAVE = re.compile(
    r"\bleav(?:e|ing)\b[^.,;!?]*\b(?:open|on|running)\b"
    r"|\b(?:find|want|have|see|keep|with)\b (?:[a-z]+ ){1,4}(?:left |still |standing )?open\b"
)
_LEFT_SHUT = re.compile(r"\b(?:leav(?:e|ing)|left|find|with)\b[^.,;!?]*\b(?:shut|closed)\b")
_NOT_LEFT = re.compile(r"(?:\bnot|n't|\bnever)\b[^.,;!?]*\b(?:leav|left|keep|find|want)")
_OPENS = re.compile(r"\bopen\b")
_SHUTS = re.compile(r"\b(?:close|closed|shut|closing|shutting)\b")
_LEFT = {"close": "open", "turn_off": "turn_on"}
"""By what is not to be done, what is to be so."""
_LEFT_SO = {"open": ("openable", "isOpen"), "turn_on": ("toggleable", "isToggled")}
_LATER = re.compile(r"\b(?:then|after|afterwards|again|any ?more|later|from now on|once|until)\b")
"""What tells that something is forbidden behind what is to be done."""
_EXCEPT = re.compile(rf"\b{EXCEPTING}\b|\bbut (?:the|my|our|that|this|for)\b")
_KEPT_UP = re.compile(r"\b(?:do not|never|leave|keep|stays?|must|touch)\b|n't\b")
"""What forbids more than an exception does."""
_CLEARED = {"clear": "move", "do": "touch", "make": "touch"}
"""By an order of a whole place, what it does to each thing there."""
_STAYING = {"close": "openable", "turn_off": "toggleable"}
"""By what would end it, what a thing has to be."""


def with_limits_first(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts with what limits an order before it: some of what it may be about is excepted, or what is opened for it is
    to stay open."""
    found: list[DialogueAct] = []
    for act in [
        part for one in _with_exceptions(_without_contrast(acts), text) for part in _without_excepted(one, text)
    ]:
        act = _of_what_is_opened(act, found, text, resolver)
        at = next((number for number, one in enumerate(found) if _is_limited(one, act, resolver)), len(found))
        found.insert(at, act)
    return _barred_first(found, text)


def _with_exceptions(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Turn everything off except the TV": what is left out of an order holds before it and for it alone; out of what
    is allowed it is forbidden, out of what is forbidden it is allowed."""
    found: list[DialogueAct] = []
    for act in acts:
        of = next((one for one in reversed(found) if one.act in (Act.ORDER, Act.ALLOW, Act.NEVER)), None)
        order = of if of is None or of.act is Act.ORDER else next(iter(of.of), None)
        left_out = _left_out(act, order, text) if order is not None else []
        if of is None or order is None or not left_out:
            found.append(act)
        elif of.act is Act.ORDER:
            found.insert(found.index(of), DialogueAct(Act.NOT, of=tuple(left_out)))
        else:
            found.append(DialogueAct(Act.ALLOW if of.act is Act.NEVER else Act.NEVER, of=tuple(left_out)))
    return found


def _left_out(act: DialogueAct, order: DialogueAct, text: str) -> list[DialogueAct]:
    """The orders that an act leaves out of one before it, if it is an exception from that, or is named beside one."""
    plain = plain_text(text)
    forbidden = act.act is Act.NEVER and act.condition is None and {one.about for one in act.of} == {order.about}
    if act.act is Act.NOT and not act.of:
        named = [slot.phrase for slot in act.slots if not slot.role]
    elif act.act is Act.ORDER and act.about == order.about and _is_beside(act, plain):
        named = [slot.phrase for slot in act.slots if not slot.role]
    elif forbidden and _EXCEPT.search(plain) and not _KEPT_UP.search(plain):
        named = [slot.phrase for one in act.of for slot in one.slots if not slot.role]
    else:
        return []
    noun = next((slot.phrase.noun for slot in order.slots if not slot.role), "")
    if (
        len(named) < len(act.slots)
        or not noun
        or (not _EXCEPT.search(plain) and {one.noun for one in named} & PRONOUNS)
    ):
        return []
    ones = [replace(one, noun=noun) if one.noun in ("one", "ones") and noun not in ANYTHING else one for one in named]
    verb = _CLEARED.get(order.about, order.about)
    return [DialogueAct(Act.ORDER, verb, (Slot("", one),)) for one in ones]


def _is_beside(act: DialogueAct, plain: str) -> bool:
    """ "All but the cup and the mug": whether what an order names stands behind another exception, without a verb."""
    tail = next((plain[found.end() :] for found in _EXCEPT.finditer(plain)), "")
    name = re.escape(act.slots[0].phrase.noun.replace("_", " ")) if act.slots else "$"
    return (
        re.search(rf"[a-z](?:,| and| or|, and) (?:for )?(?:the |my |our |his |her )?(?:[a-z]+ )?{name}\b", tail)
        is not None
    )


def _barred_first(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Bring the lettuce, but do not open the fridge": what is forbidden along with orders holds for them already,
    unless it is about what they name, or for later."""
    ordered = {phrase.noun for act in acts if act.act is Act.ORDER for phrase in _nouns_of(act)}

    def holds_now(act: DialogueAct) -> bool:
        named = {phrase.noun for one in act.of for phrase in _nouns_of(one)}
        return act.act is Act.NEVER and act.condition is None and bool(named) and not named & (ordered | PRONOUNS)

    if not ordered or _LATER.search(text.lower()):
        return [*acts]
    return sorted(acts, key=lambda act: not holds_now(act))


def _nouns_of(act: DialogueAct) -> list[Phrase]:
    """What an act names, and the places by which it tells that apart."""
    named = [slot.phrase for slot in act.slots]
    return [*named, *(phrase.place[1] for phrase in named if phrase.place is not None)]


def left_so(acts: Iterable[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """ "Leave the lid open", of one that is closed: it is opened, and not to be closed."""
    found: list[DialogueAct] = []
    for act in (_as_left(one, text.lower()) for one in acts):
        verb = _LEFT.get(act.of[0].about) if act.act is Act.NEVER and act.of and _LEAVE.search(text.lower()) else None
        if verb is not None:
            (slot, *_), needed = act.of[0].slots or (Slot("", Phrase("it")),), _LEFT_SO[verb]
            things = resolver.find(slot.phrase, having(needed[0])).things
            if things and not any(thing.has(needed[1]) for thing in things):
                found.append(DialogueAct(Act.ORDER, verb, (slot,)))
        found.append(act)
    return found


def _as_left(act: DialogueAct, text: str) -> DialogueAct:
    """ "I'd like to find the door open afterwards" has it left open, and "leave it closed" has it closed, however that
    was read."""
    open_wanted = _LEAVE.search(text) and not _NOT_LEFT.search(text) and not _SHUTS.search(text)
    if act.act is Act.ORDER and act.about in ("close", "find") and open_wanted:
        if act.about == "close" or (act.slots and "open" in act.slots[0].phrase.looks):
            slots = (slot._replace(phrase=replace(slot.phrase, looks=())) for slot in act.slots)
            return DialogueAct(Act.NEVER, of=(act._replace(about="close", slots=tuple(slots)),))
    forbids = act.act is Act.NEVER and len(act.of) == 1 and act.of[0].about == "close"
    return act.of[0] if forbids and _LEFT_SHUT.search(text) and not _OPENS.search(text) else act


def _without_contrast(acts: Sequence[DialogueAct]) -> list[DialogueAct]:
    """ "Bring me the apple. Not the pear": what was not among what is ordered needs not be taken out of it."""
    named = [phrase.noun for act in acts if act.act is Act.ORDER for phrase in _nouns_of(act)]
    if not named or not all(map(kinds_of, named)) or acts[0].act is Act.NOT:
        return [*acts]
    ordered = {kind for noun in named for kind in kinds_of(noun)}

    def is_apart(act: DialogueAct) -> bool:
        kinds = {kind for slot in act.slots for kind in kinds_of(slot.phrase.noun)}
        return act.act is Act.NOT and bool(kinds) and not kinds & ordered

    return [act for act in acts if not is_apart(act)]


def _without_excepted(act: DialogueAct, text: str) -> list[DialogueAct]:
    """ "Something to write with, just not the pen" that was read as the pen."""
    plain, use = text.lower(), use_in(text.lower())
    if use is None or act.act is not Act.ORDER or act.about not in ("get", "pick_up", "find") or len(act.slots) != 1:
        return [act]
    phrase = act.slots[0].phrase
    name = re.escape(phrase.noun.replace("_", " "))
    if re.search(rf"\b(?:not|except|but|apart from|bar|other than) (?:for )?(?:the|that|my|a) {name}\b", plain) is None:
        return [act]
    return [DialogueAct(Act.NEVER, of=(act,)), act._replace(slots=(Slot("", use),))]


def _is_limited(order: DialogueAct, act: DialogueAct, resolver: Resolver) -> bool:
    if act.act is not Act.NEVER or act.condition is not None or len(act.of) != 1 or order.act is not Act.ORDER:
        return False
    (forbidden,) = act.of
    if forbidden.about in _STAYING:
        return any(place == one.phrase for place in _places(order) for one in forbidden.slots)
    return limits(order, forbidden, resolver)


def _of_what_is_opened(act: DialogueAct, before: Sequence[DialogueAct], text: str, resolver: Resolver) -> DialogueAct:
    """ "Leave it open" behind what is taken out of something, or put into it, is about that."""
    if act.act is not Act.NEVER or len(act.of) != 1 or not _KEPT.search(text.lower().replace("\u2019", "'")):
        return act
    (forbidden,) = act.of
    able = _STAYING.get(forbidden.about)
    if able is None or len(forbidden.slots) > 1:
        return act
    (slot,) = forbidden.slots or (Slot("", Phrase("it")),)
    if slot.phrase.noun not in PRONOUNS | ANYTHING | {"door", "lid"}:
        return act
    for order in reversed(before):
        for place in _places(order):
            if any(thing.has(able) for thing in resolver.find(place, having("receptacle")).things):
                return act._replace(of=(forbidden._replace(slots=(slot._replace(phrase=place),)),))
    return act


def _places(order: DialogueAct) -> list[Phrase]:
    """Where an order takes something from, or puts it."""
    if order.act is not Act.ORDER:
        return []
    inner = [slot.phrase.place[1] for slot in order.slots if slot.phrase.place is not None]
    return [*(slot.phrase for slot in order.slots if slot.role in ("from", "in", "on")), *inner]
