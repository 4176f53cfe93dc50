"""How often the planner pair succeeds, on recorded games and on generated instances, and how long it takes people.

    python benchmarks/planner_pair.py [--games DIR] [--generate 2000] [--seed 0] [--workers 2] [--json FILE]

Of games: success by task, and the Follower's actions (motions and interactions, failed ones included) beside those
that the person took in the same session, over the sessions that the pair solved. Of generated instances: success over
the twelve tasks that occur in TEACh's sessions and over the other thirteen, which take turns.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from telling import tell

from teach_agents import Role
from teach_agents.actions import MOTIONS, OBJECT_ACTIONS
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.benchmarks.tatc.parameters import SESSION_TASKS
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.core.benchmark.statistics import bootstrap_mean
from teach_agents.data import Game, read_game
from teach_agents.tasks import TaskLibrary

_DEEDS = frozenset({*MOTIONS, *OBJECT_ACTIONS})

Episode = Mapping[str, Any]


def rate(episodes: Sequence[Episode]) -> dict[str, Any]:
    """Success with its 95 % bootstrap interval over sessions; what broke down has failed."""
    won = [float(episode["status"] == "done" and bool(episode["success"])) for episode in episodes]
    value, interval = bootstrap_mean(won)
    return {"value": value, "n": len(won), "ci": interval}


def by_task(episodes: Sequence[Episode]) -> dict[str, Any]:
    """The rate of each task, in alphabetical order."""
    names = sorted({episode["task_name"] for episode in episodes})
    return {name: rate([episode for episode in episodes if episode["task_name"] == name]) for name in names}


def deeds(game: Game) -> int:
    """How many motions and interactions the Follower tried in a game."""
    return sum(act.role is Role.FOLLOWER and act.action in _DEEDS for act in game.episode.interactions)


def effort(run: TatcRun, episodes: Sequence[Episode]) -> dict[str, Any]:
    """The Follower's actions in the sessions solved, beside the recorded person's."""
    files = {instance.instance_id: Path(instance.game) for instance in run.instances}
    pairs = []
    for episode in episodes:
        name = episode["instance_id"]
        if episode["status"] == "done" and episode["success"]:
            played = read_game(run.folder / "games" / f"{name}.game.json")
            pairs.append((deeds(played), deeds(read_game(files[name]))))
    ours, theirs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        "n": len(pairs),
        "median_actions": median(ours),
        "median_actions_people": median(theirs),
        "ratio_of_medians": median(ours) / median(theirs),
        "median_of_ratios": median(mine / max(1, other) for mine, other in pairs),
    }


def play(instances: Sequence[TatcInstance], folder: Path, workers: int) -> tuple[TatcRun, list[Episode]]:
    """Let the pair play all of them."""
    run = TatcRun(folder, TatcSettings(pictures=0), instances)
    run.play(workers=workers, time_limit_s=900.0)
    return run, list(run.episodes().values())


def main() -> None:
    """Play, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path)
    parser.add_argument("--generate", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        if arguments.games:
            run, episodes = play(game_instances([arguments.games]), Path(folder, "games"), arguments.workers)
            figures["games"] = {
                "success": rate(episodes),
                "by_task": by_task(episodes),
                "follower_actions": effort(run, episodes),
            }
        if arguments.generate:
            instances = generated_instances(arguments.generate, seed=arguments.seed, tasks=TaskLibrary.builtin().names)
            _, episodes = play(instances, Path(folder, "generated"), arguments.workers)
            known = [episode for episode in episodes if episode["task_name"] in SESSION_TASKS]
            others = [episode for episode in episodes if episode["task_name"] not in SESSION_TASKS]
            figures["generated"] = {
                "session_tasks": rate(known),
                "other_tasks": rate(others),
                "by_task": by_task(episodes),
            }
    tell(figures, arguments.json)


if __name__ == "__main__":
    main()
