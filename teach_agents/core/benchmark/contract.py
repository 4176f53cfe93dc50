"""The Benchmark contract: instances of a split; run one; score one; aggregate. It knows nothing of TEACh's actions.

Failures are results: `run` answers with a record whatever its agents do, and whoever aggregates gives one score per
instance, so the denominator is always the list of instances.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

__all__ = ["Benchmark", "BenchmarkInstance"]


class BenchmarkInstance(Protocol):
    """One thing to do; its id is unique within the benchmark and names its results."""

    @property
    def instance_id(self) -> str:
        """The id."""


InstanceT = TypeVar("InstanceT", bound=BenchmarkInstance)
RecordT = TypeVar("RecordT")


class Benchmark(ABC, Generic[InstanceT, RecordT]):
    """A benchmark, already furnished with whatever it judges (agents, models) by its constructor."""

    splits: tuple[str, ...] = ("test",)
    """The splits there are, the usual one first."""

    @abstractmethod
    def instances(self, split: str) -> Sequence[InstanceT]:
        """The instances of a split, always in the same order. Raises `InputError` naming the splits there are."""

    @abstractmethod
    def run(self, instance: InstanceT) -> RecordT:
        """Carry one instance through. What the judged party does wrong ends up in the record, not in an exception."""

    @abstractmethod
    def score(self, record: RecordT) -> Mapping[str, float]:
        """The figures of one record; every record of the benchmark has the same names."""

    @abstractmethod
    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """The figures of a run from one score per instance. Raises `InputError` for no scores."""
