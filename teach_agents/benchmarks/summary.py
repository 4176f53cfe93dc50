"""From outcomes to the figures of a run: the reference's aggregate, and ours beside it.

Ours are macro goal-condition success (the mean of the instances', as in TEACh's paper; the reference's code pools all
conditions), 95 % intervals over rooms, costs, and why instances failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version

from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import InstanceMetrics, Outcome, Status, aggregate, measure
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, bootstrap_ratio, left_to_right
from teach_agents.core.json_types import JsonMapping, JsonObject

_ALL = {
    "success_rate": "success_rate",
    "path_weighted_success_rate": "path_length_weighted_success_rate",
    "goal_condition_success_micro": "goal_condition_success_micro",
    "goal_condition_success_macro": "goal_condition_success_macro",
    "path_weighted_goal_condition_success": "path_length_weighted_goal_condition_success_rate",
}
"""Metrics of the registry, and where a summary has their value; the interval is in `..._ci`."""

_OF_TASKS = ("success_rate", "goal_condition_success_micro", "goal_condition_success_macro")


def summarize(
    outcomes: Sequence[Outcome], *, max_steps: int = 1000, max_failures: int = 30, timed: bool = True
) -> JsonObject:
    """The figures of a run as JSON, from one outcome per instance (see `completed`).

    Holds every key of `metrics.aggregate`. Rates are fractions; `..._ci` are 95 % intervals from resampled rooms, by
    `interval_rule`. Without `timed` wall times are left out, and the same outcomes give the same bytes. Raises
    `InputError` for no outcomes.
    """
    metrics = [measure(one) for one in outcomes]
    return {
        **aggregate(metrics, max_steps=max_steps, max_failures=max_failures),
        "n": len(outcomes),
        **_ours(outcomes, metrics),
        "status": {status.value: sum(one.status is status for one in outcomes) for status in Status},
        "failures": [
            {"instance_id": one.instance_id, "status": one.status, "reason": one.reason}
            for one in outcomes
            if one.status is not Status.DONE
        ],
        "costs": _costs(outcomes, timed),
        "by_task": _by_task(outcomes, timed),
        "interval_rule": INTERVAL_RULE,
    }


def _ours(outcomes: Sequence[Outcome], metrics: Sequence[InstanceMetrics]) -> JsonObject:
    """Rates with intervals over rooms, of all instances or those of one task."""
    rooms = [one.unit for one in outcomes]

    def column(name: str) -> list[float]:
        return [float(getattr(one, name)) for one in metrics]

    def interval(top: str, bottom: str = "") -> list[float]:
        return bootstrap_ratio(column(top), column(bottom) if bottom else [1.0] * len(rooms), clusters=rooms)[1]

    weighted_goals = "path_length_weighted_goal_condition_success_rate_ci"
    return {
        "success_rate_ci": interval("success"),
        "goal_condition_success_macro": left_to_right(column("goal_condition_success")) / len(rooms),
        "goal_condition_success_macro_ci": interval("goal_condition_success"),
        "goal_condition_success_micro_ci": interval("completed_goal_conditions", "total_goal_conditions"),
        "path_length_weighted_success_rate_ci": interval("path_len_weighted_success_spl", "gt_path_len"),
        weighted_goals: interval("path_len_weighted_goal_condition_spl", "gt_path_len"),
        "rooms": len(set(rooms)),
    }


def _costs(outcomes: Sequence[Outcome], timed: bool) -> JsonObject:
    """Everything added up, with the median number of candidates of a decision."""
    return sum((one.costs for one in outcomes), Costs()).total_json(timed=timed)


def _by_task(outcomes: Sequence[Outcome], timed: bool) -> JsonObject:
    """Per task, most instances first: the rates of `_ours` and the reference's, without its records."""
    table: JsonObject = {}
    for name, n in Counter(one.task_name for one in outcomes).most_common():
        own = [one for one in outcomes if one.task_name == name]
        metrics = [measure(one) for one in own]
        figures = aggregate(metrics)
        table[name] = {
            "n": n,
            "success_rate": figures["success"]["success_rate"],
            "goal_condition_success_micro": figures["goal_condition_success"]["goal_condition_success_rate"],
            "path_length_weighted_success_rate": figures["path_length_weighted_success_rate"],
            **_ours(own, metrics),
            "costs": _costs(own, timed),
        }
    return table


def measured_rows(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """A run's rates of all tasks, then of each."""
    summary = summarize(outcomes, timed=False)
    whole = {
        **summary,
        "success_rate": summary["success"]["success_rate"],
        "goal_condition_success_micro": summary["goal_condition_success"]["goal_condition_success_rate"],
    }
    yield from _figures(whole, "", tuple(_ALL))
    for task, figures in sorted(summary["by_task"].items()):
        yield from _figures(figures, task, _OF_TASKS)


def _figures(summary: JsonMapping, task: str, metrics: Sequence[str]) -> Iterator[JsonObject]:
    """In percent, as the registry has them; what could not be measured is left out."""
    for metric in metrics:
        key = _ALL[metric]
        if (value := summary[key]) is not None:
            bounds = tuple(map(_percent, summary[f"{key}_ci"])) or None
            yield {"metric": metric, "task": task, "value": _percent(value), "n": summary["n"], "interval": bounds}


def _percent(fraction: float) -> float:
    return round(100 * fraction, 2)


def summary_of(
    kind: str, settings: JsonMapping, lines: Iterable[JsonMapping], outcomes: Sequence[Outcome]
) -> JsonObject:
    """The figures of a run as JSON, with what they are of; wall times are in the run's lines only.

    `outcomes` has one for every instance that was asked for. `perception` is the Follower's tier, null where it has
    none. `not_run` holds what is known of those that are missing, so that nothing else is needed to count again.
    """
    known = list(lines)
    provenance = _shared(known)
    overrides = [len(line["overrides"]) for line in known]
    missing = [one for one in outcomes if one.status is Status.MISSING]
    limits = {name: settings[name] for name in ("max_steps", "max_failures")}
    return {
        "benchmark": kind,
        **settings,
        "teach_agents": version("teach-agents"),
        **summarize(outcomes, **limits, timed=False),
        "privileges": sorted({name for line in known for name in line["privileges"]}),
        "provenance": provenance,
        "perception": provenance.get("perception"),
        "overrides": {"instances": sum(map(bool, overrides)), "actions": sum(overrides)},
        "complete": not missing,
        "not_run": [one.to_json() for one in missing],
    }


def _shared(lines: Sequence[JsonMapping]) -> JsonObject:
    """What the Follower's answers depended on; where instances differ, everything that is said, sorted."""
    found: dict[str, set[str]] = {}
    for line in lines:
        for name, value in line.get("provenance", {}).items():
            found.setdefault(name, set()).add(value)
    return {name: next(iter(values)) if len(values) == 1 else sorted(values) for name, values in sorted(found.items())}
