"""Words as the encoder takes them: pieces of words, behind what was said before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from teach_agents.understanding.heads.network import ROOM, Batch

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_TURNS, _BEFORE = 2, 30
"""Turns before an utterance that are heard, and the pieces of them."""
_OF_WORD = 8
"""Pieces of a word that are heard."""
_OPEN, _CLOSE = "[CLS]", "[SEP]"


def tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a model's folder."""
    from tokenizers import Tokenizer

    found: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    return found


def context(recent: Sequence[str]) -> str:
    """What the heads hear of what was said before: the last turns."""
    return " ".join(recent[-_TURNS:]).lower().encode("utf8", "replace").decode("utf8")


def within(known: Tokenizer, words: Sequence[str]) -> list[str]:
    """As many words as there is room for behind what was said before."""
    room, found = ROOM - _BEFORE - 3, list[str]()
    for word in words:
        room -= len(known.encode(word, add_special_tokens=False).ids[:_OF_WORD] or [0])
        if room < 0:
            break
        found.append(word)
    return found


def batch(known: Tokenizer, utterances: Sequence[tuple[str, Sequence[str]]]) -> Batch:
    """Utterances, each what was said before it and its words, as one batch."""
    opening, closing = (known.token_to_id(one) or 0 for one in (_OPEN, _CLOSE))
    rows, kinds, firsts, lasts = [], [], [], []
    for before, words in utterances:
        told = known.encode(before, add_special_tokens=False).ids[-_BEFORE:]
        pieces = [known.encode(word, add_special_tokens=False).ids[:_OF_WORD] or [closing] for word in words]
        front = [opening, *told, closing]
        rows.append([*front, *chain.from_iterable(pieces), closing])
        kinds.append([0] * len(front) + [1] * (len(rows[-1]) - len(front)))
        first, last, at = [], [], len(front)
        for one in pieces:
            first.append(at)
            at += len(one)
            last.append(at - 1)
        firsts.append(first)
        lasts.append(last)
    most = max(map(len, firsts))
    there = _filled([[1] * len(row) for row in rows]).bool()
    words_there = _filled([[1] * len(first) for first in firsts]).bool()
    return Batch(_filled(rows), _filled(kinds), there, _filled(firsts, most), _filled(lasts, most), words_there)


def _filled(rows: Sequence[Sequence[int]], length: int = 0) -> torch.Tensor:
    width = length or max(map(len, rows))
    return torch.tensor([[*row, *([0] * (width - len(row)))] for row in rows])
