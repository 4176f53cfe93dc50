"""Sessions that are played at the same time in one process end with the bytes of sessions played one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.data import write_game
from tests.benchmarks.edh.sessions import errand

pytestmark = pytest.mark.usefixtures("warm_workers")


def _files(folder: Path, *names: str) -> dict[str, bytes]:
    """The content of all files below some folders of a run."""
    found = [path for name in names for path in (folder / name).rglob("*") if path.is_file()]
    assert found
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_planners_and_pictures(tmp_path: Path) -> None:
    instances = generated_instances(4, seed=4, tasks=["Coffee", "Water Plant"])
    runs = [TatcRun(tmp_path / str(k), TatcSettings(max_turns=30, pictures=2), instances) for k in (1, 4)]
    for run, concurrent in zip(runs, (1, 4), strict=True):
        run.play(concurrent=concurrent)
    one, four = runs
    assert json.dumps(one.summary()) == json.dumps(four.summary())
    assert four.summary()["complete"], [one["reason"] for one in four.episodes().values()]
    names = "records", "pictures"
    assert _files(one.folder, *names) == _files(four.folder, *names)


def test_random_followers(tmp_path: Path) -> None:
    for name in "abcd":
        episode = replace(errand().episode, episode_id=name)
        write_game(replace(errand(), episodes=(episode,)), tmp_path / "games" / f"{name}.game.json")
    references = tfd_references(games=str(tmp_path / "games"))
    runs = [FollowerRun(tmp_path / str(k), "tfd", Settings("random"), references, pictures=2) for k in (1, 4)]
    for run, concurrent in zip(runs, (1, 4), strict=True):
        run.play(concurrent=concurrent)
        run.write_summary()
    one, four = (run.folder for run in runs)
    assert (one / "summary.json").read_bytes() == (four / "summary.json").read_bytes()
    assert _files(one, "records", "pictures") == _files(four, "records", "pictures")


def test_a_pair_whose_follower_takes_its_process_along(tmp_path: Path) -> None:
    instances = generated_instances(2, seed=3, tasks=["Coffee"])
    settings = TatcSettings("silent", "tests.benchmarks.tatc.bad_agents:Dies", pictures=0)
    one, two = (TatcRun(tmp_path / str(k), settings, instances) for k in (1, 2))
    one.play()
    two.play(concurrent=2)
    assert json.dumps(one.summary()) == json.dumps(two.summary())
    reasons = [[line["reason"] for line in run.episodes().values()] for run in (one, two)]
    assert reasons[0] == reasons[1] == ["the worker process died (exit code 3)"] * 2
