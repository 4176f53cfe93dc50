"""Words as the encoder takes them: pieces of words, behind what was said before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from teach_agents.understanding.heads.network import Batch

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_BEFORE = 24
"""Pieces of what was said before."""
_OPEN, _CLOSE = "[CLS]", "[SEP]"


def tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a model's folder."""
    from tokenizers import Tokenizer

    found: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    return found


def batch(known: Tokenizer, utterances: Sequence[tuple[str, Sequence[str]]]) -> Batch:
    """Utterances, each what was said before it and its words, as one batch."""
    opening, closing = (known.token_to_id(one) or 0 for one in (_OPEN, _CLOSE))
    rows, kinds, firsts, lasts = [], [], [], []
    for before, words in utterances:
        told = known.encode(before, add_special_tokens=False).ids[:_BEFORE]
        pieces = [known.encode(word, add_special_tokens=False).ids[:8] or [closing] for word in words]
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
