"""`benchmarks/reading.py`: figures of readers on utterances of cases, and without what was said before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from teach_agents.core.dialogue import Reading
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_meaning
from teach_agents.understanding.requests import Request, read_meanings
from tests.scripts import benchmark

LINES: Sequence[dict[str, Any]] = (
    {"case": "plain-01a", "turn": 0, "text": "open the fridge", "before": [], "meaning": "open(fridge)"},
    {"case": "plain-01b", "turn": 0, "text": "close the fridge", "before": [], "meaning": "open(fridge)"},
    {"case": "steps-01a", "turn": 0, "text": "get a mug", "before": [], "meaning": "get(fork)"},
    {"case": "references-01a", "turn": 1, "text": "the red one", "meaning": "choose(red one)",
     "before": ["person: get a mug", "robot: Which one?"]},
)  # fmt: skip


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("reading", monkeypatch)


def _written(folder: Path, lines: Sequence[dict[str, Any]]) -> Path:
    file = folder / "meanings.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_meanings_of_cases_are_measured(reading: ModuleType, tmp_path: Path) -> None:
    _written(tmp_path, LINES[:3])
    out = tmp_path / "figures.json"
    reading.main(["--meanings", str(tmp_path), "--reader", "rules", "--json", str(out)])
    told = json.loads(out.read_text())
    found = told["readers"]["rules"]
    assert (told["requests"], found["n"]) == (3, 3)
    assert (found["right"], found["exact"]) == (pytest.approx(1 / 3, abs=1e-4),) * 2
    assert found["acts"] == pytest.approx(2 / 3, abs=1e-4)
    assert {kind: one["right"] for kind, one in found["kinds"].items()} == {"plain": 0.5, "steps": 0.0}


def test_a_line_that_is_no_utterance_is_refused_by_its_number(reading: ModuleType, tmp_path: Path) -> None:
    bad = _written(tmp_path, [LINES[0], {**LINES[1], "meaning": "opne(fridge)"}])
    with pytest.raises(InputError, match="line 2"):
        list(read_meanings(bad))
    with pytest.raises(InputError, match="unknown keys"):
        list(read_meanings(_written(tmp_path, [{**LINES[0], "kind": "plain"}])))


class _Listening:
    """Knows what the red one is only behind a question."""

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        return Reading(read_meaning("choose(red one)" if recent else "get(red one)"), 0.8, "x")


def test_ablations_take_away_what_was_said_before(reading: ModuleType, tmp_path: Path) -> None:
    requests: list[Request] = list(read_meanings(_written(tmp_path, list(LINES[3:]) * 10)))
    made = reading.ablations({"x": (_Listening(), requests)})
    assert (made["x"]["right"], made["x, without context"]["right"]) == (1.0, 0.0)
    assert made["x"]["calibration_error"] == made["x"]["calibration_error_of_widths"] == pytest.approx(0.2)
