"""Runs on Ray and on processes here end with the same bytes, whatever became of their instances."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.cli.main import app
from teach_agents.data import write_game
from tests.benchmarks.edh.sessions import errand

pytestmark = pytest.mark.usefixtures("warm_workers")

ENGINES = ("local", "ray")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sessions."""
    folder = tmp_path_factory.mktemp("games")
    for name in ("one", "two"):
        episode = replace(errand().episode, episode_id=name)
        write_game(replace(errand(), episodes=(episode,)), folder / f"{name}.game.json")
    return folder


@pytest.mark.parametrize(
    ("follower", "status"), [("random", "done"), ("tests.benchmarks.edh.ending:end_the_process", "crashed")]
)
def test_a_follower_alone(small_ray: None, games: Path, tmp_path: Path, follower: str, status: str) -> None:
    summaries = []
    for engine in ENGINES:
        run = FollowerRun(tmp_path / engine, "tfd", Settings(follower), tfd_references(games=str(games)))
        run.play(workers=2, engine=engine)
        assert run.write_summary()["status"][status] == 2
        summaries.append((run.folder / "summary.json").read_bytes())
    assert summaries[0] == summaries[1]


def test_a_pair(small_ray: None, tmp_path: Path) -> None:
    instances = generated_instances(2, seed=3, tasks=["Coffee", "Water Plant"])
    settings = TatcSettings("silent", "tests.benchmarks.tatc.bad_agents:Waits", pictures=0)
    runs = [TatcRun(tmp_path / engine, settings, instances) for engine in ENGINES]
    for run, engine in zip(runs, ENGINES, strict=True):
        run.play(workers=2, engine=engine)
    assert runs[0].summary() == runs[1].summary()
    assert runs[0].summary()["complete"]
    for name in ("generated-3-0000", "generated-3-0001"):
        records = [(run.folder / "records" / f"{name}.jsonl").read_bytes() for run in runs]
        assert records[0] == records[1]


def test_the_command_line_goes_on_with_another_engine(small_ray: None, games: Path, tmp_path: Path) -> None:
    words = ("tfd", "--out", str(tmp_path), "--pictures", "0")
    begun = CliRunner().invoke(app, [*words, "--games", str(games), "--follower", "idle", "--limit", "1"])
    assert begun.exit_code == 0, begun.exception
    summary = (tmp_path / "summary.json").read_bytes()
    (tmp_path / "records.jsonl").unlink()
    gone_on = CliRunner().invoke(app, [*words, "--resume", "--engine", "ray"])
    assert gone_on.exit_code == 0, gone_on.exception
    assert (tmp_path / "summary.json").read_bytes() == summary
    assert (tmp_path / "records.jsonl").read_bytes().count(b"\n") == 1
