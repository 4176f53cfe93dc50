"""What prompts begin with alike is read once: instructions and examples, turn after turn and in every session."""

from __future__ import annotations

from collections import deque
from os.path import commonprefix
from typing import Any

from teach_agents.models.local.packages import package, torch

__all__ = ["Prefixes"]

_SHORTEST = 32
"""Tokens; a shorter beginning is read again."""
_ROOM = 256 * 2**20
"""Bytes of keys and values that are kept; those used longest ago go first."""
_LATELY = 32
"""Prompts that are compared with new ones: twice those of two roles of eight sessions at a time."""


class Prefixes:
    """Keys and values of a few beginnings that prompts shared of late. For prompts of words, not of pictures.

    Each row of a batch begins with what is known of it, whoever else is in the batch, and is laid out as padding, known
    beginning, padding, rest, so that what is to be read stands in the same columns of every row. Not for several
    threads at once.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[list[int], Any]] = []
        self._lately: deque[list[int]] = deque(maxlen=_LATELY)

    def begin(self, made: Any, padding: int) -> tuple[Any, Any]:
        """The batch as it is to be read, and a copy of what is known of it already: `None` where nothing is."""
        rows = _rows(made)
        found = [self._longest(row) for row in rows]
        width = max(length for length, _ in found)
        if not width:
            return made, None
        rest = max(len(row) - length for row, (length, _) in zip(rows, found, strict=True))
        laid, mask = [], []
        for row, (length, _) in zip(rows, found, strict=True):
            before, between = width - length, rest - len(row) + length
            laid.append([*[padding] * before, *row[:length], *[padding] * between, *row[length:]])
            mask.append([*[0] * before, *[1] * length, *[0] * between, *[1] * (len(row) - length)])
        library, device = torch(), made["input_ids"].device
        read = {"input_ids": library.tensor(laid, device=device), "attention_mask": library.tensor(mask, device=device)}
        return read, _joined(found, width)

    def remember(self, made: Any, cache: Any) -> None:
        """Keep what each row of this batch, whose `cache` this is, begins with like a late one or another row."""
        rows = _rows(made)
        late = [*self._lately]
        self._lately.extend(rows)
        if not _plain(cache):
            return
        for at, row in enumerate(rows):
            shared = max((_shared(one, row) for one in [*late, *rows[:at]]), default=0)
            if shared >= _SHORTEST and shared > self._known(row):
                self._keep(row[:shared], _first(cache, at, made["attention_mask"][at], shared))

    def _keep(self, beginning: list[int], cache: Any) -> None:
        """Keep a beginning in place of its own beginnings, as far as there is room."""
        others = [one for one in self._kept if one[0] != beginning[: len(one[0])]]
        self._kept = [*others, (beginning, cache)]
        room = _ROOM - sum(_bytes(one) for _, one in self._kept)
        while room < 0 and len(self._kept) > 1:
            room += _bytes(self._kept.pop(0)[1])

    def _longest(self, row: list[int]) -> tuple[int, Any]:
        """How many tokens of a row are known, and the keys and values that begin with theirs, now the last used."""
        best = max(self._kept, key=lambda one: _shared(one[0], row), default=None)
        if best is None or _shared(best[0], row) < _SHORTEST:
            return 0, None
        self._kept = [*(one for one in self._kept if one is not best), best]
        return _shared(best[0], row), best[1]

    def _known(self, row: list[int]) -> int:
        return max((_shared(tokens, row) for tokens, _ in self._kept), default=0)


def _shared(tokens: list[int], row: list[int]) -> int:
    """How many tokens a row begins with as these do; one of it is left to be read."""
    return len(commonprefix([tokens, row[:-1]]))


def _rows(made: Any) -> list[list[int]]:
    """The tokens of each row, without padding."""
    pairs = zip(made["input_ids"].tolist(), made["attention_mask"].tolist(), strict=True)
    return [[token for token, real in zip(tokens, mask, strict=True) if real] for tokens, mask in pairs]


def _joined(found: list[tuple[int, Any]], width: int) -> Any:
    """One cache of rows that each end with as many tokens of a kept one as are known; nothing stands before them."""
    some = next(kept for _, kept in found if kept is not None)
    layers = []
    for place, layer in enumerate(some.layers):
        pair = []
        for one in (layer.keys, layer.values):
            pair.append(one.new_zeros((len(found), one.shape[1], width, one.shape[3])))
        for row, (length, kept) in enumerate(found):
            if kept is not None:
                pair[0][row, :, width - length :] = kept.layers[place].keys[0, :, :length]
                pair[1][row, :, width - length :] = kept.layers[place].values[0, :, :length]
        layers.append(tuple(pair))
    return package("transformers").DynamicCache(layers)


def _plain(cache: Any) -> bool:
    """Whether a cache holds the keys and values of every token, in order: no windows, no states."""
    caches = package("transformers.cache_utils")
    return isinstance(cache, caches.DynamicCache) and all(type(one) is caches.DynamicLayer for one in cache.layers)


def _bytes(cache: Any) -> int:
    """What the keys and values of a cache take."""
    return sum(int(pair.nbytes) for one in cache.layers for pair in (one.keys, one.values))


def _first(cache: Any, row: int, mask: Any, length: int) -> Any:
    """A cache of the first tokens of a row, wherever padding stands among them."""
    columns = mask.nonzero()[:length, 0]
    layers = [(one.keys[row : row + 1, :, columns], one.values[row : row + 1, :, columns]) for one in cache.layers]
    return package("transformers").DynamicCache(layers)
