"""Clauses that lean on the one before them: verbs left out, things described once more, corrections in one breath."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.core.dialogue import COURTESIES, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import grammar, pattern
from teach_agents.understanding.noun_phrases import is_known, noun_phrase
from teach_agents.understanding.order_rules import Acts, courtesies, order_in, verbs
from teach_agents.understanding.question_rules import question_in

_MEANT_RATHER = r"(?:(?:no|i mean|i meant|or rather|rather|make that|wait no|no wait|no sorry|sorry)(?: ,)? )+(.+)"
_MISSED = r"(?:i can not find|i could not find|i lost|i have lost|i am looking for) (.+)"
_WISHED = (
    r"(?:i|we) (?:want|would like|need|wish|have|am going|are going|love) to [a-z]+(?: (?:at|to|with|on|from))? "
    r"((?:the|my|our|a|an|this|that|some) .+)"
)
"""A wish that names a thing in front of an order to fetch it: "I want to hear the CD, bring it here"."""
_FETCHING = frozenset({"get", "pick_up", "find", "put"})
_AGAIN = {"put_back": "put"}
"""What is done with another thing, at another place, where that is not the same."""
_LEADS = {"look_in": "in|inside|into", "look_at": "at", "go_to": "to", "find": "for"}
"""Words between a verb and its thing, which may be said again without the verb."""
_ANOTHER = frozenset({"other", "last", "first", "second", "third"})
"""Looks of what is one of several things of an order."""
_DROPPED = (Act.HELLO, Act.BYE, Act.OK)


def leaning(first: Acts, after: str, *, comma: bool) -> Acts | None:
    """The acts of a clause and of what leans on it, behind a bare `comma` or another joint."""
    *earlier, last = first
    if last.act is not Act.ORDER or last.condition is not None or not last.slots or last.slots[0].role:
        return None
    if (found := re.fullmatch(r"not (.+)", after)) and (thing := _known(found[1])) and _is_other(thing, last):
        return [*first, DialogueAct(Act.NEVER, of=(_with(last, thing),))]
    if found := re.fullmatch(_MEANT_RATHER, after):
        return None if (rather := _corrected(last, found[1])) is None else [*earlier, rather]
    if (placed := _elsewhere(last, after) or _into(last, after)) is not None:
        return [*first, placed]
    if comma and (told := _told_more(last, after)) is not None:
        return [*earlier, told]
    again = _once_more(last, after)
    return None if again is None else [*first, again]


def told_first(before: str, after: str, *, asked: bool) -> Acts | None:
    """ "The pencil on the dresser, bring it to me": an order or a question whose thing is named in front of it."""
    missed = re.fullmatch(_MISSED, before)
    unreached = re.fullmatch(r"i can not reach (.+)", before)
    wished = re.fullmatch(_WISHED, before)
    named = missed or unreached or wished
    thing = _known(named[1] if named else re.sub(r"^(?:and|so|now) ", "", before))
    if re.search(r"\b(?:is|are|belongs?|any)\b", before) or thing is None or thing.noun in grammar()["pronouns"]:
        return None
    acts = (question_in(after, asked=True) if asked else None) or (None if missed else order_in(after))
    if not acts or not acts[0].slots or (wished and acts[0].about not in _FETCHING):
        return None
    first, *others = acts[0].slots
    pronouns = ("it", "them") if acts[0].act is Act.ORDER else ("it", "them", "they", "that")
    if first.phrase not in map(Phrase, pronouns) or (first.role and not first.role.startswith(":")):
        return None
    return [acts[0]._replace(slots=(first._replace(phrase=thing), *others)), *acts[1:]]


def together(first: Acts, rest: Acts) -> Acts:
    """The acts of two clauses of one sentence: a greeting in front of something else is no act of its own."""
    if [act.act for act in rest] == [Act.OK]:
        return first
    others = any(act.act not in COURTESIES for act in rest)
    return [*(act for act in first if not others or act.act not in _DROPPED), *rest]


def _known(words: str) -> Phrase | None:
    thing = noun_phrase(words)
    return thing if thing is not None and is_known(thing) else None


def _is_other(thing: Phrase, last: DialogueAct) -> bool:
    """Whether "not" this means the same act, with another thing that is named."""
    return len(last.slots) == 1 and thing.noun not in grammar()["pronouns"]


def _with(order: DialogueAct, thing: Phrase) -> DialogueAct:
    return order._replace(slots=(Slot("", thing), *order.slots[1:]))


def _corrected(last: DialogueAct, words: str) -> DialogueAct | None:
    """The order with what was meant in place of what was said; "the blue one" is a blue one of those."""
    thing = _known(words)
    if thing is not None and thing.noun == "one":
        thing = replace(thing, noun=last.slots[0].phrase.noun)
    return None if thing is None else _with(last, thing)


def _told_more(last: DialogueAct, words: str) -> DialogueAct | None:
    """The order with its thing told apart: "the plant, the droopy one"."""
    thing, said = _known(words), last.slots[0].phrase
    if thing is None or thing.noun not in ("one", "them") or said.noun in grammar()["pronouns"]:
        return None
    if not (thing.looks or thing.place or thing.holds or thing.count in ("all", "2")):
        return None
    if thing.count in ("other", "another", "rest") or not _ANOTHER.isdisjoint(thing.looks):
        return None
    count, place, holds = thing.count or said.count, thing.place or said.place, thing.holds or said.holds
    return _with(last, replace(said, count=count, looks=(*thing.looks, *said.looks), place=place, holds=holds))


def _elsewhere(last: DialogueAct, rest: str) -> DialogueAct | None:
    """The order with another thing and another place: "... and the pen on the desk"."""
    words = _bare(rest)
    if len(last.slots) != 2 or last.slots[1].role not in ("in", "on", "near", "to", "at"):
        return None
    for form in ("{x} (?:back )?{into} {y}", "{x} (?P<role>to|over to) {y}"):
        found = pattern(form, shortest=True).fullmatch(words)
        if found and (thing := _known(found["x"])) and (place := _known(found["y"])):
            role = grammar()["roles"].get(found["role"], found["role"])
            verb = _AGAIN.get(last.about, last.about)
            return last._replace(about=verb, slots=(Slot("", thing), Slot(role, place)))
    return None


def _into(last: DialogueAct, after: str) -> DialogueAct | None:
    """What goes into a thing that is opened first: "open the microwave, put the apple in"."""
    words = _bare(after)
    if last.about != "open" or len(last.slots) != 1 or not re.search(r" (?:in|inside)$", words) or order_in(words):
        return None
    acts = order_in(f"{words} it") or []
    if len(acts) != 1 or acts[0].about != "put" or acts[0].slots[1:] != (Slot("in", Phrase("it")),):
        return None
    return acts[0]._replace(slots=(acts[0].slots[0], Slot("in", last.slots[0].phrase)))


def _bare(rest: str) -> str:
    """What is said once more, without the little words around it."""
    return re.sub(r"^(?:(?:and|then|also|finally|after that|next) )+", "", courtesies()[1].sub("", rest.strip(" ,:")))


def _once_more(last: DialogueAct, rest: str) -> DialogueAct | None:
    """The order with other things: "... and the fork"."""
    words = _bare(rest)
    if re.search(r"\b(?:is|are)\b", words):
        return None
    if last.about in _LEADS and len(last.slots) == 1:
        words = re.sub(rf"^(?:{_LEADS[last.about]}) ", "", words)
    thing = None if words in verbs() else _known(words)
    if thing is None or thing.noun == "it" or (thing.noun == "one" and not (thing.looks or thing.count)):
        return None
    return _with(last, thing) if len(last.slots) < 3 else None
