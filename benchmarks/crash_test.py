"""Runs that are killed at random moments and resumed end with the summary of a run that nothing happened to.

    python benchmarks/crash_test.py [--kills 20] [--instances 60] [--engine local] [--concurrent 1] [--games FOLDER]
        [--json FILE]

For `teach-agents edh` (the random Follower) and `teach-agents tatc` (the planner pair), two workers each, which play
`--concurrent` instances at a time. One run is left alone. Another is killed with SIGKILL, the whole process group at
once, workers included, and goes on with `--resume`, until it was killed so often and has ended; where one ends before
that, a new one is begun. Sessions are generated; those that EDH's instances are cut from are played first, unless
`--games` names a folder of them.

| figure | what it is |
|---|---|
| kills, runs | how often a process at work was killed, in how many runs |
| before_anything, before_a_result | how many of these found no folder of a run, or no result in it |
| torn_lines | how many left a line of results cut short |
| twice | instances that have two lines in the end |
| identical | whether every run's summary is, byte for byte, that of the run that was left alone |
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents.core.benchmark.folder import Journal

PROGRAM = [sys.executable, "-c", "from teach_agents.cli.main import main; main()"]
JOURNALS = {"edh": "records.jsonl", "tatc": "episodes.jsonl"}
LIMIT_S = 3600.0


def longest_s(first_s: float, rest_s: float, kills: int) -> float:
    """The longest time until a kill, such that so many kills are spread over one run.

    For a time until the kill that is uniform in [0, t], and a first result after `first_s`, what is left to work is
    (t - first_s)^2 / 2t seconds on average: the kill's share of `rest_s`.
    """
    share = rest_s / kills
    return first_s + share + math.sqrt(share**2 + 2 * first_s * share)


def begin(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the command line in a process group of its own; its progress goes to our stderr."""
    return subprocess.Popen([*PROGRAM, *words], stdout=subprocess.DEVNULL, start_new_session=True)


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait for its end."""
    if code := process.wait(LIMIT_S):
        raise SystemExit(f"exit status {code}: {' '.join(map(str, process.args))}")  # type: ignore[arg-type]


def lines(journal: Path) -> list[bytes]:
    """The lines of a file of results, the last perhaps cut short."""
    return journal.read_bytes().splitlines(keepends=True) if journal.exists() else []


class Trial:
    """One command, killed again and again. `words` ask for the run but for its folder."""

    def __init__(self, words: Sequence[str], folder: Path, draw: random.Random) -> None:
        self._words = words
        self._folder = folder
        self._draw = draw
        self._journal = JOURNALS[words[0]]
        self._counts: Counter[str] = Counter()

    def leave_alone(self) -> tuple[bytes, float, float]:
        """The summary of a run that nothing happens to, the seconds to its first result and those that follow."""
        out, begun = self._folder / "whole", time.monotonic()
        process = begin([*self._words, "--out", str(out)])
        while process.poll() is None and not lines(out / self._journal):
            time.sleep(0.005)
        first_s = time.monotonic() - begun
        finish(process)
        return (out / "summary.json").read_bytes(), first_s, time.monotonic() - begun - first_s

    def kill(self, kills: int, within_s: float) -> list[bytes]:
        """Kill so many processes, each at a moment within `within_s`; the summaries of all runs that this took."""
        summaries = []
        while self._counts["kills"] < kills:
            self._counts["runs"] += 1
            out = self._folder / f"killed{self._counts['runs']}"
            while self._counts["kills"] < kills and self._killed(out, self._draw.uniform(0, within_s)):
                pass
            finish(begin(self._resuming(out)))
            summaries.append((out / "summary.json").read_bytes())
            names = Counter(_name(one) for one in Journal(out / self._journal))
            self._counts["twice"] += sum(n > 1 for n in names.values())
        return summaries

    def _killed(self, out: Path, after_s: float) -> bool:
        """Go on with a run and kill it; false where it ended before."""
        process = begin(self._resuming(out))
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        else:
            finish(process)
            return False
        found = lines(out / self._journal)
        self._counts["kills"] += 1
        self._counts["before_anything"] += not out.exists()
        self._counts["before_a_result"] += not found
        self._counts["torn_lines"] += bool(found) and not found[-1].endswith(b"\n")
        return True

    def _resuming(self, out: Path) -> list[str]:
        """No more than `--resume` once the folder knows what was asked; with the whole command before."""
        known = (out / "command.json").exists()
        return [*(self._words[:1] if known else self._words), "--out", str(out), "--resume"]

    def measure(self, kills: int) -> dict[str, Any]:
        """Leave one run alone, kill others, compare."""
        whole, first_s, rest_s = self.leave_alone()
        summaries = self.kill(kills, longest_s(first_s, rest_s, kills))
        names = ("kills", "runs", "before_anything", "before_a_result", "torn_lines", "twice")
        return {
            "instances": len(lines(self._folder / "whole" / self._journal)),
            **{name: self._counts[name] for name in names},
            "identical": all(one == whole for one in summaries),
            "summary_sha256": hashlib.sha256(whole).hexdigest(),
        }


def _name(line: dict[str, Any]) -> str:
    return str(line.get("outcome", line)["instance_id"])


def measure(arguments: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    """Both commands."""
    how = ["--workers", "2", "--engine", arguments.engine, "--concurrent", str(arguments.concurrent)]
    tatc = ["tatc", "--generate", str(arguments.instances), "--seed", str(arguments.seed), *how]
    games = arguments.games
    if games is None:
        games = scratch / "played" / "games"
        finish(begin([*tatc, "--pictures", "0", "--out", str(games.parent)]))
    files = scratch / "edh_instances"
    finish(begin(["data", "instances", "edh", str(games), str(files)]))
    edh = [
        "edh",
        "--instances",
        str(files),
        "--games",
        str(games),
        "--follower",
        "random",
        "--limit",
        str(arguments.instances),
        *how,
    ]
    found: dict[str, Any] = {name: getattr(arguments, name) for name in ("engine", "concurrent", "seed")}
    for words in (edh, tatc):
        trial = Trial(words, scratch / words[0], random.Random(f"{arguments.seed} {words[0]}"))
        found[words[0]] = trial.measure(arguments.kills)
    return found


def main() -> None:
    """Measure, print, and write JSON if asked; the exit status says whether all summaries were identical."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--instances", type=int, default=60)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--concurrent", type=int, default=1)
    parser.add_argument("--games", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found = measure(arguments, Path(scratch))
    tell(found, arguments.json)
    if not all(found[name]["identical"] for name in JOURNALS):
        sys.exit("a summary differs")


if __name__ == "__main__":
    main()
