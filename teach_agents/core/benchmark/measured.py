"""From the folder of a run to rows of the registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from teach_agents.core.benchmark.results import Measurement, Metric, Results, Row
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.benchmark.summary import figures_of


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
    agents = run.settings.get("agents") or run.kind.agents
    return " + ".join(agents.values()) or run.benchmark


def privileges_of(run: StoredRun) -> dict[str, tuple[str, ...]]:
    """By seat, what the agents of a run read beyond what their seats see, as its finished instances say."""
    found: dict[str, set[str]] = {}
    for line in run.lines.values():
        said = line.get("privileges") or {}
        for seat, names in (said if isinstance(said, Mapping) else dict.fromkeys(run.kind.agents, said)).items():
            found.setdefault(seat, set()).update(names)
    return {seat: tuple(sorted(names)) for seat, names in sorted(found.items())}


def measured(run: StoredRun, source: str, label: Label) -> Results:
    """The figures of a run as results, under the source's name: of all tasks, then of each.

    Every instance of the list counts; intervals are over clusters.
    """
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
    rows = tuple(Row(**row, **_of(run, label), source=source) for row in run.kind.measured_rows(run.outcomes))
    return Results(metrics=metrics, sources={source: told}, rows=rows)


def _of(run: StoredRun, label: Label) -> dict[str, Any]:
    return {"system": label.system, "benchmark": run.benchmark, "split": label.split}


def _provenance(summary: Mapping[str, Any], name: str) -> str | None:
    """What a summary says that the agents' answers depend on, of several with the seats' names."""
    said = summary.get("provenance") or {}
    if name in said:
        return str(said[name])
    each = [f"{seat}: {of[name]}" for seat, of in said.items() if isinstance(of, Mapping) and name in of]
    return ", ".join(each) or None


def plain_rows(outcomes: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Success in percent and the means of the scores, of all, then of each group, for benchmarks that say no more."""
    kinds = dict.fromkeys(kind for one in outcomes for kind in one.groups)
    parts = {"": list(outcomes)}
    for kind in kinds:
        for one in outcomes:
            if kind in one.groups:
                parts.setdefault(f"{kind} {one.groups[kind]}", []).append(one)
    for part, own in parts.items():
        found = figures_of(own)
        rate, *bounds = (round(100 * one, 2) for one in (found["success_rate"], *found["success_rate_ci"]))
        yield {"metric": "success_rate", "task": part, "value": rate, "n": len(own), "interval": tuple(bounds) or None}
        for name, score in found["scores"].items():
            interval = tuple(score["ci"]) or None
            yield {"metric": name, "task": part, "value": score["mean"], "n": len(own), "interval": interval}


def plain_metrics(outcomes: Sequence[Any]) -> dict[str, Metric]:
    """What these figures are."""
    rate = "instances of the list that succeeded; what broke down or is missing has failed"
    found = {"success_rate": _metric("success", "percent", rate)}
    for name in dict.fromkeys(name for one in outcomes for name in one.scores if name != "success"):
        found[name] = _metric(name.replace("_", " "), "points", f"mean of the benchmark's score {name!r} over the list")
    return found


def _metric(title: str, unit: Literal["percent", "points"], definition: str) -> Metric:
    return Metric(title=title, unit=unit, average="instances", weighting="none", definition=definition)
