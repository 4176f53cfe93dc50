"""`teach-agents reproduce`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.benchmarks.metrics import GoalCounts, Outcome
from teach_agents.benchmarks.published import registry, tables
from teach_agents.cli.main import app
from teach_agents.core.benchmark.reproducing import lines
from teach_agents.core.benchmark.results import Measurement
from teach_agents.errors import InputError

TABLES = tables()


def _asked(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["reproduce", *arguments])
    if result.exception is not None:
        raise result.exception
    return result.output


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder of an EDH run with one of its two instances finished."""
    folder = tmp_path / "mine"
    folder.mkdir()
    done = Outcome(
        instance_id="a.edh0",
        game_id="a",
        task_name="Coffee",
        cluster="FloorPlan1",
        success=True,
        initial=GoalCounts(2, 1),
        final=GoalCounts(2, 2),
        reference_length=4,
        steps=4,
    )
    settings = {"follower": "mine", "simulator": "embedded", "seed": 0}
    claim = {"benchmark": "edh", "settings": settings, "instances": ["a.edh0", "b.edh1"]}
    (folder / "settings.json").write_text(json.dumps(claim))
    line = {"outcome": done.to_json(), "privileges": ["objects"]}
    (folder / "records.jsonl").write_text(json.dumps(line) + "\n")
    return folder


@pytest.mark.parametrize("table", TABLES)
def test_every_table_is_printed_with_its_sources(table: str) -> None:
    said = " ".join(_asked(table).split())
    assert TABLES[table].title in said and "…" not in said
    found = lines(TABLES[table], registry())
    for one in found:
        assert isinstance(one.source, Measurement) or one.source.title in said
    assert ("There is no figure of ours for this table." in said) == (not any(one.ours for one in found))


def test_units_and_numbers_are_told() -> None:
    said = " ".join(_asked("arramon").split())
    assert "fraction where a column does not say" in said and "0.098" in said and "not comparable" not in said
    said = " ".join(_asked("handmethat").split())
    assert "percent where a column does not say" in said
    assert "┃ score ┃" in said and "┃ (points) ┃ success ┃ moves ┃" in said
    assert "Seq2Seq+goal, partially observable" in said and "mean of 3 runs, standard errors 0.0 to 0.9" in said
    assert _asked("vln-behave").count("varies") == 3


def test_the_help_names_every_table() -> None:
    said = " ".join(_asked("--help").split())
    assert all(re.search(rf"(?<![\w-]){name}(?![\w-])", said) for name in TABLES)


def test_the_tables_are_listed() -> None:
    listed = [line.split()[0] for line in _asked("--list").splitlines()]
    assert listed == [*TABLES, "requests"], "those of published results, then benchmarks with a table of their own"


@pytest.mark.parametrize("columns", ["80", "160"])
def test_no_column_is_cut_off(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    rows = [line for line in _asked("edh").splitlines() if line.startswith("│")]
    assert len(rows) > len(lines(TABLES["edh"], registry())) and all(row.endswith("│") for row in rows)


def test_a_run_is_put_in_and_its_missing_instance_counts(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    said = " ".join(_asked("edh", "--run", str(run), "--json", str(file)).split())
    assert "S: not comparable in simulator theirs: AI2-THOR; ours: embedded" in said and "S L D M" in said
    assert "1 of 2 instances were not run" in said
    data = json.loads(file.read_text())
    mine = next(row for row in data["rows"] if row["split"] == "run mine")
    assert (mine["n"], mine["figures"]["success_rate"]["value"], mine["ours"]) == (2, 50.0, True)
    assert mine["apart"] and said.index("ours of fewer than 20 instances") < said.index("run mine")
    published = next(row for row in data["rows"] if row["system"] == "JARVIS")
    assert {one["what"] for one in published["not_comparable"]} >= {"simulator", "list", "micro or macro"}


def test_the_same_run_twice_is_two_lines(run: Path) -> None:
    assert _asked("edh-tasks", "--run", str(run), "--run", str(run)).count("run mine") >= 2


def test_what_cannot_be_shown_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such table; got 'edhh'; did you mean 'edh'"):
        _asked("edhh")
    with pytest.raises(InputError, match="needs the name of a table; valid: edh"):
        _asked()
    with pytest.raises(InputError, match="table 'tfd' shows runs of tfd.*got 'edh'"):
        _asked("tfd", "--run", str(run))
    with pytest.raises(InputError, match="is no folder of a run"):
        _asked("edh", "--run", str(tmp_path))
