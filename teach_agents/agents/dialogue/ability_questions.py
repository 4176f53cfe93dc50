"""Questions of what the Follower can or may do, or see from where it is, where their words tell more than their
reading: "is eating something you're capable of?", "are you allowed to touch the candle now?"."""

from __future__ import annotations

import re

from teach_agents.agents.dialogue.order_needs import NEEDS, need_of
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.order_rules import order_in, present
from teach_agents.understanding.plain_text import plain_text

_ABLE = re.compile(
    r"\b(?:is|are) (?P<gerund>[a-z]+ing(?: [a-z ]+?)?) (?:something|a thing|things|anything)(?: that| which)? "
    r"you(?:'re| are)? (?:even |actually )?(?:can do|could do|capable of|able to do|know how to do|do)\b"
    r"|\b(?:can|could|do|does|are) (?:a |any |most )?(?:robots?|machines?)(?: like you(?:rself)?)?"
    r"(?: even| actually| ever)? (?P<rest>[a-z]+[a-z ]*)"
    r"|\bdo you (?:ever |actually |even )*"
    r"(?P<does>eat|drink|sleep|sing|dance|swim|fly|cook|cry|dream|breathe|talk)(?= too\b| as well\b|\W*$)"
    r"|\bcapable of (?P<doing>[a-z]+ing(?: [a-z ]+)?)"
)
_MAY_YOU = re.compile(
    r"\b(?:are you (?:now |still |even |actually )*(?:allowed|permitted|free) to|may you(?: now)?"
    r"|is it (?:ok|okay|all right|alright|fine)(?: now)? for you to) "
    r"(?P<rest>(?!do\b).+?)(?: (?:now|again|yet|at the moment|right now|any ?more|or not|then))*\W*$"
)
"""What asks whether one thing is allowed."""
_REQUEST = re.compile(
    r"(?:^|[.,;:!?] |\b(?:so|and|but|then|now|please|hey|hi|ok|okay|robot|i|was) )"
    r"(?:(?:can|could|will|would) (?:you|u|ya|yo|we)"
    r"|(?:do you think|(?:i )?wonder(?:ing)? if|any chance(?: that)?|is it possible that) (?:you|u)"
    r" (?:can|could|would))(?: (?:please|pls|plz|just|maybe|perhaps|possibly|kindly|quickly"
    r"|now|then|go and|go|help me|help us))* (?P<verb>[a-z]+)\b(?P<rest>[^.;!?]*)"
)
"""How people ask in a polite way for something to be done."""
_DOUBTS = re.compile(
    r"\b(?:even|ever|still|actually|really|theory|theoretically|hypothetically|without|(?:by|on) your(?:self| own)"
    r"|at once|or (?:not|can'?t|cannot|is|are|was|were|shall|should|do|would|could|nah|no)|if (?:i|we|you|it)"
    r"|for (?:instance|example)|in general|at all|though|reckon"
    r"|with (?:that|those|your) (?:arms?|hands?|claws?|grippers?))\b"
)
"""What asks whether it can be done."""
_OF_ABILITY_ALONE = frozenset(
    "lift carry hold reach manage handle bear raise fit see tell hear smell feel touch use know be".split()
)
_FOR_SOMEBODY = re.compile(
    r"\b(?:please|pls|plz)\b|\bfor (?:me|us|him|her|them|my|our|the kids|dinner|lunch|breakfast|supper|tea|tonight"
    r"|later|now|a snack)\b|^ (?:me|us|him|her|them)\b"
)
_DEFINITE = re.compile(
    r"\b(?:the|my|our|your|his|her|their|this|that|these|those|both|all)(?: [a-z'-]+){1,3}|^ (?:it|them)\b"
)
_CAN_SEE = re.compile(
    r"\b(?:can|could|do) you (?:(?:still|already|even|actually|by any chance) )*see "
    r"(?P<thing>(?:the|my|our|a|an|any|that|his|her) [a-z ]+)"
)
_WHAT_IT_TAKES = re.compile(
    r"\b(?:do (?:i|we|you) have|have (?:i|we|you) got|is there|are there|got)\b[^.!?]*"
    r"\b(?:everything|all|enough|what(?:ever)?|ingredients|stuff|things)\b[^.!?]*?"
    r"\b(?:for|to make|to cook) (?P<x>[a-z ]+)"
)
"""What asks whether all is there that something takes."""
_UNAIDED = re.compile(r"\bwithout (?:opening|moving|looking|going|turning)\b|\bfrom (?:where you|here|there|your)\b")
"""What asks for what is in view alone."""
_OF_ABILITY = frozenset({"abilities", "other", "can"})
_OF_RULES = frozenset({"forbidden", "other", "abilities", "can", "facts"})
"""Topics that such questions are read as."""


