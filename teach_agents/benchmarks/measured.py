"""From the folder of a run to rows of the registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

from teach_agents.benchmarks.metrics import Outcome
from teach_agents.benchmarks.published import Measurement, Results, Row, registry
from teach_agents.benchmarks.stored import TATC, StoredRun
from teach_agents.benchmarks.summary import summarize

__all__ = ["Label", "measured", "privileges_of", "system_of"]

_ALL = {
    "success_rate": ("success_rate", "success_rate_ci"),
    "path_weighted_success_rate": ("path_length_weighted_success_rate", "path_length_weighted_success_rate_ci"),
    "goal_condition_success_micro": ("goal_condition_success_micro", "goal_condition_success_micro_ci"),
    "goal_condition_success_macro": ("goal_condition_success_macro", "goal_condition_success_macro_ci"),
    "path_weighted_goal_condition_success": (
        "path_length_weighted_goal_condition_success_rate",
        "path_length_weighted_goal_condition_success_rate_ci",
    ),
}
"""Metrics of the registry, and where a summary has their value and interval."""

_OF_TASKS = ("success_rate", "goal_condition_success_micro", "goal_condition_success_macro")


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
    if run.benchmark == TATC:
        return f"{run.settings['commander']} + {run.settings['follower']}"
    return str(run.settings["follower"])


def privileges_of(run: StoredRun) -> dict[str, tuple[str, ...]]:
    """By role, what the agents of a run read beyond TEACh's screens, as its finished instances say."""
    found: dict[str, set[str]] = {}
    for line in run.lines.values():
        said = line.get("privileges") or {}
        for role, names in (said if isinstance(said, Mapping) else {"follower": said}).items():
            found.setdefault(role, set()).update(names)
    return {role: tuple(sorted(names)) for role, names in sorted(found.items())}


def measured(run: StoredRun, source: str, label: Label) -> Results:
    """The figures of a run as results, under the source's name: of all tasks, then of each.

    Every instance of the list counts; intervals are over rooms.
    """
    summary = run.summary
    environment = run.environments[-1] if run.environments else {}
    told = Measurement(
        kind="measurement",
        command=label.command,
        commit=label.commit,
        simulator=str(run.settings.get("simulator", "unknown")),
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
    metrics = registry().metrics
    rows = tuple(Row(**row, **_of(run, label), source=source) for row in _rows(run.benchmark, run.outcomes))
    return Results(metrics=metrics, sources={source: told}, rows=rows)


def _of(run: StoredRun, label: Label) -> dict[str, Any]:
    return {"system": label.system, "benchmark": run.benchmark, "split": label.split}


def _provenance(summary: Mapping[str, Any], name: str) -> str | None:
    """What a summary says that the agents' answers depend on, of a pair with the roles' names."""
    said = summary.get("provenance") or {}
    if name in said:
        return str(said[name])
    pair = [f"{role}: {of[name]}" for role, of in said.items() if isinstance(of, Mapping) and name in of]
    return ", ".join(pair) or None


def _rows(benchmark: str, outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    summary = summarize(outcomes, timed=False)
    whole = {
        **summary,
        "success_rate": summary["success"]["success_rate"],
        "goal_condition_success_micro": summary["goal_condition_success"]["goal_condition_success_rate"],
    }
    yield from _figures(whole, "", tuple(_ALL))
    for task, figures in sorted(summary["by_task"].items()):
        yield from _figures(figures, task, _OF_TASKS)
    if benchmark == TATC:
        for task in ("", *sorted({one.task_name for one in outcomes})):
            steps = [one.steps for one in outcomes if task in ("", one.task_name)]
            mean, spread = round(fmean(steps), 2), round(pstdev(steps), 2)
            yield {"metric": "mean_actions", "task": task, "value": mean, "n": len(steps), "spread": spread}


def _figures(summary: Mapping[str, Any], task: str, metrics: Sequence[str]) -> Iterator[dict[str, Any]]:
    """In percent, as the registry has them; what could not be measured is left out."""
    for metric in metrics:
        value, interval = (summary[key] for key in _ALL[metric])
        if value is None:
            continue
        bounds = tuple(_percent(bound) for bound in interval) or None
        yield {"metric": metric, "task": task, "value": _percent(value), "n": summary["n"], "interval": bounds}


def _percent(fraction: float) -> float:
    return round(100 * fraction, 2)
