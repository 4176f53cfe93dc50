"""How the command of a benchmark ends: its table, its exit status."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from teach_agents.core.benchmark.reporting.parts import Table


ALL_BROKE_DOWN = 3
"""The exit status of a run in which no instance came to an end of its own: each crashed, timed out or never started."""


def show(table: Table, console: Any) -> None:
    """Print a table of a benchmark."""
    from rich.table import Table as Shown

    shown = Shown(title=table.title, caption=table.note or None)
    for number, column in enumerate(table.columns):
        shown.add_column(column, justify="right" if number else "left")
    for row in (*table.rows, *([table.total] if table.total else [])):
        shown.add_row(*row)
    console.print(shown)


def leave(statuses: Iterable[str]) -> None:
    """Leave with `ALL_BROKE_DOWN` where it is so; `statuses` are those of all instances."""
    if "done" not in set(statuses):
        typer.echo("No instance came to an end of its own; summary and report say why.", err=True)
        raise typer.Exit(ALL_BROKE_DOWN)
