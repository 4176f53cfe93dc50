"""The script that measures the baselines, as far as it writes the registry."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from teach_agents.benchmarks.metrics import GoalCounts, Outcome
from teach_agents.benchmarks.published import BASELINES, registry
from teach_agents.core.benchmark.results import Measurement, Results, read_results
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.benchmark.summary import Label, measured

_SCRIPTS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(_SCRIPTS))
    for name in ("figures", "follower_baselines"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("follower_baselines")


def _measured(source: str, *, success: bool) -> Results:
    counts = GoalCounts(2, 2 if success else 1)
    done = Outcome(
        instance_id="a.edh0",
        game_id="a",
        task_name="Coffee",
        cluster="FloorPlan1",
        success=success,
        initial=GoalCounts(2, 1),
        final=counts,
        reference_length=4,
        steps=4,
    )
    settings = {"follower": "random", "simulator": "embedded", "seed": 0}
    run = StoredRun(Path(), "edh", settings, {"a.edh0": {}}, {"a.edh0": {"outcome": done.to_json()}}, {})
    return measured(run, source, Label("random", "valid_seen", "one", "teach-agents edh"))


def test_a_baseline_measured_again_takes_the_place_of_its_rows(script: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "baselines.json"
    for source, success in (("one", False), ("two", False), ("one", True)):
        script.registered(_measured(source, success=success), file)
    found = read_results(file, registry().metrics)
    rates = {row.source: row.value for row in found.rows if row.metric == "success_rate" and not row.task}
    assert rates == {"two": 0.0, "one": 100.0}
    assert set(found.sources) == {"one", "two"} and '"metrics"' not in file.read_text()


def test_every_benchmark_has_every_baseline(script: ModuleType) -> None:
    all_of_them = list(script.baselines())
    assert len({one.name for one in all_of_them}) == len(all_of_them)
    for benchmark in ("edh", "tfd", "tatc"):
        systems = {one.system for one in all_of_them if one.benchmark == benchmark}
        assert systems == {"random", "idle", "demonstration", "planner"}


def test_the_baselines_that_ship_say_what_they_are_of() -> None:
    found = read_results(BASELINES, registry().metrics)
    for source in found.sources.values():
        assert isinstance(source, Measurement)
        assert (
            source.command.startswith(("teach-agents ", "python benchmarks/"))
            and source.commit
            and source.simulator == "embedded"
        )
    oracles = {row.system for row in found.rows if "ground_truth" in str(found.sources[row.source].model_dump())}
    assert oracles <= {"demonstration", "planner"}
