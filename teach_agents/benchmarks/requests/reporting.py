"""The report of a run: the core's, with what was said and what was missed in each case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.core.benchmark.reporting.page import report_on
from teach_agents.core.benchmark.reporting.parts import Card, Report, Scene
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping


def report_of(run: StoredRun) -> Report:
    """The report of a run."""
    found = report_on(run)
    return replace(found, cards=[_told(card, run.lines) for card in found.cards])


def _told(card: Card, lines: Mapping[str, JsonMapping]) -> Card:
    line = lines.get(card.instance_id, {})
    verdict = line.get("verdict") or {}
    scenes = tuple(Scene(said["speaker"], said["text"]) for said in line.get("dialogue", ()))
    return replace(card, scenes=scenes, unmet=tuple(verdict.get("missed", ())))
