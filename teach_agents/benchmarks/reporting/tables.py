"""The figures of a report: headlines, tables and what they are of, from a run's summary and outcomes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from teach_agents.benchmarks.metrics import Outcome, Status, measure
from teach_agents.benchmarks.stored import TATC, StoredRun, outcome_of
from teach_agents.benchmarks.tatc.summary import score_of
from teach_agents.core.benchmark.statistics import COMPARABLE

__all__ = ["Headline", "Table", "facts", "goal_success_of", "headlines", "room_table", "task_table"]


@dataclass(frozen=True, slots=True)
class Headline:
    """One large figure with what it is."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one column of words, then columns of figures; `total` is a last row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    note: str = ""


def percent(value: float | None) -> str:
    """A fraction in percent."""
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(bounds: Sequence[float]) -> str:
    """An interval of fractions in percent, or nothing."""
    return f"{100 * bounds[0]:.1f} – {100 * bounds[1]:.1f}" if bounds else ""


def headlines(run: StoredRun, summary: Mapping[str, Any]) -> list[Headline]:
    """The figures of the whole run."""
    tatc = run.benchmark == TATC
    success = summary["success_rate"] if tatc else summary["success"]["success_rate"]
    micro = "goal_condition_success"
    pooled = summary[f"{micro}_micro"] if tatc else summary[micro][f"{micro}_rate"]
    path = "path_weighted_success_rate" if tatc else "path_length_weighted_success_rate"
    found = [
        ("success rate", success, summary["success_rate_ci"]),
        ("goal conditions, macro", summary[f"{micro}_macro"], summary[f"{micro}_macro_ci"]),
        ("goal conditions, micro", pooled, summary[f"{micro}_micro_ci"]),
        ("success, weighted by path", summary[path], summary[f"{path}_ci"]),
    ]
    made = [Headline(percent(value), label, interval(bounds)) for label, value, bounds in found]
    broken = summary if tatc else summary["status"]
    counts = " / ".join(str(broken[name]) for name in ("crashed", "timed_out", "missing"))
    return [*made, Headline(counts, "crashed / timed out / missing")]


def facts(run: StoredRun, summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the figures are of: settings, privileges, provenance, versions."""
    limits = summary.get("limits") or {name: summary[name] for name in ("max_steps", "max_failures")}
    made = [
        ("Simulator", str(summary["simulator"])),
        ("Seed", str(summary["seed"])),
        ("Limits", _listed(limits)),
        ("Intervals", summary["interval_rule"]),
        ("Privileges", _listed(summary["privileges"]) or "none"),
        ("Models and prompts", _listed(summary.get("provenance", {})) or "none"),
    ]
    if "overrides" in summary:
        made.append(("Restoring enforced", f"{summary['overrides']['actions']} recorded actions"))
    if summary.get("hook_notes"):
        made.append(("Dialogue hooks", _listed(summary["hook_notes"])))
    if "costs" in summary:
        made.append(("Costs", _listed({key: value for key, value in summary["costs"].items() if value})))
    made.append(("Wall time", _wall_time(run)))
    other = {key: value for key, value in run.settings.items() if key not in summary and value not in ("", [], None)}
    made += [("Settings", _listed(other))] if other else []
    return [*made, *(("Versions", _versions(one)) for one in run.environments)]


def _wall_time(run: StoredRun) -> str:
    times = [outcome_of(run.benchmark, line).costs.wall_s for line in run.lines.values()]
    return f"{sum(times):.0f} s in all, {fmean(times):.1f} s an instance" if times else "none"


def _versions(environment: Mapping[str, Any]) -> str:
    packages = {**environment.get("packages", {}), **environment.get("plugins", {})}
    return ", ".join(
        [f"Python {environment.get('python')}", *(f"{name} {number}" for name, number in packages.items())]
    )


def _listed(found: object) -> str:
    """A JSON value in words."""
    if isinstance(found, Mapping):
        said = ((str(key).replace("_", " "), _listed(value)) for key, value in found.items())
        return ", ".join(f"{name}: {value}" for name, value in said if value)
    if isinstance(found, Iterable) and not isinstance(found, str):
        return ", ".join(map(str, found))
    return str(found)


def task_table(run: StoredRun, summary: Mapping[str, Any]) -> Table:
    """Figures by task, as the summary has them."""
    tatc = run.benchmark == TATC
    last = "paper's rule-based pair" if tatc else "path weighted"
    note = f"The paper's figure stands beside ours of {COMPARABLE} instances and more." if tatc else ""
    total = {**summary, "success_rate": summary["success_rate"] if tatc else summary["success"]["success_rate"]}
    rows = tuple((name, *_rates(row, tatc)) for name, row in summary["by_task"].items())
    columns = ("task", "n", "success", "95 % interval", "goal conditions, macro", last)
    return Table("By task", columns, rows, ("all", *_rates(total, tatc)), note)


def _rates(row: Mapping[str, Any], tatc: bool) -> tuple[str, str, str, str, str]:
    rates = [row["success_rate"], row["goal_condition_success_macro"]]
    if not tatc:
        rates.append(row["path_length_weighted_success_rate"])
    else:
        rates.append(row["rule_based_pair_success_rate"] if row["n"] >= COMPARABLE else None)
    success, macro, last = map(percent, rates)
    return str(row["n"]), success, interval(row["success_rate_ci"]), macro, last


def goal_success_of(run: StoredRun, outcome: Outcome) -> float:
    """One instance's goal-condition success, as its benchmark counts it."""
    if run.benchmark != TATC:
        return measure(outcome).goal_condition_success
    line = run.lines.get(outcome.instance_id)
    return score_of(line).goal_success if line else 0.0


def room_table(run: StoredRun, outcomes: Sequence[Outcome]) -> Table:
    """Figures by room, rooms in the order of their numbers; what was never played has no room in TATC."""
    rooms: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        rooms[one.cluster].append(one)
    rows = []
    for room in sorted(rooms, key=_number):
        own = rooms[room]
        succeeded = fmean(one.success and one.status is Status.DONE for one in own)
        goals = fmean(goal_success_of(run, one) for one in own)
        means: tuple[Callable[[Outcome], float], ...] = (lambda one: one.steps, lambda one: one.failed_actions)
        averages = (f"{fmean(value(one) for one in own):.1f}" for value in means)
        rows.append((room, str(len(own)), percent(succeeded), percent(goals), *averages))
    columns = ("room", "n", "success", "goal conditions, macro", "mean actions", "mean failed actions")
    return Table("By room", columns, tuple(rows))


def _number(room: str) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, room))
    return int(digits or 0), room
