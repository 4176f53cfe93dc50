"""The plots of a report, as lengths and heights in fractions of the plot; the template draws them as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reporting.tables import goal_success_of
from teach_agents.benchmarks.stored import StoredRun
from teach_agents.core.benchmark.statistics import COMPARABLE

__all__ = ["Bar", "Bars", "Histogram", "ends_plot", "goals_plot", "steps_plot", "tasks_plot"]

_STEP_BINS = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its length, the interval around its end and what is published beside it, all in 0 ... 1."""

    name: str
    length: float
    text: str
    low: float | None = None
    high: float | None = None
    published: float | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars below each other; `in_percent` draws a scale below them."""

    title: str
    bars: tuple[Bar, ...]
    in_percent: bool = False
    note: str = ""

    @property
    def published(self) -> bool:
        """Whether anything published stands beside the bars."""
        return any(bar.published is not None for bar in self.bars)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Columns of instances: a label below each, how many succeeded and how many did not."""

    title: str
    columns: tuple[tuple[str, int, int], ...]
    note: str = ""

    @property
    def highest(self) -> int:
        """The largest column."""
        return max((good + bad for _, good, bad in self.columns), default=0) or 1


def tasks_plot(summary: Mapping[str, Any]) -> Bars:
    """Success by task, with its interval and, in TATC, the paper's rule-based pair beside tasks of enough instances."""
    bars = []
    for name, row in summary["by_task"].items():
        low, high = row["success_rate_ci"] or (None, None)
        rate = row["success_rate"] or 0.0
        text = f"{100 * rate:.0f} %"
        published = row.get("rule_based_pair_success_rate") if row["n"] >= COMPARABLE else None
        bars.append(Bar(f"{name} ({row['n']})", rate, text, low, high, published))
    return Bars("Success by task", tuple(bars), in_percent=True)


def ends_plot(ends: Counter[str]) -> Bars:
    """How instances ended."""
    most = max(ends.values(), default=1)
    bars = tuple(Bar(name, count / most, str(count)) for name, count in ends.most_common())
    return Bars("How instances ended", bars)


def goals_plot(run: StoredRun, outcomes: Sequence[Outcome]) -> Histogram:
    """How much of what was to be reached was reached; below zero more was undone than done."""
    edges = ("< 0", "0", "< 25 %", "< 50 %", "< 75 %", "< 100 %", "100 %")

    def bin_of(one: Outcome) -> int:
        share = goal_success_of(run, one)
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
