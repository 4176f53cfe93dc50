"""How fast EDH runs, with a Follower that looks at a picture of 300 x 300 on every step, and what the runner costs.

    TEACH_DATA_DIR=... python benchmarks/edh_throughput.py [--limit N] [--sample 120] [--repeats 5] [--json FILE]

The Follower is TEACh's sample model, which draws its actions; here it looks at what it sees before each. `teach-agents
edh` runs it over the released list of valid_seen (or N instances of it, drawn by a seed), cut from their sessions, in two
workers; sessions are restored, logs and report are written as always. Then `--sample` instances of the list are run
by the command in one worker, and by a bare loop in one process, which reads the same games, restores, plays and judges,
and keeps nothing: each `--repeats` times, in turn, now the one first and now the other. Times are of whole processes, from
start to exit, so that the command's second process, its imports, logs, summary and report are all in them.

| figure | what it is |
|---|---|
| wall_s, instances, steps | of the run in two workers; a picture was drawn on each step |
| whole_list_s | that time for the whole list, in proportion to the instances |
| overhead | what the command in one worker takes longer than the loop, as a share of the loop: median wall time over median wall time; `_min` and `_max` are of the repeats' own pairs |
| overhead_cpu | the same by CPU time, which other programs disturb less |
| loop_s, command_s, loop_cpu_s, command_cpu_s | the medians, in seconds |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents.actions import Action
from teach_agents.agents import RandomFollower
from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.edh.player import EdhPlayer
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.core.benchmark.selection import read_names
from teach_agents.core.benchmark.stored import read_run
from teach_agents.observations import Observation

HERE = Path(__file__).resolve().parent
COMMAND = [sys.executable, "-c", "from teach_agents.cli.main import main; main()"]
FOLLOWER = "edh_throughput:Looking"
LISTS = ("divided_val_seen.txt", "divided_test_seen.txt")
SIZE = 300
SEED = 0


class Looking(RandomFollower):
    """Draws its actions, and looks before each."""

    def act(self, observation: Observation) -> Action:
        """Look, then do anything, anywhere."""
        assert observation.view.rgb.shape == (SIZE, SIZE, 3)
        return super().act(observation)


def bare(games: str, names: Path) -> None:
    """The loop: every instance of a list, one after the other."""
    player = EdhPlayer(Settings(FOLLOWER, view_size=SIZE))
    for one in edh_references(games=games, names=read_names(names)):
        player.play(one)


def timed(words: Sequence[str]) -> tuple[float, float]:
    """Seconds of wall time and of CPU time that a command takes, with all its processes."""
    paths = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH", ""))))
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(words, env={**os.environ, "PYTHONPATH": paths}, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command(games: str, names: Path, out: Path, workers: int) -> list[str]:
    """`teach-agents edh` over a list."""
    which = ["--games", games, "--names", str(names), "--follower", FOLLOWER, "--view-size", str(SIZE)]
    return [*COMMAND, "edh", *which, "--workers", str(workers), "--pictures", "0", "--out", str(out)]


def throughput(games: str, names: Path, scratch: Path, listed: int) -> dict[str, Any]:
    """One run in two workers."""
    wall, _ = timed(command(games, names, scratch / "run", 2))
    outcomes = read_run(scratch / "run").outcomes
    broken = [f"{one.instance_id}: {one.status} {one.reason}" for one in outcomes if one.status != "done"]
    steps = sum(one.steps for one in outcomes)
    return {
        "wall_s": round(wall, 1),
        "instances": len(outcomes),
        "steps": steps,
        "steps_per_s": round(steps / wall, 1),
        "whole_list_s": round(wall * listed / len(outcomes), 1),
        "broken": broken,
    }


def overhead(games: str, names: Path, scratch: Path, repeats: int) -> dict[str, Any]:
    """The command beside the loop, in turn; which of them is first changes from repeat to repeat."""
    loop = [sys.executable, str(HERE / "edh_throughput.py"), "--bare", games, str(names)]
    pairs = []
    for number in range(repeats):
        words = {"loop": loop, "command": command(games, names, scratch / f"one{number}", 1)}
        times = {who: timed(words[who]) for who in sorted(words, reverse=number % 2 == 0)}
        pairs.append((times["loop"], times["command"]))
    found: dict[str, Any] = {"sample": len(read_names(names)), "repeats": repeats, "load_before": os.getloadavg()[0]}
    for index, (name, unit) in enumerate((("overhead", "s"), ("overhead_cpu", "cpu_s"))):
        shares = [runner[index] / alone[index] - 1 for alone, runner in pairs]
        alone, runner = (statistics.median(pair[who][index] for pair in pairs) for who in (0, 1))
        found |= {f"loop_{unit}": alone, f"command_{unit}": runner}
        found |= {name: runner / alone - 1, f"{name}_min": min(shares), f"{name}_max": max(shares)}
    return found


def measure(data: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Both."""
    names = [name for one in LISTS for name in read_names(data / "divided_split" / "edh_instances" / one)]
    drawn = random.Random(SEED).sample(names, len(names))
    games = str(data / "games" / "valid_seen")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        some, few = scratch / "some.txt", scratch / "few.txt"
        some.write_text("\n".join(drawn[: arguments.limit]))
        few.write_text("\n".join(drawn[: arguments.sample]))
        return {
            **throughput(games, some, scratch, len(names)),
            **(overhead(games, few, scratch, arguments.repeats) if arguments.repeats else {}),
        }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--bare", nargs=2, metavar=("GAMES", "NAMES"), help="only the loop")
    arguments = parser.parse_args()
    if arguments.bare:
        bare(arguments.bare[0], Path(arguments.bare[1]))
        return
    tell(measure(Path(os.environ["TEACH_DATA_DIR"]), arguments), arguments.json)


if __name__ == "__main__":
    main()
