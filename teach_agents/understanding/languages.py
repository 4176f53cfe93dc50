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
from teach_agents.understanding.spelling import corrected, is_english

_WHOLE = 4
"""Letters of a word that tells a language all alone."""
_LETTERS = str.maketrans("ıłøđ", "ilod")


def language_of(text: str) -> str:
    """The language of a text that is not English, by its English name; "" for English, or where nothing can be told.

    A text without any English word needs no more than one word of a language that is no slip of an English one.
    """
    if script := _script(text):
        return script
    words = [*dict.fromkeys(_words(text))]
    scores = _scores(words)
    best = likeliest_language(text)
    english = sum(_is_english(word) for word in words)
    if not best or 2 * (len(words) - english) < len(words):
        return ""
    sure = [word for word in words if word in _little()[best] and not _is_slip(word)]
    alone = not english and bool(sure) and (len(words) > 1 or len(words[0]) >= _WHOLE)
    return best if scores[best] >= (1 if alone else max(2, english + 1)) and 3 * scores[best] >= len(words) else ""


def likeliest_language(text: str) -> str:
    """The language that a text which is not English is most likely in; "" where nothing tells."""
    if script := _script(text):
        return script
    words = _words(text)
    scores, own = _scores(words), _own_words(words)
    best = max(scores, key=lambda name: (scores[name], own[name]))
    return best if scores[best] else ""


def _script(text: str) -> str:
    """The language of letters that are not Latin; "" for those that are."""
    letters = [one for one in text if one.isalpha()]
    scripts = Counter(re.split("[ -]", unicodedata.name(one, ""))[0].capitalize() for one in letters)
    foreign = scripts.total() - scripts.pop("Latin", 0)
    if not foreign or 2 * foreign < len(letters):
        return ""
    if scripts["Hiragana"] or scripts["Katakana"]:
        return "Japanese"
    script = scripts.most_common(1)[0][0]
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


def _own_words(words: list[str]) -> dict[str, float]:
    """By language: how many of the words are of its own, each the less the more languages have it."""
    shared = {word: sum(word in known for known in _little().values()) for word in words}
    return {name: sum(1 / shared[word] for word in words if word in known) for name, known in _little().items()}


@cache
def _little() -> Mapping[str, frozenset[str]]:
    """By language its words, without their accents as well, as people type them."""
    listed = ((name, words.split()) for name, words in grammar()["languages"].items())
    return {name: frozenset({*words, *map(_plain, words)}) for name, words in listed}


def _plain(word: str) -> str:
    """A word without its accents."""
    return "".join(
        one for one in unicodedata.normalize("NFD", word.translate(_LETTERS)) if not unicodedata.combining(one)
    )


def _is_slip(word: str) -> bool:
    """Whether a word may be an English one that is mistyped."""
    return word.isascii() and is_english(corrected(word))


def _is_english(word: str) -> bool:
    return word in grammar()["little"].split() or is_known(Phrase(singular(word))) or is_english(word)
