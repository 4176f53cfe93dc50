"""Scan the constants of the collision model on TEACh's train sessions, in rooms that nothing is learnt of.

    python scripts/scan_collision.py --games TEACH/games/train [--only NAME] [--sessions 100] [--json FILE]

`navigation.py` holds the body's radius and how far a worktop and a stove reach beyond the box of the thing that they
bear. Each value of CHOICES is tried with the others as they stand: the sample's sessions are carried out again with the
record winning, on tables made without their rooms (five folds over rooms, as in `benchmarks/five_fold.py`), and every
recorded step, allowed or refused, is foreseen. Printed are the recalls of both; the chosen value is the one with the
highest balanced accuracy whose allowed recall is not below the best by more than TOLERANCE.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from recorded_rooms import read_games

from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.benchmarks.fidelity.replay import replay_aided
from teach_agents.data import read_game
from teach_agents.household import Household
from teach_agents.simulator.embedded import EmbeddedSimulator, navigation

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

from five_fold import TABLES, build, folds_of, games_by_room  # benchmarks are no package: the folder is named above

CHOICES: dict[str, tuple[float, ...]] = {
    "radius": (0.2, 0.2025, 0.205, 0.2075, 0.21, 0.215),
    "worktop": (0.0, 0.0075, 0.015, 0.03),
    "stove": (0.0, 0.05, 0.08, 0.1, 0.12, 0.15),
}
"""Values to try, metres."""
TOLERANCE = 0.0025


class Job(NamedTuple):
    """Sessions of one fold, and the constants and tables to foresee their steps with."""

    games: tuple[Path, ...]
    tables: Path
    constants: Mapping[str, float]


class Steps(NamedTuple):
    """Recorded steps, and how many of them were foreseen."""

    allowed: int
    allowed_foreseen: int
    blocked: int
    blocked_foreseen: int

    @property
    def recalls(self) -> tuple[float, float]:
        """Shares of the allowed and of the blocked steps that were foreseen."""
        return self.allowed_foreseen / self.allowed, self.blocked_foreseen / self.blocked


def standing() -> dict[str, float]:
    """The constants as they are."""
    beyond = navigation._BEYOND
    return {"radius": navigation.BODY_RADIUS, "worktop": beyond["CounterTop"], "stove": beyond["StoveBurner"]}


def foresee(job: Job) -> Steps:
    """Replay the sessions of a job, in a process of its own: the constants are set for all that follows in it."""
    os.environ[TABLES] = str(job.tables)
    navigation.BODY_RADIUS = job.constants["radius"]
    stove = job.constants["stove"]
    navigation._BEYOND.update(CounterTop=job.constants["worktop"], StoveBurner=stove, StoveKnob=stove)
    seen = [0, 0, 0, 0]
    for path in job.games:
        simulator = Insisting(EmbeddedSimulator())
        for row in replay_aided(read_game(path), Household(simulator), simulator, None).moves:
            first = 0 if row.recorded else 2
            seen[first] += 1
            seen[first + 1] += row.predicted == row.recorded
    return Steps(*seen)


def tried(folds: Sequence[tuple[Path, Sequence[Path]]], constants: Mapping[str, float], workers: int) -> Steps:
    """What is foreseen over all folds with these constants."""
    jobs = [Job(tuple(games), tables, constants) for tables, games in folds]
    with ProcessPoolExecutor(workers, max_tasks_per_child=1) as pool:
        return Steps(*(sum(column) for column in zip(*pool.map(foresee, jobs), strict=True)))


def chosen(found: Mapping[float, Steps]) -> float:
    """The best value."""
    most = max(steps.recalls[0] for steps in found.values())
    good = {value: steps.recalls for value, steps in found.items() if steps.recalls[0] >= most - TOLERANCE}
    return max(good, key=lambda value: sum(good[value]))


def main() -> None:
    """Read the arguments, try value by value, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True, help="folder of TEACh's train games")
    parser.add_argument("--only", choices=sorted(CHOICES), help="one constant")
    parser.add_argument("--sessions", type=int, default=100, help="how many sessions, over all folds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    by_room = games_by_room(options.games)
    facts, result = read_games(options.games), dict[str, Any]()
    with tempfile.TemporaryDirectory() as scratch:
        folds = []
        for number, rooms in enumerate(folds_of(list(by_room), 5, options.seed)):
            build(facts, rooms, Path(scratch) / str(number))
            games = [path for name in rooms for path in by_room[name]]
            sample = random.Random(f"{options.seed} {number}").sample(games, min(options.sessions // 5, len(games)))
            folds.append((Path(scratch) / str(number), sample))
        for name in [options.only] if options.only else list(CHOICES):
            values = CHOICES[name]
            found = {value: tried(folds, standing() | {name: value}, options.workers) for value in values}
            for value, steps in found.items():
                allowed, blocked = steps.recalls
                counts = f"of {steps.allowed} allowed and {steps.blocked} blocked"
                print(f"{name:>8} {value:.4f}  {100 * allowed:6.2f}  {100 * blocked:6.2f}  {counts}", flush=True)
            print(f"{name:>8} best {chosen(found)}, now {standing()[name]}", flush=True)
            result[name] = {"now": standing()[name], "best": chosen(found)}
            result[name]["recalls"] = {str(value): steps.recalls for value, steps in found.items()}
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
