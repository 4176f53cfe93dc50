"""Tables of results: our figures beside the published ones, and in what they cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from teach_agents.core.benchmark.lookup import benchmark_classes
from teach_agents.core.benchmark.results import Measurement, Publication, Results, Row
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class Table:
    """What a table shows: figures of one benchmark, of whole splits or part `by` part (task, level, turn).

    One that names no `metrics` shows all.
    """

    name: str
    title: str
    benchmark: str
    metrics: tuple[str, ...] = ()
    by: str = ""


class Difference(NamedTuple):
    """Something in which a published line cannot be compared with ours: what theirs is and what ours is."""

    what: str
    theirs: str
    ours: str


@dataclass(frozen=True, slots=True)
class Line:
    """One system on one split, with its figures by metric. `differences` is empty for ours.

    `n` is None where it is not known, and where the figures are of different numbers of instances. `apart` says that
    it is ours, of fewer than `COMPARABLE` instances, where there is something published: not to be set beside that.
    """

    system: str
    split: str
    task: str
    n: int | None
    source: Publication | Measurement
    figures: Mapping[str, Row]
    differences: tuple[Difference, ...] = ()
    apart: bool = False

    @property
    def ours(self) -> bool:
        """Whether we measured it."""
        return isinstance(self.source, Measurement)

    @property
    def notes(self) -> tuple[str, ...]:
        """What its rows and its source say besides."""
        return tuple(
            dict.fromkeys(one for one in ((*(row.notes for row in self.figures.values()), self.source.notes)) if one)
        )


def every_table() -> Mapping[str, Table]:
    """The tables of all registered benchmarks, by name."""
    return {name: table for known, kind in benchmark_classes() for name, table in kind.result_tables(known).items()}


def every_result() -> Results:
    """The results that all registered benchmarks bring."""
    found = {id(one): one for _, kind in benchmark_classes() if (one := kind.results()) is not None}
    return reduce(Results.joined, found.values(), Results())


def table_named(name: str, runs: Iterable[StoredRun] = ()) -> Table:
    """The table of a name, or of the benchmark of some runs. Raises `InputError` naming those there are."""
    known = every_table()
    for run in runs:
        if run.benchmark == name:
            known = {**run.kind.result_tables(name), **known}
    if name not in known:
        raise InputError("reproduce", "there is no such table", value=name, valid=known)
    return known[name]


def lines(table: Table, results: Results) -> tuple[Line, ...]:
    """A table's lines, task by task and split by split, what was published before ours; what stands apart is last."""
    rows = [row for row in results.rows if row.benchmark == table.benchmark]
    shown = [
        row for row in rows if bool(row.task) == bool(table.by) and row.metric in (table.metrics or results.metrics)
    ]
    told = {row.task for row in shown if results.sources[row.source].kind == "publication"}
    grouped: dict[tuple[bool, str, str, str, str], dict[str, Row]] = {}
    for row in shown:
        apart = (row.n is not None and row.n < COMPARABLE and row.task in told) and results.sources[
            row.source
        ].kind == "measurement"
        grouped.setdefault((apart, row.task, row.split, row.system, row.source), {})[row.metric] = row
    found = [
        Line(system, split, task, _n(figures.values()), results.sources[source], figures, apart=apart)
        for (apart, task, split, system, source), figures in grouped.items()
    ]
    splits = list(dict.fromkeys(row.split for row in rows))
    found.sort(key=lambda one: (one.apart, one.task, splits.index(one.split), one.ours))
    mine = [one for one in found if one.ours]
    return tuple(one if one.ours else replace(one, differences=_differences(one, mine)) for one in found)


def _n(rows: Iterable[Row]) -> int | None:
    known = {row.n for row in rows if row.n is not None}
    return known.pop() if len(known) == 1 else None


def _differences(theirs: Line, ours: Sequence[Line]) -> tuple[Difference, ...]:
    """Against our lines of the same split and task, or all of ours where there is none of it."""
    same = [one for one in ours if (one.split, one.task) == (theirs.split, theirs.task)]
    near = same or [one for one in ours if one.task == theirs.task] or ours
    told = [_aspects(theirs, one) for one in near]
    pairs = {(what, each[what]): None for what in (told[0] if told else ()) for each in told}
    return tuple(Difference(what, *pair) for what, pair in pairs if pair[0] != pair[1])


def _aspects(theirs: Line, ours: Line) -> dict[str, tuple[str, str]]:
    pooled = "goal_condition_success" in theirs.figures
    return {
        "simulator": (theirs.source.simulator, ours.source.simulator),
        "list": (_list_of(theirs), _list_of(ours)),
        "denominator": (theirs.source.denominator, ours.source.denominator),
        "micro or macro": ("not stated", "both") if pooled else ("", ""),
    }


def _list_of(line: Line) -> str:
    number = "n not stated" if line.n is None else f"n {line.n}"
    return f"{line.split}, {line.source.instances}, {number}"


def shown_metrics(table: Table, found: Sequence[Line]) -> list[str]:
    """The metrics that a table names, or else those of its lines."""
    return list(table.metrics) or list(dict.fromkeys(name for one in found for name in one.figures))


def to_json(table: Table, found: Sequence[Line], results: Results) -> JsonObject:
    """A table as JSON, with the definition of every metric and the whole source of every line."""
    return {
        "table": table.name,
        "title": table.title,
        "benchmark": table.benchmark,
        "metrics": {name: results.metrics[name].model_dump() for name in shown_metrics(table, found)},
        "rows": [
            {
                "system": one.system,
                "split": one.split,
                **({"task": one.task} if table.by else {}),
                "n": one.n,
                "ours": one.ours,
                "apart": one.apart,
                "figures": {
                    name: {"value": row.value, "n": row.n, "interval": row.interval, "spread": row.spread}
                    for name, row in one.figures.items()
                },
                "source": one.source.model_dump(),
                "not_comparable": [difference._asdict() for difference in one.differences],
                "notes": list(one.notes),
            }
            for one in found
        ],
    }
