"""Utterances as readers take them: sentences of plain words in lower case, spelled out."""

from __future__ import annotations

import re
from typing import NamedTuple

from teach_agents.understanding.grammar import grammar


class Sentence(NamedTuple):
    """A sentence: its words with a space between, commas and colons among them; `asked` behind a question mark."""

    text: str
    asked: bool


def sentences(text: str) -> list[Sentence]:
    """The sentences of an utterance that hold words."""
    found = []
    for part in re.findall(r"[^.!?;\n…]+[.!?;…]*", text.replace("\u2019", "'").lower()):
        words = [word for one in re.findall(r"[^\W_]+(?:'[^\W_]+)*'?|'[^\W_]+|[,:&]", part) for word in _spelled(one)]
        if any(word not in (",", ":") for word in words):
            found.append(Sentence(" ".join(words), "?" in part))
    return found


def _spelled(word: str) -> list[str]:
    spelled, short = grammar()["spelled"], grammar()["short"]
    if word in spelled:
        return str(spelled[word]).split()
    for end, full in short.items():
        if word.endswith(end) and len(word) > len(end):
            return f"{word.removesuffix(end)}{full}".split()
    plain = word.removesuffix("'s").strip("'")
    return [plain] if plain else []
