"""The registry of results: what ships, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.published import PUBLISHED, registry, rule_based_overall, rule_based_pair
from teach_agents.benchmarks.tatc.parameters import SESSION_TASKS
from teach_agents.core.benchmark.results import Publication, Results, read_results
from teach_agents.errors import InputError

_ROW = {"system": "ours", "benchmark": "edh", "split": "valid_seen", "metric": "success_rate", "value": 1.5, "n": 10}


def _file(**changes: Any) -> dict[str, Any]:
    source = {
        "kind": "publication",
        "title": "A paper",
        "where": "table 1",
        "simulator": "AI2-THOR",
        "instances": "not stated",
        "denominator": "not stated",
    }
    metric = {"title": "success", "unit": "percent", "average": "instances", "weighting": "", "definition": "share"}
    rows = [{**_ROW, "source": "paper"}]
    whole = {"format": 1, "metrics": {"success_rate": metric}, "sources": {"paper": source}, "rows": rows}
    return {**whole, **changes}


def _value(system: str, benchmark: str, split: str, metric: str, source: str = "helper-table-2") -> float:
    """The one published figure of these words."""
    rows = [row for row in read_results(PUBLISHED).rows if row.key == (system, benchmark, split, "", metric, source)]
    return rows[0].value


def test_published_figures_are_those_of_their_sources() -> None:
    weighted = "path_weighted_goal_condition_success"
    assert _value("HELPER (GPT-4)", "tfd", "valid_unseen", "success_rate") == 13.73
    assert _value("DANLI", "edh", "valid_seen", weighted) == 22.20
    assert _value("E.T.", "edh", "test_seen", weighted, "teach-paper") == 11.70
    assert _value("random agent", "edh", "valid_seen", "success_rate", "teach-paper") == 0.68
    assert rule_based_overall() == 0.244
    assert set(rule_based_pair()) == set(SESSION_TASKS) and rule_based_pair()["Clean All X"] == 0.5298


@pytest.mark.parametrize(
    ("of", "value", "n"),
    [
        (("heuristic, one trial", "handmethat", "fully observable", "level 2", "score_40"), -1.9, None),
        (("Seq2Seq+subgoal", "handmethat", "partially observable", "level 4", "mean_moves"), 4.11, None),
        (("human", "handmethat", "partially observable", "level 1", "success_rate"), 76, None),
        (("V/L, vision and language", "arramon", "val_seen", "", "ctc_3"), 0.098, 1065),
        (("V/L, vision and language", "arramon", "val_seen", "", "ptc_ungated"), 0.382, 1065),
        (("V/L, vision and language", "arramon", "val_unseen", "turn 2", "ndtw"), 0.033, 1155),
        (("human expert", "arramon", "test_unseen", "", "rpod"), 0.992, 50),
        (("random walk", "arramon", "val_unseen", "", "ctc_7"), 0.075, 1155),
        (("HAMT", "vln-behave", "val_unseen", "", "turn_score"), 43.74, None),
        (("EnvDrop (CLIP)", "vln-behave", "val_unseen", "", "stop_score"), 66.76, 8221),
        (("HAMT", "vln-behave", "val_unseen", "back right", "probability_effect"), 0.48, None),
        (("HAMT", "vln-behave", "val_unseen", "", "approach_without"), -0.41, 8614),
        (("HAMT, forced", "vln-behave", "val_unseen", "", "sdtw_graph"), 47.98, None),
    ],
)
def test_published_figures_of_the_neighbours(of: tuple[str, ...], value: float, n: int | None) -> None:
    (row,) = (row for row in read_results(PUBLISHED).rows if row.key[:-1] == of)
    assert (row.value, row.n) == (value, n)


def test_scores_of_handmethat_follow_from_success_and_moves() -> None:
    """Every failure counts -40, which ties the three figures of a line together."""
    lines: dict[tuple[str, ...], dict[str, float]] = {}
    for row in read_results(PUBLISHED).rows:
        if row.benchmark == "handmethat":
            lines.setdefault((row.system, row.split, row.task), {})[row.metric] = row.value
    whole = [one for one in lines.values() if len(one) == 3]
    assert len(whole) >= 30
    for one in whole:
        rate = one["success_rate"] / 100
        score = rate * (100 - one["mean_moves"]) - 40 * (1 - rate)
        assert score == pytest.approx(one["score_40"], abs=0.1)


def test_means_of_turns_and_skills_are_those_of_their_parts() -> None:
    figures = {row.key[:-1]: row.value for row in read_results(PUBLISHED).rows}
    turns = [key for key in figures if key[1] == "arramon" and key[3] == "turn 1"]
    assert len(turns) == 14
    for system, benchmark, split, _, metric in turns:
        parts = [figures[system, benchmark, split, f"turn {turn}", metric] for turn in (1, 2)]
        assert sum(parts) / 2 == pytest.approx(figures[system, benchmark, split, "", metric], abs=0.002)
    for system in ("EnvDrop", "EnvDrop (CLIP)", "HAMT"):
        of = (system, "vln-behave", "val_unseen", "")
        skills = [figures[*of, f"{skill}_score"] for skill in ("stop", "turn", "object", "room")]
        assert sum(skills) / 4 == pytest.approx(figures[*of, "skill_score"], abs=0.01)


def test_every_row_that_ships_has_a_definition_and_a_source() -> None:
    found = registry()
    assert len(found.rows) >= 520
    for row in found.rows:
        assert found.metrics[row.metric].definition
        source = found.sources[row.source]
        assert source.simulator and (isinstance(source, Publication) or source.command)


def test_a_file_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(_file()))
    read = read_results(path)
    assert read.rows[0].value == 1.5
    assert Results.model_validate_json(read.model_dump_json()) == read


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: f["rows"][0].pop("source"), r"rows\.0\.source: Field required"),
        (lambda f: f["rows"][0].update(source="hearsay"), "row 0: unknown source 'hearsay'; valid: paper"),
        (lambda f: f["rows"][0].update(metric="luck"), "row 0: unknown metric 'luck'"),
        (lambda f: f["rows"][0].update(value="high"), r"rows\.0\.value: .* \(got 'high'\)"),
        (lambda f: f["rows"][0].update(value=101.0), "more than 100 percent"),
        (lambda f: f["metrics"]["success_rate"].update(unit="fraction"), "1.5 is more than 1 fraction"),
        (lambda f: f["metrics"]["success_rate"].update(unit="apples"), r"metrics\.success_rate\.unit"),
        (lambda f: f["rows"][0].update(n=0), r"rows\.0\.n: .*greater than 0"),
        (lambda f: f["rows"][0].update(interval=[3, 2]), "the wrong way round"),
        (lambda f: f["rows"][0].update(colour="red"), r"rows\.0\.colour: Extra inputs are not permitted"),
        (lambda f: f["rows"].append(f["rows"][0]), "row 1: stands there twice"),
        (lambda f: f["sources"]["paper"].pop("where"), r"sources\.paper\.publication\.where: Field required"),
        (lambda f: f["sources"]["paper"].update(kind="rumour"), "rumour"),
        (lambda f: f["metrics"]["success_rate"].update(average="any"), r"metrics\.success_rate\.average"),
        (lambda f: f.update(format=2), "format"),
    ],
)
def test_what_is_malformed_is_refused_with_its_place(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], said: str
) -> None:
    file = json.loads(json.dumps(_file()))
    spoil(file)
    path = tmp_path / "results.json"
    path.write_text(json.dumps(file))
    with pytest.raises(InputError, match=said) as refused:
        read_results(path)
    assert refused.value.where == str(path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"rows": 3}'])
def test_what_is_no_file_of_results_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(InputError, match="results.json"):
        read_results(path)


def test_one_figure_cannot_stand_in_two_files(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(_file()))
    with pytest.raises(InputError, match="stands there twice"):
        read_results(path).joined(read_results(path))
