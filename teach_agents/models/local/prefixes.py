"""What prompts begin with alike is read once: instructions and examples, turn after turn and in every session."""

from __future__ import annotations

import copy
from collections import deque
from os.path import commonprefix
from typing import Any

from teach_agents.models.local.packages import package, torch

__all__ = ["Prefixes"]

_SHORTEST = 32
"""Tokens; a shorter beginning is read again."""
_KEPT = 4


class Prefixes:
    """Keys and values of a few beginnings that prompts shared of late. For prompts of words, not of pictures.

    A batch that begins alike is laid out as beginning, padding, rest, so that the beginning stands in the same columns
    of every row. Not for several threads at once.
    """

    def __init__(self) -> None:
        self._kept: deque[tuple[list[int], Any]] = deque(maxlen=_KEPT)
        self._lately: deque[list[int]] = deque(maxlen=_KEPT)

    def begin(self, made: Any, padding: int) -> tuple[Any, Any]:
        """The batch as it is to be read, and a copy of what is known of it already: `None` where nothing is."""
        rows = _rows(made)
        nothing: tuple[list[int], Any] = ([], None)
        tokens, kept = max(self._kept, key=lambda one: _shared(one[0], rows), default=nothing)
        shared = _shared(tokens, rows)
        if shared < _SHORTEST:
            return made, None
        library, device = torch(), made["input_ids"].device
        gaps = [max(map(len, rows)) - len(row) for row in rows]
        laid = [[*row[:shared], *[padding] * gap, *row[shared:]] for row, gap in zip(rows, gaps, strict=True)]
        mask = [[1] * shared + [0] * gap + [1] * (len(row) - shared) for row, gap in zip(rows, gaps, strict=True)]
        known = copy.deepcopy(kept)
        if shared < len(tokens):
            known.crop(shared - len(tokens))
        known.batch_select_indices(library.zeros(len(rows), dtype=library.long, device=device))
        read = {"input_ids": library.tensor(laid, device=device), "attention_mask": library.tensor(mask, device=device)}
        return read, known

    def remember(self, made: Any, cache: Any) -> None:
        """Keep the beginning that this batch, whose `cache` this is, shares with a late one, if it is a longer one."""
        rows = _rows(made)
        longest = max(range(len(rows)), key=lambda at: len(rows[at]))
        shared = max((_shared(one, rows) for one in self._lately), default=0)
        self._lately.append(rows[longest])
        known = max((_shared(tokens, rows) for tokens, _ in self._kept), default=0)
        if shared < _SHORTEST or shared <= known or not _plain(cache):
            return
        beginning = rows[longest][:shared]
        others = [one for one in self._kept if one[0] != beginning[: len(one[0])]]
        self._kept.clear()
        self._kept.extend([*others, (beginning, _first(cache, longest, shared))])


def _shared(tokens: list[int], rows: list[list[int]]) -> int:
    """How many tokens all rows begin with as these do; one of each row is left to be read."""
    return len(commonprefix([tokens, *(row[:-1] for row in rows)]))


def _rows(made: Any) -> list[list[int]]:
    """The tokens of each row, without padding."""
    pairs = zip(made["input_ids"].tolist(), made["attention_mask"].tolist(), strict=True)
    return [[token for token, real in zip(tokens, mask, strict=True) if real] for tokens, mask in pairs]


def _plain(cache: Any) -> bool:
    """Whether a cache holds the keys and values of every token, in order: no windows, no states."""
    caches = package("transformers.cache_utils")
    return isinstance(cache, caches.DynamicCache) and all(type(one) is caches.DynamicLayer for one in cache.layers)


def _first(cache: Any, row: int, length: int) -> Any:
    """A cache of the first tokens of a row without padding."""
    part = slice(row, row + 1), slice(None), slice(length)
    layers = [(one.keys[part].clone(), one.values[part].clone()) for one in cache.layers]
    return package("transformers").DynamicCache(layers)
