"""What the folder of a run holds: settings, a line for each instance, a summary. The defaults suit any benchmark."""

from __future__ import annotations

import inspect
import json
import math
from abc import ABC
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from teach_agents.core.benchmark.engines.contract import JobResult
from teach_agents.core.benchmark.folder import environment
from teach_agents.core.benchmark.outcomes import Outcome, Status, completed
from teach_agents.core.benchmark.setup import Setup
from teach_agents.core.codec import plain
from teach_agents.core.errors import InputError, TeachAgentsError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.registry import blamed
from teach_agents.core.values import NOTHING

if TYPE_CHECKING:
    from teach_agents.core.benchmark.exporting import Exports
    from teach_agents.core.benchmark.reporting.parts import Report, Table
    from teach_agents.core.benchmark.reproducing import Table as ResultTable
    from teach_agents.core.benchmark.results import Metric, Results
    from teach_agents.core.benchmark.stored import StoredRun

InstanceT = TypeVar("InstanceT")
RecordT = TypeVar("RecordT")

_TOLD = ("end_reason", "turns", "agents", "privileges", "provenance", "hooks", "world", "marked", "costs")
"""What a line takes over from the record of a session."""


class RunFormat(ABC, Generic[InstanceT, RecordT]):
    """What a benchmark says of the folders of its runs.

    `settings.json` holds what was `asked`, the `journal` a line for each finished instance, `summary.json` the figures.
    """

    name: str = ""
    """What it is registered as, or `module:Class`."""
    journal: str = "episodes.jsonl"
    folders: tuple[str, ...] = ("records",)
    """Folders in the folder of a run."""
    time_limit_s: float = 900.0
    """How long an instance may take unless somebody says otherwise."""
    pictures: int = 0
    """Of how many instances pictures are kept unless somebody says otherwise; none where nothing can be drawn."""
    lists: Mapping[str, str] = NOTHING
    """Lists of instances that the benchmark ships, and what each is of."""
    title: str = ""
    """Its name for people, where that is another."""
    cluster_name: str = "cluster"
    """What a cluster is called (scan, site)."""
    made_with: tuple[tuple[Any, ...], JsonMapping] = ((), NOTHING)
    """What it was made with."""

    @property
    def options(self) -> JsonObject:
        """What it was made with, by name, as JSON."""
        arguments, options = self.made_with
        found: JsonObject = json.loads(
            json.dumps(plain(inspect.signature(type(self)).bind(*arguments, **options).arguments), default=str)
        )
        return found

    def environment_noted(self) -> JsonObject:
        """With which versions a run is carried out, as JSON."""
        return environment()

    def asked(self, setup: Setup, instances: Sequence[InstanceT]) -> JsonObject:
        """What `settings.json` says, and what another run in the same folder must agree with."""
        from teach_agents.core.benchmark.lookup import declared

        unsaid = {name for name, one in declared(type(self)).items() if one.option.source or one.option.free}
        options = {name: value for name, value in self.options.items() if name not in unsaid}
        return {
            "benchmark": self.name,
            "settings": {**setup.to_json(), "options": options},
            "instances": [{"instance_id": self.id_of_instance(one), **_about(one)} for one in instances],
        }

    @classmethod
    def claims(cls, claim: JsonMapping) -> bool:
        """Whether a `settings.json` that names no benchmark is of a run of this one."""
        return False

    @classmethod
    def of_settings(cls, settings: JsonMapping) -> Self:
        """The benchmark that a run's settings are of, to read its folder with."""
        return cls(**settings.get("options", {}))

    def id_of_instance(self, instance: InstanceT) -> str:
        """An instance's id."""
        return str(instance.instance_id)  # type: ignore[attr-defined]  # every instance has one

    def instance_to_json(self, instance: InstanceT) -> JsonObject:
        """An instance as JSON, for workers and for the folder; by default its id, by which it is found again."""
        return {"instance_id": self.id_of_instance(instance)}

    def instance_from_json(self, data: JsonMapping) -> InstanceT:
        """Read `instance_to_json`'s form. Raises `InputError` for an instance that there is not."""
        known: dict[str, InstanceT] | None = getattr(self, "_known", None)
        if known is None:
            splits, instances = self.splits, self.instances  # type: ignore[attr-defined]  # a benchmark has them
            known = {self.id_of_instance(one): one for split in splits for one in instances(split)}
            self._known = known
        if data["instance_id"] not in known:
            raise InputError(self.name, "there is no such instance", value=data["instance_id"], valid=known)
        return known[data["instance_id"]]

    def files(self, instance: JsonMapping) -> Iterable[Path]:
        """The files that an instance, as JSON, cannot be played without."""
        return ()

    def line(self, instance: InstanceT, record: RecordT, setup: Setup) -> JsonObject:
        """What the journal says of an instance that was carried through, but for the time it took."""
        told: JsonMapping = record if isinstance(record, Mapping) else NOTHING
        status = Status(told.get("status", Status.DONE))
        scores = self.scores_of(record)
        return {
            "instance_id": self.id_of_instance(instance),
            "status": status.value,
            "reason": told.get("reason", ""),
            "success": self.succeeded(record, scores),
            "scores": scores,
            **_about(instance),
            "seed": told.get("seed", setup.seed),
            **{name: told[name] for name in _TOLD if name in told},
        }

    def scores_of(self, record: RecordT) -> dict[str, float]:
        """The figures of a record; none of one that did not come to an end."""
        if isinstance(record, Mapping) and record.get("status", Status.DONE) != Status.DONE:
            return {}
        scores = {name: float(value) for name, value in self.score(record).items()}  # type: ignore[attr-defined]  # a benchmark's
        for name, value in scores.items():
            if not math.isfinite(value):
                raise InputError(self.name, f"the score {name!r} must be a finite number", value=value)
        return scores

    def succeeded(self, record: RecordT, scores: Mapping[str, float]) -> bool | None:
        """Whether an instance succeeded: by its score `success`, or else by its world's final verdict, if there is any.

        `None` is that nobody judges it; what did not come to an end has failed.
        """
        told: JsonMapping = record if isinstance(record, Mapping) else NOTHING
        if told.get("status", Status.DONE) != Status.DONE:
            return False
        found = scores.get("success", told.get("success"))
        return None if found is None else bool(found)

    def ended(self, instance: InstanceT, result: JobResult) -> JsonObject:
        """The line of an instance whose job has ended, however it did."""
        told = result.value if result.status == Status.DONE else self.broken(instance, result.status, result.reason)
        return {**told, "wall_s": round(result.wall_s, 3)}

    def broken(self, instance: InstanceT, status: str, reason: str) -> Any:
        """The line of an instance that broke down, with what is known of it, so that it counts in every denominator."""
        name = self.id_of_instance(instance)
        return {"instance_id": name, "status": status, "reason": reason, **self.foreseen(instance)}

    def foreseen(self, instance: InstanceT) -> JsonObject:
        """What is known of an instance that was not played, as JSON."""
        return {"success": False, **_about(instance)}

    def id_of(self, line: JsonMapping) -> str:
        """The instance that a line of the journal is of; empty for a line that is none of ours."""
        return str(line.get("instance_id", ""))

    def outcome_of(self, line: JsonMapping) -> Any:
        """What a line of the journal tells."""
        return Outcome.of_line(line)

    def expected(self, run: StoredRun, name: str) -> Any:
        """What is known of an instance that was asked for and not played."""
        known = {key: run.asked[name][key] for key in ("cluster", "groups") if key in run.asked[name]}
        return Outcome(instance_id=name, status=Status.MISSING, end=Status.MISSING.value, **known)

    def outcomes(self, run: StoredRun) -> tuple[Any, ...]:
        """An outcome for every instance that was asked for; where none that is done is judged, there is no success."""
        whole = completed(
            [self.expected(run, name) for name in run.asked], [self.outcome_of(line) for line in run.lines.values()]
        )
        lost: JsonObject = {
            "scores": self.lost_scores(list(dict.fromkeys(name for one in whole for name in one.scores)) or ["success"])
        }
        if {one.success for one in whole if one.status is Status.DONE} == {None}:
            lost["success"] = None
        return tuple(one if one.status is Status.DONE else replace(one, **lost) for one in whole)

    def aggregated(self, outcomes: Sequence[Any]) -> JsonMapping:
        """What a summary says under `aggregate`: by default `aggregate` of the scores, once an instance is done.

        A benchmark that weighs instances by what they are finds `instance_id`, `groups` and `cluster` in the outcomes.
        """
        if not any(one.status is Status.DONE for one in outcomes):
            return {}
        with blamed(f"benchmark {self.name!r}: its scores could not be aggregated:", TeachAgentsError):
            return dict(self.aggregate([one.scores for one in outcomes]))  # type: ignore[attr-defined]  # a benchmark's

    def lost_scores(self, names: Iterable[str]) -> Mapping[str, float]:
        """The figures of an instance that did not come to an end: by default nothing of each.

        A benchmark with figures of which less is better says here what failing at an instance costs.
        """
        return dict.fromkeys(names, 0.0)

    def summary(self, run: StoredRun) -> JsonObject:
        """What `summary.json` says, from the lines alone: the same for a run that was interrupted."""
        from teach_agents.core.benchmark.summary import summary_of

        return summary_of(self, run)  # type: ignore[arg-type]  # a benchmark

    def again(self, run: StoredRun, line: JsonMapping) -> JsonMapping | None:
        """A line judged again from the record of its instance; `None` where there is no record of its end."""
        from teach_agents.core.benchmark.playing import played_again

        return played_again(self, run, line)  # type: ignore[arg-type]  # a benchmark

    def finish(self, run: StoredRun, *, workers: int = 1) -> None:
        """Called when a run has ended and its summary is written, for whatever else is to be left behind."""

    def table(self, summary: JsonMapping) -> Table:
        """What its command ends with."""
        from teach_agents.core.benchmark.reporting.page import figures_table

        return figures_table(self.title or self.name, summary)

    def report(self, run: StoredRun) -> Report:
        """What `report.html` shows of a run."""
        from teach_agents.core.benchmark.reporting.page import report_on

        return report_on(run)

    def exports(self) -> Exports:
        """What can be made of a run for others."""
        from teach_agents.core.benchmark.exporting import PLAIN

        return PLAIN

    def played_on(self, run: StoredRun) -> str:
        """What results say that a run was played on: the world's name."""
        return str((run.summary.get("world") or {}).get("name", "unknown"))

    def measured_rows(self, outcomes: Sequence[Any]) -> Iterator[JsonObject]:
        """The figures of a run as rows of results: fields of `results.Row` but system, benchmark, split and source."""
        from teach_agents.core.benchmark.summary import plain_rows

        return plain_rows(outcomes)

    def metrics(self, outcomes: Sequence[Any]) -> Mapping[str, Metric]:
        """What the figures of `measured_rows` are, by name."""
        from teach_agents.core.benchmark.summary import plain_metrics

        return plain_metrics(outcomes)

    @classmethod
    def results(cls) -> Results | None:
        """Results that the benchmark brings: published figures, and ones that were measured before."""
        return None

    @classmethod
    def result_tables(cls, name: str) -> Mapping[str, ResultTable]:
        """The tables in which `teach-agents reproduce` shows results; by default one, of the name it is known by."""
        from teach_agents.core.benchmark.reproducing import Table as ResultTable

        return {name: ResultTable(name, cls.title or name, name)}


def _about(instance: Any) -> JsonObject:
    """The cluster and the groups of an instance."""
    return {
        "cluster": str(getattr(instance, "cluster", "")),
        "groups": {str(kind): str(name) for kind, name in getattr(instance, "groups", NOTHING).items()},
    }
