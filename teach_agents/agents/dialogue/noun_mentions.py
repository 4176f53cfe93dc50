"""The names of things in words, however these were read: "can you switch the lamp off" names a lamp and no switch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teach_agents.agents.dialogue.noun_types import is_name, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS
from teach_agents.understanding.noun_phrases import singular
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.tokens import tokens

_VERBS_TOO = frozenset("switch light water slice plant dish book cover shower sink clean ring box can pan".split())
_BEFORE_A_VERB = frozenset("you to please and then . ,".split()) | {""}
_BEHIND_A_VERB = frozenset("it that this them those the off on you i".split())
"""What tells that a word is a verb."""
_LONGEST = 3
"""Words of a name."""


def mentions_in(text: str, pronoun: str = "") -> Iterator[str]:
    """The names of things in words before a pronoun, in all of them where there is none to be before."""
    words = tokens(fitting(text)[0])
    until = max((at for at, word in enumerate(words) if word == pronoun), default=0 if pronoun else len(words))
    at = 0
    while at < until:
        for length in range(min(_LONGEST, until - at), 0, -1):
            name = "_".join((*words[at : at + length - 1], singular(words[at + length - 1])))
            if _is_verb(words, at) and length == 1:
                continue
            if name in LIQUIDS or _is_named(name, length):
                yield name
                at += length - 1
                break
        at += 1


def _is_named(name: str, length: int) -> bool:
    if length > 1:
        return is_name(name)
    return (len(name) > 2 or name in ("cd", "tv")) and bool(kinds_of(name))


def _is_verb(words: Sequence[str], at: int) -> bool:
    """Whether a word is what is to be done, rather than a thing: "can you switch that off"."""
    if words[at] not in _VERBS_TOO:
        return False
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    return before in _BEFORE_A_VERB or after in _BEHIND_A_VERB
