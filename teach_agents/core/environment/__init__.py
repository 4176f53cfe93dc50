"""Worlds that agents act in: the contract, its optional abilities, and what every world must do."""

from __future__ import annotations

from teach_agents.core.environment.abilities import (
    Clocked,
    Digested,
    Forced,
    Hearing,
    Hinted,
    Judged,
    Judgement,
    Pictured,
    Prefixed,
    Restorable,
    Spaced,
    Stamped,
    Valid,
    Verdict,
)
from teach_agents.core.environment.contract import Environment, Status

__all__ = [
    "Clocked",
    "Digested",
    "Environment",
    "Forced",
    "Hearing",
    "Hinted",
    "Judged",
    "Judgement",
    "Pictured",
    "Prefixed",
    "Restorable",
    "Spaced",
    "Stamped",
    "Status",
    "Valid",
    "Verdict",
]
