"""What prompts begin with alike is read once: instructions, examples and dialogue, turn after turn."""

from __future__ import annotations

from dataclasses import dataclass
from os.path import commonprefix
from typing import Any

from teach_agents.models.local.packages import package, torch

_SHORTEST = 32
"""Tokens; a shorter beginning is read again."""
_ROOM = 512 * 2**20
"""Bytes of keys and values that are kept; those used longest ago go first."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A text's tokens, and by layer the keys and values that they left: 1 x heads x tokens x size, never written to."""

    tokens: list[int]
    layers: tuple[tuple[Any, Any], ...]

    @property
    def size(self) -> int:
        """Bytes that are not free as long as it is kept."""
        return sum(int(one.untyped_storage().nbytes()) for pair in self.layers for one in pair)


class Prefixes:
    """Keys and values of the prompts that were read of late. For prompts of words, not of pictures.

    Each row of a batch begins with what is known of it, whoever else is in the batch. Not for several threads at once.
    """

    def __init__(self) -> None:
        self._kept: list[Kept] = []

    def clear(self) -> None:
        """Keep nothing any more."""
        self._kept.clear()

    def longest(self, tokens: list[int]) -> tuple[int, Kept | None]:
        """How many of a prompt's first tokens are known, not all of them, and the kept text that begins like it."""
        best = max(self._kept, key=lambda one: shared(one.tokens, tokens), default=None)
        if best is None or (count := shared(best.tokens, tokens)) < _SHORTEST:
            return 0, None
        self._kept.remove(best)
        self._kept.append(best)
        return count, best

    def keep(self, new: Kept) -> None:
        """Keep a text in place of its own beginnings, as far as there is room."""
        if len(new.tokens) < _SHORTEST:
            return
        self._kept = [*(one for one in self._kept if one.tokens != new.tokens[: len(one.tokens)]), new]
        room = _ROOM - sum(one.size for one in self._kept)
        while room < 0 and len(self._kept) > 1:
            room += self._kept.pop(0).size

    def begin(self, made: Any, padding: int) -> tuple[Any, Any]:
        """A padded batch as it is to be read, and a cache of what is known of it already: `None` where nothing is.

        Laid out as padding, known beginning, padding, rest: what is to be read stands in the same columns of every row.
        """
        rows = rows_of(made)
        found = [self.longest(row) for row in rows]
        width = max(length for length, _ in found)
        if not width:
            return made, None
        rest = max(len(row) - length for row, (length, _) in zip(rows, found, strict=True))
        laid = []
        for row, (length, _) in zip(rows, found, strict=True):
            before, between = width - length, rest - len(row) + length
            laid.append([*[-1] * before, *row[:length], *[-1] * between, *row[length:]])
        tokens = torch().tensor(laid, device=made["input_ids"].device)
        real = tokens >= 0
        return {"input_ids": tokens.where(real, padding), "attention_mask": real.long()}, _joined(found, width)

    def remember(self, made: Any, cache: Any) -> None:
        """Keep what the rows of a padded batch left in `cache`."""
        if cache is None or not is_plain(cache):
            return
        for at, row in enumerate(rows_of(made)):
            columns = made["attention_mask"][at].nonzero()[:, 0]
            pairs = ((one.keys[at : at + 1], one.values[at : at + 1]) for one in cache.layers)
            self.keep(Kept(row, tuple((keys[:, :, columns], values[:, :, columns]) for keys, values in pairs)))


def is_plain(cache: Any) -> bool:
    """Whether a cache holds the keys and values of every token, in order: no windows, no states."""
    caches = package("transformers.cache_utils")
    return isinstance(cache, caches.DynamicCache) and all(type(one) is caches.DynamicLayer for one in cache.layers)


def shared(tokens: list[int], row: list[int]) -> int:
    """How many tokens a row begins with as these do; one of it is left to be read."""
    return len(commonprefix([tokens, row[:-1]]))


def rows_of(made: Any) -> list[list[int]]:
    """The tokens of each row, without padding."""
    pairs = zip(made["input_ids"].tolist(), made["attention_mask"].tolist(), strict=True)
    return [[token for token, real in zip(tokens, mask, strict=True) if real] for tokens, mask in pairs]


def _joined(found: list[tuple[int, Kept | None]], width: int) -> Any:
    """One cache of rows that each end with as many tokens of a kept text as are known; nothing stands before them."""
    rows = [(row, length, kept.layers) for row, (length, kept) in enumerate(found) if kept is not None]

    def joined(place: int, which: int) -> Any:
        like = rows[0][2][place][which]
        made = like.new_zeros((len(found), like.shape[1], width, like.shape[3]))
        for row, length, layers in rows:
            made[row, :, width - length :] = layers[place][which][0, :, :length]
        return made

    layers = [(joined(place, 0), joined(place, 1)) for place in range(len(rows[0][2]))]
    return package("transformers").DynamicCache(layers)
