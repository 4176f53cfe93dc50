"""TfD behind the Benchmark contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark, tfd_references
from teach_agents.core.benchmark.conformance import BenchmarkContract
from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.data import write_game
from teach_agents.data.tfd import tfd_from_game, write_tfd
from teach_agents.errors import InputError
from tests.benchmarks.edh.sessions import errand


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """TEACh's layout, with one session and its instance's file."""
    data = tmp_path_factory.mktemp("teach")
    write_game(errand(), data / "games" / "train" / "recorded.game.json")
    write_tfd(tfd_from_game(errand()), data / "tfd_instances" / "train" / "recorded.tfd.json")
    yield data


class TestTfdBenchmark(BenchmarkContract):
    """The contract, on a session that moves a mug about."""

    @pytest.fixture(autouse=True)
    def _here(self, folder: Path) -> None:
        self._folder = folder

    def make_benchmark(self) -> Benchmark[Any, Any]:
        """With the ground truth."""
        return TfdBenchmark(games=str(self._folder / "games"))


def test_files_and_sessions_give_the_same_instance(folder: Path) -> None:
    cut = TfdBenchmark(games=str(folder / "games"))
    read = TfdBenchmark(instances=str(folder / "tfd_instances"))
    (one,), (other,) = cut.instances("train"), read.instances("train")
    assert one.instance_id == other.instance_id == "recorded.tfd"
    assert cut.score(cut.run(one)) == read.score(read.run(other))


def test_the_session_is_judged_by_its_task_and_utterances_count_as_length(folder: Path) -> None:
    benchmark = TfdBenchmark(games=str(folder / "games"))
    (instance,) = benchmark.instances("train")
    outcome = Outcome.from_json(benchmark.run(instance)["outcome"])
    assert (outcome.status, outcome.task_name, outcome.cluster) == (Status.DONE, "Coffee", "FloorPlan1")
    assert (outcome.success, outcome.predicted_stop, outcome.failed_actions) == (False, True, 0)
    assert (outcome.reference_length, outcome.steps) == (11, 9)


def test_a_broken_game_is_a_failed_instance_with_its_reason(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "train" / "broken.game.json"
    broken.parent.mkdir()
    broken.write_text("{", encoding="utf-8")
    benchmark = TfdBenchmark(games=str(tmp_path))
    record = benchmark.run(benchmark.instances("train")[0])
    outcome = Outcome.from_json(record["outcome"])
    assert (outcome.status, outcome.success) == (Status.NOT_STARTED, False)
    assert "is truncated" in outcome.reason
    assert benchmark.score(record)["success"] == 0.0


def test_names_choose_by_instance_or_by_game(folder: Path, tmp_path: Path) -> None:
    games = str(folder / "games")
    for name in ("recorded", "recorded.tfd"):
        (found,) = tfd_references(games=games, names=[name])
        assert found.instance_id == "recorded.tfd"
    names = tmp_path / "names.txt"
    names.write_text("recorded.game.json", encoding="utf-8")
    assert TfdBenchmark(games=games, names=str(names)).instances("train") == (found,)
    with pytest.raises(InputError, match="needs instances=FOLDER"):
        tfd_references()
