"""What the tagger looks at: words and pieces of words, who speaks, and what was done before, hashed into columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from teach_agents import Role
from teach_agents.arrays import IntArray

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[?!.,]")
_END = re.compile(r"(?<=[.!?])\s+|(?<=\w,)\s+|\n+")
_LONGEST_GRAM = 3
_PIECES = (3, 4)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of an utterance that does one thing, and what came before it.

    `previous` is the act before it and `previous_speaker` who did that; empty and `None` where nothing was said yet.
    `begins` says that the utterance begins with it.
    """

    text: str
    speaker: Role
    previous: str = ""
    previous_speaker: Role | None = None
    begins: bool = True


def stretches(utterance: str) -> list[str]:
    """An utterance cut behind every sentence and every comma; the whole of it where there is no word between."""
    return [part for part in _END.split(utterance) if re.search(r"\w", part)] or [utterance]


def columns(stretch: Stretch, width: int) -> IntArray:
    """The columns, of `width`, that are 1 for a stretch; distinct, in order."""
    return np.unique(np.fromiter((crc32(name.encode()) % width for name in _names(stretch)), np.int64))


def _names(stretch: Stretch) -> Iterator[str]:
    tokens = _TOKEN.findall(stretch.text.lower())
    words = ["^", *tokens, "$"]
    speaker = stretch.speaker.value[0]
    yield "bias"
    yield f"by {speaker}"
    for length in range(1, _LONGEST_GRAM + 1):
        for start in range(len(words) - length + 1):
            gram = " ".join(words[start : start + length])
            yield f"{length} {gram}"
            if length == 1:
                yield f"by {speaker} {gram}"
    for token in tokens:
        marked = f"<{token}>"
        for length in _PIECES:
            yield from (f"piece {marked[start : start + length]}" for start in range(len(marked) - length + 1))
    yield from _context(stretch, len(tokens))


def _context(stretch: Stretch, length: int) -> Iterator[str]:
    after = f"after {stretch.previous} {'self' if stretch.previous_speaker is stretch.speaker else 'partner'}"
    by = f"by {stretch.speaker.value}"
    yield after
    yield f"{after} {by}"
    yield f"length {min(length, 12) // 2} {by}"
    yield f"begins {stretch.begins}"
