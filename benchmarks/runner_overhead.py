"""What a session costs when its agents do nothing: seconds an instance, milliseconds a turn.

    python benchmarks/runner_overhead.py [--turns 2000] [--instances 10] [--json FILE]
    python benchmarks/runner_overhead.py --pairs 9 [--old TREE] [--json FILE]

Two agents in this process wait, in one household session on the embedded simulator, without and with a record; a Follower
waits alone in `teach-agents tfd`. Figures are CPU time of the process (`resource.getrusage`) and wall time. With `--pairs`
the tree of commit 8ccb15a (or `--old TREE`) is measured beside this one, in turns: see `pairs.py`.

| figure | what it is |
|---|---|
| turn_cpu_ms, turn_wall_ms | of a turn of both agents, those at the beginning left out |
| recorded_turn_cpu_ms, recorded_turn_wall_ms | the same with a record on the disk |
| instance_cpu_s, instance_wall_s | of a session of one turn, the room's loading included; the median |
| recorded_instance_cpu_s, recorded_instance_wall_s | the same with a record |
| alone_turn_cpu_ms, alone_turn_wall_ms | of a Follower's step in TfD |
| alone_instance_cpu_s, alone_instance_wall_s | from one TfD instance to the next of a Follower that stops at once; the median |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from telling import tell

from teach_agents import Action, Agent, EmbeddedSimulator, Household, Observation, Scenario, Scene, run_session
from teach_agents.household import Limits

WARM = 200
"""Turns at the beginning that are not counted."""
MARKS, TURNS = "RUNNER_OVERHEAD_MARKS", "RUNNER_OVERHEAD_TURNS"
_PROGRAM = [sys.executable, "-c", "from teach_agents.cli.main import main; main()"]


class Mark(NamedTuple):
    """A moment: CPU and wall time so far, seconds."""

    cpu: float
    wall: float

    @classmethod
    def now(cls) -> Mark:
        """This moment, of this process."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        return cls(used.ru_utime + used.ru_stime, time.perf_counter())

    def since(self, other: Mark, parts: int = 1) -> Mark:
        """How long ago another was, by so many parts."""
        return Mark((self.cpu - other.cpu) / parts, (self.wall - other.wall) / parts)


class Waiting(Agent):
    """Waits, and marks when it is asked for the first turn that counts, and for the last."""

    def __init__(self, turns: int) -> None:
        self._counted = {WARM, turns - 1}
        self.marks: list[Mark] = []

    def act(self, observation: Observation) -> Action:
        """Nothing."""
        if observation.turn in self._counted:
            self.marks.append(Mark.now())
        return Action.wait()


class Alone(Waiting):
    """The same in a worker of `teach-agents`; without turns it stops at once. Marks are lines of a file."""

    def __init__(self) -> None:
        super().__init__(int(os.environ[TURNS]))

    def act(self, observation: Observation) -> Action:
        """Nothing, or the end."""
        action = super().act(observation)
        stops = not int(os.environ[TURNS])
        for mark in [Mark.now()] if stops else self.marks:
            with Path(os.environ[MARKS]).open("a") as file:
                file.write(json.dumps(mark) + "\n")
        self.marks.clear()
        return Action.stop() if stops else action


def idle(observation: Observation) -> Action:
    """The partner, who marks nothing."""
    return Action.wait()


def session(household: Household, turns: int, record: Path | None) -> list[Mark]:
    """The marks of one session."""
    waiting = Waiting(turns)
    scenario = Scenario("idle", "Coffee", (), Scene("FloorPlan1"), seed=1)
    result = run_session(household, idle, waiting, scenario, limits=Limits(turns), record=record)
    if result.turns != turns:
        raise SystemExit(f"a session of {turns} turns had {result.turns}: {result.reason}")
    return waiting.marks


def told(name: str, unit: str, spent: Mark) -> dict[str, float]:
    """Figures by name, in milliseconds or seconds."""
    factor = {"ms": 1000.0, "s": 1.0}[unit]
    return {f"{name}_cpu_{unit}": round(factor * spent.cpu, 5), f"{name}_wall_{unit}": round(factor * spent.wall, 5)}


def middle(marks: Sequence[Mark]) -> Mark:
    """The median time between marks."""
    spent = [later.since(earlier) for earlier, later in zip(marks, marks[1:], strict=False)]
    return Mark(median(one.cpu for one in spent), median(one.wall for one in spent))


def together(turns: int, instances: int, record: Path | None, name: str) -> dict[str, float]:
    """A turn's and an instance's figures of two agents in this process."""
    household = Household(EmbeddedSimulator())
    first, last = session(household, turns, record)
    marks = [Mark.now()]
    for _ in range(instances):
        session(household, 1, record)
        marks.append(Mark.now())
    return told(f"{name}turn", "ms", last.since(first, turns - 1 - WARM)) | told(f"{name}instance", "s", middle(marks))


def alone(turns: int, instances: int, scratch: Path) -> dict[str, float]:
    """A step's and an instance's figures of a Follower alone."""
    games = scratch / "games"
    made = scratch / "made"
    program(
        "tatc", "--task", "Coffee", "--room", "FloorPlan1", "--generate", "1", "--out", str(made), "--pictures", "0"
    )
    game = next(made.glob("games/*.json")).read_bytes()

    def marks(count: int, steps: int) -> list[Mark]:
        folder, file = games / str(count), scratch / f"marks{count}"
        folder.mkdir(parents=True)
        for number in range(count):
            (folder / f"{number:016x}_0000.game.json").write_bytes(game)
        asked = ["tfd", "--games", str(folder), "--follower", "runner_overhead:Alone", "--max-steps", str(turns)]
        out = ["--out", str(scratch / f"run{count}"), "--workers", "1", "--pictures", "0"]
        program(*asked, *out, **{MARKS: str(file), TURNS: str(steps)})
        return [Mark(*json.loads(line)) for line in file.read_text().splitlines()]

    first, last = marks(1, turns)
    return told("alone_turn", "ms", last.since(first, turns - 1 - WARM)) | told(
        "alone_instance", "s", middle(marks(instances, 0))
    )


def program(*words: str, **variables: str) -> None:
    """Run `teach-agents`, which finds this script's agents."""
    path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(Path(__file__).parent)])
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    done = subprocess.run([*_PROGRAM, *words], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"exit status {done.returncode}: {' '.join(words)}\n{done.stdout}{done.stderr}")


def measure(turns: int, instances: int) -> dict[str, float]:
    """All figures by name."""
    with TemporaryDirectory(prefix="runner_overhead") as folder:
        scratch = Path(folder)
        session(Household(EmbeddedSimulator()), WARM + 1, None)
        return {
            "turns": turns,
            "instances": instances,
            **together(turns, instances, None, ""),
            **together(turns, instances, scratch / "record.jsonl", "recorded_"),
            **alone(turns, instances, scratch),
        }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument("--pairs", type=int, help="measure the tree before, too, so many times in turns")
    parser.add_argument("--old", type=Path, help="with --pairs: a tree instead of a worktree of 8ccb15a")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if asked.pairs:
        from pairs import compared

        tell(compared(["runner_overhead"], asked.pairs, asked.old), asked.json)
    else:
        tell(measure(asked.turns, asked.instances), asked.json)


if __name__ == "__main__":
    main()
