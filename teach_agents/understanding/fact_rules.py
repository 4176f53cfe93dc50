"""Statements in plain words: where a thing is, how it is, and what is only kept as it was said."""

from __future__ import annotations

import re

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import any_of, grammar
from teach_agents.understanding.noun_phrases import is_known, is_look, noun_phrase
from teach_agents.understanding.order_rules import Acts, state_of

_LITTLE = (
    r"(?:all|still|already|very|too|now|also|really|quite|pretty|so|rather|completely|totally|currently|usually|always"
    r"|just|probably|a bit|a little|extremely)"
)
_PLACES = (
    r"(?:in|on|under|underneath|below|behind|near|next to|beside|by|above|over|in front of|inside|on top of|at|to)"
)
_NO_THING = (
    r"(?:what|whatever|whichever|whoever|if|when|which|who|everything|anything|something|nothing"
    r"|that (?:is|was)|this (?:is|was)|it is (?:time|ok|okay))\b"
)
_FOR_WHOM = r" for (?:me|us|you|him|her|them)$"
_WHO = r"(?:i|we|you|he|she|somebody|someone|my [a-z]+|the (?:kids|children|guests))"
_PUT = r"(?:left|put|moved|placed|hid|keep|kept|stored|dropped|forgot|set|saw|lost|parked|hung)"
_SOME = r"(?:the|a|an|my|our|your|one|some)"
_FELL = r"(?:fell|fallen|slipped|slid|dropped|tumbled|rolled)(?: down| off| out| over)?"
_LIES = r"(?:lies|lie|hangs|hang|sits|sit|stands|stand|lives|sleeps|stays|rests|is kept|are kept|is stored|should be)"


def fact_in(text: str) -> Acts | None:
    """What a clause states of things that are known by name, or otherwise if it is of a kind that is listed."""
    plain = re.sub(rf"^(?:(?:{any_of('fact_leads')}) )+", "", text)
    plain = re.sub(rf"(?: (?:{any_of('fact_tails')}))+$", "", plain)
    for read in (_there, _stated, _made_so, _left, _broken, _free):
        if acts := read(plain):
            return acts
    return None


def _fact(thing: Phrase | None, state: str = "") -> Acts | None:
    if thing is None or not is_known(thing):
        return None
    return [DialogueAct(Act.FACT, "", (Slot(f":{state_of(state)}" if state else "", thing),))]


def _placed(words: str) -> Acts | None:
    thing = noun_phrase(words)
    return _fact(thing) if thing is not None and thing.place is not None else None


def _there(text: str) -> Acts | None:
    found = re.fullmatch(r"there (?:is|are|should be|must be)(?: still| also)? (.+)", text)
    return _placed(found[1]) if found else None


def _stated(text: str) -> Acts | None:
    """ "The knife is very sharp", "the mug isn't clean", "the pen is under the bed"."""
    found = re.fullmatch(rf"(?P<x>.+?) (?:is|are)(?P<not> not)?(?: {_LITTLE})* (?P<rest>.+)", text)
    if found is None or re.match(_NO_THING, text):
        return None
    thing, rest = noun_phrase(found["x"].removeprefix("there ")), re.sub(_FOR_WHOM, "", found["rest"])
    if thing is None:
        return None
    if found["not"]:
        opposite = grammar()["opposites"].get(rest)
        return _fact(thing, opposite) if opposite else None
    if is_look(rest) or re.fullmatch(grammar()["state"], rest):
        return _fact(thing, rest)
    return _placed(f"{found['x']} {rest}") if thing.place is None else None


def _made_so(text: str) -> Acts | None:
    """ "I have locked the door", "the table has been cleaned": the state that a deed leaves."""
    deeds = "|".join(grammar()["made_so"])
    for form in (
        rf"(?P<x>.+?) (?:has|have) (?:already |just )?been (?P<deed>{deeds})",
        rf"(?:i|we|he|she|somebody|someone)(?: have| has)?(?: already| just)* "
        rf"(?P<deed>{deeds}) (?P<x>.+?)(?: this morning| yesterday)?",
    ):
        if found := re.fullmatch(form, text):
            return _fact(noun_phrase(found["x"]), grammar()["made_so"][found["deed"]])
    return None


def _left(text: str) -> Acts | None:
    """ "I left my glasses on the desk", "the ladle hangs above the stove"."""
    for form in (
        rf"{_WHO}(?: have| has)?(?: already| just| always| usually)* {_PUT} (?P<x>.+?) (?P<where>{_PLACES} .+)",
        rf"(?P<x>.+?) (?:usually |always )?{_LIES} (?P<where>{_PLACES} .+)",
        rf"(?P<x>{_SOME} .+?)(?: has| have| just)* {_FELL} (?P<where>(?:onto|into|{_PLACES}) .+)",
        rf"(?:yesterday|earlier) (?P<x>.+?) (?:was|were) (?P<where>{_PLACES} .+)",
    ):
        if (found := re.fullmatch(form, text)) and not re.match(_NO_THING, found["x"]):
            leads, _, place = found["where"].partition(" ")
            inside = place.removeprefix("the ").replace(" ", "_") in grammar()["rooms"]
            leads = {"onto": "on", "into": "in"}.get(leads, leads)
            return _placed(f"{found['x']} {('in' if inside else 'on') if leads == 'to' else leads} {place}")
    return None


def _broken(text: str) -> Acts | None:
    found = re.fullmatch(
        r"(.+?) (?:does not|do not|is not|are not|no longer) (?:work|working|works)(?: properly| any ?more)*", text
    )
    return _fact(noun_phrase(found[1]), "broken") if found else None


def _free(text: str) -> Acts | None:
    """What is kept in the words in which it was said."""
    if any(re.fullmatch(one, text) for one in grammar()["free_facts"]):
        return [DialogueAct(Act.FACT, text)]
    found = re.fullmatch(
        r"(.+?) (?:is|are) (?:(?:[a-z]{3,}ing|(?:only )?for)\b(?:(?! and | please)[a-z ])*|mine|yours|his|hers)", text
    )
    thing = noun_phrase(found[1]) if found and not re.match(_NO_THING, text) else None
    if thing is None or not is_known(thing) or thing.noun in ("it", "you", "me", "them", "one", "there", "here"):
        return None
    return [DialogueAct(Act.FACT, text)]
