"""Read one clause of the controlled English: a sentence of the tables with things in its slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from teach_agents.understanding.english.parsing import first_match, is_familiar, readings
from teach_agents.understanding.english.phrasebook import Words, phrasebook, plain_words, split
from teach_agents.understanding.english.values import Instruction, Reference, Verb

Reader = Callable[[Words], list[Instruction]]
"""What a clause says; nothing where it is read otherwise."""
MOST_WORDS = 40
"""Of a sentence in which several clauses are looked for: every way to divide it is tried."""
_LONGEST = 7
"""Words of the longest filler."""


def _plain(phrase: str) -> Words:
    return plain_words(tuple(phrase.lower().split()))


@cache
def _fillers() -> frozenset[Words]:
    book = phrasebook()
    asides = (phrase for found in _asides(about=False).values() for phrase in map(" ".join, found))
    phrases = (*book.openings, *book.leads, *book.tails, *asides, "and")
    spelled = (_plain(form) for phrase in phrases for form in _spellings(phrase))
    return frozenset({*spelled, *split(book.fillers)})


def _spellings(phrase: str) -> Iterator[str]:
    """A phrase with every choice of words for its slots."""
    choices = phrasebook().choices
    slot = next((word for word in phrase.split() if word in choices), None)
    if slot is None:
        yield phrase
        return
    for word in choices[slot]:
        yield from _spellings(phrase.replace(slot, word, 1))


@cache
def _sentence_patterns() -> Mapping[Verb, tuple[Words, ...]]:
    book = phrasebook()
    return {
        verb: tuple(dict.fromkeys(map(_plain, (*known, *book.requests.get(verb, ()), *book.statements.get(verb, ())))))
        for verb, known in book.sentences.items()
    }


@cache
def _bare_patterns() -> Mapping[Verb, tuple[Words, ...]]:
    return {verb: split(known) for verb, known in phrasebook().bare.items()}


@cache
def _hint_patterns() -> tuple[Words, ...]:
    return tuple(dict.fromkeys(map(_plain, (*phrasebook().hints, *phrasebook().whereabouts))))


@cache
def _asides(*, about: bool) -> Mapping[str, tuple[Words, ...]]:
    """Small talk about a thing, or about none."""
    return {
        occasion: tuple(_plain(phrase) for phrase in found if ("{what}" in phrase) == about)
        for occasion, found in phrasebook().asides.items()
    }


def stripped(words: Words) -> Words:
    """Words without the fillers at both ends, the longest taken first."""
    found = _filler_at_an_end(words)
    while found is not None:
        start, end = found
        words = words[start:end]
        found = _filler_at_an_end(words)
    return words


def _filler_at_an_end(words: Words) -> tuple[int, int] | None:
    """What is left between, as positions."""
    fillers = _fillers()
    for length in range(min(_LONGEST, len(words)), 0, -1):
        if words[:length] in fillers:
            return length, len(words)
        if words[-length:] in fillers:
            return 0, len(words) - length
    return None


def _small_talk(words: Words, *, about: bool) -> list[Instruction]:
    heard = not words or first_match(_asides(about=about), words, familiar=True)
    return [Instruction(Verb.ASIDE)] if heard else []


def _sentence(words: Words, *, familiar: bool) -> list[Instruction]:
    match = first_match(_sentence_patterns(), words, familiar=familiar)
    match = match or first_match(_bare_patterns(), words, familiar=familiar)
    return [] if match is None else [Instruction(match[0], **match[1])]


def _hint(words: Words) -> list[Instruction]:
    """Where something is, of things that are known by name."""
    for pattern in _hint_patterns():
        for slots in readings(pattern, words, 0):
            if not all(map(is_familiar, slots.values())):
                continue
            what, place = slots.get("what"), slots["place"]
            if place.noun:
                return [Instruction(Verb.LOOK, what, place)]
            return [Instruction(Verb.LOOK, replace(what or Reference("It"), landmark=place.landmark))]
    return []


_FAMILIAR: tuple[Reader, ...] = (
    lambda words: _small_talk(words, about=False),
    lambda words: _sentence(words, familiar=True),
    _hint,
    lambda words: _small_talk(words, about=True),
)
"""The first that finds something decides."""


def familiar(words: Words) -> list[Instruction]:
    """What a clause says, if it is one sentence of the tables about things that are known by name."""
    return _first(_FAMILIAR, words)


@lru_cache(maxsize=512)
def clause(words: Words) -> tuple[Instruction, ...]:
    """The same, or sentences with "and" between them, or one about things that are not known by name."""
    found = familiar(words) or _first((lambda form: _sentence(form, familiar=False),), words)
    if found or len(words) > MOST_WORDS:
        return tuple(found)
    for index, word in enumerate(words):
        if word in ("and", "then") and (first := clause(words[:index])) and (rest := clause(words[index + 1 :])):
            return (*first, *rest)
    return ()


def _first(ways: tuple[Reader, ...], words: Words) -> list[Instruction]:
    forms = tuple(dict.fromkeys((words, stripped(words))))
    return next((found for read in ways for form in forms if (found := read(form))), [])


_BARE = (Verb.PICK_UP, Verb.SLICE, Verb.TOAST, Verb.FILL, Verb.OPEN, Verb.CLOSE, Verb.TURN_ON, Verb.TURN_OFF)
"""Verbs with which a place is where the thing is: nothing is done there."""


def with_place(words: Words) -> list[Instruction]:
    """A request that ends with where the thing is: "grab the knife in the drawer"."""
    for verb in _BARE:
        for pattern in _sentence_patterns()[verb]:
            if pattern[-1] != "{what}":
                continue
            for slots in readings((*pattern, "{place}"), words, 0):
                if all(map(is_familiar, slots.values())):
                    return [Instruction(verb, placed(slots["what"], slots["place"]))]
    return []


def placed(what: Reference, place: Reference) -> Reference:
    """A thing in or on a place; by a landmark, where the place is nameless."""
    return replace(what, place=place) if place.noun else replace(what, landmark=place.landmark)
