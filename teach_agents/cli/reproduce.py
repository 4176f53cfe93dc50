"""`teach-agents reproduce`: published figures with ours beside them, and in what they cannot be compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from teach_agents.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from teach_agents.core.benchmark.reproducing import Line, Table
    from teach_agents.core.benchmark.results import Metric, Results, Row
    from teach_agents.core.benchmark.stored import StoredRun


_NAME = 24
"""Characters of a task's, split's or system's name on one line."""
_WIDEST = 10_000
"""No table is as wide."""


def reproduce(
    table: Annotated[str | None, Argument(help="Name of a table; --list shows them.", metavar="TABLE")] = None,
    list_: Annotated[bool, Option("--list", help="Print the names of the tables and leave.")] = False,
    run: Annotated[
        list[Path] | None, Option(help="Folder of a run to put in, of the table's benchmark; may be repeated.")
    ] = None,
    as_json: Annotated[Path | None, Option("--json", help="Write the table to this file as JSON too.")] = None,
) -> None:
    """Print published results with ours beside them, and say in what they are not comparable.

    Tables: edh, tfd, tatc; edh-tasks, tfd-tasks, tatc-tasks (task by task); understanding, eyes;
    user-simulator, partnr; handmethat; arramon, arramon-turns; vln-behave, vln-behave-effects,
    vln-behave-rooms, vln-behave-paths; a plugin's benchmark has one of its own name.

    [bold]Examples[/bold]

      teach-agents reproduce edh

      teach-agents reproduce tatc-tasks --run runs/mine --json table.json
    """
    from teach_agents.core.benchmark.folder import write_json
    from teach_agents.core.benchmark.reproducing import every_result, every_table, lines, table_named, to_json
    from teach_agents.core.benchmark.stored import read_run

    if list_:
        for one in every_table().values():
            typer.echo(f"{one.name:18} {one.title}")
        return
    if table is None:
        raise InputError("reproduce", "needs the name of a table", valid=every_table())
    runs = [read_run(folder) for folder in run or ()]
    chosen, results = table_named(table, runs), every_result()
    for number, stored in enumerate(runs):
        results = results.joined(_of_run(chosen, stored, number))
    found = lines(chosen, results)
    if as_json:
        write_json(as_json, to_json(chosen, found, results))
    _print(chosen, found, results)


def _of_run(table: Table, stored: StoredRun, number: int) -> Results:
    from teach_agents.core.benchmark.summary import Label, measured, system_of

    folder = stored.folder
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
    """The table, below it what stands apart, its sources by number, then the differences and notes.

    What does not fit the terminal makes its lines longer than that: nothing is cut off.
    """
    from rich.console import Console
    from rich.measure import Measurement

    from teach_agents.core.benchmark.statistics import COMPARABLE

    sources = {words: number for number, words in enumerate(dict.fromkeys(map(_source, found)), 1)}
    console = Console()
    for apart, what in ((False, "published, and ours in bold"), (True, f"ours of fewer than {COMPARABLE} instances")):
        if some := [one for one in found if one.apart == apart]:
            shown = _shown(table, some, results, sources, what)
            needed = Measurement.get(console, console.options.update(max_width=_WIDEST), shown).minimum
            console.width = max(console.width, needed)
            console.print(shown)
    for words, count in sources.items():
        console.print(f"{count:2}  {words}", markup=False, highlight=False)
    _explain(found, console)


def _shown(table: Table, found: Sequence[Line], results: Results, sources: Mapping[str, int], what: str) -> Any:
    """Lines of a table; intervals are shown of the first figure."""
    from rich.table import Table as Shown

    from teach_agents.core.benchmark.reproducing import shown_metrics

    metrics = [name for name in shown_metrics(table, found) if any(name in one.figures for one in found)]
    unit = _usual_unit(results.metrics[name] for name in metrics)
    shown = Shown(title=f"{table.title}: {what}; {unit} where a column does not say")
    columns: list[list[str]] = []

    def add(
        heading: str, cells: list[str], justify: Literal["left", "right"] = "right", most: int | None = None
    ) -> None:
        shown.add_column(heading, justify=justify, width=_width(heading, cells, most))
        columns.append(cells)

    for heading, name in ((table.by, "task"), ("split", "split"), ("system", "system")):
        if heading:
            add(heading, [getattr(one, name) for one in found], "left", _NAME)
    add("n", list(map(_count, found)))
    for name in metrics:
        title, its = results.metrics[name].title, results.metrics[name].unit
        figures = [_figure(one.figures.get(name), interval=name == metrics[0]) for one in found]
        add(title if its in (unit, title) else f"{title} ({its})", figures)
    add("source", [str(sources[_source(one)]) for one in found])
    if any(one.differences for one in found):
        letters = [dict.fromkeys(difference.what[0].upper() for difference in one.differences) for one in found]
        add("not comparable", list(map(" ".join, letters)), "left")
    for one, *row in zip(found, *columns, strict=True):
        shown.add_row(*row, style="bold" if one.ours else "")
    return shown


def _width(heading: str, cells: Sequence[str], most: int | None) -> int:
    """A column's characters a line: its longest cell's, but `most`, unless a word is longer."""
    longest = max(map(len, cells), default=0)
    words = [len(word) for text in (heading, *cells) for word in text.split()]
    return max(*words, longest if most is None else min(longest, most))


def _usual_unit(metrics: Iterable[Metric]) -> str:
    """What most columns are in, percent rather than another."""
    units = [metric.unit for metric in metrics] or ["percent"]
    return max(units, key=lambda unit: (units.count(unit), unit == "percent"))


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
