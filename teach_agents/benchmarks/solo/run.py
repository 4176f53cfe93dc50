"""One run of a Follower over EDH or TfD: a folder that fills with records, can be interrupted and goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.kinds import known_of
from teach_agents.benchmarks.solo.player import Settings, bare_record
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.summary import summary_of
from teach_agents.benchmarks.summary import completed
from teach_agents.core.benchmark.engines import Job, JobResult, engine_named
from teach_agents.core.benchmark.folder import RunFolder, storing, write_atomically

__all__ = ["FollowerRun"]

_WORKER = "teach_agents.benchmarks.solo.kinds:work"


class FollowerRun:
    """The folder of one run over `edh` or `tfd` instances.

    `settings.json` says what was asked, `records.jsonl` holds one line per finished instance, on the disk the moment it
    ends, `records/` what was done in it, step by step, `pictures/` what was seen in the first `pictures` of them,
    `summary.json` the figures; it depends on the outcomes only, so that a run that was interrupted has the same as one
    that was not. Opening a folder with records that were asked for by other settings or instances, or to `resume` one
    that was asked for by others, raises `InputError`, one that cannot be written `TeachAgentsError`. What finishes is
    written to the folder `reference_outputs` as well, as TEACh's runner writes it.
    """

    def __init__(
        self,
        folder: Path,
        kind: str,
        settings: Settings,
        references: Sequence[Reference],
        *,
        pictures: int = 0,
        resume: bool = False,
        reference_outputs: Path | None = None,
    ) -> None:
        self.folder = folder
        self.kind = kind
        self._outputs = "" if reference_outputs is None else str(reference_outputs.resolve())
        self.settings = settings
        self.references = tuple(references)
        ids = [one.instance_id for one in self.references]
        self._pictured = frozenset(ids[:pictures])
        asked = {"benchmark": kind, "settings": settings.to_json(), "instances": ids}
        self._results = RunFolder(folder, "records.jsonl", asked, resume=resume)
        with storing(folder):
            (folder / "records").mkdir(exist_ok=True)

    def records(self) -> dict[str, dict[str, Any]]:
        """Every finished instance's record by id, in the order of the list."""
        found = {one["outcome"]["instance_id"]: one for one in self._results.journal if "outcome" in one}
        return {name: found[name] for name in (one.instance_id for one in self.references) if name in found}

    def play(
        self,
        *,
        workers: int = 1,
        time_limit_s: float = 600.0,
        engine: str = "local",
        concurrent: int = 1,
        on_outcome: Callable[[Outcome], None] | None = None,
    ) -> None:
        """Run what is not yet finished, `concurrent` at a time in each process of one of `engines.ENGINES`.

        An instance that outlives `time_limit_s`, or whose process dies, has failed with that reason. Raises
        `InputError` while another process runs in the folder, and `TeachAgentsError` when the disk is full.
        """
        with self._results.running():
            done = self.records()
            todo = {one.instance_id: one for one in self.references if one.instance_id not in done}
            jobs = [Job(name, self._payload(one)) for name, one in todo.items()]
            made = engine_named(engine, workers=workers, time_limit_s=time_limit_s, concurrent=concurrent)
            for result in made.run(jobs, _WORKER):
                record = self._record(todo[result.job_id], result)
                broke_down = record["outcome"]["status"] in (Status.CRASHED, Status.NOT_STARTED)
                self._results.keep(record, broke_down=broke_down)
                if on_outcome:
                    on_outcome(Outcome.from_json(record["outcome"]))

    def _payload(self, reference: Reference) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "settings": self.settings.to_json(),
            "reference": asdict(reference),
            "folder": str(self.folder.resolve()),
            "pictures": reference.instance_id in self._pictured,
            "reference_outputs": self._outputs,
        }

    def _record(self, reference: Reference, result: JobResult) -> dict[str, Any]:
        if result.status == "done":
            return dict(result.value)
        known = known_of(self.kind, reference)
        return bare_record(replace(known, status=Status(result.status), reason=result.reason))

    def outcomes(self) -> tuple[Outcome, ...]:
        """One outcome for every instance of the list; those without a record are missing."""
        records = self.records()
        found = [Outcome.from_json(one["outcome"]) for one in records.values()]
        expected = [_expected(self.kind, one, known=one.instance_id in records) for one in self.references]
        return completed(expected, found)

    def summary(self) -> dict[str, Any]:
        """The figures of the run as JSON; see `summary.summary_of`."""
        return summary_of(self.kind, self.settings.to_json(), self.records().values(), self.outcomes())

    def write_summary(self) -> dict[str, Any]:
        """Write `summary.json` and return it."""
        summary = self.summary()
        with storing(self.folder):
            write_atomically(self.folder / "summary.json", json.dumps(summary, indent=1) + "\n")
        return summary


def _expected(kind: str, reference: Reference, *, known: bool) -> Outcome:
    """What is known of an instance before it runs; its files are read only where there is no record."""
    return Outcome.blank(reference.instance_id, Status.MISSING) if known else known_of(kind, reference)
