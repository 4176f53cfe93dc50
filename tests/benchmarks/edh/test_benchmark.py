"""EDH behind the Benchmark contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.summary import summarize
from teach_agents.core.benchmark.conformance import BenchmarkContract
from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.data import write_game
from teach_agents.data.edh import read_edh, write_edh
from teach_agents.errors import InputError
from tests.benchmarks.edh.sessions import errand, household


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """TEACh's layout, with one session and its two instances' files."""
    data = tmp_path_factory.mktemp("teach")
    write_game(errand(), data / "games" / "train" / "recorded.game.json")
    for one in candidates(errand(), household()):
        write_edh(one.instance, data / "edh_instances" / "train" / f"{one.instance.instance_id}.json")
    yield data


class TestEdhBenchmark(BenchmarkContract):
    """The contract, on a session that moves a mug about."""

    @pytest.fixture(autouse=True)
    def _here(self, folder: Path) -> None:
        self._folder = folder

    def make_benchmark(self) -> Benchmark[Any, Any]:
        """With the ground truth."""
        return EdhBenchmark(instances=str(self._folder / "edh_instances"))


def _outcomes(benchmark: EdhBenchmark) -> list[Outcome]:
    """Every instance's, without the time it took."""
    found = [Outcome.from_json(benchmark.run(one)["outcome"]) for one in benchmark.instances("train")]
    return [replace(one, costs=replace(one.costs, wall_s=0.0)) for one in found]


def test_what_the_person_did_succeeds(folder: Path) -> None:
    first, second = _outcomes(EdhBenchmark(instances=str(folder / "edh_instances")))
    assert (first.status, first.success, first.predicted_stop) == (Status.DONE, True, True)
    assert (first.initial, first.final) == (GoalCounts(4, 2), GoalCounts(4, 4))
    assert (first.reference_length, first.steps) == (6, 7)
    assert second.success and summarize([first, second])["success"]["success_rate"] == 1.0


def test_a_record_says_what_is_lacking_and_what_was_read(folder: Path) -> None:
    instances = str(folder / "edh_instances")
    able = EdhBenchmark(instances=instances)
    record = able.run(able.instances("train")[0])
    assert (record["unmet"], record["refused"], record["overrides"]) == ([], [], [])
    assert record["privileges"] == ["ground_truth", "segmentation"]
    idle = EdhBenchmark("idle", instances=instances)
    record = idle.run(idle.instances("train")[0])
    assert record["privileges"] == [] and "1 Mug should have simbotPickedUp 1." in record["unmet"]


def test_doing_nothing_fails_and_reaches_nothing(folder: Path) -> None:
    run = _outcomes(EdhBenchmark("scripted", instances=str(folder / "edh_instances")))
    assert {one.status for one in run} == {Status.NOT_STARTED}, "a SPEC that cannot be built fails every instance"
    stopper = EdhBenchmark("idle", instances=str(folder / "edh_instances"), max_steps=3)
    for one in _outcomes(stopper):
        assert (one.success, one.steps, one.predicted_stop) == (False, 1, True)
        assert one.initial is not None and one.final is not None and one.final.met <= one.initial.met


def test_sessions_give_the_instances_that_their_files_hold(folder: Path) -> None:
    cut, read = EdhBenchmark(games=str(folder / "games")), EdhBenchmark(instances=str(folder / "edh_instances"))
    assert [one.instance_id for one in cut.instances("train")] == ["recorded.edh0", "recorded.edh1"]
    assert _outcomes(cut) == _outcomes(read)


def test_a_list_of_names_is_taken_as_it_is(folder: Path, tmp_path: Path) -> None:
    games = str(folder / "games")
    (one,) = edh_references(games=games, names=["recorded.edh1"])
    assert one.instance_id == "recorded.edh1"
    with pytest.raises(InputError, match=r"none of this id; got 'recorded\.edh7'"):
        edh_references(games=games, names=["recorded.edh7"])
    with pytest.raises(InputError, match="needs instances=FOLDER"):
        edh_references()
    names = tmp_path / "names.txt"
    names.write_text("recorded.edh1.json\n", encoding="utf-8")
    assert EdhBenchmark(games=games, names=str(names)).instances("train") == (one,)


def test_a_name_without_a_stretch_is_a_failed_instance(folder: Path) -> None:
    benchmark = EdhBenchmark(games=str(folder / "games"))
    wrong = replace(benchmark.instances("train")[0], instance_id="recorded.edh7")
    outcome = Outcome.from_json(benchmark.run(wrong)["outcome"])
    assert outcome.status is Status.NOT_STARTED and "no candidate of this number" in outcome.reason


def test_a_file_that_is_another_instance_than_its_name_says_is_refused(folder: Path, tmp_path: Path) -> None:
    instance = read_edh(folder / "edh_instances" / "train" / "recorded.edh0.json")
    write_edh(replace(instance, game_id="other"), tmp_path / "train" / "recorded.edh0.json")
    write_edh(replace(instance, state_changes=None), tmp_path / "train" / "recorded.edh1.json")
    benchmark = EdhBenchmark(instances=str(tmp_path), games=str(folder / "games"))
    other, unjudged = _outcomes(benchmark)
    assert other.status is Status.NOT_STARTED and "'game_id' must be 'recorded'; got 'other'" in other.reason
    assert "'instance_id' must be 'recorded.edh1'" in unjudged.reason


@pytest.mark.data
def test_people_solve_released_instances_in_the_embedded_simulator(teach_data: Path) -> None:
    benchmark = EdhBenchmark(instances=str(teach_data / "edh_instances" / "train"))
    found = summarize(_outcomes(benchmark))
    assert found["n"] == 18 and found["status"]["done"] == 18
    assert found["success"]["success_rate"] >= 0.7


@pytest.mark.data
def test_restored_states_satisfy_as_many_goal_conditions_as_released_files_say(teach_data: Path) -> None:
    benchmark = EdhBenchmark("idle", instances=str(teach_data / "edh_instances"))
    for split in benchmark.splits:
        for instance in benchmark.instances(split):
            outcome = Outcome.from_json(benchmark.run(instance)["outcome"])
            assert outcome.status is Status.DONE
            assert outcome.initial == outcome.final, f"{instance.instance_id}: the file's counts, and those here"
