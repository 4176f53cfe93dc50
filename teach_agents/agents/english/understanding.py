"""Understand the controlled English: utterances to instructions (Follower) and to reports (Commander)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from teach_agents.agents.english.paraphrases import plain_words
from teach_agents.agents.english.parsing import Words, first_match, is_familiar, noun_phrase, readings
from teach_agents.agents.english.patterns import FILLERS, REPORTS, SENTENCES
from teach_agents.agents.english.phrasings import HINTS, REQUESTS, STATEMENTS, WHEREABOUTS
from teach_agents.agents.english.smalltalk import ASIDES, CHOICES, LEADS, OPENINGS, TAILS
from teach_agents.agents.english.values import Instruction, Reference, Report, ReportKind, Verb

__all__ = ["mentioned", "understand_instructions", "understand_reference", "understand_reports"]

_APOSTROPHES = {
    "can't": "can not",
    "cannot": "can not",
    "couldn't": "could not",
    "didn't": "did not",
    "don't": "do not",
    "doesn't": "does not",
    "isn't": "is not",
    "i'm": "i am",
    "it's": "it is",
    "let's": "let us",
    "that's": "that is",
    "there's": "there is",
    "they're": "they are",
    "we're": "we are",
    "what's": "what is",
    "where's": "where is",
    "you're": "you are",
}


_LONGEST = 7
"""Words of the longest filler."""


@lru_cache(maxsize=256)
def understand_instructions(utterance: str) -> tuple[Instruction, ...]:
    """The instructions and hints of an utterance in order; empty when none of it is understood.

    An utterance that is nothing but small talk is one `Verb.ASIDE`.
    """
    found: list[Instruction] = []
    for words in _sentences(utterance):
        found += _clause(plain_words(words))
    steps = tuple(step for step in found if step.verb is not Verb.ASIDE)
    return steps or tuple(found[:1])


def understand_reports(utterance: str) -> tuple[Report, ...]:
    """What the Follower says in an utterance, in order; empty when none of it is understood."""
    found = []
    for words in _sentences(utterance):
        match = first_match(_report_patterns(), words) or first_match(_report_patterns(), _strip(words))
        if match is not None:
            kind, slots = match
            found.append(Report(kind, slots.get("what")))
    return tuple(found)


def understand_reference(phrase: str) -> Reference | None:
    """A noun phrase alone, or `None` when it is none."""
    words = next(_sentences(phrase), ())
    for reference, end in noun_phrase(words, 0):
        if end == len(words):
            return reference
    return None


@lru_cache(maxsize=256)
def mentioned(utterance: str) -> tuple[Reference, ...]:
    """The noun phrases of an utterance in order, whatever it says of them, of things that are known by name.

    Of a phrase with a place, a content or a landmark both are given, the whole phrase and the bare one.
    """
    found: dict[Reference, None] = {}
    for sentence in _sentences(utterance):
        words = plain_words(sentence)
        start = 0
        while start < len(words):
            phrases = [one for one in noun_phrase(words, start) if is_familiar(one[0])]
            found.update((reference, None) for reference, _ in phrases)
            start = phrases[-1][1] if phrases else start + 1
    return tuple(found)


def _sentences(utterance: str) -> Iterator[Words]:
    text = utterance.lower().replace("\u2019", "'")
    for short, full in _APOSTROPHES.items():
        text = re.sub(rf"\b{re.escape(short)}\b", full, text)
    for sentence in re.split(r"[.!?;\n]+", text):
        words = tuple(re.findall(r"[a-z0-9]+", sentence))
        if words:
            yield words


@lru_cache(maxsize=1)
def _fillers() -> frozenset[Words]:
    asides = (phrase for found in _asides(about=False).values() for phrase in map(" ".join, found))
    phrases = {spelled for phrase in (*OPENINGS, *LEADS, *TAILS, *asides, "and") for spelled in _spellings(phrase)}
    return frozenset({plain_words(tuple(phrase.lower().split())) for phrase in phrases} | set(FILLERS))


def _spellings(phrase: str) -> Iterator[str]:
    """A phrase with every choice of words for its slots."""
    slot = next((word for word in phrase.split() if word in CHOICES), None)
    if slot is None:
        yield phrase
        return
    for word in CHOICES[slot]:
        yield from _spellings(phrase.replace(slot, word, 1))


@lru_cache(maxsize=1)
def _sentence_patterns() -> Mapping[Verb, tuple[Words, ...]]:
    patterns = {}
    for verb, known in SENTENCES.items():
        both = (*known, *REQUESTS.get(verb, ()), *STATEMENTS.get(verb, ()))
        patterns[verb] = tuple(dict.fromkeys(plain_words(tuple(pattern.split())) for pattern in both))
    return patterns


@lru_cache(maxsize=1)
def _report_patterns() -> Mapping[ReportKind, tuple[Words, ...]]:
    return {kind: tuple(tuple(pattern.split()) for pattern in known) for kind, known in REPORTS.items()}


@lru_cache(maxsize=1)
def _hint_patterns() -> tuple[Words, ...]:
    return tuple(dict.fromkeys(plain_words(tuple(pattern.split())) for pattern in (*HINTS, *WHEREABOUTS)))


@lru_cache(maxsize=2)
def _asides(*, about: bool) -> Mapping[str, tuple[Words, ...]]:
    """Small talk about a thing, or about none."""
    return {
        occasion: tuple(plain_words(tuple(p.lower().split())) for p in found if ("{what}" in p) == about)
        for occasion, found in ASIDES.items()
    }


def _strip(words: Words) -> Words:
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
    heard = not words or first_match(_asides(about=about), words, familiar=True) is not None
    return [Instruction(Verb.ASIDE)] if heard else []


def _sentence(words: Words, *, familiar: bool) -> list[Instruction]:
    match = first_match(_sentence_patterns(), words, familiar=familiar)
    return [] if match is None else [Instruction(match[0], match[1].get("what"), match[1].get("where"))]


def _hint(words: Words) -> list[Instruction]:
    """Where something is, of things that are known by name."""
    for pattern in _hint_patterns():
        for slots in readings(pattern, words, 0):
            if not all(is_familiar(reference) for reference in slots.values()):
                continue
            what, place = slots.get("what"), slots["place"]
            if place.noun:
                return [Instruction(Verb.LOOK, what, place)]
            return [Instruction(Verb.LOOK, replace(what or Reference("It"), landmark=place.landmark))]
    return []


_WAYS_TO_READ: tuple[Callable[[Words], list[Instruction]], ...] = (
    lambda words: _small_talk(words, about=False),
    lambda words: _sentence(words, familiar=True),
    lambda words: _hint(words),
    lambda words: _small_talk(words, about=True),
    lambda words: _sentence(words, familiar=False),
)
"""The first that finds something decides; known nouns come before unknown ones."""


def _clause(words: Words) -> list[Instruction]:
    forms = tuple(dict.fromkeys((words, _strip(words))))
    for read in _WAYS_TO_READ:
        for form in forms:
            found = read(form)
            if found:
                return found
    for index, word in enumerate(words):
        if word in ("and", "then"):
            first, rest = _clause(words[:index]), _clause(words[index + 1 :])
            if first and rest:
                return first + rest
    return []
