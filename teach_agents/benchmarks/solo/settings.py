"""What decides the outcomes of a run over EDH or TfD, as its `settings.json` has it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

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
