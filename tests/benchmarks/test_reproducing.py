"""Tables of results, ours beside the published."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.benchmarks.metrics import GoalCounts, Outcome
from teach_agents.benchmarks.published import PUBLISHED as FILE
from teach_agents.benchmarks.published import tables
from teach_agents.core.benchmark.reproducing import Line, lines, table_named, to_json
from teach_agents.core.benchmark.results import Measurement, Results, read_results
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.benchmark.summary import Label, measured, privileges_of, system_of
from teach_agents.errors import InputError

TABLES = tables()
_LABEL = Label("walker", "valid_seen", "three sessions", "teach-agents edh", commit="abc")


def _outcome(number: int, *, success: bool, task: str = "Coffee") -> Outcome:
    return Outcome(
        instance_id=f"game{number}.edh0",
        game_id=f"game{number}",
        task_name=task,
        cluster=f"FloorPlan{number}",
        success=success,
        initial=GoalCounts(4, 2),
        final=GoalCounts(4, 4 if success else 3),
        reference_length=10,
        steps=20,
    )


def _run(benchmark: str = "edh") -> StoredRun:
    """Three instances that were asked for, two of them played."""
    played = (_outcome(0, success=True), _outcome(1, success=False, task="Salad"))
    lines = {one.instance_id: {"outcome": one.to_json(), "privileges": ["depth"]} for one in played}
    asked = {name: {"instance_id": name} for name in (*lines, "game2.edh0")}
    settings = {"follower": "module:Walker", "simulator": "embedded", "seed": 4}
    return StoredRun(Path("here"), benchmark, settings, asked, lines, {"provenance": {"model": "tiny"}})


def _with_ours() -> Results:
    return read_results(FILE).joined(measured(_run(), "mine", _LABEL))


def _line(table: str, system: str, split: str = "valid_seen") -> Line:
    return next(one for one in lines(table_named(table), _with_ours()) if (one.system, one.split) == (system, split))


def test_figures_of_a_run_are_over_every_instance_that_was_asked_for() -> None:
    found = measured(_run(), "mine", _LABEL)
    value = {(row.metric, row.task): (row.value, row.n) for row in found.rows}
    assert value["success_rate", ""] == (33.33, 3)
    assert value["goal_condition_success_micro", ""] == (75.0, 3)
    assert value["goal_condition_success_macro", ""] == (50.0, 3)
    assert value["success_rate", "Salad"] == (0.0, 1)
    assert value["path_weighted_success_rate", ""] == (25.0, 3)


def test_a_measurement_says_how_it_was_made() -> None:
    made = measured(_run(), "mine", _LABEL).sources["mine"]
    assert isinstance(made, Measurement)
    assert (made.simulator, made.seed, made.commit) == ("embedded", 4, "abc")
    assert (made.model, made.prompt_hash) == ("tiny", None)
    pair = replace(_run(), summary={"provenance": {"commander": {"model": "big"}, "follower": {}}})
    made = measured(pair, "mine", _LABEL).sources["mine"]
    assert isinstance(made, Measurement) and made.model == "commander: big"
    assert made.privileges == privileges_of(_run()) == {"follower": ("depth",)}
    assert system_of(_run()) == "module:Walker"


def test_a_published_line_says_in_what_it_is_not_comparable() -> None:
    line = _line("edh", "HELPER (GPT-4)")
    assert [one.what for one in line.differences] == ["simulator", "list", "denominator", "micro or macro"]
    simulator, list_, *_ = line.differences
    assert (simulator.theirs, simulator.ours) == ("AI2-THOR", "embedded")
    assert "n not stated" in list_.theirs and "three sessions, n 3" in list_.ours
    assert _line("edh", "vision only").figures["success_rate"].value == 5.14
    assert "micro or macro" not in [one.what for one in _line("edh", "vision only").differences]


def test_another_split_is_compared_with_what_there_is() -> None:
    differences = _line("edh", "E.T.", "valid_unseen").differences
    assert any(one.theirs.startswith("valid_unseen") and one.ours.startswith("valid_seen") for one in differences)


def test_ours_stand_below_the_published_of_a_split_and_have_no_differences() -> None:
    seen = [one for one in lines(table_named("edh"), _with_ours()) if one.split == "valid_seen"]
    assert [one.ours for one in seen].index(True) == len([one for one in seen if not one.ours])
    assert not _line("edh", "walker").differences


def test_ours_of_fewer_than_twenty_instances_stand_apart_where_there_is_something_published() -> None:
    few = _with_ours()
    rows = tuple(row.model_copy(update={"n": 20}) if row.source == "mine" else row for row in few.rows)
    enough = few.model_copy(update={"rows": rows})
    assert [one.system for one in lines(table_named("edh"), few) if one.apart] == ["walker"]
    assert lines(table_named("edh"), few)[-1].apart and _line("edh", "walker").n == 3
    assert not any(one.apart for one in lines(table_named("edh"), enough))
    assert not any(one.apart for one in lines(table_named("edh-tasks"), few))


def test_tasks_are_shown_one_by_one() -> None:
    found = lines(table_named("tatc-tasks"), read_results(FILE))
    boiled = next(one for one in found if one.task == "Boil X" and not one.ours)
    assert (boiled.figures["success_rate"].value, "mean_actions" in boiled.figures) == (0.0, False)
    assert [one.task for one in lines(table_named("edh-tasks"), measured(_run(), "mine", _LABEL))] == [
        "Coffee",
        "Salad",
        "unknown",
    ]


def test_a_line_of_different_numbers_of_instances_has_none_of_its_own() -> None:
    results = read_results(FILE)
    table = table_named("vln-behave")
    found = next(one for one in lines(table, results) if one.system == "HAMT")
    assert found.n is None
    shown = next(one for one in to_json(table, [found], results)["rows"])
    assert {name: one["n"] for name, one in shown["figures"].items()} == {
        "stop_score": 8221,
        "turn_score": None,
        "object_score": 839,
        "room_score": 8614,
        "skill_score": None,
    }


def test_every_published_figure_stands_in_one_table() -> None:
    results = read_results(FILE)
    shown = [row.key for table in TABLES.values() for line in lines(table, results) for row in line.figures.values()]
    assert sorted(shown) == sorted(row.key for row in results.rows)


def test_an_unknown_table_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="valid: edh, tfd, tatc"):
        table_named("7")


def test_every_table_is_json_with_definitions_and_sources() -> None:
    for table in TABLES.values():
        results = _with_ours()
        data = json.loads(json.dumps(to_json(table, lines(table, results), results)))
        assert set(data["metrics"]) == set(table.metrics)
        for row in data["rows"]:
            assert row["source"]["simulator"] and row["figures"]
            assert row["ours"] == (row["source"]["kind"] == "measurement")
