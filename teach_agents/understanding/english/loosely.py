"""Understand people who were never told the sentences: what they say is put as the tables have it, or taken apart.

A sentence is tried whole, then with words changed, then one verb for several things, then clause by clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from teach_agents.understanding.english.clauses import MOST_WORDS, Reader, familiar, stripped, with_place
from teach_agents.understanding.english.parsing import is_familiar, noun_phrase
from teach_agents.understanding.english.phrasebook import NUMBERS, Words, split
from teach_agents.understanding.english.values import Instruction, Verb

COMMA = ","
"""Stands among the words where it was written."""

_LOOKS = """red green blue yellow black white brown grey gray silver gold golden pink purple big large small little tiny
long tall short round square wooden metal other left right top bottom upper lower first last second nearest"""
_NUMBER = "|".join((*NUMBERS, r"\d+", "a", "an", "some"))
_FOOD = "tomato|lettuce|apple|potato|bread"
_SLICES = "(?:slice|slices|piece|pieces) of"
_FORMS: tuple[tuple[str, str], ...] = (
    (r"^(?:you will|you would|you have got to|you must|you are going to) (?:need to )?", ""),
    (r"^(?:can|could|may|might|shall) (?:i|we) (?:please )?(?:have|get) ", "pick up "),
    (r"^(?:i|we) (?:\w+ )?(?:need|want|would like|would love)(?: to have)? ", "pick up "),
    (r"^(?:go )?(?:get|bring|give|hand(?: over)?|fetch|find|retrieve|pass) (?:me |us |back )?", "pick up "),
    (r"^(?:look|search) for ", "pick up "),
    (r"^(make|prepare|brew|serve|cook|toast|slice|cut|fix) (?:me|us) ", r"\1 "),
    (r"\b(?:for|to) (?:me|us)\b", ""),
    (r"^(?:pick up|fix|serve) (?=.*\b(?:coffee|toast)$)", "make "),
    (r"^(?:make|prepare|brew) (?:(?:a|some|one|the) )?(?:(?:cup|mug) of )?(?:hot )?coffee$", "make coffee in a mug"),
    (rf"^(?:make|prepare|brew) ({_NUMBER}) (?:cups|mugs) of coffee$", r"make coffee in \1 mugs"),
    (rf"^(?:make|prepare|cook) ((?:{_NUMBER}) {_SLICES}) toast$", r"toast \1 bread"),
    (r"^(?:make|prepare) (?:some |a )?toast$", "toast a slice of bread"),
    (rf"^(?:make|prepare|cut|slice) (?:{_NUMBER}) {_SLICES} ({_FOOD})$", r"slice the \1"),
    (r"^serve ", "put "),
    (r"^(put|place|cook|wash|rinse|clean|toast|boil) (?=(?:in|on|into|onto)\b)", r"\1 it "),
    (r"\b(?:out|off) of |\boff (?=the|a|an|my)", "from "),
    (r" with (?:it|that|them)$", ""),
    (rf"\b(?:{'|'.join(_LOOKS.split())}) (?=\w)", ""),
)
"""What is replaced, one after the other, in words with a space between. What things look like is left out."""

_STATE = re.compile(
    r"(?:it|they|that|this) (?:is|are) (?:too |very |still |all )?(?:dirty|clean|empty|full|raw|cooked|hot|cold)"
)
"""Why something is asked for; the request says it already."""
_BEGINNINGS = frozenset(split(("it is", "they are", "there is", "there are", "you can", "you will")))
"""Where a new clause begins without a word between."""


def loosely(words: Words) -> tuple[Instruction, ...]:
    """What a sentence with its commas says of things that are known by name; nothing unless all of it is understood."""
    return _loosely(words) if len(words) <= MOST_WORDS else ()


def divided(words: Words) -> tuple[tuple[Instruction, ...], ...]:
    """What each of its clauses says, which may be nothing; "it" says nothing after a clause that is not understood."""
    found: list[tuple[Instruction, ...]] = []
    start = 0
    for first, rest in (*_divisions(words), (len(words), len(words))):
        if first > start:
            steps = loosely(words[start:first])
            found.append(() if not all(found) and any(_speaks_of_it(step) for step in steps) else steps)
        start = max(start, rest)
    return tuple(found)


def _speaks_of_it(step: Instruction) -> bool:
    return any(phrase.noun == "It" for phrase in step.phrases)


@lru_cache(maxsize=2048)
def _loosely(words: Words) -> tuple[Instruction, ...]:
    bare = tuple(word for word in words if word != COMMA)
    for read in _WAYS:
        if found := read(bare):
            return tuple(found)
    for first, rest in _divisions(words):
        before = _loosely(words[:first])
        after = _loosely(words[rest:]) if before else ()
        if before and after:
            return (*before, *after)
    return ()


def _divisions(words: Words) -> Iterator[tuple[int, int]]:
    """Where a sentence may be divided: the ends of what comes before, and the beginnings of what comes after."""
    for index in range(1, len(words)):
        if words[index] in (COMMA, "and", "then"):
            yield index, index + 1
        elif words[index : index + 2] in _BEGINNINGS and words[index - 1] not in (
            COMMA,
            "and",
            "then",
            "that",
            "which",
        ):
            yield index, index


def _changed(words: Words) -> list[Instruction]:
    text = " ".join(stripped(words))
    if _STATE.fullmatch(text):
        return [Instruction(Verb.ASIDE)]
    for found, put in _FORMS:
        text = " ".join(re.sub(found, put, text).split())
    form = tuple(text.split())
    return familiar(form) or with_place(form)


_ALONE = frozenset({Verb.LOOK, Verb.ASIDE})


def _shared(words: Words) -> list[Instruction]:
    """One verb for several things: "put the fork and the knife in the sink"."""
    for index, word in enumerate(words):
        if word != "and":
            continue
        for start in range(1, index):
            if not any(end == index and is_familiar(thing) for thing, end in noun_phrase(words, start)):
                continue
            for other, end in noun_phrase(words, index + 1):
                if is_familiar(other) and not (other.noun == "It" and other.states):
                    first = _one(words[:index] + words[end:])
                    second = _one(words[:start] + words[index + 1 :])
                    if first and second and first[-1].verb is second[0].verb not in _ALONE:
                        return [*first, *second]
    return []


def _one(words: Words) -> list[Instruction]:
    return familiar(words) or _changed(words)


_WAYS: tuple[Reader, ...] = (
    familiar,
    with_place,
    _changed,
    _shared,
)
