"""Which language a text is in, as far as its letters and its little words tell."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache

from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.noun_phrases import is_known, singular
from teach_agents.understanding.spelling import is_english


def language_of(text: str) -> str:
    """The language of a text that is not English, by its English name; "" for English, or where nothing can be told."""
    if script := _script(text):
        return script
    words = _words(text)
    scores = _scores(words)
    best = likeliest_language(text)
    english = sum(_is_english(word) for word in words)
    foreign = sum(not _is_english(word) for word in words)
    if not best or 2 * foreign < len(words):
        return ""
    return best if scores[best] >= max(2, english + 1) and 3 * scores[best] >= len(words) else ""


def likeliest_language(text: str) -> str:
    """The language that a text which is not English is most likely in; "" where nothing tells."""
    if script := _script(text):
        return script
    scores = _scores(_words(text))
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] else ""


def _script(text: str) -> str:
    """The language of letters that are not Latin; "" for those that are."""
    letters = [one for one in text if one.isalpha()]
    scripts = Counter(unicodedata.name(one, "").partition(" ")[0].capitalize() for one in letters)
    script, number = scripts.most_common(1)[0] if scripts else ("Latin", 0)
    if script == "Latin" or 2 * number <= len(letters):
        return ""
    if scripts["Hiragana"] or scripts["Katakana"]:
        return "Japanese"
    told = (name for marks, name in grammar()["script_letters"] if not set(marks).isdisjoint(text.lower()))
    return next(told, str(grammar()["scripts"].get(script, script)))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.lower())


def _scores(words: list[str]) -> dict[str, float]:
    """By language: how many of the words are of its own, and whether letters are."""
    letters, text = grammar()["letters"], "".join(words)
    return {
        name: sum(word in known for word in words) + 1.5 * (not set(letters.get(name, "")).isdisjoint(text))
        for name, known in _little().items()
    }


@cache
def _little() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in grammar()["languages"].items()}


def _is_english(word: str) -> bool:
    return word in grammar()["little"].split() or is_known(Phrase(singular(word))) or is_english(word)
