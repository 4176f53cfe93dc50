"""`teach-agents reproduce`: published figures with ours beside them, and in what they cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from teach_agents.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from teach_agents.benchmarks.published import Metric, Results, Row
    from teach_agents.benchmarks.reproducing import Line, Table

__all__ = ["reproduce"]

_WIDE = 160
"""Columns where the output is no terminal."""


def reproduce(
    table: Annotated[str | None, typer.Argument(help="Name of a table; --list shows them.", metavar="TABLE")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Print the names of the tables and leave.")] = False,
    run: Annotated[
        list[Path] | None, typer.Option(help="Folder of a run to put in, of the table's benchmark; may be repeated.")
    ] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Write the table to this file as JSON too.")] = None,
) -> None:
    """Print published results with ours beside them, and say in what they are not comparable.

    Tables: edh, tfd, tatc; edh-tasks, tfd-tasks, tatc-tasks (task by task); understanding, eyes;
    user-simulator, partnr; handmethat; arramon, arramon-turns; vln-behave, vln-behave-effects,
    vln-behave-rooms, vln-behave-paths.

    [bold]Examples[/bold]

      teach-agents reproduce edh

      teach-agents reproduce tatc-tasks --run runs/mine --json table.json
    """
    from teach_agents.benchmarks.folder import storing, write_atomically
    from teach_agents.benchmarks.published import registry
    from teach_agents.benchmarks.reproducing import TABLES, lines, table_named, to_json

    if list_:
        for one in TABLES.values():
            typer.echo(f"{one.name:18} {one.title}")
        return
    if table is None:
        raise InputError("reproduce", "needs the name of a table", valid=TABLES)
    chosen, results = table_named(table), registry()
    for number, folder in enumerate(run or ()):
        results = results.joined(_of_run(chosen, folder, number))
    found = lines(chosen, results)
    if as_json:
        with storing(as_json.parent):
            write_atomically(as_json, json.dumps(to_json(chosen, found, results), indent=1) + "\n")
    _print(chosen, found, results)


def _of_run(table: Table, folder: Path, number: int) -> Results:
    from teach_agents.benchmarks.measured import Label, measured, system_of
    from teach_agents.benchmarks.stored import read_run

    stored = read_run(folder)
    if stored.benchmark != table.benchmark:
        problem = f"table {table.name!r} shows runs of {table.benchmark}, but {folder} is one of"
        raise InputError("--run", problem, value=stored.benchmark)
    missing = len(stored.asked) - len(stored.lines)
    label = Label(
        system=system_of(stored),
        split=f"run {folder.resolve().name}",
        instances="the run's list",
        command=f"--run {folder.name}",
        notes=f"{missing} of {len(stored.asked)} instances were not run: they count as failed" if missing else "",
    )
    return measured(stored, f"run {number} {folder.name}", label)


def _print(table: Table, found: Sequence[Line], results: Results) -> None:
    """The table, its sources by number, then the differences and notes. Intervals are shown of the first figure."""
    from rich.console import Console
    from rich.table import Table as Shown

    console = Console()
    console = console if console.is_terminal else Console(width=_WIDE)
    metrics = [name for name in table.metrics if any(name in one.figures for one in found)]
    sources = {words: number for number, words in enumerate(dict.fromkeys(map(_source, found)), 1)}
    unit = _usual_unit(results.metrics[name] for name in metrics)
    mine = any(one.ours for one in found)
    shown = Shown(title=f"{table.title}: published, and ours in bold; {unit} where a column does not say")
    first = 0 if table.by else 1
    names = [[one.task, one.split, one.system][first:] for one in found]
    for place, column in enumerate([table.by, "split", "system"][first:]):
        lengths = [len(word) for cells in names for word in cells[place].split()]
        shown.add_column(column, min_width=max(lengths, default=0))
    shown.add_column("n", justify="right", no_wrap=True)
    for name in metrics:
        shown.add_column(_heading(results.metrics[name], unit), justify="right", no_wrap=name == metrics[0])
    shown.add_column("source", justify="right")
    if mine:
        shown.add_column("not comparable")
    for one, cells in zip(found, names, strict=True):
        figures = [_figure(one.figures.get(name), interval=name == metrics[0]) for name in metrics]
        number = str(sources[_source(one)])
        shown.add_row(*cells, _count(one), *figures, number, *[_letters(one)] * mine, style="bold" if one.ours else "")
    console.print(shown)
    for words, count in sources.items():
        console.print(f"{count:2}  {words}", markup=False, highlight=False)
    _explain(found, console)


def _usual_unit(metrics: Iterable[Metric]) -> str:
    """What most columns are in, percent rather than another."""
    units = [metric.unit for metric in metrics] or ["percent"]
    return max(units, key=lambda unit: (units.count(unit), unit == "percent"))


def _heading(metric: Metric, usual: str) -> str:
    return metric.title if metric.unit in (usual, metric.title) else f"{metric.title} ({metric.unit})"


def _count(one: Line) -> str:
    """How many instances a line is of; "varies" where its figures are of different numbers."""
    if one.n is not None:
        return str(one.n)
    return "varies" if any(row.n is not None for row in one.figures.values()) else "?"


def _figure(row: Row | None, *, interval: bool) -> str:
    if row is None:
        return "–"
    if interval and row.interval is not None:
        low, high = row.interval
        return f"{row.value:.1f} ({low:.1f} to {high:.1f})"
    return f"{row.value:g}" + (f" ± {row.spread:g}" if row.spread is not None else "")


def _source(one: Line) -> str:
    if one.source.kind == "publication":
        return f"{one.source.title}, {one.source.where}"
    read = sorted({name for names in one.source.privileges.values() for name in names})
    return f"ours on {one.source.simulator}, agents that read {', '.join(read) or 'no more than their screens'}"


def _letters(one: Line) -> str:
    """In what a published line is not comparable: the first letter of each."""
    return " ".join(dict.fromkeys(difference.what[0].upper() for difference in one.differences))


def _explain(found: Sequence[Line], console: Any) -> None:
    """What the letters stand for, each difference once, and the notes."""
    if not any(one.ours for one in found):
        console.print("There is no figure of ours for this table.", markup=False)
    said: dict[str, dict[str, None]] = {}
    for one in found:
        for difference in one.differences:
            words = f"theirs: {difference.theirs}; ours: {difference.ours}"
            said.setdefault(difference.what, {})[words] = None
    for what, sentences in said.items():
        console.print(f"{what[0].upper()}: not comparable in {what}", markup=False)
        for words in sentences:
            console.print(f"  {words}", markup=False, highlight=False)
    noted: dict[str, dict[str, None]] = {}
    for one in found:
        for note in one.notes:
            noted.setdefault(note, {})[f"{one.system}, {one.split}"] = None
    for note, of in noted.items():
        console.print(f"Note on {'; '.join(of)}: {note}", markup=False, highlight=False)
