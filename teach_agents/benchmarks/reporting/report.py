"""The report on a run of any of TEACh's benchmarks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any

from teach_agents.benchmarks.base import TeachBenchmark, kind_of
from teach_agents.benchmarks.filmstrip import pictures_in
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reporting.cards import card_of
from teach_agents.core.benchmark.reporting.parts import (
    Bars,
    Headline,
    Histogram,
    Report,
    Table,
    broken_down,
    ends_plot,
    environment_facts,
    interval,
    listed,
    percent,
    rates_plot,
    talk_fact,
    wall_time,
)
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping


def report_on(run: StoredRun, *, reasons: Sequence[Table] = ()) -> Report:
    """What is shown of a run; `reasons` besides those that any report has."""
    outcomes, pictures, summary = run.outcomes, pictures_in(run.folder), run.kind.summary(run)
    cards = [card_of(run, one, pictures.get(one.instance_id, ())) for one in outcomes]
    return Report(
        title=f"{run.kind.title}: {' and '.join(str(run.settings[seat]) for seat in run.kind.agents)}",
        headlines=headlines(run, summary),
        facts=facts(run, summary),
        cards=cards,
        plots=[tasks_plot(summary), ends_plot(cards)],
        histograms=[goals_plot(run, outcomes), steps_plot(outcomes)],
        tables=[task_table(run, summary), room_table(run, outcomes)],
        reasons=reasons,
        group="task",
        first_seat="commander",
    )


_STEP_BINS = 12


def tasks_plot(summary: JsonMapping) -> Bars:
    """Success by task, with its interval and, beside those of enough instances, the paper's figures."""

    def published(row: JsonMapping) -> float | None:
        return row.get("rule_based_pair_success_rate") if row["n"] >= COMPARABLE else None

    beside = "the TEACh paper's rule-based pair (table 5)"
    return rates_plot("Success by task", summary["by_task"], published, beside)


def goals_plot(run: StoredRun, outcomes: Sequence[Outcome]) -> Histogram:
    """How much of what was to be reached was reached; below zero more was undone than done."""
    edges = ("< 0", "0", "< 25 %", "< 50 %", "< 75 %", "< 100 %", "100 %")

    def bin_of(one: Outcome) -> int:
        share = kind_of(run).goal_success(run, one)
        if share <= 0:
            return 1 if share == 0 else 0
        return 6 if share >= 1 else 2 + int(share * 4)

    return _histogram("Goal conditions reached", edges, outcomes, bin_of)


def steps_plot(outcomes: Sequence[Outcome]) -> Histogram:
    """How many actions instances took."""
    longest = max((one.steps for one in outcomes), default=0)
    width = max(1, -(-(longest + 1) // _STEP_BINS))
    labels = tuple(f"{width * number} –" for number in range(longest // width + 1))
    return _histogram("Actions taken", labels, outcomes, lambda one: one.steps // width)


def _histogram(
    title: str, labels: tuple[str, ...], outcomes: Sequence[Outcome], bin_of: Callable[[Outcome], int]
) -> Histogram:
    counts = Counter((bin_of(one), one.success and one.status is Status.DONE) for one in outcomes)
    columns = tuple((label, counts[number, True], counts[number, False]) for number, label in enumerate(labels))
    return Histogram(title, columns)


def headlines(run: StoredRun, summary: JsonMapping) -> list[Headline]:
    """The figures of the whole run."""
    whole = kind_of(run).rates(summary)
    labels = {
        "success_rate": "success rate",
        "goal_condition_success_macro": "goal conditions, macro",
        "goal_condition_success_micro": "goal conditions, micro",
        "path_weighted": "success, weighted by path",
    }
    made = [Headline(percent(whole[key]), label, interval(whole[f"{key}_ci"])) for key, label in labels.items()]
    return [*made, broken_down(whole)]


def facts(run: StoredRun, summary: JsonMapping) -> list[tuple[str, str]]:
    """What the figures are of: settings, privileges, provenance, versions."""
    limits = summary.get("limits") or {name: summary[name] for name in ("max_steps", "max_failures")}
    made = [
        ("Simulator", str(summary["simulator"])),
        ("Seed", str(summary["seed"])),
        ("Limits", listed(limits)),
        ("Intervals", summary["interval_rule"]),
        ("Privileges", listed(summary["privileges"]) or "none"),
        ("Models and prompts", listed(summary.get("provenance", {})) or "none"),
    ]
    if "overrides" in summary:
        made.append(("Restoring enforced", f"{summary['overrides']['actions']} recorded actions"))
    if hooks := summary.get("hook_notes") or summary.get("hooks"):
        made.append(("Dialogue hooks", listed(hooks)))
    if "costs" in summary:
        made.append(("Costs", listed({key: value for key, value in summary["costs"].items() if value})))
        made.append(talk_fact(summary["costs"]))
    made.append(("Wall time", wall_time([kind_of(run).outcome_of(line).costs.wall_s for line in run.lines.values()])))
    other = {key: value for key, value in run.settings.items() if key not in summary and value not in ("", [], None)}
    return [*made, *([("Settings", listed(other))] if other else []), *environment_facts(run.environments)]


def task_table(run: StoredRun, summary: JsonMapping) -> Table:
    """Figures by task, as the summary has them."""
    kind = kind_of(run)
    note = f"The paper's figure stands beside ours of {COMPARABLE} instances and more." if kind.published else ""
    *rows, total = _rates(kind, summary, " %")
    columns = ("task", "n", "success", "95 % interval", "goal conditions, macro", kind.last_column)
    return Table("By task", columns, tuple(rows), total, note)


def _rates(kind: TeachBenchmark[Any], summary: JsonMapping, unit: str) -> Iterator[tuple[str, ...]]:
    """The rows of each task and of all, in percent."""

    def words(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f}{unit}"

    for name, row in [*summary["by_task"].items(), ("all", kind.rates(summary))]:
        figures = words(row["goal_condition_success_macro"]), words(kind.last(row))
        yield name, str(row["n"]), words(row["success_rate"]), interval(row["success_rate_ci"]), *figures


def closing_table(
    kind: TeachBenchmark[Any], summary: JsonMapping, title: str, of: str, last: str, note: str = ""
) -> Table:
    """The table that a command ends with: per task, in percent. `of` is what is counted."""
    columns = ("task", of, "success", "95 % interval", "goal cond. (macro)", last)
    return Table(title, columns, tuple(_rates(kind, summary, "")), note=note)


def room_table(run: StoredRun, outcomes: Sequence[Outcome]) -> Table:
    """Figures by room, rooms in the order of their numbers; what was never played has no room in TATC."""
    rooms: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        rooms[one.cluster].append(one)
    rows = []
    for room in sorted(rooms, key=_number):
        own = rooms[room]
        succeeded = fmean(one.success and one.status is Status.DONE for one in own)
        goals = fmean(kind_of(run).goal_success(run, one) for one in own)
        averages = (f"{fmean(getattr(one, name) for one in own):.1f}" for name in ("steps", "failed_actions"))
        rows.append((room, str(len(own)), percent(succeeded), percent(goals), *averages))
    columns = ("room", "n", "success", "goal conditions, macro", "mean actions", "mean failed actions")
    return Table("By room", columns, tuple(rows))


def _number(room: str) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, room))
    return int(digits or 0), room
