"""What every Benchmark must do, as tests that an implementation inherits.

```python
class TestMyBenchmark(BenchmarkContract):
    def make_benchmark(self) -> Benchmark[Any, Any]:
        return MyBenchmark()
```
"""

from __future__ import annotations

import json
import math
import pickle
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.core.benchmark.engines.contract import JobResult
from teach_agents.core.errors import InputError


def _refuses(call: Any, argument: object) -> InputError:
    try:
        call(argument)
    except InputError as refused:
        return refused
    raise AssertionError(f"{call.__qualname__}({argument!r}) must raise InputError")


class BenchmarkContract(ABC):
    """Inherit, say how the benchmark is made, and pytest runs the contract on the first instances of each split."""

    sample = 2
    """How many instances of each split are run."""

    @abstractmethod
    def make_benchmark(self) -> Benchmark[Any, Any]:
        """The benchmark, furnished with something quick to judge."""

    def _scores(self, benchmark: Benchmark[Any, Any]) -> list[Mapping[str, float]]:
        return [benchmark.score(benchmark.run(instance)) for instance in self._chosen(benchmark)]

    def _chosen(self, benchmark: Benchmark[Any, Any]) -> list[Any]:
        return [one for split in benchmark.splits for one in benchmark.instances(split)[: self.sample]]

    def test_instances_have_ids_of_their_own_and_keep_their_order(self) -> None:
        """The list of instances is the denominator."""
        benchmark = self.make_benchmark()
        assert benchmark.splits
        for split in benchmark.splits:
            ids = [instance.instance_id for instance in benchmark.instances(split)]
            assert ids
            assert len(set(ids)) == len(ids)
            assert ids == [instance.instance_id for instance in benchmark.instances(split)]

    def test_an_unknown_split_is_refused_with_those_there_are(self) -> None:
        """Bad input is refused where it enters."""
        benchmark = self.make_benchmark()
        assert set(_refuses(benchmark.instances, "no such split").valid) == set(benchmark.splits)

    def test_every_record_is_scored_by_the_same_finite_figures(self) -> None:
        """Scores can be put in one table."""
        scores = self._scores(self.make_benchmark())
        assert len({frozenset(score) for score in scores}) == 1
        assert all(math.isfinite(value) for score in scores for value in score.values())

    def test_runs_repeat(self) -> None:
        """Everything is seeded."""
        assert self._scores(self.make_benchmark()) == self._scores(self.make_benchmark())

    def test_scores_aggregate_and_nothing_does_not(self) -> None:
        """A summary is made of one score per instance."""
        benchmark = self.make_benchmark()
        scores = self._scores(benchmark)
        assert benchmark.aggregate(scores)
        assert benchmark.aggregate(scores) == benchmark.aggregate(list(reversed(scores)))
        _refuses(benchmark.aggregate, [])

    def test_instances_are_written_and_read(self) -> None:
        """Workers and folders get them as JSON; groups and clusters are texts."""
        benchmark = self.make_benchmark()
        for instance in self._chosen(benchmark):
            written = json.loads(json.dumps(benchmark.instance_to_json(instance)))
            assert benchmark.instance_from_json(written).instance_id == instance.instance_id
            groups = getattr(instance, "groups", {})
            assert all(isinstance(text, str) for text in (*groups, *groups.values(), getattr(instance, "cluster", "")))

    def test_another_process_can_make_it_again(self) -> None:
        """A worker makes it of the same class with the same words, and finds the same instances."""
        benchmark = self.make_benchmark()
        told = pickle.loads(pickle.dumps(benchmark.made_with))
        again = type(benchmark)(*told[0], **told[1])
        for split in benchmark.splits:
            mine, theirs = ([one.instance_id for one in found.instances(split)] for found in (benchmark, again))
            assert mine == theirs

    def test_a_line_says_what_became_of_an_instance(self) -> None:
        """What a run's journal holds is JSON, tells whose it is, and is judged the same when it is read."""
        benchmark = self.make_benchmark()
        setup = benchmark.setup()
        for instance in self._chosen(benchmark)[: self.sample]:
            line = benchmark.line(instance, benchmark.run(instance), setup)
            read = json.loads(json.dumps(line, allow_nan=False))
            assert benchmark.id_of(read) == instance.instance_id
            assert benchmark.outcome_of(read) == benchmark.outcome_of(line)

    def test_what_broke_down_has_failed(self) -> None:
        """Nothing is left out of the denominator because its process died."""
        benchmark = self.make_benchmark()
        for status in ("crashed", "timed_out"):
            for instance in self._chosen(benchmark)[:1]:
                line = benchmark.ended(instance, JobResult(instance.instance_id, status, reason="the process died"))
                outcome = benchmark.outcome_of(json.loads(json.dumps(line)))
                assert (outcome.instance_id, outcome.status, outcome.success) == (instance.instance_id, status, False)
                assert "the process died" in outcome.reason

    def test_its_agents_sit_in_seats_of_its_world(self) -> None:
        """A seat left out is played by the benchmark's own agent."""
        benchmark = self.make_benchmark()
        if type(benchmark).environment is Benchmark.environment:
            return
        world = benchmark.environment()
        try:
            assert benchmark.agents and set(benchmark.agents) <= set(world.seats)
        finally:
            world.close()
