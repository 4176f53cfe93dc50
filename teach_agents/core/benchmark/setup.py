"""How instances are asked to be played, apart from what the benchmark itself was told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from teach_agents.core.json_types import JsonObject
from teach_agents.core.values import nothing

WHICH = "Which instances"
WHO = "Who plays"
RUNNING = "How it runs"
"""Headings below which `--help` shows the options that every benchmark has; one of its own may stand there too."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, and how.

    `agents` and dialogue `hooks` are SPECs, agents by seat. `call_time_limit_s` is how long an agent may take over one
    answer. `pictures` says of how many instances, the first ones, pictures are kept. `folder` is the run's; `None`
    where nothing is to be left behind.
    """

    agents: Mapping[str, str] = field(default_factory=nothing)
    hooks: tuple[str, ...] = ()
    seed: int = 0
    call_time_limit_s: float = 120.0
    pictures: int = 0
    folder: Path | None = None

    def to_json(self) -> JsonObject:
        """What of it decides results, as JSON."""
        told = asdict(replace(self, agents=dict(self.agents)))
        return {**{name: told[name] for name in ("agents", "seed", "call_time_limit_s")}, "hooks": list(self.hooks)}
