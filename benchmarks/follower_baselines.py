"""What agents without training reach in EDH, TfD and TATC on the lists at hand: the baselines of the registry.

    TEACH_DATA_DIR=... python benchmarks/follower_baselines.py [--out RUNS] [--only NAME] [--limit N] [--workers N]
                                                               [--registry FILE] [--json FILE]

Every baseline is a run of `teach-agents` in a folder of its own in RUNS: one that was interrupted goes on, one that is
done is not run again. `random` is TEACh's sample model, `idle` stops at once, `recorded` (in TATC `demonstration`) does
what the person did, `planner` is the planner. Of every demonstration that is lost, `RUNS/NAME.losses.csv` says by which
action (its index in the session) and why. With --registry the figures are written as rows of the registry, in place of
those of the same names there. A run in several sittings has no figure of time.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from figures import commit

from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.losses import Loss, losses
from teach_agents.benchmarks.published import BASELINES, registry
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.benchmark.results import Results, read_results
from teach_agents.core.benchmark.selection import read_names
from teach_agents.core.benchmark.stored import StoredRun, read_run
from teach_agents.core.benchmark.summary import Label, measured

COMMAND = str(Path(sys.executable).with_name("teach-agents"))
LISTS = ("divided_val_seen.txt", "divided_test_seen.txt")
ALONE = {"random": "random", "idle": "idle", "recorded": "demonstration", "planner": "planner"}
"""Followers of EDH and TfD, and the systems' names."""
PAIRS = {
    "random": ("random", "random"),
    "idle": ("silent", "idle"),
    "demonstration": ("demonstration", "demonstration"),
    "planner": ("planner", "planner"),
}
"""Commander and Follower of TATC by the system's name."""


@dataclass(frozen=True)
class Baseline:
    """One system on one list: `where` are the options that name the list, `who` those that name the agents."""

    name: str
    benchmark: str
    system: str
    split: str
    instances: str
    where: tuple[str, ...]
    who: tuple[str, ...]

    def command(self, limit: int | None) -> list[str]:
        """The command, with $TEACH_DATA_DIR for the folder of the data."""
        some = ["--limit", str(limit)] if limit else []
        return [self.benchmark, *self.where, *self.who, *some]


def baselines() -> Iterator[Baseline]:
    """Every baseline, the quick ones first."""
    sessions = ("--games", "$TEACH_DATA_DIR/games/valid_seen")
    names = [part for one in LISTS for part in ("--names", f"$TEACH_DATA_DIR/divided_split/edh_instances/{one}")]
    edh_files = ("--instances", "$TEACH_DATA_DIR/edh_instances")
    lists = (
        ("edh-files", "edh", "train and valid_seen", "the 33 released files at hand", edh_files),
        ("edh", "edh", "valid_seen", "the released list of 2022, cut from sessions", (*sessions, *names)),
        ("tfd", "tfd", "valid_seen", "one of every session, format inferred", sessions),
    )
    for follower, system in ALONE.items():
        for title, benchmark, split, instances, where in lists:
            name = f"{title}-{system}"
            yield Baseline(name, benchmark, system, split, instances, where, ("--follower", follower))
    for system, (commander, follower) in PAIRS.items():
        who = ("--commander", commander, "--follower", follower)
        yield Baseline(f"tatc-{system}", "tatc", system, "valid_seen", "all sessions", sessions, who)


def run(one: Baseline, out: Path, limit: int | None, workers: int) -> tuple[StoredRun, Label]:
    """Carry a baseline through, or what is left of it, and say how that went."""
    folder, noted = out / one.name, out / f"{one.name}.how.json"
    begun = (folder / "settings.json").exists()
    if not (begun and noted.exists() and _complete(folder)):
        load, started = os.getloadavg()[0] / (os.cpu_count() or 1), time.monotonic()
        options = [part.replace("$TEACH_DATA_DIR", os.environ["TEACH_DATA_DIR"]) for part in one.command(limit)]
        how = ["--out", str(folder), "--workers", str(workers), "--pictures", "0"]
        subprocess.run([COMMAND, *options, *how], check=True, stdout=subprocess.DEVNULL)
        seconds = None if begun else round(time.monotonic() - started, 1)
        sitting = {"commit": commit(), "seconds": seconds, "load": round(load, 2), "workers": workers}
        write_atomically(noted, json.dumps(sitting) + "\n")
    sitting = json.loads(noted.read_text())
    stored = read_run(folder)
    some = f"the first {len(stored.asked)} of " if limit else ""
    notes = "" if sitting["seconds"] else "carried out in several sittings"
    command = " ".join(["teach-agents", *one.command(limit), "--workers", str(sitting["workers"])])
    label = Label(
        one.system,
        one.split,
        some + one.instances,
        command,
        commit=sitting["commit"],
        seconds=sitting["seconds"],
        load=sitting["load"],
        notes=notes,
    )
    return stored, label


