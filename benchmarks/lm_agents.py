"""What language-model agents reach in TATC or EDH with different models, and how much of it is the dialogue's.

    python benchmarks/lm_agents.py --games DIR --out RUNS [--benchmark tatc] [--names LIST] [--systems default,uniform]
        [--commander-model SPEC] [--follower-model SPEC] [--limit N] [--workers 2] [--concurrent 1] [--max-decisions N]
        [--registry FILE] [--json FILE]
    python benchmarks/lm_agents.py --elsewhere N --out RUNS [--systems default,uniform] ...

In TATC (over `valid_seen_60`) a Commander and a Follower share the decisions of a session half and half; in EDH (over
`edh_valid_seen_200`) a Follower alone goes on where people left off, and has them all: 60, ten times as many as the longest of 194
stretches of people's training sessions had deeds. `--elsewhere` plays TATC over N tasks drawn (seed 0) in the 22 rooms in which no
session of the training split takes place, instead of a list. Every system has a run folder of its own below
RUNS: the same command goes on with what is not finished, and `teach-agents report` reads it.

| system | who decides |
|---|---|
| default | the pair that ships (or the models of `--commander-model`, `--follower-model`), perception `oracle` |
| detector | the same, the Follower's perception `detector` |
| planner-commander | the planner as Commander, the default Follower; TATC only |
| planner-follower | the default Commander, the planner as Follower; TATC only |
| base | SmolLM2-135M-Instruct as it is, without adapters |
| uniform | an even draw among the same candidates |
| blanked | the default again, all utterances without their words |
| oracle | a model that answers as the planner would, from the prompt's text: what the way through prompts and skills loses |

Rates are fractions with 95 % intervals over rooms and the number of instances; `against` compares two systems instance by instance.
With --registry the figures become rows of the registry, in place of those of the same names there.
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from figures import commit
from follower_baselines import registered
from telling import tell

from teach_agents import Role
from teach_agents.benchmarks.base import names_of
from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.published import BASELINES
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.core.benchmark.comparison import compare
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.benchmark.results import Results
from teach_agents.core.benchmark.selection import chosen
from teach_agents.core.benchmark.stored import read_run
from teach_agents.core.benchmark.summary import Label, measured
from teach_agents.core.specs import parse
from teach_agents.learning.rooms import OTHER_ROOMS


@dataclass(frozen=True)
class System:
    """Who plays. SPECs without the number of decisions; `{commander}` and `{follower}` are the default's models."""

    title: str
    follower: str
    commander: str = ""

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """What it plays in: a half of the default with the planner plays in TATC only."""
        return ("tatc",) if PLANNER in (self.commander, self.follower) else ("tatc", "edh")


PLANNER = "planner"
COMMANDER, FOLLOWER = "lm:model={commander}", "lm:model={follower}"
SYSTEMS: Mapping[str, System] = {
    "default": System("default language model", FOLLOWER, COMMANDER),
    "detector": System("default language model, detector", FOLLOWER + ",perception=detector", COMMANDER),
    "planner-commander": System("planner + default language model", FOLLOWER, PLANNER),
    "planner-follower": System("default language model + planner", PLANNER, COMMANDER),
    "base": System("SmolLM2-135M-Instruct", "lm:model=smollm2", "lm:model=smollm2"),
    "uniform": System("even draw among candidates", "lm:model=uniform", "lm:model=uniform"),
    "blanked": System(
        "default language model, utterances blanked", FOLLOWER + ",words=false", COMMANDER + ",words=false"
    ),
    "oracle": System("planner's choices among candidates", "lm:model=oracle", "lm:model=oracle"),
}
PAIRS = (("uniform", "default"), ("base", "default"), ("blanked", "default"), ("detector", "default"))
LISTS = {"tatc": "valid_seen_60", "edh": "edh_valid_seen_200"}
DECISIONS = {"tatc": 200, "edh": 60}
OTHER = "other rooms"
CALL_S, HOURS_S = 600.0, 4 * 3600.0

Played = Callable[[str, Path, argparse.Namespace], dict[str, Any]]


def spec(of: str, asked: argparse.Namespace, most: int) -> str:
    """An agent's SPEC, with the models that were asked for; a language model has at most so many decisions."""
    if of == PLANNER:
        return of
    named = parse(of, where="SYSTEMS")
    models = {"{commander}": asked.commander_model, "{follower}": asked.follower_model}
    model = str(named.parameters["model"])
    given = {**named.parameters, "model": models.get(model, model), "max_decisions": most}
    return str(replace(named, parameters=given))


