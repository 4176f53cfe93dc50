"""Speed of this tree beside the tree before the core: both measured in turns on this machine, as pairs.

    python benchmarks/pairs.py [--only NAME ...] [--pairs 9] [--old TREE] [--new TREE] [--work DIR] [--json FILE]

The tree before is a git worktree of commit 8ccb15a made for the time of this, or `--old TREE`. A pair is one measurement in
each: both run at the same time, by turns of a tenth of a second, so that whoever else uses the machine slows both alike.
`runner_overhead`, which has wall times, and `start_up` are measured one directly after the other; which comes first changes
from pair to pair. What is measured is CPU time, by the benchmark's own rows or of the whole process with its children, and
the wall time of turns (`runner_overhead`). A pair's ratio is old / new: above 1 this tree is faster. Of the ratios their median is told and the interval between two of them in
order of size that holds the true median with at least 95 % (of nine: the second and the eighth; fewer than six: all).

A figure is met where the median is at least what is asked for; where that is 0.95, the interval's upper end must be 0.97
or more besides. The exit status is 1 where one is not met. With `--work` the pairs stay in DIR, and the same command goes
on with them.

| name | asked of the median |
|---|---|
| simulator_speed, serve_speed, lm_decision_speed | 0.95 of every row |
| tatc_speed | 1.15: the planner pair |
| runner_overhead | 2.0 of a turn's CPU time, 2.5 of its wall time, 0.95 of turns with a record, instances, a Follower alone |
| start_up | 0.909: at most 1.10 of before |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from statistics import median
from typing import Any

from equivalence import fingerprint
from figures import commit, machine
from start_up import FIRST_FRAME
from telling import tell
from trees import BEFORE, ROOT, Tree, run_by_turns, scratch, worktree

LEAST, UPPER = 0.95, 0.97
START_UP = 1 / 1.10
HERE = ROOT / "benchmarks"

Costs = Mapping[str, float]
"""By figure what something takes: the less, the faster."""


@dataclass(frozen=True)
class Script:
    """A benchmark's script, the tree's own unless `shared`, and what its figures say of costs.

    Those of a script that `walls` are wall times, too: it runs alone.
    """

    words: Sequence[str]
    costs: Callable[[Mapping[str, Any]], Costs]
    shared: bool = False
    walls: bool = False

    def measure(self, trees: Sequence[Tree], folder: Path) -> list[Costs]:
        """The costs in each tree, the first of which is asked first."""
        files = [folder / f"figures of {number}.json" for number in range(len(trees))]
        for file in files:
            file.unlink(missing_ok=True)
        commands = [(tree, self._command(tree, file)) for tree, file in zip(trees, files, strict=True)]
        parts = [[one] for one in commands] if self.walls else [commands]
        ended = [one for part in parts for one in run_by_turns(part, folder)]
        for tree, file, (code, output) in zip(trees, files, ended, strict=True):
            if code or not file.exists():
                raise SystemExit(f"{self.words[0]} in {tree.folder}: exit status {code}\n{output[-3000:]}")
        return [self.costs(json.loads(file.read_text())) for file in files]

    def _command(self, tree: Tree, file: Path) -> list[str]:
        script = (HERE if self.shared else tree.folder / "benchmarks") / self.words[0]
        return [sys.executable, str(script), *self.words[1:], "--json", str(file)]


@dataclass(frozen=True)
class Commands:
    """Commands whose CPU time counts, each several times."""

    by_name: Mapping[str, Sequence[str]]
    times: int = 5

    def measure(self, trees: Sequence[Tree], folder: Path) -> list[Costs]:
        """CPU seconds by name in each tree, the least of several."""
        return [self._costs(tree, folder) for tree in trees]

    def _costs(self, tree: Tree, folder: Path) -> Costs:
        found = {}
        for name, words in self.by_name.items():
            command = tree.program(*words[1:]) if words[0] == "teach-agents" else [sys.executable, *words]
            spent = [tree.run(command, folder) for _ in range(self.times)]
            if broken := [one for one in spent if one.code]:
                raise SystemExit(f"{name} in {tree.folder}: exit status {broken[0].code}\n{broken[0].output[-3000:]}")
            found[name] = min(one.cpu_s for one in spent)
        return found


def rates(*names: str) -> Callable[[Mapping[str, Any]], Costs]:
    """Costs of figures that are rates."""
    return lambda figures: {name: 1 / figures[name] for name in names}


def decisions(figures: Mapping[str, Any]) -> Costs:
    """CPU seconds of a decision alone, and of one of eight sessions at once."""
    alone = figures["alone_cpu_s"]
    return {"alone": alone, "together": alone / figures["gain_cpu"]}


def overhead(figures: Mapping[str, Any]) -> Costs:
    """What idle agents cost."""
    return {name: cost for name, cost in figures.items() if "_cpu_" in name or "turn_wall_" in name}


STEPS = (
    "bare_step bare_step_unforced bare_step_check click_step full_step_224 full_step_300 full_step_900 reset".split()
)
MEASURED: Mapping[str, Script | Commands] = {
    "simulator_speed": Script(["simulator_speed.py", "--repeats", "1", "--seconds", "1"], rates(*STEPS)),
    "tatc_speed": Script(
        ["tatc_speed.py", "--sessions", "12", "--repeats", "1"], rates("one_process_cpu", "two_processes_cpu")
    ),
    "serve_speed": Script(
        ["serve_speed.py", "--rounds", "1", "--requests", "100", "--seconds", "3"],
        lambda figures: {"act": figures["act_cpu_ms"]},
        shared=True,
    ),
    "lm_decision_speed": Script(["lm_decision_speed.py", "--decisions", "2", "--repeats", "1"], decisions),
    "runner_overhead": Script(["runner_overhead.py"], overhead, shared=True, walls=True),
    "start_up": Commands(
        {
            "import": ["-c", "import teach_agents"],
            "help": ["teach-agents", "--help"],
            "first_frame": ["-c", FIRST_FRAME],
        }
    ),
}
ASKED: Mapping[str, float] = {
    "tatc_speed.one_process_cpu": 1.15,
    "tatc_speed.two_processes_cpu": 1.15,
    "runner_overhead.turn_cpu_ms": 2.0,
    "runner_overhead.turn_wall_ms": 2.5,
    "start_up.import": START_UP,
    "start_up.help": START_UP,
    "start_up.first_frame": START_UP,
}
"""What is asked of the median ratio of a figure, where it is not `LEAST`."""


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The narrowest pair of values, equally far from both ends, that holds the median with 95 % or more; else all."""
    ordered, n = sorted(values), len(values)
    rank = 0
    while 2 * sum(comb(n, k) for k in range(rank + 2)) / 2**n <= 0.05:
        rank += 1
    return ordered[rank], ordered[-1 - rank]