def _complete(folder: Path) -> bool:
    found = read_run(folder)
    return len(found.lines) == len(found.asked)


def references(one: Baseline, stored: StoredRun) -> dict[str, Reference]:
    """Where the files of a run's instances lie."""
    data = Path(os.environ["TEACH_DATA_DIR"])
    games = str(data / "games" / "valid_seen")
    if one.benchmark == "tatc":
        return {name: Reference(name, one.split, f"{games}/{name}.game.json") for name in stored.asked}
    if one.benchmark == "tfd":
        found = tfd_references(games=games)
    elif "--instances" in one.where:
        found = edh_references(instances=str(data / "edh_instances"))
    else:
        names = [name for each in LISTS for name in read_names(data / "divided_split" / "edh_instances" / each)]
        found = edh_references(games=games, names=names)
    return {each.instance_id: each for each in found}


def tell_losses(one: Baseline, stored: StoredRun, file: Path) -> dict[str, int]:
    """Write the table of a demonstration's losses, unless it stands there; how many of each cause."""
    if not file.exists():
        found = [asdict(each) for each in losses(stored, references(one, stored))]
        part = file.with_suffix(".part")
        with part.open("w", newline="", encoding="utf8") as stream:
            writer = csv.DictWriter(stream, [each.name for each in fields(Loss)])
            writer.writeheader()
            writer.writerows({**each, "cause": str(each["cause"])} for each in found)
        part.replace(file)
    with file.open(newline="", encoding="utf8") as stream:
        return dict(Counter(row["cause"] for row in csv.DictReader(stream)).most_common())


def registered(new: Results, file: Path) -> None:
    """Write the rows, in place of those of the same sources."""
    known = registry().metrics
    old = read_results(file, known) if file.exists() else Results(metrics=known)
    kept = tuple(row for row in old.rows if row.source not in new.sources)
    whole = Results(metrics=known, sources={**old.sources, **new.sources}, rows=(*kept, *new.rows))
    sources = {name: each.model_dump() for name, each in whole.sources.items()}
    rows = ",\n".join("  " + json.dumps(row.model_dump(exclude_defaults=True)) for row in whole.rows)
    head = json.dumps({"format": 1, "sources": sources}, indent=1).removesuffix("\n}")
    write_atomically(file, f'{head},\n "rows": [\n{rows}\n ]\n}}\n')


def main() -> None:
    """Run, print, and write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs") / "baselines")
    parser.add_argument("--only", action="append", choices=[one.name for one in baselines()])
    parser.add_argument("--limit", type=int, help="only the first so many instances of each list")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--registry", type=Path, nargs="?", const=BASELINES, help="by default the file that ships")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    out = arguments.out / (f"first-{arguments.limit}" if arguments.limit else "whole")
    out.mkdir(parents=True, exist_ok=True)
    results, told = Results(metrics=registry().metrics), dict[str, Any]()
    for one in baselines():
        if arguments.only and one.name not in arguments.only:
            continue
        stored, label = run(one, out, arguments.limit, arguments.workers)
        found = measured(stored, f"baseline {one.name}", label)
        results = results.joined(found)
        whole = {row.metric: row for row in found.rows if not row.task}
        told[one.name] = {name: row.model_dump(include={"value", "interval", "n"}) for name, row in whole.items()}
        told[one.name]["how"] = found.sources[f"baseline {one.name}"].model_dump()
        success, goals = whole["success_rate"], whole["goal_condition_success_macro"]
        print(f"{one.name}: n {success.n}, success {success.value} {success.interval}, goals (macro) {goals.value}")
        if one.system == "demonstration":
            causes = tell_losses(one, stored, out / f"{one.name}.losses.csv")
            told[one.name]["losses"] = causes
            print("  lost:", "; ".join(f"{cause}: {number}" for cause, number in causes.items()))
        if arguments.registry:
            registered(results, arguments.registry)
    if arguments.json:
        write_atomically(arguments.json, json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
