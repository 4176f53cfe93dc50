"""How utterances were read, from the record to everything that is made of it; clarifications and repairs as figures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.agents.planner import PlannerFollower
from teach_agents.benchmarks.requests.benchmark import RequestsBenchmark
from teach_agents.benchmarks.requests.cases import case_of
from teach_agents.benchmarks.requests.player import How, play
from teach_agents.benchmarks.tatc.records import record_path
from teach_agents.core.benchmark.exporting import export
from teach_agents.core.benchmark.playing import world_of
from teach_agents.core.benchmark.reporting.page import write_report
from teach_agents.core.benchmark.reporting.parts import talk_fact, words_of_reading
from teach_agents.core.benchmark.stored import read_run
from teach_agents.core.session.result import Tally
from teach_agents.session import read_record
from tests.benchmarks.runs import tatc_run
from tests.benchmarks.thinking import Hearing, Speaking

_HERE = "tests.benchmarks.thinking"
_FIRST = "get(green mug) (heads, 0.75)"


@pytest.fixture(scope="module")
def tatc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sessions of a Follower that tells how it reads; not to be changed."""
    return tatc_run(tmp_path_factory.mktemp("tatc"), f"{_HERE}:Hearing", f"{_HERE}:Speaking")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def test_clarifications_and_repairs_are_in_results_summaries_and_reports(tatc: Path) -> None:
    summary = json.loads((tatc / "summary.json").read_text())
    assert [summary["costs"]["follower"][name] for name in ("clarifications", "repairs")] == [2, 2]
    page = write_report(tatc).read_text(encoding="utf8")
    told = "commander: 0 clarifications, 0 repairs; follower: 2 clarifications, 2 repairs"
    assert f"<dt>Clarifications and repairs</dt><dd>{told}</dd>" in page
    for name in read_run(tatc).asked:
        result = read_record(record_path(tatc, name)).result
        assert result is not None
        assert (result["clarifications"], result["repairs"]) == ({"commander": 0, "follower": 1},) * 2
    assert not any(Tally(tuple(Role)).repairs.values())


def test_a_report_shows_how_each_utterance_was_read(tatc: Path) -> None:
    page = write_report(tatc).read_text(encoding="utf8")
    assert page.count(f"read as {_FIRST}") == 2 and page.count("read as no; fact(") == 2
    assert "Which one? <small" not in page, "who said nothing of how that was read"
    assert "heard get(green mug)" in page and Speaking.says[1].lower() not in page, "the state is the agent's"


def test_exports_carry_readings_beside_utterances(tatc: Path, tmp_path: Path) -> None:
    export(tatc, "hf", tmp_path, words=True)
    episode = _rows(tmp_path / "data" / "episodes.jsonl")[0]
    assert [one["acts"] for one in episode["dialogue"]] == [*Hearing.read, ""]
    said = [row for row in _rows(tmp_path / "data" / "steps.jsonl") if row["message"] == Speaking.says[0]]
    assert said[0]["read"] == {"acts": Hearing.read[0], "confidence": 0.75, "by": "heads"}
    assert said[0]["dialogue_acts"] == []


def test_readings_of_peoples_words_name_acts_alone(tatc: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(tatc, tmp_path / "run"))
    for path in (run / "records").glob("*.jsonl"):
        header, *turns = path.read_text(encoding="utf8").splitlines(keepends=True)
        person = {**json.loads(header), "agents": {"commander": "human", "follower": "planner"}}
        path.write_text(json.dumps(person) + "\n" + "".join(turns), encoding="utf8")
    files = export(run, "hf", tmp_path / "out").rows
    texts = "".join(path.read_text(encoding="utf8") for path in files)
    assert "toaster" not in texts.lower() and "green" not in texts and "facts" not in texts
    episode = _rows(tmp_path / "out" / "data" / "episodes.jsonl")[0]
    assert {one["acts"] for one in episode["dialogue"]} == {"get", "no; fact", ""}


def test_requests_tell_how_each_was_read_and_export_it() -> None:
    benchmark = RequestsBenchmark()
    told = {"id": "x", "kind": "plain", "pair": "p", "room": "FloorPlan1", "talk": ["Hi."], "check": {"reply": {}}}
    household: Any = world_of(benchmark).household  # type: ignore[attr-defined]  # that of a household
    record = play(case_of("here", told), household, PlannerFollower(), How())
    assert [one["read"]["acts"] for one in record["dialogue"] if "read" in one] == ["hello"]
    (rows,) = benchmark.exports().forms["cases"].values()
    (row,) = rows(("x", {**record, "groups": {"kind": "plain"}, "cluster": "p"}))
    assert [one["acts"] for one in row["dialogue"] if one["speaker"] == "commander"] == ["hello"] and row["right"]
    assert (row["kind"], row["pair"]) == ("plain", "p")


def test_a_reading_and_its_figures_in_words() -> None:
    assert words_of_reading({"acts": "", "confidence": 0.0, "by": ""}) == "nothing (0.0)"
    assert words_of_reading({"acts": "ok"}) == "ok" and words_of_reading(None) == ""
    both = {"clarifications": 1, "repairs": 2}
    assert talk_fact(both)[1] == "1 clarifications, 2 repairs" and talk_fact({"lead": both})[1].startswith("lead: 1")
