"""Tables that commands print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def table_of(
    columns: Sequence[str],
    rows: Iterable[Sequence[str | Text]],
    left: int | None = None,
    *,
    fold: bool = False,
    **look: Any,
) -> Table:
    """A table that has `look` (its `title`, `caption`); columns behind the `left` first ones stand to the right."""
    from rich.table import Table

    made = Table(**look)
    for number, column in enumerate(columns):
        right = left is not None and number >= left
        made.add_column(column, justify="right" if right else "left", overflow="fold" if fold else "ellipsis")
    for row in rows:
        made.add_row(*row)
    return made
