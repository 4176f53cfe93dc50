"""Runs of `requests` as data for others: one row per case, what was said in it, how it was read, how it went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from teach_agents.core.agents.thoughts import read_as
from teach_agents.core.benchmark.exporting import Exports, hub_card
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping, JsonObject

_Case: TypeAlias = tuple[str, JsonMapping]
"""A case's id, and its line."""


def _case(run: StoredRun, instance_id: str) -> _Case | None:
    line = run.lines.get(instance_id)
    return None if line is None or "dialogue" not in line else (instance_id, line)


def _rows(case: _Case) -> Iterator[JsonObject]:
    name, line = case
    verdict = line.get("verdict") or {}
    yield {
        "instance_id": name,
        "kind": str(line.get("groups", {}).get("kind", "")),
        "pair": str(line.get("cluster", "")),
        "status": str(line.get("status", "")),
        "dialogue": [
            {"speaker": said["speaker"], "text": said["text"], **read_as(said.get("read"))} for said in line["dialogue"]
        ],
        "missed": [str(one) for one in verdict.get("missed", ())],
        "right": bool(verdict) and not verdict.get("missed"),
    }


_COLUMNS: Mapping[str, JsonMapping] = {
    "cases": {
        **dict.fromkeys(("instance_id", "kind", "pair", "status"), "string"),
        "dialogue": [
            {"speaker": "string", "text": "string", "acts": "string", "confidence": "float64", "by": "string"}
        ],
        "missed": ["string"],
        "right": "bool",
    }
}


def _card(run: StoredRun, rows: Mapping[str, int]) -> str:
    return hub_card(
        rows,
        _COLUMNS,
        title=f"{run.kind.title}, {run.settings['agents']['follower']}",
        about=f"Talks of a run of {run.benchmark} over {len(run.asked)} cases",
        note="`acts`, `confidence` and `by` are how the Follower read an utterance, empty where it tells nothing of "
        "that. `right` is a case by itself; credit is for pairs.",
    )


EXPORTS = Exports(read=_case, card=_card, forms={"hf": {"data/cases.jsonl": _rows}, "cases": {"cases.jsonl": _rows}})
"""The formats `cases`, and `hf` with a card. What cases say was written for them: nobody's words are left out."""
