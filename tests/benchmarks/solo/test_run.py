"""Runs that are interrupted, and Followers that break down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.data import write_game
from teach_agents.data.edh import write_edh
from teach_agents.errors import InputError
from tests.benchmarks.edh.sessions import errand, household


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """TEACh's layout, with one session and its two EDH instances' files."""
    folder = tmp_path_factory.mktemp("teach")
    write_game(errand(), folder / "games" / "train" / "recorded.game.json")
    for one in candidates(errand(), household()):
        write_edh(one.instance, folder / "edh_instances" / "train" / f"{one.instance.instance_id}.json")
    yield folder


@pytest.fixture(scope="module")
def references(data: Path) -> list[Reference]:
    return edh_references(instances=str(data / "edh_instances"))


def test_an_interrupted_run_goes_on_and_has_the_same_summary(references: list[Reference], tmp_path: Path) -> None:
    whole = FollowerRun(tmp_path / "whole", "edh", Settings(), references)
    seen: list[Outcome] = []
    whole.play(on_outcome=seen.append)
    summary = whole.write_summary()
    assert [one.instance_id for one in seen] == ["recorded.edh0", "recorded.edh1"]
    assert (summary["n"], summary["success"]["num_successes"], summary["complete"]) == (2, 2, True)
    assert (summary["benchmark"], summary["follower"], summary["overrides"]["actions"]) == ("edh", "recorded", 0)

    assert summary["privileges"] == ["ground_truth", "segmentation"]

    part = FollowerRun(tmp_path / "part", "edh", Settings(), references)
    lines = (tmp_path / "whole" / "records.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "part" / "records.jsonl").write_bytes(lines[0] + lines[1][:50])
    half = part.summary()
    assert (half["complete"], half["status"]["missing"], half["success"]["success_rate"]) == (False, 1, 0.5)
    part.play()
    part.write_summary()
    files = [(tmp_path / name / "summary.json").read_bytes() for name in ("whole", "part")]
    assert files[0] == files[1]


def test_a_folder_is_of_one_run(references: list[Reference], tmp_path: Path) -> None:
    run = FollowerRun(tmp_path, "edh", Settings(), references)
    run = FollowerRun(tmp_path, "edh", Settings(seed=1), references)
    (tmp_path / "records.jsonl").write_text(json.dumps({"outcome": {"instance_id": "recorded.edh0"}}) + "\n")
    assert list(run.records()) == ["recorded.edh0"]
    with pytest.raises(InputError, match="a run with other settings"):
        FollowerRun(tmp_path, "edh", Settings(seed=2), references)
    with pytest.raises(InputError, match="a run with other instances"):
        FollowerRun(tmp_path, "edh", Settings(seed=1), references[:1])
    (tmp_path / "settings.json").unlink()
    with pytest.raises(InputError, match="what they were asked for by cannot be read"):
        FollowerRun(tmp_path, "edh", Settings(seed=1), references)


def test_a_follower_that_takes_its_process_along_has_crashed(references: list[Reference], tmp_path: Path) -> None:
    settings = Settings("tests.benchmarks.edh.ending:end_the_process")
    run = FollowerRun(tmp_path, "edh", settings, references[:1])
    run.play()
    (outcome,) = run.outcomes()
    assert (outcome.status, outcome.success, outcome.reference_length) == (Status.CRASHED, False, 6)
    assert "exit code 3" in outcome.reason and outcome.task_name == "Coffee"
    assert run.summary()["failures"][0]["status"] == "crashed"


def test_what_was_never_run_is_missing_with_what_is_known_of_it(
    data: Path, references: list[Reference], tmp_path: Path
) -> None:
    edh = FollowerRun(tmp_path / "edh", "edh", Settings(), references).outcomes()
    cut = [replace(one, file="") for one in references]
    assert [one.reference_length for one in edh] == [6, 1]
    assert FollowerRun(tmp_path / "cut", "edh", Settings(), cut).outcomes() == tuple(
        replace(one, initial=None) for one in edh
    )
    (tfd,) = FollowerRun(tmp_path / "tfd", "tfd", Settings(), tfd_references(games=str(data / "games"))).outcomes()
    assert (tfd.status, tfd.reference_length, tfd.cluster) == (Status.MISSING, 11, "FloorPlan1")
    other = replace(references[0], instance_id="recorded.edh7", file="")
    (unknown,) = FollowerRun(tmp_path / "other", "edh", Settings(), [other]).outcomes()
    assert (unknown.status, unknown.task_name, unknown.reference_length) == (Status.MISSING, "Coffee", 0)
    gone = Reference("gone.edh0", "train", str(tmp_path / "gone.game.json"))
    (lost,) = FollowerRun(tmp_path / "gone", "edh", Settings(), [gone]).outcomes()
    assert (lost.status, lost.reference_length, lost.cluster) == (Status.MISSING, 0, "unknown")
