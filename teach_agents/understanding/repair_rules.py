"""Corrections, and what is to be done once more: "not that one", "no, the spoon", "and the window too"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import any_of, grammar
from teach_agents.understanding.noun_phrases import is_known, noun_phrase
from teach_agents.understanding.order_rules import Acts, order_in
from teach_agents.understanding.set_phrases import about, said

_NOT = r"(?:no )?not (that|this|the|those|a|my)(?: (?!way$|the |my |a )(.+))?"
_SPURNED = r"i did not (?:mean|want) (that|this|the .+?)(?: one)?"
_TOO = r"(?:and |also )*(.+?) (?:too|as well|also)(?: please)?"
_AGAIN = r"(?:(?:and |right |so )?(?:what|how) about|and now|and then|and|now) (.+)"
_FORGOTTEN = r"you (?:have )?(?:forgot|forgotten|missed) (.+)"
_COUNTED = r"(?:actually |no )?make (?:it|that) ([a-z]+)"
_MEANT = r"(?P<x>.+) i (?:mean|meant)|it was (?P<y>.+?) (?:that )?i (?:asked for|wanted|meant)"
_SAME = (
    r"(?:(?:and|now|then|after that) )*(?:do )?(?:the )?same (?:with|for|to) (?P<x>.+)"
    r"|(?:and )?(?:now|then) do (?P<y>.+)"
)
_TOLD_WHERE = r"(?:yes )?.+ (?:is|are) (?:in|on|under|next to|near|by|at|behind|below|above)\b.+\."
_TOLD_OF = r"(?:yes|no)\b.* there (?:is|are)\b.*"


def repair_in(text: str, *, asked: bool, answers: bool, alone: bool) -> Acts | None:
    """What a clause corrects that was `asked` or `answers` a question; `alone`, when no order stands before it."""
    if found := re.fullmatch(_NOT, text):
        pointed = found[1] if found[1] in ("this", "that") else "that"
        return about(Act.NOT, noun_phrase(pointed if found[2] in (None, "one") else found[2]))
    if spurned := re.fullmatch(_SPURNED, text):
        return about(Act.NOT, noun_phrase(spurned[1]))
    if asked:
        return None
    if meant := re.fullmatch(_MEANT, text):
        return about(Act.INSTEAD, noun_phrase(meant["x"] or meant["y"]))
    if alone and re.fullmatch(r"(?:the|that|this|those) .*\bones?", text):
        return about(Act.INSTEAD, noun_phrase(text))
    return _marked(text, answers=answers)


def once_more_in(text: str, *, asked: bool, told: str, follows: bool) -> Acts | None:
    """What a clause wants done with another thing as well; `told` is what a robot has just said, if anything."""
    if (too := re.fullmatch(_TOO, text)) and (acts := about(Act.REPEAT, noun_phrase(too[1]))):
        return acts
    if not follows:
        return None
    if (forgotten := re.fullmatch(_FORGOTTEN, text)) and (acts := about(Act.REPEAT, noun_phrase(forgotten[1]))):
        return [DialogueAct(Act.WRONG), *acts]
    if told.endswith("?"):
        return None
    if same := re.fullmatch(_SAME, text):
        return about(Act.REPEAT, noun_phrase(same["x"] or same["y"]))
    if (again := re.fullmatch(_AGAIN, text)) and (acts := about(Act.REPEAT, noun_phrase(again[1]))):
        return (_asked_again(acts, told.lower()) if asked else None) or acts
    return None


def number_in(text: str) -> Acts | None:
    """ "Make that two": another number of what was ordered."""
    if (found := re.fullmatch(_COUNTED, text)) is None:
        return None
    counted = noun_phrase(f"{found[1]} ones")
    return about(Act.INSTEAD, counted) if counted is not None and counted.count.isdecimal() else None


def elsewhere_in(text: str) -> Acts | None:
    """ "Not on the chair, on the bed": where what was put somewhere is to be put instead."""
    roles = "|".join(sorted(("in", "on", *grammar()["roles"]), key=len, reverse=True))
    found = re.fullmatch(rf"(?:no(?: ,)? )?(?:not .+ , )?({roles}) (.+?)(?: , not .+)?", text)
    place = noun_phrase(found[2]) if found is not None and re.search(r"\b(?:no|not)\b", text) else None
    if found is None or place is None or not is_known(place):
        return None
    slots = (Slot("", Phrase("it")), Slot(grammar()["roles"].get(found[1], found[1]), place))
    return [DialogueAct(Act.INSTEAD_DO, of=(DialogueAct(Act.ORDER, "put", slots),))]


def rather_in(before: str, after: str) -> Acts | None:
    """ "Not the sponge, the soap", and "the soap, not the sponge"."""
    for named, spurned in ((after, before), (before, after)):
        mark = re.fullmatch(r"(?:no )?not (.+)", spurned)
        if mark is None or order_in(named):
            continue
        meant, other = about(Act.INSTEAD, noun_phrase(named)), about(Act.NOT, noun_phrase(mark[1]))
        if meant and other:
            return [*other, *meant] if spurned is before else [*meant, *other]
    return None


def in_earnest(acts: Acts) -> Iterator[DialogueAct]:
    """Acts as they are meant behind "no" to a question: orders, where nothing was ordered that they could correct."""
    for act in acts:
        yield from act.of if act.act is Act.INSTEAD_DO else (act,)


def _marked(text: str, *, answers: bool) -> Acts | None:
    """A correction behind a word for one: "no, wash it"."""
    found = re.fullmatch(rf"(?:(?:{any_of('repair_marks')}) )+(.+)", text)
    if found is None:
        return None
    if control := said(found[1]):
        return control if control[0].act in (Act.STOP, Act.WAIT, Act.CANCEL) else None
    if order := order_in(found[1]):
        meant = [DialogueAct(Act.INSTEAD_DO, of=(one,)) for one in order]
        return [DialogueAct(Act.NO), *order] if answers and re.match(r"no\b", text) else meant
    return about(Act.INSTEAD, noun_phrase(found[1]))


def _asked_again(acts: Acts, told: str) -> Acts | None:
    """ "And the spoon?" behind what a robot told of something else: the same question once more."""
    for topic, form in (("there", _TOLD_OF), ("where", _TOLD_WHERE)):
        if re.fullmatch(form, told):
            return [act._replace(act=Act.QUESTION, about=topic) for act in acts]
    return None
