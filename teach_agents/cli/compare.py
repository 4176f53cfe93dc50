"""`teach-agents compare`: two runs over the same instances, side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from teach_agents.core.benchmark.comparison import Comparison


_WIDE = 120
"""Characters of a line where no terminal says how many there are."""


def compare(
    first: Annotated[Path, typer.Argument(help="Folder of a run of any benchmark.", metavar="A")],
    second: Annotated[Path, typer.Argument(help="Folder of another run over the same instances.", metavar="B")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Compare two runs pair by pair: difference B - A, its 95 % interval over clusters (rooms, scans), and a p-value.

    Every instance of the list counts in both; what crashed, timed out or is missing has failed. The p-value is
    two-sided and comes from flipping the signs of whole clusters. A run with sessions into which a stranger spoke
    is refused.
    """
    from teach_agents.core.benchmark.comparison import compare_runs
    from teach_agents.core.benchmark.stored import read_run

    one, other = read_run(first), read_run(second)
    found, cluster = compare_runs(one, other), one.kind.cluster_name
    if as_json:
        typer.echo(json.dumps([figure.to_json(cluster) for figure in found], indent=1))
    else:
        _table(found, cluster)


def _table(found: Sequence[Comparison], cluster: str) -> None:
    from rich.console import Console
    from rich.table import Table

    untold = f"–: no interval, for in a figure without bounds no {cluster}s differ, or no instance has a weight"
    caption = None if all(one.ci for one in found) else untold
    table = Table(title=f"{found[0].n} instances in {found[0].clusters} {cluster}s", caption=caption)
    for column in ("figure", "A", "B", "B - A", "95 % interval", "p", "higher", "lower"):
        table.add_column(column, justify="left" if column == "figure" else "right", no_wrap=column != "figure")
    for one in found:
        interval = " – ".join(f"{bound:.3f}" for bound in one.ci) or "–"
        numbers = [f"{value:.3f}" for value in (one.a, one.b, one.difference)]
        table.add_row(one.figure, *numbers, interval, f"{one.p_value:.4f}", str(one.higher), str(one.lower))
    console = Console()
    (console if console.is_terminal else Console(width=max(console.width, _WIDE))).print(table)
