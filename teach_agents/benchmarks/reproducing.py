"""Tables of results: our figures beside the published ones, and in what they cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from teach_agents.benchmarks.published import Measurement, Publication, Results, Row
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.errors import InputError

__all__ = ["TABLES", "Difference", "Line", "Table", "lines", "table_named", "to_json"]

_SUCCESS = ("success_rate", "path_weighted_success_rate")
_GOALS = (
    "goal_condition_success",
    "goal_condition_success_micro",
    "goal_condition_success_macro",
    "path_weighted_goal_condition_success",
)
_OF_TASKS = ("success_rate", "goal_condition_success_micro", "goal_condition_success_macro")
_UNDERSTOOD = ("understood", "understood_spoken_of", "begun_alike")
_REQUESTS = ("score_40", "success_rate", "mean_moves")
_CASCADE = ("ndtw", "ctc_0", "ctc_3", "ctc_5", "ctc_7", "rpod", "ptc")
_SKILLS = ("stop_score", "turn_score", "object_score", "room_score", "skill_score")
_EFFECTS = (
    *("probability_without", "probability_with", "probability_effect"),
    *("stop_share_without", "stop_share_with"),
)
_APPROACH = ("approach_without", "approach_with", "approach_effect")
_PATHS = (
    *("navigation_error", "oracle_error", "navigation_success_rate", "spl", "ndtw_graph", "sdtw_graph"),
    "small_heading_changes",
)


@dataclass(frozen=True, slots=True)
class Table:
    """What a table shows: figures of one benchmark, of whole splits or part `by` part (task, level, turn)."""

    name: str
    title: str
    benchmark: str
    metrics: tuple[str, ...]
    by: str = ""


TABLES: Mapping[str, Table] = {
    one.name: one
    for one in (
        Table("edh", "EDH, execution from dialogue history", "edh", (*_SUCCESS, *_GOALS)),
        Table("tfd", "TfD, trajectory from dialogue", "tfd", (*_SUCCESS, *_GOALS)),
        Table("tatc", "TATC, two-agent task completion", "tatc", (*_SUCCESS, *_GOALS, "mean_actions")),
        Table("edh-tasks", "EDH, task by task", "edh", _OF_TASKS, by="task"),
        Table("tfd-tasks", "TfD, task by task", "tfd", _OF_TASKS, by="task"),
        Table("tatc-tasks", "TATC, task by task", "tatc", (*_OF_TASKS, "mean_actions"), by="task"),
        Table("user-simulator", "Dialogue acts of TEACh's user simulator", "user-simulator", ("dialogue_act_f1",)),
        Table("understanding", "What is done after a Commander's words", "understanding", _UNDERSTOOD),
        Table("eyes", "Household objects in rooms held out", "eyes", ("ap50", "depth_error", "frame_time")),
        Table("partnr", "PARTNR, two-agent rearrangement", "partnr", ("success_rate", "mean_steps")),
        Table("handmethat", "HandMeThat, level by level", "handmethat", _REQUESTS, by="level"),
        Table("arramon", "ArraMon, navigation and assembly", "arramon", (*_CASCADE, "rpod_ungated", "ptc_ungated")),
        Table("arramon-turns", "ArraMon, turn by turn", "arramon", _CASCADE, by="turn"),
        Table("vln-behave", "VLN-behave, scores of skills", "vln-behave", _SKILLS),
        Table("vln-behave-effects", "VLN-behave, what a sentence changes", "vln-behave", _EFFECTS, by="sentence"),
        Table("vln-behave-rooms", "VLN-behave, by how much a named room is neared", "vln-behave", _APPROACH),
        Table("vln-behave-paths", "VLN-behave, whole paths", "vln-behave", _PATHS),
    )
}
"""Every table there is, by name."""


@dataclass(frozen=True, slots=True)
class Difference:
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
        said = (*(row.notes for row in self.figures.values()), self.source.notes)
        return tuple(dict.fromkeys(one for one in said if one))


def table_named(name: str) -> Table:
    """The table of a name. Raises `InputError` naming those there are."""
    if name not in TABLES:
        raise InputError("reproduce", "there is no such table", value=name, valid=TABLES)
    return TABLES[name]


def lines(table: Table, results: Results) -> tuple[Line, ...]:
    """A table's lines, task by task and split by split, what was published before ours; what stands apart is last."""
    rows = [row for row in results.rows if row.benchmark == table.benchmark]
    shown = [row for row in rows if bool(row.task) == bool(table.by) and row.metric in table.metrics]
    told = {row.task for row in shown if results.sources[row.source].kind == "publication"}
    grouped: dict[tuple[bool, str, str, str, str], dict[str, Row]] = {}
    for row in shown:
        few = row.n is not None and row.n < COMPARABLE and row.task in told
        apart = few and results.sources[row.source].kind == "measurement"
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
    found: dict[Difference, None] = {}
    for one in same or [one for one in ours if one.task == theirs.task] or ours:
        for what, pair in _aspects(theirs, one).items():
            if pair[0] != pair[1]:
                found[Difference(what, *pair)] = None
    return tuple(sorted(found, key=lambda one: _ASPECTS.index(one.what)))


_ASPECTS = ("simulator", "list", "denominator", "micro or macro")


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


def to_json(table: Table, found: Sequence[Line], results: Results) -> dict[str, Any]:
    """A table as JSON, with the definition of every metric and the whole source of every line."""
    return {
        "table": table.name,
        "title": table.title,
        "benchmark": table.benchmark,
        "metrics": {name: results.metrics[name].model_dump() for name in table.metrics},
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
                "not_comparable": [asdict(difference) for difference in one.differences],
                "notes": list(one.notes),
            }
            for one in found
        ],
    }
