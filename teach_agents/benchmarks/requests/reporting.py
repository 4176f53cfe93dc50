"""The report of a run: the core's, with what was said and what was missed in each case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.core.benchmark.reporting.page import report_on
from teach_agents.core.benchmark.reporting.parts import Card, Report, Scene, Table, interval, percent, words_of_reading
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping

_COLUMNS = ("kind", "n", "success", "95 % interval", "cases right", "false claims", "unanswered")


def table_of(title: str, summary: JsonMapping) -> Table:
    """What a command ends with: a row for each kind, and all."""
    rows = [_row(name, found) for name, found in summary["by_group"]["kind"].items()]
    waits = summary["latency"]
    asked = " and ".join(
        f"{percent(one['mean'])} of {one['n']} {words} cases"
        for words in ("ambiguous", "clear")
        if (one := summary["shares"][f"asked_{words}"])["n"]
    )
    note = (
        f"First reply or action: median {waits['median_s']} s, 95 % within {waits['p95_s']} s. It asked in {asked}."
        " Success: both of a pair."
    )
    return Table(title, _COLUMNS, tuple(rows), _row("all", summary), note=note)


def _row(name: str, found: JsonMapping) -> tuple[str, ...]:
    def share(score: str) -> str:
        return percent(found["scores"][score]["mean"]) if score in found["scores"] else "–"

    rate = percent(found["success_rate"]), interval(found["success_rate_ci"])
    return name, str(found["n"]), *rate, *map(share, ("case_success", "false_claim", "unanswered"))


def report_of(run: StoredRun) -> Report:
    """The report of a run."""
    found = report_on(run)
    return replace(found, cards=[_told(card, run.lines) for card in found.cards])


def _told(card: Card, lines: Mapping[str, JsonMapping]) -> Card:
    line = lines.get(card.instance_id, {})
    verdict = line.get("verdict") or {}
    scenes = tuple(
        Scene(said["speaker"], said["text"], words_of_reading(said.get("read"))) for said in line.get("dialogue", ())
    )
    return replace(card, scenes=scenes, unmet=tuple(verdict.get("missed", ())))
