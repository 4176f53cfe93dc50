"""The benchmark `requests`: cases as instances, a Follower to be judged, credit for pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Annotated, Any

from teach_agents.benchmarks.requests.cases import KINDS, Case, read_cases
from teach_agents.benchmarks.requests.shares import share_metrics, share_rows, shares_of
from teach_agents.benchmarks.requests.verdicts import COUNTED
from teach_agents.core.benchmark.contract import WHICH, WHO, Benchmark, Option, Setup
from teach_agents.core.benchmark.lookup import check_registered, make_agents
from teach_agents.core.benchmark.outcomes import Outcome, Status
from teach_agents.core.benchmark.playing import as_file_name, made_hooks, world_of
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.kinds import SIMULATOR

if TYPE_CHECKING:
    from teach_agents.core.benchmark.exporting import Exports
    from teach_agents.core.benchmark.reporting.parts import Report, Table
    from teach_agents.core.benchmark.results import Metric
    from teach_agents.session.environment import HouseholdEnvironment

_DATA = "data"
_FIRST, _NEWEST = "dev", "frozen10"
_ALL = "all"
"""Both halves of the benchmark: what may be read, and what was written last."""
_OWN = "own"
_VIEW = 300
_FIGURES = (*COUNTED, "stop_actions")


class RequestsBenchmark(Benchmark[Case, JsonMapping]):
    """Requests and short talks of people, each judged by true states, motions and answers; see docs/requests.md.

    Cases come in pairs of the same words in two worlds or histories: only who does both right has done either. Records
    are those of `player.play`. `cases` is a file or folder of cases in place of those that ship.
    """

    title = "Requests"
    agents = {"follower": "planner"}
    cluster_name = "pair"
    folders = ("sessions",)
    time_limit_s = 300.0

    def __init__(
        self,
        simulator: Annotated[str, Option("SPEC of the simulator.", WHO)] = "embedded",
        *,
        cases: Annotated[
            Path | str | None,
            Option("A file of cases, or a folder of such files (.jsonl), in place of those that ship.", WHICH),
        ] = None,
    ) -> None:
        self._simulator = simulator
        self._cases = None if cases is None else Path(cases)
        self.splits = _shipped() if cases is None else (_OWN,)

    def instances(self, split: str) -> Sequence[Case]:
        """The cases of a split, by id."""
        self.known(split)
        if self._cases is not None:
            return read_cases(self._cases)
        return tuple(case for one in ((_FIRST, _NEWEST) if split == _ALL else (split,)) for case in _read(one))

    def check(self, setup: Setup) -> None:
        """A simulator, which may be costly to make, is only looked up."""
        super().check(setup)
        check_registered("simulator", self._simulator, "--simulator")

    def environment(self) -> HouseholdEnvironment:
        """A household of the simulator."""
        from teach_agents.household import Household
        from teach_agents.installed import installed_tasks
        from teach_agents.session.environment import HouseholdEnvironment

        simulator = build(SIMULATOR, self._simulator, allow_import=True)
        return HouseholdEnvironment(Household(simulator, installed_tasks(), view_size=_VIEW))

    def play(self, instance: Case, setup: Setup) -> JsonMapping:
        """Play a case; the record of its session goes into the run's folder."""
        from teach_agents.benchmarks.requests.player import How, play

        follower = make_agents(self, instance, setup)["follower"]
        folder = setup.folder
        how = How(
            instance_seed(setup.seed, instance.instance_id),
            setup.call_time_limit_s,
            None if folder is None else folder / "sessions" / f"{as_file_name(instance.instance_id)}.jsonl",
            tuple(made_hooks(setup.hooks)),
        )
        world: Any = world_of(self)
        record = play(instance, world.household, follower, how)
        if record["status"] not in (Status.DONE, Status.NOT_STARTED):
            self.world = None  # what hangs may still hold it
        return record

    def score(self, record: JsonMapping) -> Mapping[str, float]:
        """Whether a case was done right, and what is counted of it. `stop_actions` are 0 where nobody said stop."""
        verdict = record["verdict"]
        figures = {name: float(verdict[name] or 0) for name in _FIGURES}
        return {"success": float(not verdict["missed"]), **figures}

    def line(self, instance: Case, record: JsonMapping, setup: Setup) -> JsonObject:
        """What is told of any instance, what was missed, what was said, and how long answers took."""
        told = {name: record[name] for name in ("verdict", "latencies_s", "dialogue") if name in record}
        return {**super().line(instance, record, setup), **told}

    def outcomes(self, run: StoredRun) -> tuple[Outcome, ...]:
        """A case succeeds where its pair does; its score `success` stays its own."""
        found: tuple[Outcome, ...] = super().outcomes(run)
        lost = {one.cluster for one in found if not one.scores.get("success")}
        own = {"case_success": 0.0}
        return tuple(
            replace(
                one,
                success=one.cluster not in lost,
                scores={**own, **one.scores, "case_success": one.scores.get("success", 0.0)},
            )
            for one in found
        )

    def aggregated(self, outcomes: Sequence[Any]) -> JsonMapping:
        """Shares over all cases: `score` with credit for pairs, `cases` by themselves, `worst_kind`; over some of
        them: those of `SHARES`; and totals."""
        if not outcomes:
            raise InputError(self.name, "there are no outcomes to aggregate")
        kinds = {kind: [one.success for one in outcomes if one.groups.get("kind") == kind] for kind in KINDS}
        shares = {kind: sum(found) / len(found) for kind, found in kinds.items() if found}
        count = len(outcomes)
        return {
            "score": sum(one.success for one in outcomes) / count,
            "cases": sum(one.scores.get("case_success", 0.0) for one in outcomes) / count,
            "pairs": len({one.cluster for one in outcomes}),
            "worst_kind": min(shares.values(), default=0.0),
            **{name: found["mean"] for name, found in shares_of(outcomes).items()},
            **{f"total_{name}": sum(one.scores.get(name, 0.0) for one in outcomes) for name in _FIGURES},
        }

    def summary(self, run: StoredRun) -> JsonObject:
        """The usual one, without a part for each pair, with the time to the first reply or action in seconds, and
        shares of some of the cases (`shares`), with intervals."""
        told = super().summary(run)
        del told["by_cluster"]
        waits = [wait for line in run.lines.values() for wait in line.get("latencies_s", ())]
        return {**told, "by_cluster": {}, "shares": shares_of(run.outcomes), "latency": _latency(waits)}

    def measured_rows(self, outcomes: Sequence[Any]) -> Iterator[JsonObject]:
        """The usual rows, and those of `SHARES`."""
        yield from super().measured_rows(outcomes)
        yield from share_rows(outcomes)

    def metrics(self, outcomes: Sequence[Any]) -> Mapping[str, Metric]:
        """The usual ones, and `SHARES`."""
        return {**super().metrics(outcomes), **share_metrics()}

    def again(self, run: StoredRun, line: JsonMapping) -> JsonMapping | None:
        """Verdicts need the states that a session went through: they are not made again of records."""
        return None

    def table(self, summary: JsonMapping) -> Table:
        """By kind: with credit for pairs, each case by itself, and what was claimed or left unanswered."""
        from teach_agents.benchmarks.requests.reporting import table_of

        return table_of(self.title, summary)

    def exports(self) -> Exports:
        """Talks by case; see `exporting`."""
        from teach_agents.benchmarks.requests.export_rows import EXPORTS

        return EXPORTS

    def report(self, run: StoredRun) -> Report:
        """The usual one, with what was said and missed in every case."""
        from teach_agents.benchmarks.requests.reporting import report_of

        return report_of(run)


def _shipped() -> tuple[str, ...]:
    """The splits that ship, each a folder; the readable one first."""
    folders = files("teach_agents.benchmarks.requests").joinpath(_DATA).iterdir()
    names = [one.name for one in folders if one.is_dir()]
    return tuple(sorted([*names, _ALL], key=lambda name: (name != _FIRST, name)))


def _read(split: str) -> Sequence[Case]:
    with as_file(files("teach_agents.benchmarks.requests") / _DATA / split) as folder:
        return read_cases(folder)


def _latency(waits: Sequence[float]) -> JsonObject:
    """Median and 95th percentile, seconds; null where there are too few."""
    if len(waits) < 2:
        return {"n": len(waits), "median_s": None, "p95_s": None}
    parts = quantiles(waits, n=20, method="inclusive")
    return {"n": len(waits), "median_s": round(parts[9], 3), "p95_s": round(parts[18], 3)}
