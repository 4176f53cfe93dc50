"""The words of the controlled English: sentences, turns of phrase and nouns, in a data file beside this module."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from teach_agents.understanding.english.values import Relation, ReportKind, Verb

Phrases = Sequence[str]
"""Ways to say one thing, or things of one kind."""
Words = tuple[str, ...]
"""Of a sentence or phrase, in order."""


def split(phrases: Iterable[str]) -> tuple[Words, ...]:
    """Phrases, each as its words."""
    return tuple(tuple(phrase.split()) for phrase in phrases)


NUMBERS: Words = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
"""Counts in words."""
_LONGEST = 5
"""Words of the longest paraphrase."""


@dataclass(frozen=True)
class Phrasebook:
    """What is said and understood, all in our own wording.

    A pattern's words stand for themselves, `{what}` and `{where}` for noun phrases, `{prep}` for a preposition,
    `{place}` for a preposition or a relation with a noun phrase. `{is}`, `{needs}` and `{it}` agree with the number of
    `{what}`; the slots of `choices` stand for any of their words.

    `sentences` are those of the plain style, the first few of each verb spoken, all understood; the more particular
    verbs stand first, as order decides between readings. `bare` ones are understood only where no other fits: their
    noun phrases would take in the end of longer ones. `reports` are the Follower's.

    The natural style has imperatives (`requests`, with any of `openings` and `tails`), wishes (`statements`, behind
    `leads`), `whereabouts`, `hints` about what was just spoken of, and `asides` by occasion, which mean nothing. It
    says, and everybody understands, `paraphrases` of plain words, the usual one first; `also_understood` are those that
    nobody here says, or whose plain word is less easily misread. `fillers` are skipped around a sentence.
    """

    sentences: Mapping[Verb, Phrases]
    bare: Mapping[Verb, Phrases]
    requests: Mapping[Verb, Phrases]
    statements: Mapping[Verb, Phrases]
    whereabouts: Phrases
    hints: Phrases
    reports: Mapping[ReportKind, Phrases]
    prefixes: Phrases
    """Openings of the plain style."""
    openings: Phrases
    leads: Phrases
    tails: Phrases
    fillers: Phrases
    choices: Mapping[str, Phrases]
    asides: Mapping[str, Phrases]
    paraphrases: Mapping[str, Phrases]
    also_understood: Mapping[str, str]
    spellings: Mapping[str, str]
    """Short and hasty forms, and what they stand for."""
    relation_words: Mapping[str, Relation]
    """The plain word of each relation."""
    commands: Mapping[Verb, str]
    """The candidates of a model: one text for each command."""
    relations: Mapping[Relation, str]
    """As commands put them."""
    nouns: Mapping[str, Phrases]
    """Of object types and classes: one and many."""
    synonyms: Mapping[str, Phrases]
    """Other words for one, most of them in use in every home."""
    pronouns: Mapping[str, Phrases]
    containers: frozenset[str]
    """Types that things are in, and not on."""
    stop_words: frozenset[str]
    """They end a noun that nobody listed."""
    no_nouns: frozenset[str]
    """Words that no thing is called by: with one of them, what is not known is a sentence, and not a name."""


_KEYS: Mapping[str, type[Verb | ReportKind | Relation]] = {
    **dict.fromkeys(("sentences", "bare", "requests", "statements", "commands"), Verb),
    "reports": ReportKind,
    "relations": Relation,
}
"""What the keys of its tables are, where they are not texts."""


@cache
def phrasebook() -> Phrasebook:
    """All of it, read when first asked for."""
    read = json.loads(Path(__file__).with_suffix(".json").read_bytes())
    keyed = {name: {kind(key): value for key, value in read[name].items()} for name, kind in _KEYS.items()}
    sets = {name: frozenset(read[name]) for name in ("containers", "stop_words", "no_nouns")}
    words = {word: Relation(relation) for word, relation in read["relation_words"].items()}
    return Phrasebook(**{**read, **keyed, **sets, "relation_words": words})


@cache
def _plain() -> Mapping[Words, str]:
    book = phrasebook()
    table = {tuple(phrase.split()): plain for phrase, plain in book.also_understood.items()}
    for plain, phrases in book.paraphrases.items():
        for phrase in phrases:
            if " " in phrase or phrase not in book.paraphrases:
                table.setdefault(tuple(phrase.split()), plain)
    return table


def plain_words(words: Words) -> Words:
    """The same sentence in plain words, the longest paraphrase at each place replaced first.

    So patterns need to know the plain words only, and a speaker may choose any of the phrases.
    """
    table, found, position = _plain(), [], 0
    while position < len(words):
        for length in range(min(_LONGEST, len(words) - position), 0, -1):
            plain = table.get(words[position : position + length])
            if plain is not None:
                found.append(plain)
                position += length
                break
        else:
            found.append(words[position])
            position += 1
    return tuple(found)
