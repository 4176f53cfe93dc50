"""Sessions per second of the planner pair in TATC without recorded pictures, in one process and in two.

    python benchmarks/tatc_speed.py [--json FILE] [--sessions 24] [--repeats 3] [--games FOLDER]

The sample is `--sessions` generated instances (seed 5, tasks and rooms in turn) or, with `--games`, as many of a
folder's game files, drawn with seed 5. Every repeat plays all of it in one worker process, then in two, by the runner
that `teach-agents tatc` uses; records and game files are written as there. Medians over the repeats, extremes beside.

| figure | what it is |
|---|---|
| one_process, two_processes | sessions per second of wall time while all processes are at work: a process's first session, in which modules and compiled kernels are loaded, and the end of the run, where a process has nothing left to do, are left out |
| two_over_one | their ratio, within one repeat |
| one_process_cpu, two_processes_cpu | sessions per second of CPU time that the workers spent, first sessions left out: what a core would do that nobody else uses |
| one_process_whole, two_processes_whole | sessions per second of wall time of the whole run, start-up and end included |
| first_session_cpu_s | CPU seconds of a process's first session |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents.benchmarks.tatc.episode import play
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.benchmarks.tatc.run import TatcSettings
from teach_agents.core.benchmark.engines import Job, run_jobs
from teach_agents.data.games import game_files

SEED = 5


def timed(payload: Mapping[str, Any]) -> dict[str, Any]:
    """In a worker: play a session; say in which process, when it began and ended, and what CPU time it took."""
    began, cpu = time.monotonic(), time.process_time()
    episode = play(payload)
    spent = time.process_time() - cpu
    played = Played(os.getpid(), began, time.monotonic(), spent, bool(episode["success"]))
    return asdict(played)


@dataclass(frozen=True)
class Played:
    """One session: `began` and `ended` by the machine's monotonic clock, seconds."""

    process: int
    began: float
    ended: float
    cpu_s: float
    success: bool


@dataclass(frozen=True)
class Run:
    """What one run of the sample took."""

    sessions: Sequence[Played]
    wall_s: float

    @property
    def firsts(self) -> list[Played]:
        """Each process's first session."""
        early: dict[int, Played] = {}
        for one in sorted(self.sessions, key=lambda one: one.began):
            early.setdefault(one.process, one)
        return list(early.values())

    @property
    def rate(self) -> float:
        """Sessions per second while every process is at work, parts of sessions counted as such."""
        begin = max(one.ended for one in self.firsts)
        end = min(max(o.ended for o in self.sessions if o.process == one.process) for one in self.firsts)
        parts = ((min(one.ended, end) - max(one.began, begin)) / (one.ended - one.began) for one in self.sessions)
        return sum(max(0.0, part) for part in parts) / (end - begin)

    @property
    def cpu_rate(self) -> float:
        """Sessions per CPU second, without the first ones."""
        warm = set(self.sessions) - set(self.firsts)
        return len(warm) / sum(one.cpu_s for one in warm)

    @property
    def whole_rate(self) -> float:
        """Sessions per second from start to end."""
        return len(self.sessions) / self.wall_s


def run(instances: Sequence[TatcInstance], workers: int) -> Run:
    """Play the sample once."""
    settings = TatcSettings(pictures=0, seed=SEED).to_json()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("records", "games"):
            Path(folder, name).mkdir()
        jobs = [
            Job(one.instance_id, {"instance": one.to_json(), "settings": settings, "folder": folder, "pictures": False})
            for one in instances
        ]
        started = time.monotonic()
        results = list(run_jobs(jobs, "tatc_speed:timed", workers=workers))
        wall = time.monotonic() - started
    broken = [f"{one.job_id}: {one.reason}" for one in results if one.status != "done"]
    if broken:
        raise SystemExit("\n".join(broken))
    return Run([Played(**one.value) for one in results], wall)


def sample(count: int, games: Path | None) -> Sequence[TatcInstance]:
    """The instances to play."""
    if games is None:
        return generated_instances(count, seed=SEED)
    files = game_files(games)
    return game_instances(random.Random(SEED).sample(files, min(count, len(files))), seed=SEED)


def summarized(name: str, values: Sequence[float]) -> dict[str, float]:
    """A figure: the median and its extremes."""
    found = {name: statistics.median(values), f"{name}_min": min(values), f"{name}_max": max(values)}
    print(f"{name}: {found[name]:.2f} ({min(values):.2f} to {max(values):.2f})")
    return found


def measure(instances: Sequence[TatcInstance], repeats: int) -> dict[str, object]:
    """All figures by name."""
    runs = [(run(instances, 1), run(instances, 2)) for _ in range(repeats)]
    figures: dict[str, object] = {"sessions": len(instances), "seed": SEED, "repeats": repeats}
    figures["success_rate"] = statistics.fmean(one.success for one in runs[0][0].sessions)
    for number, name in enumerate(("one_process", "two_processes")):
        figures |= summarized(name, [pair[number].rate for pair in runs])
        figures |= summarized(f"{name}_cpu", [pair[number].cpu_rate for pair in runs])
        figures |= summarized(f"{name}_whole", [pair[number].whole_rate for pair in runs])
    figures |= summarized("two_over_one", [two.rate / one.rate for one, two in runs])
    firsts = [one.cpu_s for pair in runs for each in pair for one in each.firsts]
    return figures | summarized("first_session_cpu_s", firsts)


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--sessions", type=int, default=24)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--games", type=Path)
    arguments = parser.parse_args()
    figures = {"sample": "games" if arguments.games else "generated"}
    tell(figures | measure(sample(arguments.sessions, arguments.games), arguments.repeats), arguments.json)


if __name__ == "__main__":
    main()
