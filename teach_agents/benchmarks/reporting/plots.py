"""The plots of a report on TEACh's benchmarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from teach_agents.benchmarks.base import kind_of
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.core.benchmark.reporting.parts import Bar, Bars, Histogram
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.core.benchmark.stored import StoredRun

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
