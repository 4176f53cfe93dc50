"""Agreement of the progress check with the reference's recorded answers, with its definitions and with ours.

    TEACH_DATA_DIR=... python benchmarks/task_agreement.py [--json FILE]

Compares success and both goal-condition counts on the initial and the final state of every game.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections import Counter
from pathlib import Path

from telling import tell

from teach_agents.data import Game, iter_games
from teach_agents.tasks import TaskLibrary


def answers(library: TaskLibrary, game: Game) -> list[tuple[bool, int, int]]:
    """Success, total and satisfied in the initial and in the final state."""
    task = library.task(game.task.task_name, list(game.task.task_params))
    states = (game.episode.initial_state, game.episode.final_state)
    found = [task.check(state.objects) for state in states]
    return [(one.success, one.goal_conditions_total, one.goal_conditions_satisfied) for one in found]


def expected(row: dict[str, str]) -> list[tuple[bool, int, int]]:
    """The reference's answers."""
    return [
        (row[f"{state}_success"] == "1", int(row[f"{state}_gc_total"]), int(row[f"{state}_gc_sat"]))
        for state in ("init", "final")
    ]


def measure(data: Path) -> dict[str, object]:
    """Count agreements over all games."""
    with (data / "golden" / "game_progress.tsv").open(encoding="utf8", newline="") as file:
        golden = {row["game_id"]: row for row in csv.DictReader(file, delimiter="\t")}
    libraries = {"reference": TaskLibrary.load([data / "task_definitions"]), "ours": TaskLibrary.builtin()}
    agreed: Counter[str] = Counter()
    states = overfull = 0
    for game in iter_games([data / "games"]):
        right = expected(golden[game.game_id])
        states += len(right)
        for name, library in libraries.items():
            got = answers(library, game)
            agreed[name] += sum(mine == theirs for mine, theirs in zip(got, right, strict=True))
            overfull += name == "ours" and got[1][2] > got[1][1]
    return {
        "states": states,
        "agreement_with_reference_definitions": agreed["reference"] / states,
        "agreement_with_our_definitions": agreed["ours"] / states,
        "final_states_with_more_satisfied_than_total": overfull,
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    tell(measure(Path(os.environ["TEACH_DATA_DIR"])), arguments.json)


if __name__ == "__main__":
    main()
