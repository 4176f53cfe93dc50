"""From the lines and outcomes of a run over EDH or TfD to its summary: what `summary.json` holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.summary import summarize


def summary_of(
    kind: str, settings: Mapping[str, Any], lines: Iterable[Mapping[str, Any]], outcomes: Sequence[Outcome]
) -> dict[str, Any]:
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


def _shared(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the Follower's answers depended on; where instances differ, everything that is said, sorted."""
    found: dict[str, set[str]] = {}
    for line in lines:
        for name, value in line.get("provenance", {}).items():
            found.setdefault(name, set()).add(value)
    return {name: next(iter(values)) if len(values) == 1 else sorted(values) for name, values in sorted(found.items())}
