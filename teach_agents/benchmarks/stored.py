"""What the folder of a run of any of TEACh's benchmarks says, read without a simulator and without touching it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import UNKNOWN, GoalCounts, Outcome, Status
from teach_agents.benchmarks.summary import completed
from teach_agents.core.benchmark.journal import Journal
from teach_agents.errors import InputError

__all__ = ["TATC", "StoredRun", "outcome_of", "read_run"]

TATC = "tatc"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What a folder says: the benchmark, its settings, and what became of every instance that was asked for.

    `asked` holds what was asked for by id, in the list's order, `lines` what the run wrote of the finished ones.
    `summary` is `summary.json`, `environments` what the run was carried out with; both are empty where there is none.
    """

    folder: Path
    benchmark: str
    settings: Mapping[str, Any]
    asked: Mapping[str, Mapping[str, Any]]
    lines: Mapping[str, Mapping[str, Any]]
    summary: Mapping[str, Any]
    environments: tuple[Mapping[str, Any], ...] = ()

    @property
    def journal(self) -> Path:
        """The file of `lines`."""
        return self.folder / ("episodes.jsonl" if self.benchmark == TATC else "records.jsonl")

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """An outcome for every instance; of missing ones no more than the summary or the list says is known.

        In TATC steps, failed actions and utterances are those of both agents.
        """
        found = [outcome_of(self.benchmark, line) for line in self.lines.values()]
        return completed([self._expected(name) for name in self.asked], found)

    def _expected(self, name: str) -> Outcome:
        for one in self.summary.get("not_run", ()):
            if one.get("instance_id") == name:
                return Outcome.from_json(one)
        blank = Outcome.blank(name, Status.MISSING)
        return replace(blank, task_name=self.asked[name].get("task_name") or blank.task_name)


def read_run(folder: Path) -> StoredRun:
    """Read the folder of a run of `edh`, `tfd` or `tatc`.

    A line written twice (a run was copied together) counts once, as the last one says; lines of other instances do not
    count. Raises `InputError` for a folder that holds no run.
    """
    try:
        claim = json.loads((folder / "settings.json").read_bytes())
        settings, asked = claim["settings"], claim["instances"]
        benchmark = claim.get("benchmark", TATC)
        known = {one["instance_id"]: one for one in ({"instance_id": x} if isinstance(x, str) else x for x in asked)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(str(folder), "is no folder of a run: its settings.json cannot be read") from error
    run = StoredRun(folder, benchmark, settings, known, {}, _object(folder / "summary.json"), _environments(folder))
    found = {name: line for line in Journal(run.journal) if (name := _name(line)) in known}
    return replace(run, lines={name: found[name] for name in known if name in found})


def _name(line: Mapping[str, Any]) -> str:
    return str(line.get("outcome", line).get("instance_id", ""))


def _object(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _environments(folder: Path) -> tuple[Mapping[str, Any], ...]:
    return tuple(_object(folder / "environments.json").get("environments", ()))


def outcome_of(benchmark: str, line: Mapping[str, Any]) -> Outcome:
    """The outcome that a line of a run's journal tells."""
    return _of_episode(line) if benchmark == TATC else Outcome.from_json(line["outcome"])


def _of_episode(episode: Mapping[str, Any]) -> Outcome:
    """A line of a TATC run's `episodes.jsonl`."""
    initial, final = (GoalCounts(**episode[name]) if episode.get(name) else None for name in ("initial", "final"))
    talked = Costs(utterances=sum(episode.get("utterances", {}).values()))
    costs = sum((Costs(**found) for found in episode["costs"].values()), Costs()) if "costs" in episode else talked
    return Outcome(
        instance_id=episode["instance_id"],
        game_id=episode["instance_id"],
        task_name=episode.get("task_name", UNKNOWN),
        cluster=episode.get("room") or UNKNOWN,
        status=Status(episode["status"]),
        reason=episode.get("reason", ""),
        success=bool(episode.get("success")),
        initial=initial,
        final=final,
        reference_length=episode.get("reference_length") or 0,
        steps=episode.get("length", 0),
        failed_actions=sum(episode.get("failures", {}).values()),
        costs=costs + Costs(wall_s=episode.get("wall_s", 0.0)),
    )
