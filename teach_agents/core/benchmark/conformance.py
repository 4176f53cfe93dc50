"""What every Benchmark must do, as tests that an implementation inherits.

```python
class TestMyBenchmark(BenchmarkContract):
    def make_benchmark(self) -> Benchmark[Any, Any]:
        return MyBenchmark()
```
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.core.errors import InputError

__all__ = ["BenchmarkContract"]


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
        chosen = [one for split in benchmark.splits for one in benchmark.instances(split)[: self.sample]]
        return [benchmark.score(benchmark.run(instance)) for instance in chosen]

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
