"""Mistyped words: a word that nobody knows, and the known one that it was most likely meant to be."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from teach_agents.understanding.english.phrasebook import NUMBERS, phrasebook
from teach_agents.understanding.grammar import grammar

WORDS = Path(__file__).parent / "words.json"
"""Made from the corpus by `scripts/train_reader.py --part words`."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_PLACES = {letter: (x + y / 2, y) for y, row in enumerate(_ROWS) for x, letter in enumerate(row)}
_NEAR = 1.6
"""Widths of a key: neighbours lie no further apart."""
_SWAP, _NEIGHBOUR, _DOUBLE, _VOWEL, _LOST, _OTHER = 0.6, 0.8, 0.5, 0.8, 0.9, 1.0
"""What a slip counts: two letters swapped, a key beside the right one, a letter twice or not twice, a wrong vowel, a
letter lost, any other."""
_USUAL, _DOUBT = 12, 0.012
"""A word of three letters is only taken for one that is said as often, and by so much more likely than any other."""
_SHORT = frozenset("at go in is it me my no of on so to up".split())
"""Words of two letters whose last letter is typed twice: "mee", "itt"."""
_ENOUGH = 100
_COMMON, _ONE_SLIP = 60, 0.95
"""How often the name of a thing is said that is meant by a word said once, and what one slip counts at most."""
_RARE = 3
"""A word that stands in the corpus as often can be what was meant."""
_SHORTENED = frozenset({"dr", "mr", "mrs", "ms", "st", "thr"})
"""What is no word without its vowels: titles, and "the" that missed its last key."""


@lru_cache(maxsize=4096)
def corrected(word: str, *, named: bool = False, ordered: bool = False) -> str:
    """A word in lower case as it was meant: itself if it is known, or if none that is known is near.

    Where a thing is `named`, behind "the" or "my", what is told of things is meant rather than anything else; where
    something is `ordered`, at the beginning of a clause, what is done to things is.
    """
    if named and (name := _meant_name(word)):
        return name
    if ordered and _counts().get(word, 0) <= 1 and word not in _ours() and word.isalpha() and word.isascii():
        verb = _nearest(word, _verbs())
        if verb != word and max(len(word), len(verb)) > 3 and _slips(word, verb, _ONE_SLIP) <= _ONE_SLIP:
            return verb
    if whole := _with_vowels(word, named=named, ordered=ordered):
        return whole
    known = _known()
    if len(word) < 3 or not word.isalpha() or not word.isascii() or word in known or _formed(word):
        return word
    if len(word) == 3 and word[1] == word[2] and word[:2] in _SHORT:
        return word[:2]
    meant = _nearest(word, _naming_targets()) if named and len(word) > 3 else word
    return meant if meant != word else _nearest(word, _targets())


def _with_vowels(word: str, *, named: bool, ordered: bool) -> str:
    """The common word that was typed without its vowels, "frdg"; "" for none. What has but two letters, "mg", is one
    only where a thing is named, or something ordered."""
    if not re.fullmatch(r"[bcdfghj-np-tv-z][b-df-hj-np-tv-z]+", word) or word in _ours() or word in _SHORTENED:
        return ""
    if _counts().get(word, 0) > _RARE or (len(word) < 3 and not (named or ordered)):
        return ""
    return _bare()[named].get(word, "")


@cache
def _bare() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """By their consonants the words that are said often, and the names among them; the commonest of each."""
    found: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for words, targets in zip(found, (_targets(), _naming_targets()), strict=True):
        for word, often in sorted(targets, key=lambda one: -one[1]):
            bare = word[0] + re.sub("[aeiou]", "", word[1:])
            for form in (bare, re.sub(r"(.)\1", r"\1", bare), bare[0] + bare[1:].replace("y", "")):
                if often >= _COMMON:
                    words.setdefault(form, word)
    return found


def _meant_name(word: str) -> str:
    """The common name that a word was meant to be which the corpus has but once, and may have mistyped, or not at all,
    where two of its letters changed places; "" for none."""
    often = _counts().get(word, 0)
    if len(word) <= 3 or often > 1 or word in _ours():
        return ""
    if not often:
        meant = _nearest(word, _naming_targets()) if _formed(word) else word
        return meant if sorted(meant) == sorted(word) and meant != word else ""
    meant = _nearest(word, [one for one in _naming_targets() if one[1] >= _COMMON])
    return meant if meant != word and _slips(word, meant, _ONE_SLIP) <= _ONE_SLIP else ""


def _nearest(word: str, targets: Sequence[tuple[str, int]]) -> str:
    """The target that a word differs from by the fewest slips; the word where none is near."""
    allowed = 0.95 if len(word) == 3 else 1.0 if len(word) < 7 else 1.5
    best, least, doubtful = word, allowed + 1e-6, False
    tie = 1e-6 if targets is _naming_targets() else 0.0  # of two names equally near the commoner is meant
    for target, often in targets:
        if abs(len(target) - len(word)) > allowed * 2 or (target[0] != word[0] and target[:2] != word[1::-1]):
            continue
        slips = _slips(word, target, least) - min(often, 50) * 1e-3 - often * tie
        if len(word) == 3 and often < _USUAL:
            continue
        if slips < least:
            doubtful = best != word and least - slips < _DOUBT
            best, least = target, slips
        elif slips < least + _DOUBT:
            doubtful = True
    return word if doubtful and len(word) == 3 else best


def frequency(word: str) -> int:
    """How often the corpus has a word in lower case."""
    return _counts().get(word, 0)


