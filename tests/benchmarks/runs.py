"""Small finished runs, made once, to be read, judged again, reported and exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.data import write_game
from tests.benchmarks.edh.sessions import errand

__all__ = ["follower_run", "tatc_run"]


def follower_run(folder: Path, follower: str = "recorded") -> Path:
    """A TfD run over two sessions, one of which cannot be read."""
    games = folder / "games" / "train"
    for name in ("one", "two"):
        episode = replace(errand().episode, episode_id=name)
        write_game(replace(errand(), episodes=(episode,)), games / f"{name}.game.json")
    (games / "garbled.game.json").write_text("{")
    run = FollowerRun(folder / "run", "tfd", Settings(follower, seed=3), tfd_references(games=str(games)), pictures=2)
    run.play()
    run.write_summary()
    return run.folder


def tatc_run(folder: Path, follower: str = "planner", commander: str = "planner") -> Path:
    """Two sessions of self-play, the second with pictures of neither."""
    settings = TatcSettings(commander, follower, max_turns=60, pictures=1)
    run = TatcRun(folder / "run", settings, generated_instances(2, seed=3, tasks=["Coffee"]))
    run.play()
    write_atomically(run.folder / "summary.json", json.dumps(run.summary(), indent=1) + "\n")
    return run.folder
