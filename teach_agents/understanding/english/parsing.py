"""Match sentences with patterns: the readings of noun phrases, places and landmarks in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from teach_agents.understanding.english.lexicon import is_known, match_noun
from teach_agents.understanding.english.phrasebook import NUMBERS, Words, phrasebook, split
from teach_agents.understanding.english.values import Landmark, Reference, ReportKind, State, Verb

Reading = tuple[Reference, int]
"""A noun phrase, and the position behind it."""
Key = TypeVar("Key", Verb, ReportKind, str)
PREPOSITIONS = frozenset({"in", "on", "into", "onto", "inside", "at", "to"})
"""Words that bind a place."""
_STATES = {state.value: state for state in State}
_DIGITS = 3


def first_match(
    table: Mapping[Key, Sequence[Words]], words: Words, *, familiar: bool = False
) -> tuple[Key, dict[str, Reference]] | None:
    """The first pattern that fits; with `familiar`, one that makes all nouns known ones."""
    for key, patterns in table.items():
        for pattern in patterns:
            for slots in readings(pattern, words, 0):
                if not familiar or all(map(is_familiar, slots.values())):
                    return key, slots
    return None


def is_familiar(reference: Reference | None) -> bool:
    if reference is None:
        return True
    mark = reference.landmark.thing if reference.landmark else None
    named = is_known(reference.noun) or (not reference.noun and mark is not None)
    return named and all(map(is_familiar, (reference.place, reference.content, mark)))


@cache
def _choices() -> Mapping[str, frozenset[str]]:
    """Slots that stand for one word of a few."""
    book = phrasebook()
    slots = {"{is}": ("is", "are"), "{needs}": ("needs", "need"), "{it}": ("it", "them"), "{number}": NUMBERS}
    return {"{prep}": PREPOSITIONS, **{slot: frozenset(words) for slot, words in {**slots, **book.choices}.items()}}


def readings(pattern: Words, words: Words, start: int) -> Iterator[dict[str, Reference]]:
    if not pattern:
        if start == len(words):
            yield {}
        return
    head, rest = pattern[0], pattern[1:]
    slot = _SLOTS.get(head)
    if slot is not None:
        for reference, end in slot(words, start):
            for slots in readings(rest, words, end):
                yield {head[1:-1]: reference, **slots}
    elif start < len(words) and (words[start] == head or (head[0] == "{" and words[start] in _choices()[head])):
        yield from readings(rest, words, start + 1)


def _place(words: Words, start: int) -> Iterator[Reading]:
    """Readings of a preposition or a relation with a noun phrase; of a relation, a nameless thing that is by it."""
    if start < len(words) and words[start] in PREPOSITIONS:
        yield from noun_phrase(words, start + 1)
    for landmark, end in _landmark(words, start):
        yield Reference("", landmark=landmark), end


def _landmark(words: Words, start: int) -> Iterator[tuple[Landmark, int]]:
    relation = phrasebook().relation_words.get(words[start]) if start < len(words) else None
    if relation is not None:
        for thing, end in noun_phrase(words, start + 1):
            yield Landmark(relation, thing), end


def noun_phrase(words: Words, start: int) -> Iterator[Reading]:
    """Every reading of a noun phrase at `start`, the longest first, with the position behind it.

    A plural without a number means all ("the plates").
    """
    count, definite, position = _determiner(words, start)
    determiner = words[start:position]
    states: list[State] = []
    while position < len(words) and words[position] in _STATES:
        states.append(_STATES[words[position]])
        position += 1
    found = match_noun(words, position)
    if found is None:
        return
    name, several, end = found
    if several and determiner in _ALL_OF:
        count, definite = None, True
    if name == "Toast":
        name, states = "BreadSliced", [*states, State.TOASTED]
    plain = Reference(name, count, definite, tuple(states))
    for landmark, behind in _landmark(words, end):
        yield replace(plain, landmark=landmark), behind
    yield from _places(plain, words, end)
    yield from _contents(plain, words, end)
    yield plain, end


_ALL_OF = frozenset(split(("", "the", "your", "our", "my", "these", "those")))
"""Before a plural these mean all."""
_DETERMINERS: tuple[tuple[Words, int | None, bool], ...] = tuple(
    (phrase, count, definite)
    for count, definite, phrases in (
        (None, True, ("all of the", "all the", "all", "every", "each")),
        (2, True, ("both",)),
        (1, False, ("one of the", "another", "some", "any")),
        (1, True, ("your", "our", "my", "this", "that", "these", "those")),
        (1, False, ("an", "a")),
        (1, True, ("the",)),
    )
    for phrase in split(phrases)
)


def _determiner(words: Words, start: int) -> tuple[int | None, bool, int]:
    for phrase, count, definite in _DETERMINERS:
        end = start + len(phrase)
        if words[start:end] == phrase:
            if count == 1 and definite and end < len(words) and number_of(words[end]) is not None:
                return number_of(words[end]), True, end + 1
            return count, definite, end
    number = number_of(words[start]) if start < len(words) else None
    if number is None:
        return 1, words[start : start + 1] in (("it",), ("them",)), start
    end = start + 1
    if words[end : end + 2] == ("of", "the"):
        end += 2
    return number, False, end


def number_of(word: str) -> int | None:
    """The number that a word says, in letters or at most three digits: nobody counts things beyond."""
    if word.isdecimal():
        return int(word) if len(word) <= _DIGITS else None
    return NUMBERS.index(word) if word in NUMBERS else None


_PLACE_WORDS = split(("that is", "that are", "which is", "which are", "from"))
_CONTENT_WORDS = split(("with", "that has", "that have", "which has"))


_SLOTS: Mapping[str, Callable[[Words, int], Iterator[Reading]]] = {
    "{what}": noun_phrase,
    "{where}": noun_phrase,
    "{place}": _place,
}


def _places(plain: Reference, words: Words, start: int) -> Iterator[Reading]:
    for opening in _PLACE_WORDS:
        position = start + len(opening)
        if words[start:position] != opening:
            continue
        if position < len(words) and words[position] in PREPOSITIONS:
            position += 1
        elif opening != ("from",):
            continue
        for place, end in noun_phrase(words, position):
            yield replace(plain, place=place), end


def _contents(plain: Reference, words: Words, start: int) -> Iterator[Reading]:
    for opening in _CONTENT_WORDS:
        position = start + len(opening)
        if words[start:position] != opening:
            continue
        for content, end in noun_phrase(words, position):
            if words[end : end + 1] and words[end] in PREPOSITIONS and words[end + 1 : end + 2] in (("it",), ("them",)):
                yield replace(plain, content=content), end + 2
