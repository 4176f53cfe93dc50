"""`teach-agents compare`, `export`, `report`, `rescore`: what is made of runs that are over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from teach_agents.core.benchmark.comparison import Comparison


_WIDE = 120
"""Characters of a line where no terminal says how many there are."""


def compare(
    first: Annotated[Path, Argument(help="Folder of a run of any benchmark.", metavar="A")],
    second: Annotated[Path, Argument(help="Folder of another run over the same instances.", metavar="B")],
    as_json: Annotated[bool, Option("--json", help="Print JSON instead of a table.")] = False,
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


def export(
    run: Annotated[Path, Argument(help="Folder of a run of any benchmark.", metavar="RUN")],
    out: Annotated[Path, Option(help="Folder to write into.")],
    form: Annotated[
        str,
        Option(
            "--format",
            help="hf: a folder that datasets.load_dataset reads, with all of it; jsonl: conversations for fine-tuning, "
            "one per instance and role; steps: observation, message, action, result and thought of every step; "
            "decisions: what a model chose from candidates, each as prompt and answer.",
        ),
    ] = "hf",
    with_words: Annotated[
        bool, Option("--with-words", help="Write what people said too who took part themselves; else it is left out.")
    ] = False,
) -> None:
    """Write a run's records as data sets (JSON lines); pictures are left out, and words of people who took part.

    [bold]Examples[/bold]

      teach-agents export runs/demo --format hf --out data/demo

      teach-agents export runs/demo --format jsonl --out data/demo_chat
    """
    from teach_agents.core.benchmark.exporting import export as exported

    found = exported(run, form, out, words=with_words)
    for path, rows in found.rows.items():
        typer.echo(f"{path}: {rows} rows")
    if found.unrecorded:
        typer.echo(f"{len(found.unrecorded)} instances have no record of what was done and are left out.")


def report(
    run: Annotated[Path, Argument(help="Folder of a run of any benchmark, finished or not.", metavar="RUN")],
) -> None:
    """Write RUN/report.html: figures by group and cluster, plots, reasons of failure, what was seen, said and done.

    One file that needs nothing else, for any browser. Every run writes it when it ends.
    """
    from teach_agents.core.benchmark.reporting.page import write_report

    typer.echo(f"Report: {write_report(run)}")


_SHOWN = 20


def rescore(
    run: Annotated[Path, Argument(help="Folder of a run of any benchmark.", metavar="RUN")],
    write: Annotated[bool, Option("--write", help="Put the new figures in place of the run's.")] = False,
) -> None:
    """Judge every instance of a run again from its record, and count again; no simulator is needed.

    Says whether the figures agree with summary.json. Exit status 1 if they do not, unless they are written.
    """
    from teach_agents.core.benchmark.rescoring import rescore as rescored

    found = rescored(run)
    typer.echo(f"{found.judged} of {len(found.run.asked)} instances judged again from their records")
    if found.unrecorded:
        shown = ", ".join(found.unrecorded[:_SHOWN])
        typer.echo(f"{len(found.unrecorded)} without a record of their end, taken as the run noted them: {shown}")
    _tell("Intervals wider than in summary.json, which has them by an earlier rule; no difference", found.wider)
    if found.agrees:
        typer.echo("The figures agree with summary.json.")
    else:
        _tell("Instances that are judged otherwise", found.changed)
        _tell("Figures that differ from summary.json", found.differences)
    if write:
        found.write()
        typer.echo(f"Summary: {run / 'summary.json'}")
    elif not found.agrees:
        raise typer.Exit(1)


def _tell(what: str, places: tuple[str, ...]) -> None:
    if places:
        more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        typer.echo(f"{what}: {', '.join(places[:_SHOWN])}{more}")