def verdict(figure: str, ratios: Sequence[float]) -> dict[str, Any]:
    """What the ratios of a figure say."""
    least = ASKED.get(figure, LEAST)
    low, high = interval(ratios)
    met = median(ratios) >= least and (least != LEAST or high >= UPPER)
    return {
        "ratio": round(median(ratios), 3),
        "interval": [round(low, 3), round(high, 3)],
        "pairs": len(ratios),
        "asked": round(least, 3),
        "met": met,
    }


def pairs(name: str, trees: Sequence[Tree], count: int, folder: Path) -> Iterator[tuple[Costs, Costs]]:
    """Measure in the old tree and the new, in turns. Pairs that are in the folder are not measured again."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        file = folder / f"{name}.{number}.json"
        if not file.exists():
            turn = 1 if number % 2 == 0 else -1
            file.write_text(json.dumps(MEASURED[name].measure(trees[::turn], folder)[::turn]))
        old, new = json.loads(file.read_text())
        ratios = ", ".join(f"{figure} {old[figure] / new[figure]:.3f}" for figure in old)
        print(f"{name}: pair {number + 1}/{count}: {ratios}", file=sys.stderr, flush=True)
        yield old, new


def compared(
    names: Sequence[str], count: int, old: Path | None = None, new: Path = ROOT, work: Path | None = None
) -> dict[str, Any]:
    """Every figure's verdict, and the medians of both trees' costs."""
    about: dict[str, Any] = {"before": str(old.name if old else BEFORE), "commit": commit(), "machine": machine()}
    found: dict[str, Any] = {}
    with scratch(work, "pairs") as kept, worktree(kept, of=old) as before:
        trees = [Tree.of(before, kept, threads=2), Tree.of(new, kept, threads=2)]
        folder = kept / f"pairs {fingerprint(before)} {fingerprint(new)}"
        for name in names:
            made = list(pairs(name, trees, count, folder))
            for figure in made[0][0]:
                costs = [(one[figure], other[figure]) for one, other in made]
                said = verdict(f"{name}.{figure}", [one / other for one, other in costs])
                both = {"old": median(one for one, _ in costs), "new": median(other for _, other in costs)}
                found[f"{name}.{figure}"] = {**said, **both}
    return {**about, "figures": found, "met": all(one["met"] for one in found.values())}


def main() -> None:
    """Measure, print, write JSON if asked; the exit status says whether everything is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(MEASURED), metavar="NAME", help="may be repeated")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--old", type=Path, help=f"a tree that is there, instead of a worktree of {BEFORE}")
    parser.add_argument("--new", type=Path, default=ROOT)
    parser.add_argument("--work", type=Path, help="where pairs are kept, so that the same command goes on with them")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found = compared(asked.only or list(MEASURED), asked.pairs, asked.old, asked.new, asked.work)
    tell(found, asked.json)
    if not found["met"]:
        sys.exit("not met: " + ", ".join(name for name, one in found["figures"].items() if not one["met"]))


if __name__ == "__main__":
    main()
