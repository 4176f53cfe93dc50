"""Long lists in parts that go through a network together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


def in_batches(items: Sequence[_Item], size: int) -> Iterator[list[_Item]]:
    """The items in their order, `size` at a time, at the end as many as are left."""
    for begin in range(0, len(items), size):
        yield [*items[begin : begin + size]]
