"""How the runs of a benchmark are shown, exported and set beside published ones. The defaults suit any benchmark."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from teach_agents.core.benchmark.exporting import Exports
    from teach_agents.core.benchmark.reporting.parts import Report, Table
    from teach_agents.core.benchmark.reproducing import Table as ResultTable
    from teach_agents.core.benchmark.results import Metric, Results
    from teach_agents.core.benchmark.stored import StoredRun


InstanceT = TypeVar("InstanceT")
RecordT = TypeVar("RecordT")


class Presentation(ABC, Generic[InstanceT, RecordT]):
    """What a benchmark says of the ways in which its runs are shown."""

    name: str
    title: str = ""
    """Its name for people, where that is another."""
    cluster_name: str = "cluster"
    """What a cluster is called (scan, site)."""

    def table(self, summary: Mapping[str, Any]) -> Table:
        """What its command ends with."""
        from teach_agents.core.benchmark.reporting.generic import figures_table

        return figures_table(self.title or self.name, summary)

    def report(self, run: StoredRun) -> Report:
        """What `report.html` shows of a run."""
        from teach_agents.core.benchmark.reporting.generic import report_on

        return report_on(run)

    def exports(self) -> Exports:
        """What can be made of a run for others."""
        from teach_agents.core.benchmark.exporting import PLAIN

        return PLAIN

    def played_on(self, run: StoredRun) -> str:
        """What results say that a run was played on: the world's name."""
        return str((run.summary.get("world") or {}).get("name", "unknown"))

    def measured_rows(self, outcomes: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """The figures of a run as rows of results: fields of `results.Row` but system, benchmark, split and source."""
        from teach_agents.core.benchmark.measured import plain_rows

        return plain_rows(outcomes)

    def metrics(self, outcomes: Sequence[Any]) -> Mapping[str, Metric]:
        """What the figures of `measured_rows` are, by name."""
        from teach_agents.core.benchmark.measured import plain_metrics

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
