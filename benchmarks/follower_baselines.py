"""What the Followers that need no training reach in EDH and TfD on valid_seen.

    TEACH_DATA_DIR=... python benchmarks/follower_baselines.py [--workers N] [--limit N] [--json FILE]

EDH over the released list of instances, cut from their sessions, and over the released files at hand; TfD over the
sessions. `recorded` does what the person did, `idle` stops at once, `random` is TEACh's sample model.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.edh.benchmark import edh_references
from teach_agents.benchmarks.selection import ordered, read_names
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tfd.benchmark import tfd_references

FOLLOWERS = ("recorded", "idle", "random")
LISTS = ("divided_val_seen.txt", "divided_test_seen.txt")


def played(kind: str, follower: str, references: Sequence[Reference], workers: int) -> dict[str, Any]:
    """The summary of one run, without the records of its instances."""
    with tempfile.TemporaryDirectory() as folder:
        run = FollowerRun(Path(folder), kind, Settings(follower), references)
        run.play(workers=workers)
        summary = run.summary()
    return {key: value for key, value in summary.items() if key not in ("traj_stats", "failures", "by_task")}


def measure(data: Path, workers: int, limit: int | None) -> dict[str, Any]:
    """Every Follower on every list."""
    names = [name for one in LISTS for name in read_names(data / "divided_split" / "edh_instances" / one)]
    games = str(data / "games" / "valid_seen")
    lists = {
        "edh, released files at hand": ("edh", edh_references(instances=str(data / "edh_instances"))),
        "edh, released list of valid_seen": ("edh", edh_references(games=games, names=names)),
        "tfd, valid_seen": ("tfd", tfd_references(games=games)),
    }
    return {
        f"{title}, {follower}": played(kind, follower, ordered(references, seed=0)[:limit], workers)
        for title, (kind, references) in lists.items()
        for follower in FOLLOWERS
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int, help="instances of each list, drawn by a seed")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = measure(Path(os.environ["TEACH_DATA_DIR"]), arguments.workers, arguments.limit)
    for title, summary in found.items():
        success = 100 * summary["success"]["success_rate"]
        macro = 100 * summary["goal_condition_success_macro"]
        print(f"{title}: n {summary['n']}, success {success:.1f} %, goal conditions (macro) {macro:.1f} %")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
