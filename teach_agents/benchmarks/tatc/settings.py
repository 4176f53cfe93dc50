"""What decides the outcome of a TATC run, as its `settings.json` has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from teach_agents.core.benchmark.setup import Setup


@dataclass(frozen=True, slots=True)
class TatcSettings:
    """What decides the outcome of a run, apart from its instances. Agents, simulator and dialogue hooks are SPECs.

    `add_tasks` are definition files and folders besides what is installed, `call_time_limit_s` is how long an agent may
    take over one answer.
    """

    commander: str = "planner"
    follower: str = "planner"
    simulator: str = "embedded"
    hooks: tuple[str, ...] = ()
    add_tasks: tuple[str, ...] = ()
    max_turns: int = 1000
    max_failures: int = 30
    view_size: int = 300
    pictures: int = 24
    seed: int = 0
    call_time_limit_s: float = 120.0

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TatcSettings:
        """Read `to_json`'s form."""
        return cls(**{**data, **{key: tuple(data[key]) for key in ("hooks", "add_tasks")}})

    @property
    def setup(self) -> Setup:
        """What of it any benchmark is asked."""
        agents = {"commander": self.commander, "follower": self.follower}
        return Setup(agents, self.hooks, self.seed, self.call_time_limit_s, self.pictures)
