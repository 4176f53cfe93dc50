"""Understand the controlled English: utterances to instructions (Follower) and to reports (Commander)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from teach_agents.agents.planner.language.lexicon import NUMBERS, match_noun
from teach_agents.agents.planner.language.patterns import FILLERS, PREPOSITIONS, REPORTS, SENTENCES
from teach_agents.agents.planner.language.values import Instruction, Reference, Report, ReportKind, State, Verb

__all__ = ["understand_instructions", "understand_reference", "understand_reports"]

_Key = TypeVar("_Key", Verb, ReportKind)
_Words = tuple[str, ...]
_STATES = {state.value: state for state in State}
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


def understand_instructions(utterance: str) -> tuple[Instruction, ...]:
    """The instructions of an utterance in order; empty when none of it is understood."""
    found: list[Instruction] = []
    for words in _sentences(utterance):
        found += _clause(_strip(words))
    return tuple(found)


def understand_reports(utterance: str) -> tuple[Report, ...]:
    """What the Follower says in an utterance, in order; empty when none of it is understood."""
    found = []
    for words in _sentences(utterance):
        match = _match_any(REPORTS, words) or _match_any(REPORTS, _strip(words))
        if match is not None:
            kind, slots = match
            found.append(Report(kind, slots.get("what")))
    return tuple(found)


def understand_reference(phrase: str) -> Reference | None:
    """A noun phrase alone, or `None` when it is none."""
    words = next(_sentences(phrase), ())
    for reference, end in _noun_phrase(words, 0):
        if end == len(words):
            return reference
    return None


def _sentences(utterance: str) -> Iterator[_Words]:
    text = utterance.lower().replace("\u2019", "'")
    for short, full in _APOSTROPHES.items():
        text = re.sub(rf"\b{re.escape(short)}\b", full, text)
    for sentence in re.split(r"[.!?;\n]+", text):
        words = tuple(re.findall(r"[a-z0-9]+", sentence))
        if words:
            yield words


def _strip(words: _Words) -> _Words:
    changed = True
    while changed and words:
        changed = False
        for filler in FILLERS:
            if words[: len(filler)] == filler:
                words, changed = words[len(filler) :], True
            if words and words[-len(filler) :] == filler:
                words, changed = words[: -len(filler)], True
    return words


def _clause(words: _Words) -> list[Instruction]:
    match = _match_any(SENTENCES, words)
    if match is not None:
        verb, slots = match
        return [Instruction(verb, slots.get("what"), slots.get("where"))]
    for index, word in enumerate(words):
        if word in ("and", "then"):
            first, rest = _clause(_strip(words[:index])), _clause(_strip(words[index + 1 :]))
            if first and rest:
                return first + rest
    return []


def _match_any(table: Mapping[_Key, Sequence[str]], words: _Words) -> tuple[_Key, dict[str, Reference]] | None:
    for key, patterns in table.items():
        for pattern in patterns:
            slots = next(_match(tuple(pattern.split()), words, 0), None)
            if slots is not None:
                return key, slots
    return None


def _match(pattern: _Words, words: _Words, start: int) -> Iterator[dict[str, Reference]]:
    if not pattern:
        if start == len(words):
            yield {}
        return
    head, rest = pattern[0], pattern[1:]
    if head in ("{what}", "{where}"):
        for reference, end in _noun_phrase(words, start):
            for slots in _match(rest, words, end):
                yield {head[1:-1]: reference, **slots}
    elif start < len(words) and (words[start] in PREPOSITIONS if head == "{prep}" else words[start] == head):
        yield from _match(rest, words, start + 1)


def _noun_phrase(words: _Words, start: int) -> Iterator[tuple[Reference, int]]:
    """Every reading of a noun phrase at `start`, the longest first, with the position behind it."""
    count, definite, position = _determiner(words, start)
    states: list[State] = []
    while position < len(words) and words[position] in _STATES:
        states.append(_STATES[words[position]])
        position += 1
    found = match_noun(words, position)
    if found is None:
        return
    name, end = found
    plain = Reference(name, count, definite, tuple(states))
    yield from _relations(plain, words, end)
    yield plain, end


_DETERMINERS: tuple[tuple[_Words, int | None, bool], ...] = (
    (("all", "of", "the"), None, True),
    (("all", "the"), None, True),
    (("all",), None, True),
    (("every",), None, True),
    (("each",), None, True),
    (("one", "of", "the"), 1, False),
    (("another",), 1, False),
    (("some",), 1, False),
    (("an",), 1, False),
    (("a",), 1, False),
    (("the",), 1, True),
)


def _determiner(words: _Words, start: int) -> tuple[int | None, bool, int]:
    for phrase, count, definite in _DETERMINERS:
        end = start + len(phrase)
        if words[start:end] == phrase:
            if count == 1 and definite and end < len(words) and _number(words[end]) is not None:
                return _number(words[end]), True, end + 1
            return count, definite, end
    number = _number(words[start]) if start < len(words) else None
    if number is None:
        return 1, True, start
    end = start + 1
    if words[end : end + 2] == ("of", "the"):
        end += 2
    return number, False, end


def _number(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    return NUMBERS.index(word) if word in NUMBERS else None


_PLACE_WORDS: tuple[_Words, ...] = (("that", "is"), ("that", "are"), ("which", "is"), ("which", "are"), ("from",))
_CONTENT_WORDS: tuple[_Words, ...] = (("with",), ("that", "has"), ("that", "have"), ("which", "has"))


def _relations(plain: Reference, words: _Words, start: int) -> Iterator[tuple[Reference, int]]:
    for opening in _PLACE_WORDS:
        position = start + len(opening)
        if words[start:position] != opening:
            continue
        if position < len(words) and words[position] in PREPOSITIONS:
            position += 1
        elif opening != ("from",):
            continue
        for place, end in _noun_phrase(words, position):
            yield replace(plain, place=place), end
    for opening in _CONTENT_WORDS:
        position = start + len(opening)
        if words[start:position] != opening:
            continue
        for content, end in _noun_phrase(words, position):
            if words[end : end + 1] and words[end] in PREPOSITIONS and words[end + 1 : end + 2] in (("it",), ("them",)):
                yield replace(plain, content=content), end + 2
