from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.tatc.benchmark import TatcBenchmark
from teach_agents.core.benchmark.conformance import BenchmarkContract
from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.core.specs import build
from teach_agents.errors import InputError


class TestTatc(BenchmarkContract):
    def make_benchmark(self) -> Benchmark[Any, Any]:
        return build("benchmark", "tatc:count=2,commander=silent,follower=random,max_turns=5")


def test_a_game_that_cannot_be_read_is_a_failed_instance(tmp_path: Path) -> None:
    (tmp_path / "0123456789abcdef.game.json").write_text('{"version": "2.0", "tas')
    benchmark = TatcBenchmark(games=str(tmp_path))
    assert benchmark.splits == ("generated", "games")
    [instance] = benchmark.instances("games")
    record = benchmark.run(instance)
    assert record["status"] == "crashed"
    assert "0123456789abcdef" in record["reason"]
    score = benchmark.score(record)
    assert score["success"] == 0.0
    assert benchmark.aggregate([score])["success_rate"] == 0.0


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no \\*.game.json files found"):
        TatcBenchmark(games=str(tmp_path)).instances("games")


def test_the_planner_pair_is_judged() -> None:
    benchmark = TatcBenchmark(count=1)
    scores = [benchmark.score(benchmark.run(instance)) for instance in benchmark.instances("generated")]
    assert scores[0]["goals_to_do"] > 0
    assert scores[0]["length"] > 0
