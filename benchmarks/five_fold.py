"""How far the embedded simulator agrees with AI2-THOR in rooms that it learnt nothing of: five-fold over train rooms.

python benchmarks/five_fold.py --games "$TEACH_DATA_DIR/games/train" [--sessions 60] [--json FILE]

The rooms of the train split are cut into folds, each with its share of kitchens, living rooms, bedrooms and bathrooms.
For each fold the learnt tables are made anew, as `scripts/build_tables.py --without-rooms` makes them, without anything
seen in the fold's rooms, and `teach-agents fidelity`'s measurement runs with them on sessions in those rooms. The
sample and the folds follow from the seed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.fidelity.running import measure_games
from teach_agents.benchmarks.fidelity.summary import Measured, summary_of
from teach_agents.simulator.embedded.rooms import kind_of

sys.path.append(str(Path(__file__).parents[1] / "scripts"))

from build_tables import general_table, room_table, write  # scripts are no package: the folder is named above
from recorded_rooms import RoomFacts, read_games

CROWDING = "crowding.json"
"""Limits that take a replay of all sessions to learn: nothing is known of them here, so no click is too crowded."""
TABLES = "TEACH_AGENTS_TABLES"
_WORLD = re.compile(rb'"world":\s*"(FloorPlan\d+)')


def games_by_room(folder: Path) -> dict[str, list[Path]]:
    """The game files of each room, both in order of name."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("*.game.json")):
        world = _WORLD.search(path.read_bytes())
        if world is None:
            raise SystemExit(f"{path} names no iTHOR room")
        found[world[1].decode()].append(path)
    return {name: found[name] for name in sorted(found)}


def folds_of(rooms: Sequence[str], count: int, seed: int) -> list[list[str]]:
    """The rooms dealt out to folds, kind by kind in random order."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(rooms):
        kinds[kind_of(name)].append(name)
    chance = random.Random(seed)
    order = [name for kind in sorted(kinds) for name in chance.sample(kinds[kind], len(kinds[kind]))]
    return [sorted(order[number::count]) for number in range(count)]


def build(facts: Mapping[str, RoomFacts], rooms: Sequence[str], out: Path) -> None:
    """Write the tables that know nothing of these rooms' sessions; those of other rooms are not needed."""
    out.mkdir()
    elsewhere = {name: known for name, known in facts.items() if name not in rooms}
    write(out / "tables.json", general_table(elsewhere, None))
    write(out / "tables_rooms.json", {name: room_table(name, None) for name in rooms})
    (out / CROWDING).write_text("{}\n")


def measure(games: Sequence[Path], tables: Path, workers: int) -> list[Measured]:
    """Fidelity's measurement with other tables: worker processes inherit the variable that names them."""
    done: list[Measured] = []

    def tell(one: Measured) -> None:
        done.append(one)
        print(f"\r{len(done)} of {len(games)}\r", end="", file=sys.stderr, flush=True)

    before = os.environ.get(TABLES)
    os.environ[TABLES] = str(tables)
    try:
        return measure_games(games, workers=workers, on_session=tell)
    finally:
        os.environ.pop(TABLES)
        if before is not None:
            os.environ[TABLES] = before


def figures(sessions: Sequence[Measured]) -> dict[str, Any]:
    """The figures that say what carries over, by the names of `teach-agents fidelity --json`."""
    whole = summary_of(sessions, click_size=300)
    moves, clicks, outcomes = whole["moves"], whole["clicks"], whole["outcomes"]
    place = outcomes["by_action"].get("Place", {})
    return {
        "sessions": len(sessions),
        "failed": whole["failed"],
        "moves": {name: moves[name] for name in ("allowed_recall", "blocked_recall")},
        "clicks": {name: clicks[name] for name in ("untouched", "all")},
        "outcomes": {
            "balanced_accuracy": outcomes["balanced_accuracy"],
            "by_action": {"Place": {"balanced_accuracy": place.get("balanced_accuracy")}},
        },
    }


def line_of(name: str, found: Mapping[str, Any]) -> str:
    """One line of the printed table."""
    place = found["outcomes"]["by_action"]["Place"]["balanced_accuracy"]
    cells = [*found["moves"].values(), *found["clicks"].values(), found["outcomes"]["balanced_accuracy"], place]
    values = [f"{100 * c['value']:9.2f}" if c and c["value"] is not None else f"{'-':>9}" for c in cells]
    return f"{name:>6} {found['sessions']:>9}" + "".join(values)


def main() -> None:
    """Read the arguments, measure fold by fold, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True, help="folder of TEACh's train games")
    parser.add_argument("--sessions", type=int, default=60, help="sessions measured in each fold; 0 for all")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    by_room = games_by_room(options.games)
    folds = folds_of(list(by_room), options.folds, options.seed)
    every: list[Measured] = []
    by_fold = []
    print(f"{len(by_room)} rooms in {len(folds)} folds; reading what was seen in them", flush=True)
    facts = read_games(options.games)
    print("  fold  sessions  allowed  blocked untouched     all outcomes    Place", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for number, rooms in enumerate(folds):
            place = Path(scratch) / str(number)
            build(facts, rooms, place)
            games = [path for name in rooms for path in by_room[name]]
            if 0 < options.sessions < len(games):
                games = sorted(random.Random(f"{options.seed} {number}").sample(games, options.sessions))
            sessions = measure(games, place, options.workers)
            every += sessions
            by_fold.append({"rooms": rooms, **figures(sessions)})
            print(line_of(str(number + 1), by_fold[-1]), flush=True)
    pooled = figures(every)
    print(line_of("all", pooled))
    if options.json is not None:
        result = {"folds": len(folds), "seed": options.seed, **pooled, "by_fold": by_fold}
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
