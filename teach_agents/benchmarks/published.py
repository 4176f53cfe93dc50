"""The results that ship: published figures and our baselines, on TEACh and on worlds beside it.

Two files stand in `data/`: `published.json`, facts of papers, and `baselines.json`, which
`benchmarks/follower_baselines.py` writes; `tables.json` says in which tables `teach-agents reproduce` shows them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from teach_agents.core.benchmark.reproducing import Table
from teach_agents.core.benchmark.results import Results, read_results

_DATA = Path(__file__).with_name("data")
PUBLISHED = _DATA / "published.json"
BASELINES = _DATA / "baselines.json"


@cache
def tables() -> Mapping[str, Table]:
    """Every table of what ships, by name."""
    told = json.loads((_DATA / "tables.json").read_bytes())
    return {one["name"]: Table(**{**one, "metrics": tuple(one["metrics"])}) for one in told}


@cache
def registry() -> Results:
    """Everything that ships: what was published, then our baselines."""
    published = read_results(PUBLISHED)
    return published.joined(read_results(BASELINES, published.metrics))


def rule_based_pair() -> Mapping[str, float]:
    """Success of TEACh's rule-based pair by task, as a fraction (TEACh paper, appendix D, on AI2-THOR)."""
    return {task: share for task, share in _rule_based().items() if task}


def rule_based_overall() -> float:
    """Success of TEACh's rule-based pair over all its sessions, as a fraction (same source)."""
    return _rule_based()[""]


def _rule_based() -> dict[str, float]:
    rows = (row for row in registry().rows if row.source == "teach-appendix-d" and row.metric == "success_rate")
    return {row.task: round(row.value / 100, 6) for row in rows}
