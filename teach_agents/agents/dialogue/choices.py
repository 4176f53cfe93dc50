"""Which of two things or places is meant, told by a clause behind both: "sofa or armchair, whichever is free"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from teach_agents.agents.dialogue.antecedents import may_be_about
from teach_agents.agents.dialogue.conditions import OPPOSITES
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_CLAUSE = re.compile(
    r"\b(?:which(?: ?ever)?|the one|that one)(?: one)?(?: of (?:them|those|these|the two))?(?: (?:that|which))?(?:"
    r"(?P<has> (?:has(?:n't| not)?|does(?:n't| not) have|have(?:n't| not)?|with(?:out)?|holds|contains)\b)"
    r"|(?P<be>'s| (?:is|are)(?:n't| not)?)\b(?:(?P<got> (?:not )?got)\b)?)"
    r"(?: (?:still|already|currently|now|got))* (?P<rest>(?:not )?[a-z' -]{2,60})"
)
"""A clause that tells which of two is meant: what it holds, or what it is like."""
_NEGATED = re.compile(r"n't\b|\bnot\b|\bwithout\b")
_NONE = re.compile(r"(?:not |no |nothing\b|any |anything\b)")
_WITH_NOTHING = frozenset({"free", "unoccupied", "vacant", "empty", "clear", "nothing", "anything"})
_SO = r"(?:'s| is| has been| was| got| looks)(?: (?:still|already|currently|now|quite|all|been|just))*"
_ONE_IS = re.compile(
    rf"\bone(?: of (?:them|those|these|the two|both|which))?{_SO} (?P<state>[a-z]+)\b"
    rf"|\bor (?:the |my |our |an? )?[a-z]+(?: [a-z]+)?{_SO} (?P<so>[a-z]+)\b"
)
"""How one of two is."""
_THE_ONE = re.compile(r"\b(?:the|that) (?:[a-z]+ ){0,2}(?:one|other)\b")
_ON_IT = re.compile(r" (?:(?:lying|sitting|standing) )?(?:on|in|inside|on top of)(?: (?:it|them))?$| inside$| on top$")
_AT = re.compile(r"(?:lying |standing |sitting )?(?P<relation>in|on|near|next to|by) (?P<mark>.+)")
_AT_PLACES = {"next to": "near", "by": "near"}


def of_choices(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts about the one of two things, or places, of which the clause behind both is true."""
    acts, words = _of_contrasts(acts, text, resolver), plain_text(text)
    clause = _CLAUSE.search(words)
    if clause is None or " or " not in words or "other" in words.split():
        return [*acts]
    pair = next(_pairs(words), None)
    meant = _chosen(pair, clause, resolver) if pair is not None else None
    return [*acts] if pair is None or meant is None else [_with(act, meant, pair) for act in acts]


def _of_contrasts(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Orders about "the other one", or "the one that is whole", of two that the words name with how one of them is:
    "the apple or the tomato is cut, cut the other one". Which of both that is, whoever does it may have to look."""
    words = plain_text(text)
    pair = next(_pairs(words, "or|and"), None)
    if pair is None or not _THE_ONE.search(words):
        return [*acts]
    said = _ONE_IS.search(words)
    state = state_called(said["state"] or said["so"]) if said is not None else ""
    return [_of_contrast(act, pair, state, resolver) for act in acts]


def _of_contrast(act: DialogueAct, pair: tuple[str, str], state: str, resolver: Resolver) -> DialogueAct:
    """An order about whichever of two is so as it says, or, of "the other", not as was said of one."""
    if act.act is not Act.ORDER or not act.slots or act.slots[0].role:
        return act
    phrase = act.slots[0].phrase
    looks = [look for one in phrase.looks if (look := state_called(one)) in LOOKS]
    is_other = "other" in (phrase.noun, phrase.count, *phrase.looks)
    look = looks[0] if looks else OPPOSITES.get(state, "") if is_other else ""
    if phrase.noun not in {*pair, "one", "other", "it"} or phrase.place is not None or look not in LOOKS:
        return act
    if phrase.noun in pair and resolver.find(phrase).things:
        return act
    known = [name for name in pair if resolver.find(Phrase(name)).things]
    if any(not may_be_about(Phrase(name), act.about, resolver) for name in known):
        return act
    meant = Phrase(pair[1], looks=(look, pair[0], "or", look))
    return act._replace(slots=(Slot("", meant), *act.slots[1:]), condition=None)


def tells_which(text: str) -> bool:
    """Whether a clause tells which of two things is meant, so that not either would do."""
    return _CLAUSE.search(plain_text(text)) is not None


def _pairs(words: str, between: str = "or") -> Iterator[tuple[str, str]]:
    for pair in permutations(dict.fromkeys(mentions_in(words)), 2):
        first, second = (re.escape(name.replace("_", " ")) for name in pair)
        if re.search(
            rf"\b{first} (?:{between}) (?:(?:in|on|into|onto|from|to) )?(?:(?:the|my|our|an?|that) )?{second}\b", words
        ):
            yield pair


def _chosen(pair: tuple[str, str], clause: re.Match[str], resolver: Resolver) -> Phrase | None:
    """The first of two for which a clause holds; `None` where it holds for neither, or says nothing known."""
    negated = _NEGATED.search(clause[0][: clause.start("rest") - clause.start()]) is not None
    rest = clause["rest"].strip()
    if _NONE.match(rest) and rest.split()[0] in ("no", "not"):
        negated, rest = not negated, rest.partition(" ")[2]
    if negated and (other := OPPOSITES.get(state_called(rest.split()[0]))):
        negated, rest = False, other
    told = [_told(name, rest, has=clause["has"] is not None or clause["got"] is not None) for name in pair]
    fitting = [one for one in told if one is not None and bool(resolver.find(one).things) is not negated]
    if not fitting or (negated and len(fitting) > 1):
        return None
    return Phrase(fitting[0].noun) if negated else fitting[0]


def _told(name: str, rest: str, *, has: bool) -> Phrase | None:
    """A thing of this name for which a clause holds."""
    words = rest.split()
    if words[0] in _WITH_NOTHING:
        return Phrase(name, holds=Phrase("nothing"))
    if has:
        held = noun_phrase(_ON_IT.sub("", rest))
        return None if held is None else Phrase(name, holds=replace(held, count=""))
    if (at := _AT.match(rest)) is not None:
        mark = noun_phrase(at["mark"])
        relation = _AT_PLACES.get(at["relation"], at["relation"])
        return None if mark is None or not kinds_of(mark.noun) else Phrase(name, place=(relation, mark))
    look = state_called(words[0])
    return Phrase(name, looks=(look,)) if look in LOOKS else None


def _with(act: DialogueAct, meant: Phrase, pair: tuple[str, str]) -> DialogueAct:
    """An order with the one that is meant in place of either."""
    if act.act is not Act.ORDER:
        return act
    named = {*pair, "one", "whichever", "it"}
    at = next((number for number, slot in enumerate(act.slots) if slot.phrase.noun in {*pair}), None)
    if at is None:
        at = next((number for number, slot in enumerate(act.slots) if slot.phrase.noun in named), None)
    if at is None:
        return act
    return act._replace(slots=(*act.slots[:at], Slot(act.slots[at].role, meant), *act.slots[at + 1 :]))
