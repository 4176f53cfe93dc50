"""Many ways to say one thing: phrases that mean the same as one plain word, for speaking and for understanding.

Before a sentence is matched with the patterns, every paraphrase in it is replaced by its plain word; so the patterns
need to know the plain words only, and a speaker may choose any of the phrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from teach_agents.agents.english.values import Relation

RELATION_WORDS: Mapping[str, Relation] = {
    "near": Relation.NEAR,
    "leftof": Relation.LEFT,
    "rightof": Relation.RIGHT,
    "above": Relation.ABOVE,
    "below": Relation.BELOW,
    "behind": Relation.BEHIND,
    "infront": Relation.BEFORE,
}
"""The plain word of each relation."""

PARAPHRASES: Mapping[str, tuple[str, ...]] = {
    "near": ("by", "near", "next to", "beside", "close to", "right by", "right next to", "not far from"),
    "leftof": ("left of", "left of", "to the left of", "just left of"),
    "rightof": ("right of", "right of", "to the right of", "just right of"),
    "above": ("above", "above", "over", "right above"),
    "below": ("under", "below", "underneath", "beneath"),
    "behind": ("behind", "in back of", "right behind"),
    "infront": ("in front of", "right in front of", "just in front of"),
    "in": ("in", "in", "inside"),
    "on": ("on", "on", "on top of"),
    "into": ("into", "in"),
    "onto": ("onto", "on", "over to"),
    "is": ("is", "is", "should be", "can be found", "sits", "lies", "will be", "waits", "must be"),
    "are": ("are", "are", "should be", "sit", "lie", "will be", "wait"),
}
"""Plain words and what may be said instead; the first phrase of each is the usual one."""

_ALSO_UNDERSTOOD: Mapping[str, str] = {
    "on the left side of": "leftof",
    "on the right side of": "rightof",
    "just above": "above",
    "right under": "below",
    "adjacent to": "near",
    "alongside": "near",
    "at the side of": "near",
    "atop": "on",
    "right on top of": "on",
    "right on": "on",
    "inside of": "in",
    "within": "in",
    "nearest to": "near",
    "is sitting": "is",
    "is lying": "is",
    "is waiting": "is",
    "are sitting": "are",
    "are lying": "are",
    "located": "is",
    "is located": "is",
    "are located": "are",
    "has to be": "is",
    "would be": "is",
    "water tap": "tap",  # else "water tap by the sink" waters a tap
    "open shelf": "shelf",
}
"""Paraphrases that nobody here says, or whose plain word is less easily misread."""


@lru_cache(maxsize=1)
def _table() -> dict[tuple[str, ...], str]:
    table = {tuple(phrase.split()): plain for phrase, plain in _ALSO_UNDERSTOOD.items()}
    for plain, phrases in PARAPHRASES.items():
        for phrase in phrases:
            if " " in phrase or phrase not in PARAPHRASES:
                table.setdefault(tuple(phrase.split()), plain)
    return table


_LONGEST = 5


def plain_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The same sentence in plain words, the longest paraphrase at each place replaced first."""
    table, found, position = _table(), [], 0
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


def ways_to_say(plain: str) -> tuple[str, ...]:
    """Every phrase for a plain word; the word itself where it has none."""
    return PARAPHRASES.get(plain, (plain,))