def closeness(word: str) -> float:
    """By how many slips a word differs from the known one that it was most likely meant to be; infinite for none."""
    meant = corrected(word)
    return 0.0 if word in _known() else _slips(word, meant, float("inf")) if meant != word else float("inf")


def is_swapped(word: str) -> bool:
    """Whether a word that nobody knows is a known one two of whose letters changed places: "tosat"."""
    return 0.0 < closeness(word) <= _SWAP and sorted(corrected(word)) == sorted(word)


def is_english(word: str) -> bool:
    """Whether a word in lower case is one that the corpus has in English, or a form of one."""
    return word in _known() or _formed(word)


def is_listed(word: str) -> bool:
    """Whether a word in lower case is one that the corpus has in English, as it is."""
    return word in _known()


def is_gibberish(text: str) -> bool:
    """Whether most words of a text are none, however they may be mistyped, of a long one the first `_ENOUGH`; or
    whether it is data rather than a text.
    """
    bare = text.strip()
    if bare.startswith(("{", "[")) and bare.endswith(("}", "]")) and {*bare} & {*':,"'}:
        return True
    words = [corrected(word) for word in re.findall(r"[a-z]{2,}", text.lower())[:_ENOUGH]]
    return sum(map(is_english, words)) * 2 < len(words)


def _formed(word: str) -> bool:
    """Whether a word is a form of one that is known."""
    stems = [word[: -len(end)] for end in ("s", "es", "ed", "d", "ing", "er", "ly", "y") if word.endswith(end)]
    return any(len(stem) > 2 and (stem in _known() or f"{stem}e" in _known()) for stem in stems)


def _slips(word: str, target: str, least: float) -> float:
    """The slips by which a word differs from its target, as far as they are fewer than `least`."""
    before: list[float] = []
    row = [float(at) for at in range(len(target) + 1)]
    for i, letter in enumerate(word, 1):
        here = [row[0] + 1.0]
        for j, meant in enumerate(target, 1):
            more = row[j] + (_DOUBLE if i > 1 and word[i - 2] == letter else _OTHER)
            less = here[-1] + (_DOUBLE if j > 1 and target[j - 2] == meant else _LOST)
            cost = min(more, less, row[j - 1] + _wrong(letter, meant))
            if i > 1 and j > 1 and letter == target[j - 2] and word[i - 2] == meant and letter != meant:
                cost = min(cost, before[j - 2] + _SWAP)
            here.append(cost)
        if min(here) > least + 1:
            return min(here)
        before, row = row, here
    return row[-1]


def _wrong(letter: str, meant: str) -> float:
    if letter == meant:
        return 0.0
    if letter in "aeiou" and meant in "aeiou":
        return _VOWEL
    one, other = _PLACES.get(letter), _PLACES.get(meant)
    near = one is not None and other is not None and abs(one[0] - other[0]) + abs(one[1] - other[1]) <= _NEAR
    return _NEIGHBOUR if near else _OTHER


@cache
def _counts() -> Mapping[str, int]:
    """How often each word stands in the corpus."""
    found: Mapping[str, int] = json.loads(WORDS.read_text(encoding="utf8"))
    return found


@cache
def _ours() -> frozenset[str]:
    """The words of rules and names."""
    tables = grammar()
    texts = [*NUMBERS, *tables["nouns"], *tables["looks"], *tables["pronouns"], *tables["borders"], tables["little"]]
    texts += [one for one, _ in tables["orders"]] + [*tables["said"].values(), *tables["leads"], *tables["tails"]]
    texts += [form for forms in (*phrasebook().nouns.values(), *phrasebook().synonyms.values()) for form in forms]
    texts += [*tables["free_facts"], *tables["chat"], *tables["fact_tails"], *tables["made_so"]]
    texts += [*tables["gerunds"], tables["state"], *tables["spelled"], *tables["spelled"].values()]
    return frozenset(re.findall(r"[a-z]{2,}", re.sub(r"\(\?P<\w+>|\{\w+\}", " ", " ".join(texts)).lower()))


@cache
def _known() -> frozenset[str]:
    return _ours() | frozenset(_counts())


@cache
def _naming_targets() -> tuple[tuple[str, int], ...]:
    """Those of the targets that stand in names of things, or that things are told apart by."""
    tables = grammar()
    texts = [*tables["nouns"], *tables["looks"]]
    texts += [form for forms in (*phrasebook().nouns.values(), *phrasebook().synonyms.values()) for form in forms]
    words = frozenset(re.findall(r"[a-z]+", " ".join(texts).lower().replace("_", " ")))
    return tuple(one for one in _targets() if one[0] in words)


@cache
def _verbs() -> tuple[tuple[str, int], ...]:
    """Those of the targets with which orders begin, that are said often."""
    begun = (re.match(r"(?:\(\?:)?((?:[a-z ]+\|)*[a-z]+)", one) for one, _ in grammar()["orders"])
    words = {words.split()[0] for found in begun if found for words in found[1].split("|")}
    return tuple(one for one in _targets() if one[0] in words and one[1] >= _USUAL)


@cache
def _targets() -> tuple[tuple[str, int], ...]:
    """What can be meant, with how often it is said, the shorter first."""
    counts = _counts()
    words = {word for word in _ours() if len(word) > 2} | {word for word, often in counts.items() if often >= _RARE}
    return tuple((word, counts.get(word, 0)) for word in sorted(words) if len(word) > 2)
