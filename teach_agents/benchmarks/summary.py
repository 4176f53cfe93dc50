"""From outcomes to the figures of a run: the reference's aggregate, and ours beside it.

Ours are macro goal-condition success (the mean of the instances', as in TEACh's paper; the reference's code pools all
conditions), 95 % intervals over rooms, costs, and why instances failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import InstanceMetrics, Outcome, Status, aggregate, left_to_right, measure
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, bootstrap_mean, bootstrap_ratio
from teach_agents.errors import InputError

__all__ = ["completed", "summarize"]

_ABSENT = "there is no outcome of it"


def completed(expected: Sequence[Outcome], found: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """One outcome for every instance of the list, in the list's order: the denominator of everything.

    `expected` says of each instance what is known before it runs; where `found` has no outcome it has failed as
    missing. Raises `InputError` for an outcome of an instance that is not in the list, and for two of one instance.
    """
    by_id: dict[str, Outcome] = {}
    listed = {one.instance_id for one in expected}
    for one in found:
        if one.instance_id not in listed:
            problem = "there is an outcome of an instance that is not in the list"
            raise InputError("outcomes", problem, value=one.instance_id, valid=sorted(listed))
        if one.instance_id in by_id:
            raise InputError("outcomes", "there are two of one instance", value=one.instance_id)
        by_id[one.instance_id] = one
    return tuple(
        by_id.get(one.instance_id) or replace(one, status=Status.MISSING, reason=_ABSENT, success=False)
        for one in expected
    )


def summarize(
    outcomes: Sequence[Outcome], *, max_steps: int = 1000, max_failures: int = 30, timed: bool = True
) -> dict[str, Any]:
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
            {"instance_id": one.instance_id, "status": one.status.value, "reason": one.reason}
            for one in outcomes
            if one.status is not Status.DONE
        ],
        "costs": _costs(outcomes, timed),
        "by_task": _by_task(outcomes, metrics, timed),
        "interval_rule": INTERVAL_RULE,
    }


def _ours(outcomes: Sequence[Outcome], metrics: Sequence[InstanceMetrics]) -> dict[str, Any]:
    """Rates with intervals over rooms, of all instances or those of one task."""
    rooms = [one.unit for one in outcomes]
    goals = [one.goal_condition_success for one in metrics]
    lengths = [float(one.gt_path_len) for one in metrics]
    pooled = (
        [float(one.completed_goal_conditions) for one in metrics],
        [float(one.total_goal_conditions) for one in metrics],
    )
    weighted = [one.path_len_weighted_success_spl for one in metrics]
    weighted_goals = [one.path_len_weighted_goal_condition_spl for one in metrics]
    return {
        "success_rate_ci": bootstrap_mean([float(one.success) for one in metrics], clusters=rooms)[1],
        "goal_condition_success_macro": left_to_right(goals) / len(goals),
        "goal_condition_success_macro_ci": bootstrap_mean(goals, clusters=rooms)[1],
        "goal_condition_success_micro_ci": bootstrap_ratio(*pooled, clusters=rooms)[1],
        "path_length_weighted_success_rate_ci": bootstrap_ratio(weighted, lengths, clusters=rooms)[1],
        "path_length_weighted_goal_condition_success_rate_ci": bootstrap_ratio(weighted_goals, lengths, clusters=rooms)[
            1
        ],
        "rooms": len(set(rooms)),
    }


def _costs(outcomes: Sequence[Outcome], timed: bool) -> dict[str, Any]:
    """Everything added up, with the median number of candidates of a decision."""
    total = sum((one.costs for one in outcomes), Costs())
    found = {**total.to_json(), "median_candidates": total.median_candidates}
    return found if timed else {name: value for name, value in found.items() if name != "wall_s"}


def _by_task(outcomes: Sequence[Outcome], metrics: Sequence[InstanceMetrics], timed: bool) -> dict[str, Any]:
    """Per task, most instances first: the rates of `_ours` and the reference's, without its records."""
    table: dict[str, Any] = {}
    for name, n in Counter(one.task_name for one in outcomes).most_common():
        own = [(one, two) for one, two in zip(outcomes, metrics, strict=True) if one.task_name == name]
        their_outcomes, their_metrics = [one for one, _ in own], [two for _, two in own]
        figures = aggregate(their_metrics)
        table[name] = {
            "n": n,
            "success_rate": figures["success"]["success_rate"],
            "goal_condition_success_micro": figures["goal_condition_success"]["goal_condition_success_rate"],
            "path_length_weighted_success_rate": figures["path_length_weighted_success_rate"],
            **_ours(their_outcomes, their_metrics),
            "costs": _costs(their_outcomes, timed),
        }
    return table
