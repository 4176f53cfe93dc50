"""Utterances as readers take them: sentences of plain words in lower case, spelled out."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.spelling import corrected
from teach_agents.understanding.word_boundaries import bounded, with_n_joined

_BEFORE_A_NAME = frozenset({"a", "an", "my", "our", "that", "the", "this", "your"})
_BEFORE_A_VERB = frozenset(["", "please", "and", "then", ",", "you", "just", "now", "to"])
_BEHIND_A_VERB = frozenset("a an all it me my our some that the them these this those up us your".split())
_COUNTLESS = frozenset("a an the my our your me him her us you".split())
_SOUND = {"2": "to", "4": "for"}
_PERSON = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?='|\u2019|\b)(?![A-Z])")
"""A word with a capital in the midst of a sentence: a name of somebody, which is no slip."""
_OF_OFF = re.compile(
    r"(\b(?:turn|switch)(?:ed|ing)?"
    r"(?: (?:the|my|that|this)(?: \w+){1,2}(?= of (?:[,:]|will|would|please|can|could)| of$))?|\bon or) of\b"
)
"""Where "of" is "off"."""


class Sentence(NamedTuple):
    """A sentence: its words with a space between, commas and colons among them; `asked` behind a question mark."""

    text: str
    asked: bool


OWNS = "'s"


def sentences(text: str, *, owners: bool = False) -> list[Sentence]:
    """The sentences of an utterance that hold words, slips of the pen mended.

    "Dad's" is "dad", with `owners` "dad 's".
    """
    found = []
    people = {one.lower() for one in _PERSON.findall(text)}
    for part in re.findall(r"[^.!?;\n…]+[.!?;…]*", text.replace("\u2019", "'").lower()):
        typed = with_n_joined(re.findall(r"[^\W_]+(?:'[^\W_]+)*'?|'[^\W_]+|[,:&]", part))
        words = bounded([word for one in typed for word in _spelled(one, owners)])
        words = [_as_sounded(word, behind) for word, behind in pairwise([*words, ""])]
        words = [
            one
            for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False)
            for one in (
                [word] if word in people and before not in _BEFORE_A_NAME else _mended(word, owners, before, behind)
            )
        ]
        if any(word not in (",", ":") for word in words):
            found.append(Sentence(_OF_OFF.sub(r"\1 off", " ".join(words)), "?" in part))
    return found


def tokens(text: str) -> list[str]:
    """The words of an utterance, spelled out and mended, with the signs between and behind its sentences."""
    found = sentences(text, owners=True)
    return re.findall(r"[^\s]+", " . ".join(one.text + (" ?" if one.asked else "") for one in found))


def _as_sounded(word: str, behind: str) -> str:
    """ "2 the counter", "4 me": what numbers sound like where they count nothing; "th mug" is "the mug"."""
    if word == "th" and behind.isalpha():
        return "the"
    return _SOUND.get(word, word) if behind in _COUNTLESS else word


def _mended(word: str, owners: bool, before: str, behind: str) -> list[str]:
    """A word as it was meant between those `before` and `behind` it, spelled out where what was meant is short for
    something: where a thing is named, its name rather than any other word; where something is ordered, what is done."""
    if word == OWNS:
        return [word]
    ordered = before in _BEFORE_A_VERB and behind in _BEHIND_A_VERB
    meant = corrected(word, named=before in _BEFORE_A_NAME, ordered=ordered)
    return [word] if meant == word else _spelled(meant, owners)


def _spelled(word: str, owners: bool) -> list[str]:
    spelled, short = grammar()["spelled"], grammar()["short"]
    if word in spelled:
        return str(spelled[word]).split()
    for end, full in short.items():
        if word.endswith(end) and len(word) > len(end):
            return f"{word.removesuffix(end)}{full}".split()
    plain = word.removesuffix(OWNS).strip("'")
    return ([plain, OWNS] if owners and word.endswith(OWNS) else [plain]) if plain else []
