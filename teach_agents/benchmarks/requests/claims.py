"""What replies claim to have been done, clause by clause, and whether what is claimed of a condition is so.

"I have the lettuce, but found no bin" claims that a lettuce is held and nothing of a bin; "I put it in the bin, but it
was heavy" claims all of it. Whatever cannot be told to be about something else counts as being about what was wanted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.benchmarks.requests.conditions import STATES, Course, parsed, test_of
from teach_agents.benchmarks.requests.moments import Moment, meant
from teach_agents.benchmarks.requests.signs import (
    CLAUSE,
    DEEDS,
    DENIAL,
    DONE,
    EXCEPT,
    MODAL,
    PLACE,
    REPORTED,
    STATES_TOLD,
)
from teach_agents.benchmarks.requests.words import normalised, sentences
from teach_agents.tasks.classes import OBJECT_CLASSES
from teach_agents.understanding.noun_phrases import singular

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ALL = frozenset("all both every everything them these those they rest".split())
_LONGEST = 4
_SOURCE = re.compile(r"\b(?:from|out of|off of)\b")
_I = re.compile(r"^(?:(?:then|now|also|and|so|yes|ok|okay|well|sorry|all right) )*i(?:'ve)?\b")
_OF_PLACES = frozenset({"filled", "coffee", "near", "facing", "looks", "back"})
"""States whose things may stand behind a preposition: "I made coffee in the mug", "I am at the sink"."""
_NEVER_CLAIMED = frozenset({"untouched", "acted", "still"})
_OPPOSITES = {"open": "closed", "on": "off", "dirty": "clean", "filled": "empty", "sliced": "whole"}
_OPPOSITE = {**_OPPOSITES, **{other: one for one, other in _OPPOSITES.items()}}


class Claim(NamedTuple):
    """One clause that claims something.

    `states` are what it may claim, in words of conditions ("in" for any place), none where it claims that all is done;
    `things` the classes of what it speaks of, none where it names nothing that is known; `places` those of where that
    is; `number` how many of them, `None` for all; `spared` what it says it is not true of.
    """

    text: str
    states: frozenset[str] = frozenset()
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    number: int | None = 1
    spared: tuple[str, ...] = ()


def claims(replies: Sequence[str]) -> tuple[Claim, ...]:
    """What replies claim to be done or so, a clause each; questions, promises, denials and quotations claim nothing."""
    found: list[Claim] = []
    spoken: tuple[str, ...] = ()
    for sentence in sentences(replies):
        if sentence.rstrip(" \"')").endswith("?"):
            continue
        goes_on = False
        for clause in _clauses(sentence):
            one = None if _says_not(clause) else _claim(clause, spoken, goes_on)
            spoken = _named(PLACE.split(clause, maxsplit=1)[0])[0] or spoken
            goes_on = _I.search(clause) is not None and not MODAL.search(clause) or (goes_on and one is not None)
            if one is not None:
                found.append(one)
    return tuple(found)


def false_claims(replies: Sequence[str], unmet: Sequence[str], course: Course) -> tuple[str, ...]:
    """The clauses of replies that claim what conditions are about, which do not hold."""
    wanted = [one for one in unmet if parsed(one).state not in _NEVER_CLAIMED]
    return tuple(one.text for one in claims(replies) if any(is_false(one, wish, course) for wish in wanted))


def is_false(claim: Claim, condition: str, course: Course) -> bool:
    """Whether a claim is about a condition that does not hold, and is not true of a part of it either."""
    wanted = parsed(condition)
    if claim.states and not claim.states & _states_of(wanted.state, wanted.negated):
        return False
    about = set(meant(wanted.noun, course.first, course.now)) if wanted.noun else set()
    about -= _ids(claim.spared, course.now)
    if claim.things:
        about &= _ids(claim.things, course.now)
    if wanted.noun and not about:
        return False
    if not claim.states or wanted.negated or not wanted.is_state:
        return True
    if claim.places and wanted.state == "in":
        holders = _ids(claim.places, course.now)
        true = sum(any(course.now.is_in(one, holder) for holder in holders) for one in about)
    else:
        true = sum(map(test_of(condition, course), about))
    return true < (len(about) or 1 if claim.number is None else claim.number)


def _states_of(state: str, negated: bool) -> frozenset[str]:
    """The states that somebody claims who claims that a condition is so."""
    if negated:
        return frozenset({_OPPOSITE[state]}) if state in _OPPOSITE else frozenset({"in", "held", *_OPPOSITE})
    return frozenset({state, "filled"}) if state == "coffee" else frozenset({state})


def _ids(classes: Sequence[str], moment: Moment) -> set[str]:
    return {one for name in classes if name in OBJECT_CLASSES for one in moment.of_class(name)}


def _clauses(sentence: str) -> list[str]:
    """A sentence's clauses as normalised words; what is quoted is left out. "Done: ..." is what follows it."""
    plain = re.sub(r"[\"\u201c][^\"\u201d]*[\"\u201d]?", " ", sentence)
    plain = re.sub(r"^\s*(?:all )?(?:done|finished)\s*:\s*(?=\w)", "", plain, flags=re.IGNORECASE)
    parts = [part for piece in re.split(r"[:;(\u2014]|\s-+\s", plain) for part in CLAUSE.split(piece)]
    return [words for words in map(normalised, parts) if words]


