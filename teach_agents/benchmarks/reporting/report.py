"""The report on a run of any of TEACh's benchmarks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from teach_agents.benchmarks.base import TeachBenchmark, kind_of
from teach_agents.benchmarks.filmstrip import pictures_in
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reporting.cards import card_of
from teach_agents.core.benchmark.reporting.parts import (
    Bar,
    Bars,
    Headline,
    Histogram,
    Report,
    Table,
    ends_plot,
    environment_facts,
    interval,
    listed,
    percent,
    wall_time,
)
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.core.benchmark.stored import StoredRun


def report_on(run: StoredRun, *, reasons: Sequence[Table] = ()) -> Report:
    """What is shown of a run; `reasons` besides those that any report has."""
    outcomes, pictures, summary = run.outcomes, pictures_in(run.folder), run.kind.summary(run)
    cards = [card_of(run, one, pictures.get(one.instance_id, ())) for one in outcomes]
    return Report(
        title=f"{run.kind.title}: {' and '.join(str(run.settings[seat]) for seat in run.kind.agents)}",
        headlines=headlines(run, summary),
        facts=facts(run, summary),
        cards=cards,
        plots=[tasks_plot(summary), ends_plot(Counter(card.end for card in cards))],
        histograms=[goals_plot(run, outcomes), steps_plot(outcomes)],
        tables=[task_table(run, summary), room_table(run, outcomes)],
        reasons=reasons,
        group="task",
        first_seat="commander",
    )


_STEP_BINS = 12


def tasks_plot(summary: Mapping[str, Any]) -> Bars:
    """Success by task, with its interval and, beside those of enough instances, the paper's figures."""
    bars = []
    for name, row in summary["by_task"].items():
        low, high = row["success_rate_ci"] or (None, None)
        rate = row["success_rate"] or 0.0
        text = f"{100 * rate:.0f} %"
        published = row.get("rule_based_pair_success_rate") if row["n"] >= COMPARABLE else None
        bars.append(Bar(f"{name} ({row['n']})", rate, text, low, high, published))
    beside = "the TEACh paper's rule-based pair (table 5)"
    return Bars("Success by task", tuple(bars), in_percent=True, beside=beside)


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


def headlines(run: StoredRun, summary: Mapping[str, Any]) -> list[Headline]:
    """The figures of the whole run."""
    whole = kind_of(run).rates(summary)
    micro = "goal_condition_success"
    found = [
        ("success rate", whole["success_rate"], whole["success_rate_ci"]),
        ("goal conditions, macro", whole[f"{micro}_macro"], whole[f"{micro}_macro_ci"]),
        ("goal conditions, micro", whole[f"{micro}_micro"], whole[f"{micro}_micro_ci"]),
        ("success, weighted by path", whole["path_weighted"], whole["path_weighted_ci"]),
    ]
    made = [Headline(percent(value), label, interval(bounds)) for label, value, bounds in found]
    counts = " / ".join(str(whole[name]) for name in ("crashed", "timed_out", "missing"))
    return [*made, Headline(counts, "crashed / timed out / missing")]


def facts(run: StoredRun, summary: Mapping[str, Any]) -> list[tuple[str, str]]:
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
    made.append(("Wall time", wall_time([kind_of(run).outcome_of(line).costs.wall_s for line in run.lines.values()])))
    other = {key: value for key, value in run.settings.items() if key not in summary and value not in ("", [], None)}
    made += [("Settings", listed(other))] if other else []
    return [*made, *environment_facts(run.environments)]


def task_table(run: StoredRun, summary: Mapping[str, Any]) -> Table:
    """Figures by task, as the summary has them."""
    kind = kind_of(run)
    note = f"The paper's figure stands beside ours of {COMPARABLE} instances and more." if kind.published else ""
    rows = tuple((name, *_rates(kind, row)) for name, row in summary["by_task"].items())
    columns = ("task", "n", "success", "95 % interval", "goal conditions, macro", kind.last_column)
    return Table("By task", columns, rows, ("all", *_rates(kind, {**summary, **kind.rates(summary)})), note)


def _rates(kind: TeachBenchmark[Any], row: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    success, macro, last = map(percent, (row["success_rate"], row["goal_condition_success_macro"], kind.last(row)))
    return str(row["n"]), success, interval(row["success_rate_ci"]), macro, last


def closing_table(
    kind: TeachBenchmark[Any], summary: Mapping[str, Any], title: str, of: str, last: str, note: str = ""
) -> Table:
    """The table that a command ends with: per task, in percent. `of` is what is counted."""

    def words(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f}"

    rows = []
    for name, row in [*summary["by_task"].items(), ("all", {**summary, **kind.rates(summary)})]:
        bounds = " – ".join(map(words, row["success_rate_ci"]))
        figures = words(row["goal_condition_success_macro"]), words(kind.last(row))
        rows.append((name, str(row["n"]), words(row["success_rate"]), bounds, *figures))
    columns = ("task", of, "success", "95 % interval", "goal cond. (macro)", last)
    return Table(title, columns, tuple(rows), note=note)


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
        means: tuple[Callable[[Outcome], float], ...] = (lambda one: one.steps, lambda one: one.failed_actions)
        averages = (f"{fmean(value(one) for one in own):.1f}" for value in means)
        rows.append((room, str(len(own)), percent(succeeded), percent(goals), *averages))
    columns = ("room", "n", "success", "goal conditions, macro", "mean actions", "mean failed actions")
    return Table("By room", columns, tuple(rows))


def _number(room: str) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, room))
    return int(digits or 0), room