def as_ability(act: DialogueAct, text: str) -> DialogueAct:
    """An act as its words ask what the Follower can, may or sees; itself where they ask no such."""
    plain = plain_text(text)
    if act == DialogueAct(Act.UNCLEAR) and _ABLE.search(plain):
        act = DialogueAct(Act.QUESTION, "other")
    if act.act is not Act.QUESTION:
        return act
    if act.about == "can" and len(act.of) == 1 and asks_for_deed(act.of[0], plain):
        return act.of[0]
    return _permission(_ability(_sight(act, plain), plain), plain)


def asks_for_deed(order: DialogueAct, plain: str) -> bool:
    """Whether "can you cook the potato", "could you slice some bread for me" ask for the deed: what is said of a
    certain thing, or for somebody, and in no doubt that it can be done."""
    if order.about == "do" or not order.slots or _DOUBTS.search(plain):
        return False
    asked = [*_REQUEST.finditer(plain)]
    words = f" {asked[-1]['rest'].strip()} " if asked else ""
    if not asked or (asked[-1]["verb"] in _OF_ABILITY_ALONE and not words.startswith(" able to ")):
        return False
    definite = _DEFINITE.search(words) is not None and asked[-1]["verb"] != "be"
    return definite or _FOR_SOMEBODY.search(words) is not None


def asks_permission(text: str) -> bool:
    """Whether words ask what the Follower may do, not what it can."""
    return _MAY_YOU.search(plain_text(text)) is not None


def _sight(act: DialogueAct, plain: str) -> DialogueAct:
    """ "Can you see the remote without opening anything?" """
    if act.about != "can" and not (act.about == "there" and _UNAIDED.search(plain)):
        return act
    seen = _CAN_SEE.search(plain)
    thing = named_in(seen["thing"]) if seen is not None else None
    return act if thing is None else DialogueAct(Act.QUESTION, "see", (Slot("", thing),))


def _ability(act: DialogueAct, plain: str) -> DialogueAct:
    takes = _WHAT_IT_TAKES.search(plain) if act.about in ("other", "have", "there") and not act.of else None
    made = next(iter(order_in(f"make {takes['x'].strip()}") or ()), None) if takes is not None else None
    if made is not None and need_of(made) is not None:
        return DialogueAct(Act.QUESTION, "can", of=(made,))
    found = _ABLE.search(plain) if act.about in _OF_ABILITY else None
    if found is None or (act.about == "can" and act.of and act.of[0].about != "do"):
        return act
    doing = next(filter(None, (found["gerund"], found["rest"], found["does"], found["doing"])))
    bare = _infinitive(doing.strip())
    known = [one for words in (bare, f"{bare} something") for one in order_in(words) or () if one.about in NEEDS]
    order = known[0] if known else DialogueAct(Act.ORDER, "do", (Slot("", Phrase(bare)),))
    return DialogueAct(Act.QUESTION, "can", of=(order,))


def _permission(act: DialogueAct, plain: str) -> DialogueAct:
    may = _MAY_YOU.search(plain) if act.about in _OF_RULES and not act.of else None
    orders = order_in(may["rest"], barred=True) if may is not None else None
    return DialogueAct(Act.QUESTION, "can", of=(orders[0],)) if orders else act


def _infinitive(doing: str) -> str:
    """ "Dancing on the table" as "dance on the table"."""
    first, space, rest = doing.partition(" ")
    stem = re.sub(r"([b-df-hj-np-rtv-z])\1$", r"\1", first.removesuffix("ing"))
    if not first.endswith("ing") or not re.search("[aeiouy]", stem):
        return present(doing)
    verb = grammar()["gerunds"].get(first, f"{stem}e" if stem.endswith(("c", "v", "z", "u")) else stem)
    return f"{verb}{space}{rest}"
