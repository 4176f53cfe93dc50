"""What TEACh's benchmarks have in common: sessions in rooms, lists that ship, settings that are fields."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeVar, cast

from teach_agents.benchmarks.episodes import Episode
from teach_agents.benchmarks.metrics import Outcome
from teach_agents.benchmarks.published import registry, tables
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.summary import measured_rows
from teach_agents.core.benchmark.contract import RUNNING, Benchmark, BenchmarkInstance, Option, Setup
from teach_agents.core.benchmark.exporting import Exports
from teach_agents.core.benchmark.folder import environment
from teach_agents.core.benchmark.lookup import check_registered
from teach_agents.core.benchmark.outcomes import completed
from teach_agents.core.benchmark.reporting.parts import Report
from teach_agents.core.benchmark.reproducing import Table
from teach_agents.core.benchmark.results import Metric, Results
from teach_agents.core.benchmark.selection import read_names
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.extract import held_out
from teach_agents.data.games import Game
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.tasks import Task

LISTS: Mapping[str, str] = MappingProxyType(
    {
        "valid_seen_60": "5 sessions of each of the 12 tasks in valid_seen",
        "edh_valid_seen_200": "200 of the released EDH instances of valid_seen",
    }
)
"""The shipped lists, and what each is of; all drawn by seed 0."""


def is_shipped(source: str | Path) -> bool:
    """Whether a list is meant by its name; a file of that name comes first."""
    return str(source) in LISTS and not Path(source).is_file()


def names_of(source: str | Path) -> tuple[str, ...]:
    """The ids in a list: a shipped one, or a file (see `read_names`). Raises `InputError` for neither."""
    if is_shipped(source):
        with as_file(files("teach_agents.benchmarks") / "data" / "lists" / f"{source}.txt") as path:
            return read_names(path)
    if not Path(source).exists():
        raise InputError("--names", "is neither a file nor a list that is shipped", value=source, valid=LISTS)
    return read_names(Path(source))


InstanceT = TypeVar("InstanceT", bound=BenchmarkInstance)

_FIRST = "valid_seen"
VIEW_SIZE = Option(
    "Width and height of pictures in pixels; TEACh's models are given 900.", RUNNING, least=16, most=4096
)
OUTPUTS = Option(
    "Folder for what TEACh's own runner leaves behind: inference__*.json, pred_actions__*.json and metrics.json.",
    RUNNING,
    free=True,
)


class TeachBenchmark(Benchmark[InstanceT, Mapping[str, Any]]):
    """A benchmark over TEACh's household, a dataclass of its options. Its records are the lines of its journal."""

    pictures = 24
    lists = LISTS
    cluster_name = "room"
    published = False
    """Whether a table has the paper's figures in its last column."""
    last_column: str
    simulator: str
    seed: int
    call_time_limit_s: float

    @classmethod
    def of_settings(cls, settings: JsonMapping) -> Self:
        """Of what `settings.json` says, as far as it is an option."""
        known = inspect.signature(cls).parameters.keys() & settings.keys()
        return cls(**{name: settings[name] for name in known})

    def setup(self) -> Setup:
        """By its own seed and limits, without pictures."""
        return Setup(dict(self.agents), seed=self.seed, call_time_limit_s=self.call_time_limit_s)

    def check(self, setup: Setup) -> None:
        """A simulator, which may be costly to make, is only looked up."""
        super().check(setup)
        check_registered("simulator", self.simulator, "--simulator")

    def instance_to_json(self, instance: InstanceT) -> JsonObject:
        """The whole of it."""
        told: JsonObject = asdict(instance)  # type: ignore[call-overload]  # TEACh's instances are dataclasses
        return told

    def files(self, instance: JsonMapping) -> Iterable[Path]:
        """Its session's file, and its own."""
        return [Path(instance[key]) for key in ("game", "file") if instance.get(key)]

    def environment_noted(self) -> JsonObject:
        """See `teach_environment`."""
        return teach_environment()

    def line(self, instance: InstanceT, record: JsonMapping, setup: object) -> JsonObject:
        """The record."""
        return dict(record)

    def outcomes(self, run: StoredRun) -> tuple[Outcome, ...]:
        """An outcome for every instance that was asked for."""
        found = [self.outcome_of(line) for line in run.lines.values()]
        return completed([self.expected(run, name) for name in run.asked], found)

    @abstractmethod
    def episode(self, run: StoredRun, line: JsonMapping) -> Episode | None:
        """What happened in an instance; `None` where there is no record. Raises errors of records that are damaged."""

    @abstractmethod
    def set_up(self, reference: Reference, game: Game) -> tuple[Household, Task, Set[float] | None]:
        """Make an instance's state stand, to carry out again what a person did in it.

        Returns a household, the instance's task, and when the interactions were that it is of (all: `None`).
        """

    @abstractmethod
    def end_of(self, run: StoredRun, outcome: Outcome) -> str:
        """How an instance ended, in a word."""

    @abstractmethod
    def unmet(self, run: StoredRun, line: JsonMapping) -> Sequence[str]:
        """What an instance's final state lacks, in words."""

    @abstractmethod
    def goal_success(self, run: StoredRun, outcome: Outcome) -> float:
        """An instance's goal-condition success, as the benchmark counts it."""

    @abstractmethod
    def rates(self, summary: JsonMapping) -> JsonObject:
        """A summary with the rates of the whole run, and how many broke down, under the names that all have."""

    @abstractmethod
    def last(self, row: JsonMapping) -> float | None:
        """The figure of a table's `last_column`."""

    def report(self, run: StoredRun) -> Report:
        """See `reporting.report`."""
        from teach_agents.benchmarks.reporting.report import report_on

        return report_on(run)

    def played_on(self, run: StoredRun) -> str:
        """The simulator."""
        return str(run.settings.get("simulator", "unknown"))

    def measured_rows(self, outcomes: Sequence[Any]) -> Iterator[JsonObject]:
        """The rates of all tasks, then of each."""
        return measured_rows(outcomes)

    def metrics(self, outcomes: Sequence[Any]) -> Mapping[str, Metric]:
        """As they are defined beside what was published."""
        return registry().metrics

    @classmethod
    def results(cls) -> Results:
        """What was published, and our baselines."""
        return registry()

    @classmethod
    def result_tables(cls, name: str) -> Mapping[str, Table]:
        """Those of what ships."""
        return tables()

    def exports(self) -> Exports:
        """See `exporting`."""
        from teach_agents.benchmarks.exporting import EXPORTS

        return EXPORTS

    def read_list(self, source: str) -> Sequence[str]:
        """The ids in a shipped list or a file."""
        return names_of(source)


def teach_environment() -> JsonObject:
    """With which versions anything on TEACh is carried out, AI2-THOR's too, and with whose tables."""
    return environment(["ai2thor"], {"tables": "TEACH_AGENTS_TABLES"})


def kind_of(run: StoredRun) -> TeachBenchmark[Any]:
    """The benchmark of a run over TEACh."""
    return cast("TeachBenchmark[Any]", run.kind)


def splits_of(data: Path | str, *folders: str) -> tuple[str, ...]:
    """The splits that lie in these folders of TEACh's data: `valid_seen` first, held-out ones last.

    Raises `InputError` where there are none.
    """
    found = {path.name for folder in folders for path in Path(data).glob(f"{folder}/*/")}
    if not found:
        problem = f"has no splits in {' or '.join(folders)}, where `teach-agents data get` puts them"
        raise InputError("--data", problem, value=data)
    return tuple(sorted(found, key=lambda name: (held_out(f"{name}/"), name != _FIRST, name)))


def games_of(data: Path | str, split: str) -> Path:
    """The folder of a split's sessions in a folder of TEACh's data."""
    return Path(data, "games", split)
