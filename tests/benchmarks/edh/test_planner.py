"""The planner as the Follower of EDH: it is told what is judged."""

from __future__ import annotations

from pathlib import Path

from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.data import write_game
from teach_agents.data.edh import write_edh
from tests.benchmarks.edh.sessions import errand, household


def test_the_planner_makes_the_changes_and_says_what_it_read(tmp_path: Path) -> None:
    write_game(errand(), tmp_path / "games" / "train" / "recorded.game.json")
    for one in candidates(errand(), household()):
        write_edh(one.instance, tmp_path / "edh_instances" / "train" / f"{one.instance.instance_id}.json")
    benchmark = EdhBenchmark("planner", instances=str(tmp_path / "edh_instances"))
    records = [benchmark.run(one) for one in benchmark.instances("train")]
    assert [one["outcome"]["success"] for one in records] == [True, True]
    assert records[0]["privileges"] == ["depth", "ground_truth", "objects", "reachable", "segmentation"]
    assert not any(name in ("Text", "NoOp") for one in records for name, _ in one["outcome"]["predicted"])
