"""Outcomes from the folders of runs of any of TEACh's benchmarks, to count or compare again without a simulator."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.journal import Journal
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.summary import completed
from teach_agents.errors import InputError

__all__ = ["StoredRun", "read_run"]


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What a folder says: the benchmark, its settings, and an outcome for every instance that was asked for."""

    benchmark: str
    settings: Mapping[str, Any]
    outcomes: tuple[Outcome, ...]


def read_run(folder: Path) -> StoredRun:
    """Read the folder of a run of `edh`, `tfd` or `tatc`.

    Instances without a record are missing; nothing but their names is known then. In TATC steps, failed actions and
    utterances are those of both agents. Raises `InputError` for a folder that holds no run.
    """
    try:
        claim = json.loads((folder / "settings.json").read_bytes())
        settings, asked = claim["settings"], claim["instances"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(str(folder), "is no folder of a run: its settings.json cannot be read") from error
    if "benchmark" in claim:
        found = [Outcome.from_json(one["outcome"]) for one in Journal(folder / "records.jsonl") if "outcome" in one]
        return StoredRun(claim["benchmark"], settings, _completed(asked, found))
    ids = [one["instance_id"] for one in asked]
    played = [_of_episode(one) for one in Journal(folder / "episodes.jsonl") if "instance_id" in one]
    return StoredRun("tatc", settings, _completed(ids, played))


def _completed(ids: Sequence[str], found: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """A record written twice (a run was copied together) counts once, as the last one says."""
    last = {one.instance_id: one for one in found}
    kept = [last[name] for name in ids if name in last]
    return completed([Outcome.blank(name, Status.MISSING) for name in ids], kept)


def _of_episode(episode: Mapping[str, Any]) -> Outcome:
    """A line of a TATC run's `episodes.jsonl`."""
    initial, final = (GoalCounts(**episode[name]) if episode.get(name) else None for name in ("initial", "final"))
    utterances = sum(episode.get("utterances", {}).values())
    return Outcome(
        instance_id=episode["instance_id"],
        game_id=episode["instance_id"],
        task_name=episode.get("task_name", "unknown"),
        cluster=episode.get("room", "unknown"),
        status=Status(episode["status"]),
        reason=episode.get("reason", ""),
        success=bool(episode.get("success")),
        initial=initial,
        final=final,
        reference_length=episode.get("reference_length") or 0,
        steps=episode.get("length", 0),
        failed_actions=sum(episode.get("failures", {}).values()),
        costs=Costs(utterances=utterances, wall_s=episode.get("wall_s", 0.0)),
    )
