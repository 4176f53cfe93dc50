"""Understand the controlled English: utterances to instructions (Follower) and to reports (Commander)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from teach_agents.understanding.english.clauses import clause, familiar, stripped
from teach_agents.understanding.english.loosely import COMMA, divided, loosely
from teach_agents.understanding.english.parsing import first_match, is_familiar, noun_phrase
from teach_agents.understanding.english.phrasebook import Words, phrasebook, plain_words, split
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, Verb


def understand_instructions(utterance: str) -> tuple[Instruction, ...]:
    """The instructions and hints of an utterance in order; empty when none of it is understood.

    An utterance that is nothing but small talk is one `Verb.ASIDE`; with something that is not understood it is empty.
    """
    heard = _clauses(utterance)
    steps = tuple(step for found in heard for step in found if step.verb is not Verb.ASIDE)
    if steps or leaves_open(utterance):
        return steps
    return heard[0][:1] if heard else ()


def leaves_open(utterance: str) -> bool:
    """Whether something in an utterance is not understood."""
    return not all(_clauses(utterance))


@lru_cache(maxsize=256)
def _clauses(utterance: str) -> tuple[tuple[Instruction, ...], ...]:
    """What each sentence says, and each clause of those that are understood in part only."""
    found: list[tuple[Instruction, ...]] = []
    for words in sentences(utterance, commas=True):
        bare = plain_words(tuple(word for word in words if word != COMMA))
        plain = plain_words(words)
        whole = tuple(familiar(bare)) or loosely(plain) or clause(bare)
        found += (whole,) if whole else divided(plain)
    return tuple(found)


def understand_reports(utterance: str) -> tuple[Report, ...]:
    """What the Follower says in an utterance, in order; empty when none of it is understood."""
    patterns = _report_patterns()
    read = (
        first_match(patterns, words) or first_match(patterns, stripped(words)) or first_match(patterns, _but(words))
        for words in sentences(utterance)
    )
    return tuple(Report(kind, **slots) for kind, slots in filter(None, read))


def _but(words: Words) -> Words:
    """What a sentence says behind "but"."""
    return words[words.index("but") + 1 :] if "but" in words else ()


def understand_reference(phrase: str) -> Reference | None:
    """A noun phrase alone, or `None` when it is none."""
    words = next(sentences(phrase), ())
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
    for sentence in sentences(utterance):
        words = plain_words(sentence)
        start = 0
        while start < len(words):
            phrases = [one for one in noun_phrase(words, start) if is_familiar(one[0])]
            found.update((reference, None) for reference, _ in phrases)
            start = phrases[-1][1] if phrases else start + 1
    return tuple(found)


def sentences(utterance: str, *, commas: bool = False) -> Iterator[Words]:
    """The words of each sentence, in lower case and spelled out; with `commas`, those stand among them."""
    text = utterance.lower().replace("\u2019", "'")
    for short, full in phrasebook().spellings.items():
        text = re.sub(rf"\b{re.escape(short)}\b", full, text)
    for sentence in re.split(r"[.!?;\n]+", text):
        words = tuple(re.findall(r"[a-z0-9]+|," if commas else r"[a-z0-9]+", sentence))
        if any(word != COMMA for word in words):
            yield words


@lru_cache(maxsize=1)
def _report_patterns() -> Mapping[ReportKind, tuple[Words, ...]]:
    return {kind: split(known) for kind, known in phrasebook().reports.items()}
