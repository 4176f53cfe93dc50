"""What decides a run over EDH or TfD; `core.benchmark.run.Run` under the name and with the words that it had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.metrics import Outcome
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.core.benchmark.lookup import make_benchmark
from teach_agents.core.benchmark.run import Run
from teach_agents.core.benchmark.setup import Setup


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the outcomes, apart from the instances. Follower and simulator are SPECs.

    `call_time_limit_s` is how long, in seconds, the Follower may take over one answer.
    """

    follower: str = "recorded"
    simulator: str = "embedded"
    seed: int = 0
    max_steps: int = 1000
    max_failures: int = 30
    view_size: int = 300
    call_time_limit_s: float = 120.0

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON; `Settings(**...)` reads them."""
        return asdict(self)

    @property
    def setup(self) -> Setup:
        """What of it any benchmark is asked."""
        return Setup({"follower": self.follower}, seed=self.seed, call_time_limit_s=self.call_time_limit_s)


class FollowerRun(Run[Reference]):
    """A run over instances of the benchmark called `kind`, by its settings."""

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
        self.settings = settings
        outputs = None if reference_outputs is None else reference_outputs.resolve()
        benchmark = make_benchmark(kind, {**settings.to_json(), "reference_outputs": outputs})
        super().__init__(folder, benchmark, replace(settings.setup, pictures=pictures), references, resume=resume)

    @property
    def kind(self) -> str:
        """The benchmark's name."""
        return self.benchmark.name

    @property
    def references(self) -> tuple[Reference, ...]:
        """The instances."""
        return self.instances

    def records(self) -> dict[str, dict[str, Any]]:
        """Every finished instance's line by id."""
        return self.lines()

    def play(self, *, on_outcome: Callable[[Outcome], None] | None = None, **how: Any) -> None:
        """See `Run.play`."""

        def on_line(line: dict[str, Any]) -> None:
            if on_outcome is not None:
                on_outcome(Outcome.from_json(line["outcome"]))

        super().play(**{"on_line": on_line, **how})
