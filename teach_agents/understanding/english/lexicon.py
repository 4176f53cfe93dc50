"""Words for things: every AI2-THOR object type and TEACh object class, one and many.

A type that nobody listed is spoken by splitting its name and understood by joining the words again, so that new objects
need no change here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from teach_agents.understanding.english.phrasebook import NUMBERS, Words, phrasebook


@dataclass(frozen=True, slots=True)
class Noun:
    """One kind of thing in words: `one` ("slice of bread"), `many` ("slices of bread")."""

    name: str
    one: str
    many: str


def _split(name: str) -> str:
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)).lower()


def _plural(one: str) -> str:
    head, of, rest = one.partition(" of ")
    if of:
        return _plural(head) + of + rest
    if one.endswith("knife"):
        return one[:-2] + "ves"
    if re.search(r"(s|x|sh|ch|[^aeiou]o)$", one):
        return one + "es"
    return one[:-1] + "ies" if re.search(r"[^aeiou]y$", one) else one + "s"


@lru_cache(maxsize=512)
def noun(name: str) -> Noun:
    """The words for a type or class; never fails, an unlisted name is split into words."""
    one, many = phrasebook().nouns.get(name) or (_split(name), _plural(_split(name)))
    return Noun(name, one, many)


@lru_cache(maxsize=512)
def nouns(name: str) -> tuple[Noun, ...]:
    """All the words for a type or class, the usual ones first."""
    return (noun(name), *(Noun(name, one, _plural(one)) for one in phrasebook().synonyms.get(name, ())))


def number_word(count: int) -> str:
    """A count in words, as far as there are some."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def preposition(name: str) -> str:
    """How one speaks of things held by a receptacle of this type: "in" or "on"."""
    return "in" if name in phrasebook().containers else "on"


@cache
def _phrases() -> dict[Words, tuple[str, bool]]:
    """Every known phrase: the name and whether it speaks of several."""
    book = phrasebook()
    named = [(name, *pair) for name, pair in book.nouns.items()]
    named += [(name, one, _plural(one)) for name, phrases in book.synonyms.items() for one in phrases]
    table: dict[Words, tuple[str, bool]] = {}
    for name, *forms in named:
        for phrase, several in zip(forms, (False, True), strict=True):
            table.setdefault(tuple(phrase.lower().split()), (name, several))
    for name, phrases in book.pronouns.items():
        for phrase in phrases:
            table.setdefault((phrase,), (name, phrase == "slices"))
    return table


def is_known(name: str) -> bool:
    """Whether a name is that of a listed type or class, or a pronoun."""
    book = phrasebook()
    return name in book.nouns or name in book.pronouns


_LONGEST = 4


def match_noun(words: Words, start: int) -> tuple[str, bool, int] | None:
    """The longest known noun at `start`: its name, whether it is a plural, and the position behind it.

    Unknown words make a new name, unless they are of those that no thing is called by.
    """
    table = _phrases()
    for length in range(min(_LONGEST, len(words) - start), 0, -1):
        known = table.get(words[start : start + length])
        if known:
            return *known, start + length
    book, end = phrasebook(), start
    while end < len(words) and words[end] not in book.stop_words:
        end += 1
    unknown = words[start:end]
    if not unknown or not all(word.isalpha() and word not in book.no_nouns for word in unknown):
        return None
    return "".join(word.capitalize() for word in unknown), False, end
