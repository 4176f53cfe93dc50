"""Published figures shown beside ours, each with its source."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["RULE_BASED_OVERALL", "RULE_BASED_PAIR"]

RULE_BASED_PAIR: Mapping[str, float] = {
    "Water Plant": 0.2670,
    "Coffee": 0.5455,
    "Clean All X": 0.5298,
    "Put All X On Y": 0.5291,
    "N Slices Of X In Y": 0.2251,
    "Put All X In One Y": 0.5098,
    "N Cooked Slices Of X In Y": 0.0167,
    "Salad": 0.0155,
    "Boil X": 0.0,
    "Plate Of Toast": 0.0,
    "Sandwich": 0.0,
    "Breakfast": 0.0,
}
"""Success of TEACh's rule-based pair by task, as a fraction (TEACh paper, AAAI 2022, table 5, on AI2-THOR)."""

RULE_BASED_OVERALL = 0.2440
"""Success of TEACh's rule-based pair over all its sessions (same table)."""
