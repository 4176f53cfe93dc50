"""The Benchmark contract: instances of a split, the world they are played in, who plays, how records are scored.

Failures are results: whatever agents do ends up in a record, and whoever aggregates gives one score per instance, so
the denominator is always the list of instances. All else (workers, resume, shards, comparison, reports, export) is the
core's; what a benchmark's folders and reports have of their own is in `format.RunFormat`, whose methods a benchmark
overrides where it differs.
"""

from __future__ import annotations

import traceback
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Generic, Self, TypeVar

from teach_agents.core.benchmark.format import RunFormat
from teach_agents.core.benchmark.selection import BenchmarkInstance, chosen, read_names, sharded
from teach_agents.core.benchmark.setup import RUNNING, WHICH, WHO, Setup
from teach_agents.core.environment import Environment
from teach_agents.core.errors import InputError, TeachAgentsError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.registry import blamed
from teach_agents.core.values import NOTHING

__all__ = ["RUNNING", "WHICH", "WHO", "Benchmark", "BenchmarkInstance", "Choice", "Option", "Setup"]


@dataclass(frozen=True, slots=True)
class Option:
    """What the annotation of a constructor's parameter says of the option that it is on the command line.

    `Annotated[int, "help text"]` is short for `Annotated[int, Option("help text")]`; type and default say the rest, and
    a `tuple[str, ...]` may be given several times. `panel` is the heading it stands below in `--help`, `name` what it
    is called there where that is not the parameter's name. A `source` says where instances come from; what is `free`
    says nothing of results, and may be another when a run goes on.
    """

    help: str
    panel: str = ""
    name: str = ""
    metavar: str = ""
    least: float | None = None
    most: float | None = None
    source: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Which instances of a benchmark are run: those of a `split` (the first by default), or the `names` among them.

    `names` are lists: shipped ones of the benchmark's, or files. `workers` and `told` (how many were looked at, of how
    many) are for a benchmark that has to search for its instances.
    """

    split: str = ""
    names: tuple[str, ...] = ()
    shard: str = "1/1"
    limit: int | None = None
    workers: int = 1
    told: Callable[[int, int], None] | None = None


InstanceT = TypeVar("InstanceT", bound=BenchmarkInstance)
RecordT = TypeVar("RecordT")


class Benchmark(RunFormat[InstanceT, RecordT], Generic[InstanceT, RecordT]):
    """A benchmark. Parameters of its constructor that are annotated with a help text are options of its command.

    One that plays in a world implements `environment`, and need not implement `run`; one that carries its instances out
    by itself implements `run` (with the agents it was made with) or `play`.
    """

    splits: tuple[str, ...] = ("test",)
    """The splits there are, the usual one first."""
    agents: Mapping[str, str] = NOTHING
    """Who plays each seat unless somebody else is asked to: SPECs. A benchmark without seats plays by itself."""
    world: Environment[Any, Any, Any] | None = None
    """The world that it has made for itself."""

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        """Remember what it is made with, so that worker processes can make it again."""
        made = super().__new__(cls)
        made.made_with = (arguments, options)
        return made

    @abstractmethod
    def instances(self, split: str) -> Sequence[InstanceT]:
        """The instances of a split, always in the same order. Raises `InputError` naming the splits there are."""

    @abstractmethod
    def score(self, record: RecordT) -> Mapping[str, float]:
        """The figures of one record; every record of the benchmark has the same names."""

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """The figures of a run from one score per instance: their means. Raises `InputError` for no scores."""
        if not scores:
            raise InputError(self.name or type(self).__name__, "there are no scores to aggregate")
        return {name: fmean(float(one.get(name, 0.0)) for one in scores) for name in scores[0]}

    def known(self, split: str) -> str:
        """A split that there is. Raises `InputError` naming those there are for any other."""
        if split not in self.splits:
            raise InputError(self.name or type(self).__name__, "unknown split", value=split, valid=self.splits)
        return split

    def environment(self) -> Environment[Any, Any, Any]:
        """A world to play instances in, one after the other."""
        raise InputError(self.name or type(self).__name__, "has no world of its own: it implements `run`")

    def setup(self) -> Setup:
        """How its instances are played unless somebody says otherwise."""
        return Setup(dict(self.agents))

    def policy(self, instance: InstanceT) -> Any:
        """How the session of an instance is held; `None` is turns, in which all who may act see the same."""
        return None

    def context(self, instance: InstanceT, seat: str) -> JsonMapping:
        """What factories of agents that declare it are given, by the names of their parameters."""
        return NOTHING

    def run(self, instance: InstanceT) -> RecordT:
        """Carry one instance through with the benchmark's own agents, and leave nothing behind.

        What the judged party does wrong ends up in the record, not in an exception.
        """
        try:
            return self.play(instance, self.setup())
        except Exception:  # noqa: BLE001  # a broken instance or agent is a failed instance, never a lost one
            broken: RecordT = self.broken(instance, "crashed", traceback.format_exc())
            return broken

    def play(self, instance: InstanceT, setup: Setup) -> RecordT:
        """Carry one instance through as it is asked for, in a worker process. What is raised here has crashed."""
        if type(self).run is not Benchmark.run:
            return self.run(instance)
        from teach_agents.core.benchmark.playing import played

        return played(self, instance, setup)  # type: ignore[return-value]  # the core's sessions have such records

    def select(self, choice: Choice) -> Sequence[InstanceT]:
        """The instances that are asked for, in order. Raises `InputError` for what there is none of."""
        with blamed(f"benchmark {self.name!r}: its instances could not be found:", TeachAgentsError):
            found = self.instances(choice.split or self.splits[0])
        if choice.names:
            found = chosen(found, self.names_in(choice.names))
        return sharded(found, choice.shard)[: choice.limit]

    def names_in(self, lists: Sequence[str]) -> list[str]:
        """The ids in lists. Raises `InputError` for one that cannot be read."""
        return list(dict.fromkeys(name for one in lists for name in self.read_list(one)))

    def read_list(self, source: str) -> Sequence[str]:
        """The ids in one list: a file with a name a line, or one of `lists`, which the benchmark ships."""
        return read_names(Path(source))

    def check(self, setup: Setup) -> None:
        """Refuse a setup that cannot be played, before instances are looked for. Raises `InputError` or `SpecError`.

        That is agents for seats that there are not, names that nobody registered, and hooks that cannot be made.
        """
        from teach_agents.core.benchmark.playing import made_hooks

        for seat in setup.agents:
            if seat not in self.agents:
                raise InputError("--agent", "there is no such seat", value=seat, valid=self.agents)
        made_hooks(setup.hooks)

    def rehearse(self, instance: InstanceT, setup: Setup) -> None:
        """The same with the first instance, before any process starts: agents are made as for it, and let go."""
        from teach_agents.core.benchmark.lookup import make_agents

        make_agents(self, instance, setup)
