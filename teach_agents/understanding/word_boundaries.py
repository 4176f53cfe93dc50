"""Spaces that are missing, too many, or a letter too early or too late: "themicrowave", "di d", "was hthe"."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise

from teach_agents.understanding.english.phrasebook import phrasebook
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.spelling import closeness, corrected, frequency, is_english, is_listed, is_swapped

_COMMON = 6
"""What is said as often may be a part of words run together."""
_SHORT = frozenset("a i an as at be by do go he if in is it me my no of off on or so to tv up us we".split())
"""The words of one and two letters among them."""
_LETTERS = frozenset("airnu")
"""Letters that people write for words."""
_JOINED = 5
"""So many letters make a word that others are put together to; of as many one that is mistyped is divided as well."""
_LITTLE = frozenset(
    """a an and are at can did do does for from how i in into is it me my of off on onto or our out over that the them
    there this to up was what when where will with you your""".split()
)
"""Words that are run together with any other; two others are only divided where both are told apart easily."""
_PART, _RARELY = 3, 12
"""Letters of each of two others, and how often both have to be said."""
_NEAR, _NEAREST = 1.0, 0.5
"""Slips by which a word differs that is mistyped rather than run together; one of `_JOINED` letters that is no name."""

_BEHIND = ("away", "back", "down", "over", "off", "out", "the", "my")
"""What is typed to the end of another word, which is mistyped, too."""
_SLIP = 1.0
"""Slips of such a word."""

_RUN = 9
"""So many letters may be more than two words, all run together."""
_LONGEST_RUN = 120
"""More letters than that without a space are gibberish, and take long to look through."""
_LONGEST = 14
"""Letters of the longest word among them."""
_PARTS = 2.5
"""How many letters each of them has at least, taken together: what is divided into less is gibberish."""
_SAID = 200_000
"""So often all words are said, about."""
_LONE = frozenset("ai")
"""The words of one letter among them."""


def bounded(words: Sequence[str]) -> list[str]:
    """Words with the spaces where they belong; such as are English stay as they are."""
    found: list[str] = []
    for word in words:
        if found and (pair := _repaired(found[-1], word)):
            found[-1:] = pair
        else:
            found.append(word)
    return [part for word in found for part in _divided(word)]


def _repaired(one: str, other: str) -> tuple[str, ...]:
    """Two words that are one, or have the space a letter too early or too late; nothing where they are two."""
    if not (_is_plain(one) and _is_plain(other)):
        return ()
    if _is_word(one) and _is_word(other):
        if other == "he" and one[-1] == "t" and frequency(one[:-1]) > max(_COMMON, frequency(one)):  # "closet he door"
            return (one[:-1], "the")
        return (one + other,) if _is_torn_name(one, other) else ()
    shifted = ((other, (one + other[0], other[1:])), (one, (one[:-1], one[-1] + other)))
    fitting = [pair for giving, pair in shifted if not _is_said(giving) and all(map(_is_common, pair))]
    if fitting:
        return max(fitting, key=lambda pair: min(map(frequency, pair)))
    is_torn = len(one + other) >= _JOINED or not (_is_word(one) or _is_word(other))
    return (one + other,) if is_torn and len(one + other) >= _PART and _is_common(one + other) else ()


def with_n_joined(words: Sequence[str]) -> list[str]:
    """Words where a lone "n" is no "and", but has its vowel at the end of the word before: "my keysi n the box"."""
    found: list[str] = []
    for word in words:
        before = found[-1] if found else ""
        if word == "n" and before[-1:] in ("i", "o") and before[:-1] and corrected(before) == before[:-1]:
            found[-1:] = [before[:-1], before[-1] + word]
        else:
            found.append(word)
    return found


def spaced(text: str) -> str:
    """A text where more than two words that were run together stand apart: "putthemuginthesink"."""
    return re.sub(rf"[^\W\d_]{{{_RUN},}}", lambda found: _apart(found[0]), text)


def _apart(run: str) -> str:
    parts = _run(run.lower()) if _is_plain(run) and not is_english(run.lower()) else ()
    ends = [0, *accumulate(map(len, parts))]
    return " ".join(run[start:end] for start, end in pairwise(ends)) if parts else run


@lru_cache(maxsize=4096)
def _run(word: str) -> tuple[str, ...]:
    """The words, more than two, that a word consists of from end to end: those that are said most often; none where it
    is rather mistyped, or gibberish."""
    if not _RUN <= len(word) <= _LONGEST_RUN or closeness(word) <= _NEAR:
        return ()
    best: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
    for end in range(1, len(word) + 1):
        ways = [
            (best[start][0] + math.log(frequency(part) / _SAID), (*best[start][1], part))
            for start in range(max(0, end - _LONGEST), end)
            if best[start][0] > -math.inf and _may_be_in_a_run(part := word[start:end])
        ]
        best.append(max(ways, default=(-math.inf, ())))
    parts = best[-1][1]
    is_said = len(parts) > 2 and len(word) >= _PARTS * len(parts) and any(part in _LITTLE for part in parts)
    return parts if is_said else ()


def _may_be_in_a_run(part: str) -> bool:
    return part in _LONE if len(part) == 1 else _is_common(part) and frequency(part) > 0


@lru_cache(maxsize=4096)
def _divided(word: str) -> tuple[str, ...]:
    """A word that nobody knows as the two that it consists of; as it is where it is rather mistyped."""
    if len(word) < _JOINED - 1 or not _is_plain(word) or is_english(word):
        return (word,)
    if is_swapped(word):
        return (word,)
    if (name := _names()[1].get(word)) is not None:
        return name
    if run := _run(word):
        return run
    pairs = [(word[:at], word[at:]) for at in range(1, len(word)) if _may_be_joined(word[:at], word[at:])]
    if not pairs and closeness(word) > _NEAR:  # run together, and mistyped as well: "thorwaway"
        behind = next((one for one in _BEHIND if word.endswith(one) and len(word) >= len(one) + _PART), "")
        meant = corrected(word.removesuffix(behind)) if behind else word
        return (
            (meant, behind)
            if behind and closeness(word.removesuffix(behind)) <= _SLIP and _is_common(meant)
            else (word,)
        )
    is_name = corrected(word) in _names()[0]
    if not pairs or closeness(word) <= (_NEAR if is_name or len(word) > _JOINED else _NEAREST):
        return (word,)
    return max(pairs, key=lambda pair: (bool(_LITTLE & {*pair}), min(map(frequency, pair))))


def _may_be_joined(one: str, other: str) -> bool:
    if not (_is_common(one) and _is_common(other)):
        return False
    if other == "a" and one not in _LITTLE:
        return False
    told_apart = all(len(part) >= _PART and frequency(part) >= _RARELY for part in (one, other))
    return (
        told_apart or (one in _LITTLE and other in _LITTLE) or (bool(_LITTLE & {one, other}) and _is_long(one, other))
    )


def _is_torn_name(one: str, other: str) -> bool:
    """Whether two words are one name: "basket ball"."""
    apart = {one, other} & _LITTLE or other in _BEHIND or min(len(one), len(other)) < _PART
    return not apart and one + other in _names()[0]


@cache
def _names() -> tuple[frozenset[str], Mapping[str, tuple[str, str]]]:
    """Names of things: those of one word that are said often, and those of two by their letters."""
    forms = (*phrasebook().nouns.values(), *phrasebook().synonyms.values())
    names = [name.replace("_", " ").split() for name in (*grammar()["nouns"], *(one for form in forms for one in form))]
    one = frozenset(name[0] for name in names if len(name) == 1 and frequency(name[0]) >= _COMMON)
    return one, {"".join(name): (name[0], name[1]) for name in names if len(name) == 2}


def _is_long(*parts: str) -> bool:
    return max(map(len, parts)) >= _PART


def _is_plain(word: str) -> bool:
    return word.isalpha() and word.isascii()


def _is_word(word: str) -> bool:
    if len(word) == 1:
        return word in _LETTERS
    return frequency(word) >= _COMMON or word in _SHORT if len(word) < _PART else is_english(word)


def _is_said(word: str) -> bool:
    """Whether a word is one, and not only the form that one might have."""
    return _is_word(word) and (len(word) < _PART or is_listed(word))


def _is_common(word: str) -> bool:
    return word in _SHORT if len(word) < _PART else frequency(word) >= _COMMON
