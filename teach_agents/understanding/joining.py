"""Clauses that lean on the one before them: verbs left out, things described once more, corrections in one breath."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.core.dialogue import COURTESIES, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import grammar, pattern
from teach_agents.understanding.noun_phrases import is_known, noun_phrase
from teach_agents.understanding.order_rules import Acts, courtesies, order_in

_MEANT_RATHER = r"(?:(?:no|i mean|i meant|or rather|rather|make that|wait no|no wait|no sorry|sorry)(?: ,)? )+(.+)"
_AGAIN = {"put_back": "put"}
"""What is done with another thing, at another place, where that is not the same."""
_DROPPED = (Act.HELLO, Act.BYE, Act.OK)


def leaning(first: Acts, after: str, *, comma: bool) -> Acts | None:
    """The acts of a clause and of what leans on it, behind a bare `comma` or another joint."""
    *earlier, last = first
    if last.act is not Act.ORDER or last.condition is not None or not last.slots or last.slots[0].role:
        return None
    if found := re.fullmatch(_MEANT_RATHER, after):
        return None if (rather := _corrected(last, found[1])) is None else [*earlier, rather]
    if comma and (told := _told_more(last, after)) is not None:
        return [*earlier, told]
    again = _once_more(last, after)
    return None if again is None else [*first, again]


def told_first(before: str, after: str) -> Acts | None:
    """ "The pencil on the dresser, bring it to me": an order whose thing is named in front of it."""
    thing, orders = noun_phrase(before), order_in(after)
    if (
        re.search(r"\b(?:is|are|belongs?|any)\b", before)
        or thing is None
        or not is_known(thing)
        or not orders
        or not orders[0].slots
    ):
        return None
    first, *others = orders[0].slots
    if thing.noun in grammar()["pronouns"] or first.phrase not in (Phrase("it"), Phrase("them")) or first.role:
        return None
    return [orders[0]._replace(slots=(first._replace(phrase=thing), *others)), *orders[1:]]


def together(first: Acts, rest: Acts) -> Acts:
    """The acts of two clauses of one sentence: a greeting in front of something else is no act of its own."""
    others = any(act.act not in COURTESIES for act in rest)
    return [*(act for act in first if not others or act.act not in _DROPPED), *rest]


def _known(words: str) -> Phrase | None:
    thing = noun_phrase(words)
    return thing if thing is not None and is_known(thing) else None


def _corrected(last: DialogueAct, words: str) -> DialogueAct | None:
    """The order with what was meant in place of what was said; "the blue one" is a blue one of those."""
    thing = _known(words)
    if thing is None:
        return None
    if thing.noun == "one":
        thing = replace(thing, noun=last.slots[0].phrase.noun)
    return last._replace(slots=(Slot("", thing), *last.slots[1:]))


def _told_more(last: DialogueAct, words: str) -> DialogueAct | None:
    """The order with its thing told apart: "the plant, the droopy one"."""
    thing = _known(words)
    said = last.slots[0].phrase
    if thing is None or thing.noun not in ("one", "them") or said.noun in grammar()["pronouns"]:
        return None
    if not (thing.looks or thing.place or thing.holds or thing.count in ("all", "2")):
        return None
    if any(look in ("other", "last", "first", "second", "third") for look in thing.looks) or thing.count in (
        "other",
        "another",
    ):
        return None
    told = replace(
        said,
        count=thing.count or said.count,
        looks=(*thing.looks, *said.looks),
        place=thing.place or said.place,
        holds=thing.holds or said.holds,
    )
    return last._replace(slots=(Slot("", told), *last.slots[1:]))


def _once_more(last: DialogueAct, rest: str) -> DialogueAct | None:
    """The order with other things: "... and the fork", "... and the pen on the desk"."""
    words = re.sub(r"^(?:(?:and|then|also|finally|after that|next) )+", "", courtesies()[1].sub("", rest.strip(" ,:")))
    if re.search(r"\b(?:is|are)\b", words):
        return None
    if len(last.slots) == 2 and last.slots[1].role in ("in", "on", "near", "to", "at"):
        for form in ("{x} {into} {y}", "{x} (?P<role>to|over to) {y}"):
            if found := pattern(form, shortest=True).fullmatch(words):
                thing, place = _known(found["x"]), _known(found["y"])
                if thing is not None and place is not None:
                    role = grammar()["roles"].get(found["role"], found["role"])
                    return last._replace(
                        about=_AGAIN.get(last.about, last.about), slots=(Slot("", thing), Slot(role, place))
                    )
    thing = _known(words)
    if thing is None or thing.noun == "it" or (thing.noun == "one" and not thing.looks):
        return None
    return last._replace(slots=(Slot("", thing), *last.slots[1:])) if len(last.slots) < 3 else None
