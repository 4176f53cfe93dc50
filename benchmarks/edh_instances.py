"""EDH instances generated from sessions, beside those that were released.

    TEACH_DATA_DIR=... python benchmarks/edh_instances.py [--split valid_seen] [--games N] [--json FILE]

Carries out every session (or N drawn ones) on the embedded simulator, cuts and filters it, and counts what the filter
keeps. Released counts are those of the paper, and of the divided lists where there are any (names of valid_seen only:
no other list is of sessions that are looked at here).
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.core.benchmark.selection import read_names
from teach_agents.data.games import game_files, read_game
from teach_agents.household import Household
from teach_agents.simulator.embedded import EmbeddedSimulator

PAPER = {"train": 6603, "valid_seen": 756}
"""EDH instances of a split as the paper states them; later releases have fewer."""

LISTS = {"valid_seen": ("divided_val_seen.txt", "divided_test_seen.txt")}
"""Lists that together name a split's instances in the release of December 2022."""


def measure(data: Path, split: str, games: int | None) -> dict[str, Any]:
    """Counts of one split: candidates, what becomes of them, and how the kept ones agree with the released list."""
    paths = game_files(data / "games" / split)
    if games is not None:
        paths = sorted(random.Random(0).sample(paths, min(games, len(paths))))
    folder = data / "divided_split" / "edh_instances"
    released = {name for one in LISTS.get(split, ()) for name in read_names(folder / one)}
    household = Household(Insisting(EmbeddedSimulator()))
    counted: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    for path in paths:
        for one in candidates(read_game(path), household):
            counted["candidates"] += 1
            counted[one.rejected or "kept"] += 1
            listed = one.instance.instance_id in released
            agreed[f"{'listed' if listed else 'not listed'}, {'rejected' if one.rejected else 'kept'}"] += 1
    return {
        "split": split,
        "games": len(paths),
        **counted,
        "released (paper)": PAPER.get(split) if games is None else None,
        "released (list)": len(released) or None,
        "agreement": dict(sorted(agreed.items())) if released else None,
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=tuple(PAPER), default="valid_seen")
    parser.add_argument("--games", type=int)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = measure(Path(os.environ["TEACH_DATA_DIR"]), arguments.split, arguments.games)
    tell(found, arguments.json)


if __name__ == "__main__":
    main()
