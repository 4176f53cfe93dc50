"""The bench of the language-model pair: what it plays, and the rows that it makes."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

import pytest

from teach_agents.benchmarks.published import registry
from teach_agents.core.benchmark.results import Measurement, read_results
from teach_agents.core.benchmark.stored import read_run
from teach_agents.core.specs import parse
from teach_agents.data import write_game
from teach_agents.learning.rooms import OTHER_ROOMS
from tests.benchmarks.edh.sessions import errand
from tests.scripts import benchmark


@pytest.fixture
def lm_agents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("lm_agents", monkeypatch)


def _asked(**options: object) -> argparse.Namespace:
    models = {"commander_model": "default", "follower_model": 'smollm2:adapter="runs, mine"'}
    return argparse.Namespace(
        **{**models, "max_decisions": 14, "names": "", "limit": None, "elsewhere": None, **options}
    )


def test_in_tatc_the_chairs_of_language_models_share_the_decisions(lm_agents: ModuleType) -> None:
    for name, system in lm_agents.SYSTEMS.items():
        made = lm_agents.settings(system, _asked())
        named = [parse(spec, where="SPEC") for spec in (made.commander, made.follower) if spec != "planner"]
        assert named, name
        assert all(one.name == "lm" and one.parameters["max_decisions"] == 7 for one in named)
    default = lm_agents.settings(lm_agents.SYSTEMS["default"], _asked())
    assert parse(default.commander, where="SPEC").parameters["model"] == "default"
    assert parse(default.follower, where="SPEC").parameters["model"] == 'smollm2:adapter="runs, mine"'


def test_in_edh_the_follower_has_all_decisions(lm_agents: ModuleType) -> None:
    alone = [one for one in lm_agents.SYSTEMS.values() if "edh" in one.benchmarks]
    assert len(alone) == len(lm_agents.SYSTEMS) - 2
    for system in alone:
        named = parse(lm_agents.edh_settings(system, _asked()).follower, where="SPEC")
        assert named.name == "lm" and named.parameters["max_decisions"] == 14


def test_edh_is_carried_through_gone_on_with_and_told(lm_agents: ModuleType, tmp_path: Path) -> None:
    write_game(errand(), tmp_path / "games" / "train" / "recorded.game.json")
    asked = _asked(games=tmp_path / "games", benchmark="edh", workers=1, concurrent=1, max_decisions=4)
    found = lm_agents.edh("uniform", tmp_path / "uniform", asked)
    assert found["n"] == 2 and found["perception"] == "oracle" and found["status"]["done"] == 2
    assert 2 <= found["decisions"]["follower"] <= 8 and 0 <= found["goal_condition_success_macro"] <= 1
    records = (tmp_path / "uniform" / "records.jsonl").read_bytes()
    assert lm_agents.edh("uniform", tmp_path / "uniform", asked) == found
    assert (tmp_path / "uniform" / "records.jsonl").read_bytes() == records
    lm_agents.registered(lm_agents.results_of("uniform", tmp_path / "uniform", asked, found), tmp_path / "rows.json")
    rows = read_results(tmp_path / "rows.json", registry().metrics)
    (source,) = rows.sources.values()
    assert (
        isinstance(source, Measurement)
        and "--follower 'lm:model=uniform,max_decisions=4'" in source.command
        and "follower" in source.notes
    )
    assert {row.n for row in rows.rows if row.metric == "success_rate" and not row.task} == {2}


def test_elsewhere_is_where_no_training_session_takes_place(lm_agents: ModuleType, tmp_path: Path) -> None:
    asked = _asked(elsewhere=2, benchmark="tatc", workers=1, concurrent=1, max_decisions=4)
    found = lm_agents.tatc("uniform", tmp_path / "uniform", asked)
    assert found["n"] == 2
    rooms = {line["room"] for line in read_run(tmp_path / "uniform").lines.values()}
    assert rooms <= {*OTHER_ROOMS}
    made = lm_agents.results_of("uniform", tmp_path / "uniform", asked, found)
    ((name, source),) = made.sources.items()
    assert name == "lm_agents tatc uniform elsewhere" and {row.split for row in made.rows} == {"other rooms"}
    assert "--generate 2 --room FloorPlan9 " in source.command and "--games" not in source.command