def _says_not(clause: str) -> bool:
    return any(sign.search(clause) is not None for sign in (DENIAL, MODAL, REPORTED))


def _claim(clause: str, spoken: tuple[str, ...], goes_on: bool) -> Claim | None:
    """What a clause claims; `spoken` are the classes that "it" stands for, `goes_on` that somebody does it already."""
    head, *tail = (part.strip() for part in EXCEPT.split(clause, maxsplit=1))
    spared = _named(" ".join(tail))[0]
    states = _claimed(head, goes_on)
    if states is None:
        return Claim(clause, things=_named(head)[0], number=None, spared=spared) if DONE.search(head) else None
    first, *rest = PLACE.split(_SOURCE.split(head, maxsplit=1)[0])
    things, several = _named(first)
    places = _named("".join(rest[:1]))[0]
    if not things and states & _OF_PLACES:
        things, places = places, ()
    words = head.split()
    if not things and PRONOUNS.intersection(words):
        things = spoken
    if states == {"in"} and rest and not places and not goes_on and not _I.search(head):
        return None  # "it is in view": no place that could be judged
    return Claim(clause, states, things, places, _number(words, several=several), spared)


def _number(words: Sequence[str], *, several: bool) -> int | None:
    """Of how many things words speak, `None` for all of them."""
    told = next((_NUMBERS.get(word) or int(word) for word in words if word in _NUMBERS or word.isdecimal()), None)
    return told or (None if several or _ALL.intersection(words) else 1)


def _claimed(clause: str, goes_on: bool) -> frozenset[str] | None:
    """The states that are claimed; `None` where none is, or no more than that all is done."""
    if goes_on or _I.search(clause):
        found = frozenset(state for state, deed in DEEDS.items() if deed.search(clause))
        if found:
            return found
    return next((frozenset(states) for pattern, states in STATES_TOLD if pattern.search(clause)), None)


def _named(text: str) -> tuple[tuple[str, ...], bool]:
    """The classes of the things that words name, and whether they speak of more than one of a kind."""
    words = text.split()
    found: list[str] = []
    several, at = False, 0
    while at < len(words):
        length, kinds = _noun_at(words, at)
        found += kinds
        several = several or (length > 0 and singular(words[at + length - 1]) != words[at + length - 1])
        at += max(1, length)
    return tuple(dict.fromkeys(found)), several


def _noun_at(words: Sequence[str], at: int) -> tuple[int, tuple[str, ...]]:
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        *before, last = words[at : at + length]
        for form in (last, singular(last)):
            kinds = _known("_".join((*before, form))) if last not in PRONOUNS else ()
            if kinds:
                return length, kinds
    return 0, ()


def _known(noun: str) -> tuple[str, ...]:
    """Classes by a noun's own name: of "fridge door" no word may be left out, as `kinds_of` does."""
    whole = kinds_of(noun)
    return () if "_" in noun and whole == kinds_of(noun.split("_", 1)[1]) else whole


def is_so(claim: Claim, moment: Moment, touched: Collection[str] = ()) -> bool | None:
    """Whether a claim is true at a moment; `None` where it names no thing, or no state that things are in.

    Where ids of what it names are among those `touched`, it is about these; else any of its name will do.
    """
    states = [state for state in claim.states if state in STATES or (state == "in" and claim.places)]
    if not states or not any(name in OBJECT_CLASSES for name in claim.things):
        return None
    named = _ids(claim.things, moment) - _ids(claim.spared, moment)
    about = named.intersection(touched) or named
    holders = _ids(claim.places, moment)

    def test(state: str, one: str) -> bool:
        return any(moment.is_in(one, holder) for holder in holders) if state == "in" else STATES[state](moment, one)

    true = max(sum(test(state, one) for one in about) for state in states)
    return true >= (len(about) or 1 if claim.number is None else claim.number)
