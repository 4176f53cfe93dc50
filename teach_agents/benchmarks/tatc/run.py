"""A run of TATC under the name and with the words that it had: `core.benchmark.run.Run` is the one run there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.tatc.benchmark import TatcBenchmark
from teach_agents.benchmarks.tatc.instances import TatcInstance, TatcSettings
from teach_agents.core.benchmark.run import Run

__all__ = ["TatcRun", "TatcSettings"]


class TatcRun(Run[TatcInstance]):
    """A run over TATC instances, by its settings."""

    def __init__(
        self, folder: Path, settings: TatcSettings, instances: Sequence[TatcInstance], *, resume: bool = False
    ) -> None:
        self.settings = settings
        benchmark = TatcBenchmark.of_settings(settings.to_json())
        super().__init__(folder, benchmark, settings.setup, instances, resume=resume)

    def episodes(self) -> dict[str, dict[str, Any]]:
        """Every finished episode by instance id."""
        return self.lines()

    def play(self, *, on_episode: Callable[[dict[str, Any]], None] | None = None, **how: Any) -> None:
        """See `Run.play`."""
        super().play(**{"time_limit_s": 1800.0, "on_line": on_episode, **how})
