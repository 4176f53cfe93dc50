"""Draw the lists of instances that the package ships.

    python scripts/draw_lists.py TEACH_DATA_DIR [OUT]

| list | what it is |
|---|---|
| `valid_seen_60` | of the sessions of valid_seen five of each task, all of a task that has fewer |
| `edh_valid_seen_200` | 200 of the released EDH instances of valid_seen, which TEACh's divided splits name |

What is drawn is what comes first in the order that seed 0 gives (`benchmarks.selection.ordered`; `--order 0`), so that
the draw depends on names alone. OUT defaults to the folder that the package ships.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.tatc.instances import game_instances
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.benchmark.selection import ordered, read_names
from teach_agents.data import read_game

OUT = Path(__file__).parent.parent / "teach_agents" / "benchmarks" / "data" / "lists"
SEED = 0
A_TASK = 5
EDH = 200
RELEASED = ("divided_val_seen.txt", "divided_test_seen.txt")


def sessions(games: Path) -> list[str]:
    """The first sessions of each task in the seed's order, by name."""
    drawn = defaultdict(list)
    for one in ordered(game_instances([games]), SEED):
        drawn[read_game(one.game).task.task_name].append(one.instance_id)
    for task, names in sorted(drawn.items()):
        if len(names) < A_TASK:
            print(f"{task} has {len(names)} sessions")
    return sorted(name for names in drawn.values() for name in names[:A_TASK])


def edh_instances(lists: Path) -> list[str]:
    """The first released instances in the seed's order, by name."""
    names = [name for file in RELEASED for name in read_names(lists / file)]
    return sorted(one.instance_id for one in ordered([Reference(name, "", "") for name in names], SEED)[:EDH])


def main(data: Path, out: Path = OUT) -> None:
    """Write both."""
    lists = {
        "valid_seen_60": sessions(data / "games" / "valid_seen"),
        "edh_valid_seen_200": edh_instances(data / "divided_split" / "edh_instances"),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, found in lists.items():
        write_atomically(out / f"{name}.txt", "".join(f"{one}\n" for one in found))
        print(f"{name}: {len(found)}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