def settings(system: System, asked: argparse.Namespace) -> TatcSettings:
    """The settings of a system's run of TATC, in which the two share the decisions."""
    half = asked.max_decisions // len(Role)
    commander, follower = (spec(one, asked, half) for one in (system.commander, system.follower))
    return TatcSettings(commander=commander, follower=follower, pictures=0, call_time_limit_s=CALL_S)


def edh_settings(system: System, asked: argparse.Namespace) -> Settings:
    """The settings of a system's run of EDH."""
    return Settings(follower=spec(system.follower, asked, asked.max_decisions), call_time_limit_s=CALL_S)


def sessions(asked: argparse.Namespace) -> Sequence[TatcInstance]:
    """What is played in TATC."""
    if asked.elsewhere:
        return generated_instances(asked.elsewhere, rooms=OTHER_ROOMS)
    games = game_instances([asked.games])
    return chosen(games, names_of(asked.names)) if asked.names else games


def tatc(system: str, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """A system's figures in TATC, after playing what is not yet played."""
    how = settings(SYSTEMS[system], asked)
    run = TatcRun(folder, how, sessions(asked)[: asked.limit])
    run.play(workers=asked.workers, concurrent=asked.concurrent, time_limit_s=HOURS_S)
    summary = run.summary()
    write_atomically(folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    said = {name: summary[name] for name in ("model", "prompt_hash", "perception", "end_reasons")}
    who = {"commander": how.commander, "follower": how.follower}
    return {**{name: summary[name] for name in FIGURES}, **who, **said, **told(summary, summary["costs"], folder)}


def edh(system: str, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """A system's figures in EDH, after carrying through what is not yet."""
    names = names_of(asked.names) if asked.names else ()
    references: Sequence[Reference] = edh_references(games=str(asked.games), names=names)
    run = FollowerRun(folder, "edh", edh_settings(SYSTEMS[system], asked), references[: asked.limit])
    run.play(workers=asked.workers, concurrent=asked.concurrent, time_limit_s=HOURS_S)
    summary = run.write_summary()
    rates = {
        "success_rate": summary["success"]["success_rate"],
        "goal_condition_success_micro": summary["goal_condition_success"]["goal_condition_success_rate"],
    }
    said = {name: summary[name] for name in ("follower", "provenance", "perception", "status")}
    found = {name: summary.get(name, rates.get(name)) for name in FIGURES}
    return {**found, **said, **told(summary, {"follower": summary["costs"]}, folder)}


PLAYED: Mapping[str, Played] = {"tatc": tatc, "edh": edh}


def told(summary: Mapping[str, Any], roles: Mapping[str, Mapping[str, Any]], folder: Path) -> dict[str, Any]:
    """What the summaries of both have in common, with what each role cost."""
    lines = list(read_run(folder).lines.values())
    seconds = [line["wall_s"] if "wall_s" in line else line["outcome"]["costs"]["wall_s"] for line in lines]
    decisions = sum(one["decisions"] for one in roles.values())
    return {
        "n": summary["n"],
        "decisions": {role: one["decisions"] for role, one in roles.items()},
        "failed_decisions": {role: one["failed_decisions"] for role, one in roles.items()},
        "median_candidates": {role: one["median_candidates"] for role, one in roles.items()},
        "prompt_tokens_a_decision": round(sum(one["prompt_tokens"] for one in roles.values()) / max(1, decisions), 1),
        "seconds_an_instance": round(sum(seconds) / max(1, len(lines)), 1),
        "success_by_task": {task: row["success_rate"] for task, row in summary["by_task"].items()},
    }


FIGURES = tuple(
    f"{name}{end}"
    for name in ("success_rate", "goal_condition_success_macro", "goal_condition_success_micro")
    for end in ("", "_ci")
)


def command(system: str, asked: argparse.Namespace) -> str:
    """The command that plays what a system played."""
    one, alone = SYSTEMS[system], asked.benchmark == "edh"
    how = edh_settings(one, asked) if alone else settings(one, asked)
    who = [f"--follower '{how.follower}'"] + ([] if isinstance(how, Settings) else [f"--commander '{how.commander}'"])
    where = [f"--generate {asked.elsewhere}", *(f"--room {room}" for room in OTHER_ROOMS)]
    if not asked.elsewhere:
        where = [f"--games $TEACH_DATA_DIR/games/{asked.games.name}"] + [f"--names {asked.names}"] * bool(asked.names)
    where += [f"--limit {asked.limit}"] * bool(asked.limit)
    return " ".join(["teach-agents", asked.benchmark, *where, *who, f"--pictures 0 --call-time-limit {CALL_S:g}"])


def results_of(system: str, folder: Path, asked: argparse.Namespace, found: Mapping[str, Any]) -> Results:
    """A system's rows of the registry, of a run whose figures were `found`."""
    middle = [f"{role} {number:g}" for role, number in found["median_candidates"].items() if number is not None]
    some = f"the first {asked.limit} of " if asked.limit else ""
    source = f"lm_agents {asked.benchmark} {system}" + " elsewhere" * bool(asked.elsewhere)
    split = OTHER if asked.elsewhere else asked.games.name
    instances = some + (f"{asked.elsewhere} drawn sessions" if asked.elsewhere else asked.names or "all sessions")
    how = {"commit": commit(), "notes": f"candidates in the middle: {', '.join(middle)}"}
    label = Label(SYSTEMS[system].title, split, instances, command(system, asked), **how)
    return measured(read_run(folder), source, label)


def against(runs: Path, systems: Sequence[str]) -> list[dict[str, Any]]:
    """Pairs of systems, compared session by session: the difference is the second's less the first's."""
    made = []
    for first, second in PAIRS:
        if first in systems and second in systems:
            found = compare(read_run(runs / first).outcomes, read_run(runs / second).outcomes)
            wanted = [one.to_json() for one in found if one.figure in ("success_rate", "goal_condition_success_macro")]
            made.append({"first": first, "second": second, "figures": wanted})
    return made


def read_arguments() -> argparse.Namespace:
    """What is asked for, with the benchmark's defaults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--games", type=Path)
    where.add_argument(
        "--elsewhere", type=int, metavar="N", help="so many drawn tasks in rooms without training sessions"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--benchmark", choices=list(PLAYED), default="tatc")
    parser.add_argument("--names", help=f"a list, shipped or in a file; '' for all; by default {LISTS}")
    parser.add_argument("--systems", help="by default all that play in the benchmark")
    parser.add_argument("--commander-model", default="default", help="SPEC of the default Commander's model")
    parser.add_argument("--follower-model", default="default", help="SPEC of the default Follower's model")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--concurrent", type=int, default=1, help="instances at a time in each worker process")
    parser.add_argument("--max-decisions", type=int, help=f"an instance, all chairs together; by default {DECISIONS}")
    parser.add_argument("--registry", type=Path, nargs="?", const=BASELINES, help="by default the file that ships")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    able = [name for name, one in SYSTEMS.items() if asked.benchmark in one.benchmarks]
    asked.systems = asked.systems.split(",") if asked.systems else able
    if unknown := [one for one in asked.systems if one not in able]:
        parser.error(f"unknown systems: {', '.join(unknown)}; {asked.benchmark} has {', '.join(able)}")
    if asked.elsewhere is not None and (asked.benchmark != "tatc" or asked.names or asked.elsewhere < 1):
        parser.error(
            f"--elsewhere {asked.elsewhere}: needs a count of at least 1 and goes with TATC alone, without --names"
        )
    if asked.max_decisions is None:
        asked.max_decisions = DECISIONS[asked.benchmark]
    if asked.names is None:
        asked.names = "" if asked.elsewhere else LISTS[asked.benchmark]
    return asked


def main() -> None:
    """Play, print, and write what was asked for."""
    asked = read_arguments()
    of = f"{OTHER}: {asked.elsewhere} drawn" if asked.elsewhere else asked.names
    about = {"benchmark": asked.benchmark, "list": of, "max_decisions": asked.max_decisions}
    found: dict[str, Any] = {**about, "systems": {}}
    for system in asked.systems:
        folder = asked.out / system
        found["systems"][system] = PLAYED[asked.benchmark](system, folder, asked)
        print(f"{system}: {found['systems'][system]['success_rate']:.3f}", flush=True)
        if asked.registry:
            registered(results_of(system, folder, asked, found["systems"][system]), asked.registry)
    tell({**found, "against": against(asked.out, asked.systems)}, asked.json)


if __name__ == "__main__":
    main()
