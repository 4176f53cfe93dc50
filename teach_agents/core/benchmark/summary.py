"""From the lines of a run to its summary, for benchmarks that have no form of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from teach_agents.core.benchmark.costs import Costs
from teach_agents.core.benchmark.outcomes import Outcome, Status
from teach_agents.core.benchmark.results import Measurement, Metric, Results, Row
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, Values, bootstrap_mean
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping, JsonObject

if TYPE_CHECKING:
    from teach_agents.core.benchmark.contract import Benchmark


def summary_of(benchmark: Benchmark[Any, Any], run: StoredRun) -> JsonObject:
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
    provenance = common(lines, "provenance") or {}
    missing = [one for one in outcomes if one.status is Status.MISSING]
    kinds = dict.fromkeys(kind for one in outcomes for kind in one.groups)
    return {
        "benchmark": run.benchmark,
        "world": common(lines, "world"),
        **run.settings,
        "teach_agents": version("teach-agents"),
        "interval_rule": INTERVAL_RULE,
        **figures_of(outcomes),
        "clusters": len({one.unit for one in outcomes}),
        "aggregate": dict(benchmark.aggregated(outcomes)),
        "status": {status.value: sum(one.status is status for one in outcomes) for status in Status},
        "failures": [
            {"instance_id": one.instance_id, "status": one.status.value, "reason": one.reason}
            for one in outcomes
            if one.status is not Status.DONE
        ],
        "end_reasons": dict(sorted(Counter(one.end for one in outcomes).items())),
        "by_group": {kind: _parted(outcomes, [one.groups.get(kind, "") for one in outcomes]) for kind in kinds},
        "by_cluster": _parted(outcomes, [one.cluster for one in outcomes]),
        "costs": _costs(lines),
        "privileges": common(lines, "privileges"),
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


def figures_of(outcomes: Sequence[Outcome]) -> JsonObject:
    """Success, where that is judged, and the means of the scores, of all instances or a part of them."""
    units = [one.unit for one in outcomes]
    success: JsonObject = {}
    if any(one.success is not None for one in outcomes):
        rate, interval = bootstrap_mean([float(one.success or 0) for one in outcomes], clusters=units)
        success = {"success_rate": rate, "success_rate_ci": interval}
    found = {}
    for name in dict.fromkeys(name for one in outcomes for name in one.scores if name != "success"):
        values = [one.scores.get(name, 0.0) for one in outcomes]
        of: Values = "shares" if all(0 <= value <= 1 for value in values) else "amounts"
        mean, bounds = bootstrap_mean(values, clusters=units, of=of)
        found[name] = {"mean": mean, "ci": bounds}
    return {
        "n": len(outcomes),
        **success,
        "scores": found,
        "mean_turns": fmean(one.turns for one in outcomes),
    }


def _parted(outcomes: Sequence[Outcome], names: Sequence[str]) -> JsonObject:
    """The figures of each part that has a name; none where there is one without."""
    parts: dict[str, list[Outcome]] = {}
    for name, one in zip(names, outcomes, strict=True):
        parts.setdefault(name, []).append(one)
    return {name: figures_of(parts[name]) for name in sorted(parts) if name}


def _costs(lines: Iterable[JsonMapping]) -> JsonObject:
    """What each seat spent in all."""
    total: dict[str, Costs] = {}
    for line in lines:
        for seat, told in line.get("costs", {}).items():
            total[seat] = total.get(seat, Costs()) + Costs(**told)
    return {seat: found.total_json(timed=False) for seat, found in total.items()}


def common(lines: Iterable[JsonMapping], key: str) -> Any:
    """The value that the lines share; those of one run have one world and the same agents."""
    return next((line[key] for line in lines if key in line), None)


def shared(provenance: JsonMapping, name: str) -> JsonObject | None:
    """One thing that agents say of themselves, by seat; null where none says it."""
    return {
        seat: found[name] for seat, found in provenance.items() if isinstance(found, Mapping) and name in found
    } or None


@dataclass(frozen=True, slots=True)
class Label:
    """What a folder does not say of its run: which list it is of, and how and when it was carried out."""

    system: str
    split: str
    instances: str
    command: str
    commit: str = ""
    seconds: float | None = None
    load: float | None = None
    notes: str = ""


def system_of(run: StoredRun) -> str:
    """Who played: SPECs of the agents."""
    return " + ".join((run.settings.get("agents") or run.kind.agents).values()) or run.benchmark


def privileges_of(run: StoredRun) -> dict[str, tuple[str, ...]]:
    """By seat, what the agents of a run read beyond what their seats see, as its finished instances say."""
    found: dict[str, set[str]] = {}
    for line in run.lines.values():
        said: Any = line.get("privileges") or {}
        for seat, names in (said if isinstance(said, Mapping) else dict.fromkeys(run.kind.agents, said)).items():
            found.setdefault(seat, set()).update(names)
    return {seat: tuple(sorted(names)) for seat, names in sorted(found.items())}


def measured(run: StoredRun, source: str, label: Label) -> Results:
    """The figures of a run as results, under the source's name: of all tasks, then of each.

    Every instance of the list counts; intervals are over clusters. Raises `InputError` for a run with a session into
    which a stranger spoke: results are there to be compared.
    """
    run.check_unmarked()
    summary = run.summary
    environment = run.environments[-1] if run.environments else {}
    told = Measurement(
        kind="measurement",
        command=label.command,
        commit=label.commit,
        simulator=run.kind.played_on(run),
        instances=label.instances,
        privileges=privileges_of(run),
        seed=int(run.settings.get("seed", 0)),
        model=_provenance(summary, "model"),
        model_hash=_provenance(summary, "model_hash"),
        prompt_hash=_provenance(summary, "prompt_hash"),
        version=str(summary.get("teach_agents") or environment.get("packages", {}).get("teach-agents") or ""),
        seconds=label.seconds,
        load=label.load,
        notes=label.notes,
    )
    metrics = run.kind.metrics(run.outcomes)
    rows = tuple(
        Row(**row, system=label.system, benchmark=run.benchmark, split=label.split, source=source)
        for row in run.kind.measured_rows(run.outcomes)
    )
    return Results(metrics=metrics, sources={source: told}, rows=rows)


def _provenance(summary: JsonMapping, name: str) -> str | None:
    """What a summary says that the agents' answers depend on, of several with the seats' names."""
    said = summary.get("provenance") or {}
    if name in said:
        return str(said[name])
    return ", ".join(f"{seat}: {one}" for seat, one in (shared(said, name) or {}).items()) or None


def plain_rows(outcomes: Sequence[Any]) -> Iterator[JsonObject]:
    """Success in percent and the means of the scores, of all, then of each group, for benchmarks that say no more."""
    parts = {"": list(outcomes)}
    for kind in dict.fromkeys(kind for one in outcomes for kind in one.groups):
        for one in outcomes:
            if kind in one.groups:
                parts.setdefault(f"{kind} {one.groups[kind]}", []).append(one)
    for part, own in parts.items():
        found = figures_of(own)
        means = {name: (score["mean"], *score["ci"]) for name, score in found["scores"].items()}
        if "success_rate" in found:
            rates = (round(100 * one, 2) for one in (found["success_rate"], *found["success_rate_ci"]))
            means = {"success_rate": tuple(rates), **means}
        for name, (value, *bounds) in means.items():
            yield {"metric": name, "task": part, "value": value, "n": len(own), "interval": tuple(bounds) or None}


def plain_metrics(outcomes: Sequence[Any]) -> dict[str, Metric]:
    """What these figures are."""
    rate = "instances of the list that succeeded; what broke down or is missing has failed"
    judged = any(one.success is not None for one in outcomes)
    found = {"success_rate": _metric("success", "percent", rate)} if judged else {}
    for name in dict.fromkeys(name for one in outcomes for name in one.scores if name != "success"):
        found[name] = _metric(name.replace("_", " "), "points", f"mean of the benchmark's score {name!r} over the list")
    return found


def _metric(title: str, unit: Literal["percent", "points"], definition: str) -> Metric:
    return Metric(title=title, unit=unit, average="instances", weighting="none", definition=definition)
