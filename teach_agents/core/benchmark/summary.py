"""From the lines of a run to its summary, for benchmarks that have no form of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from statistics import fmean
from typing import TYPE_CHECKING, Any

from teach_agents.core.benchmark.costs import Costs
from teach_agents.core.benchmark.outcomes import Outcome, Status
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, Values, bootstrap_mean
from teach_agents.core.errors import InputError

if TYPE_CHECKING:
    from teach_agents.core.benchmark.contract import Benchmark
    from teach_agents.core.benchmark.stored import StoredRun


def summary_of(benchmark: Benchmark[Any, Any], run: StoredRun) -> dict[str, Any]:
    """The summary of a run as JSON; every rate is over all the instances that were asked for.

    `aggregate` is what the benchmark itself makes of the scores, where there are any. `scores` are means, with 95 %
    intervals over clusters; `by_group` and `by_cluster` the same of parts. `world`, `agents`, `privileges` and
    `provenance` say what the figures are of; of `provenance` also the models and prompt hashes, null where no agent
    names any. `not_run` holds what is known of instances that are missing. Wall times are in the lines only.
    """
    outcomes: Sequence[Outcome] = run.outcomes
    if not outcomes:
        raise InputError("instances", "there are none")
    lines = list(run.lines.values())
    provenance = _common(lines, "provenance") or {}
    missing = [one for one in outcomes if one.status is Status.MISSING]
    return {
        "benchmark": run.benchmark,
        "world": _common(lines, "world"),
        **run.settings,
        "teach_agents": version("teach-agents"),
        "interval_rule": INTERVAL_RULE,
        **figures_of(outcomes),
        "clusters": len({one.unit for one in outcomes}),
        "aggregate": dict(benchmark.aggregate([one.scores for one in outcomes])) if any(map(_done, outcomes)) else {},
        "status": {status.value: sum(one.status is status for one in outcomes) for status in Status},
        "failures": [
            {"instance_id": one.instance_id, "status": one.status.value, "reason": one.reason}
            for one in outcomes
            if one.status is not Status.DONE
        ],
        "end_reasons": dict(sorted(Counter(one.end for one in outcomes).items())),
        "by_group": _by_group(outcomes),
        "by_cluster": _parted(outcomes, lambda one: one.cluster),
        "costs": _costs(lines),
        "privileges": _common(lines, "privileges"),
        "provenance": provenance,
        "model": shared(provenance, "model"),
        "prompt_hash": shared(provenance, "prompt_hash"),
        "hook_notes": [hook for line in lines for hook in line.get("hooks", ()) if hook.get("notes")],
        "marked": sorted(run.marked),
        "complete": not missing,
        "not_run": [
            {"instance_id": one.instance_id, "status": one.status.value, "cluster": one.cluster, "groups": one.groups}
            for one in missing
        ],
    }


def _done(one: Outcome) -> bool:
    return one.status is Status.DONE


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Success and the means of the scores, of all instances or a part of them."""
    units = [one.unit for one in outcomes]
    rate, interval = bootstrap_mean([float(one.success) for one in outcomes], clusters=units)
    found = {}
    for name in dict.fromkeys(name for one in outcomes for name in one.scores if name != "success"):
        values = [one.scores.get(name, 0.0) for one in outcomes]
        of: Values = "shares" if all(0 <= value <= 1 for value in values) else "amounts"
        mean, bounds = bootstrap_mean(values, clusters=units, of=of)
        found[name] = {"mean": mean, "ci": bounds}
    return {
        "n": len(outcomes),
        "success_rate": rate,
        "success_rate_ci": interval,
        "scores": found,
        "mean_turns": fmean(one.turns for one in outcomes),
    }


def _by_group(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures by kind of group and name."""
    kinds = dict.fromkeys(kind for one in outcomes for kind in one.groups)
    return {kind: _parted(outcomes, partial(_group_of, kind)) for kind in kinds}


def _group_of(kind: str, one: Outcome) -> str:
    return one.groups.get(kind, "")


def _parted(outcomes: Sequence[Outcome], part: Callable[[Outcome], str]) -> dict[str, Any]:
    """The figures of each part that has a name; none where there is one without."""
    parts: dict[str, list[Outcome]] = {}
    for one in outcomes:
        parts.setdefault(part(one), []).append(one)
    return {name: figures_of(parts[name]) for name in sorted(parts) if name}


def _costs(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What each seat spent in all."""
    total: dict[str, Costs] = {}
    for line in lines:
        for seat, told in line.get("costs", {}).items():
            total[seat] = total.get(seat, Costs()) + Costs(**told)
    return {seat: found.total_json(timed=False) for seat, found in total.items()}


def _common(lines: Iterable[Mapping[str, Any]], key: str) -> Any:
    """The value that the lines share; those of one run have one world and the same agents."""
    return next((line[key] for line in lines if key in line), None)


def shared(provenance: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """One thing that agents say of themselves, by seat; null where none says it."""
    said = {seat: found[name] for seat, found in provenance.items() if isinstance(found, Mapping) and name in found}
    return said or None
