"""One run: a folder that fills with lines, can be interrupted and goes on, and ends in a summary."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from teach_agents.core.benchmark.contract import Benchmark, BenchmarkInstance
from teach_agents.core.benchmark.engines import Job, engine_named, once_per_seat
from teach_agents.core.benchmark.folder import RunFolder, storing, write_json
from teach_agents.core.benchmark.lookup import remade
from teach_agents.core.benchmark.outcomes import Status
from teach_agents.core.benchmark.playing import as_file_name
from teach_agents.core.benchmark.setup import Setup
from teach_agents.core.benchmark.stored import StoredRun, by_id
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping, JsonObject

_WORKER = "teach_agents.core.benchmark.run:work"
_BROKE_DOWN = (Status.CRASHED, Status.NOT_STARTED)

_LONGEST_NAME = 200
"""Bytes; a file system takes 255, of which endings need some."""

InstanceT = TypeVar("InstanceT", bound=BenchmarkInstance)


class Run(Generic[InstanceT]):
    """The folder of one run.

    `settings.json` says what was asked, the benchmark's journal holds one line per finished instance, on the disk the
    moment it ends, `records/` what was done in it; `summary.json` the figures: it depends on the lines only, so that a
    run that was interrupted has the same as one that was not. Opening a folder in which instances were played with
    other settings or instances (to `resume`: or were asked for), or are being played, raises `InputError`, one that
    cannot be written `TeachAgentsError`.
    """

    def __init__(
        self,
        folder: Path,
        benchmark: Benchmark[InstanceT, Any],
        setup: Setup,
        instances: Sequence[InstanceT],
        *,
        resume: bool = False,
    ) -> None:
        self.folder = folder
        self.benchmark = benchmark
        self.setup = setup = replace(setup, agents={**benchmark.agents, **setup.agents})
        self.instances = tuple(instances)
        for name, count in Counter(one.instance_id for one in self.instances).items():
            if count > 1 or not name:
                raise InputError("instances", "each has an id of its own", value=name)
            if len(as_file_name(name)) > _LONGEST_NAME:
                problem = f"an id names files: once quoted it has at most {_LONGEST_NAME} bytes"
                raise InputError("instances", problem, value=name)
        self._pictured = frozenset(one.instance_id for one in self.instances[: setup.pictures])
        self._asked = benchmark.asked(setup, self.instances)
        self._results = RunFolder(
            folder, benchmark.journal, self._asked, resume=resume, environment=benchmark.environment_noted
        )
        with storing(folder):
            for name in benchmark.folders:
                (folder / name).mkdir(exist_ok=True)

    def lines(self) -> dict[str, JsonObject]:
        """Every finished instance's line by id, in the list's order; one that was cut short is passed over."""
        found = {name: line for line in self._results.journal if (name := self.benchmark.id_of(line))}
        return {one.instance_id: found[one.instance_id] for one in self.instances if one.instance_id in found}

    def play(
        self,
        *,
        workers: int = 1,
        time_limit_s: float | None = None,
        engine: str = "local",
        concurrent: int = 1,
        on_line: Callable[[JsonObject], None] | None = None,
    ) -> None:
        """Play what is not yet finished, `concurrent` at a time in each process of one of `engines.ENGINES`.

        Each line is durable the moment its instance ends. One that outlives `time_limit_s`, or whose process dies, has
        failed with that reason. Raises `InputError` while another process plays in the folder, and `TeachAgentsError`
        when the disk is full: what this spoilt is left to be played again.
        """
        limit_s = self.benchmark.time_limit_s if time_limit_s is None else time_limit_s
        with self._results.running():
            done = self.lines()
            todo = {one.instance_id: one for one in self.instances if one.instance_id not in done}
            for result in engine_named(engine, workers=workers, time_limit_s=limit_s, concurrent=concurrent).run(
                [Job(name, self._payload(one)) for name, one in todo.items()], _WORKER
            ):
                line = self.benchmark.ended(todo[result.job_id], result)
                self._results.keep(line, broke_down=line["status"] in _BROKE_DOWN)
                if on_line:
                    on_line(line)

    def _payload(self, instance: InstanceT) -> JsonObject:
        kind = type(self.benchmark)
        pictures = int(instance.instance_id in self._pictured)
        return {
            "benchmark": (self.benchmark.name, f"{kind.__module__}:{kind.__qualname__}", *self.benchmark.made_with),
            "instance": self.benchmark.instance_to_json(instance),
            "setup": replace(self.setup, pictures=pictures, folder=self.folder.resolve()),
        }

    @property
    def stored(self) -> StoredRun:
        """The run as it stands, as its folder will tell it."""
        lines = self.lines()
        left = [one for one in self.instances if one.instance_id not in lines]
        told = {"not_run": [{"instance_id": one.instance_id, **self.benchmark.foreseen(one)} for one in left]}
        asked = self._asked
        return StoredRun(self.folder, self.benchmark.name, asked["settings"], by_id(asked["instances"]), lines, told)

    def outcomes(self) -> tuple[Any, ...]:
        """One outcome for every instance of the list; those without a line are missing."""
        return self.benchmark.outcomes(self.stored)

    def summary(self) -> JsonObject:
        """The figures of the run as JSON."""
        return self.benchmark.summary(self.stored)

    def write_summary(self) -> JsonObject:
        """Write `summary.json` and return it."""
        summary = self.summary()
        write_json(self.folder / "summary.json", summary)
        return summary


def work(payload: JsonMapping) -> JsonObject:
    """In a worker process: carry one instance through and return its line. `payload` is made by `Run`."""
    benchmark = _benchmark(pickle.dumps(payload["benchmark"]))
    instance, setup = benchmark.instance_from_json(payload["instance"]), payload["setup"]
    line = benchmark.line(instance, benchmark.play(instance, setup), setup)
    json.dumps(line, allow_nan=False)  # what cannot be kept is raised here: the instance has failed, not the run
    return line


@once_per_seat
def _benchmark(told: bytes) -> Benchmark[Any, Any]:
    """One benchmark a seat, for one instance after the other."""
    return remade(*pickle.loads(told))  # what this very package has written
