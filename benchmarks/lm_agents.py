"""What language-model agents reach in TATC or EDH with different models, and how much of it is the dialogue's.

    python benchmarks/lm_agents.py --games DIR --out RUNS [--benchmark tatc] [--names LIST] [--systems oracle,uniform]
        [--limit N] [--workers 2] [--concurrent 1] [--max-decisions N] [--json FILE]

In TATC (over `valid_seen_60`) Commander and Follower are `lm`, which share the decisions of a session half and half; in EDH (over
`edh_valid_seen_200`) a Follower alone goes on where people left off, and has them all: 60, ten times as many as the longest of 194
stretches of people's training sessions had deeds. Every system has a run folder of its own below
RUNS: the same command goes on with what is not finished, and `teach-agents report` reads it.

| system | who decides |
|---|---|
| oracle | a model that answers as the planner would, from the prompt's text: what the way through prompts and skills loses |
| smollm2 | SmolLM2-135M-Instruct |
| uniform | an even draw among the same candidates |
| blanked | SmolLM2 again, all utterances without their words |

Rates are fractions with 95 % intervals over rooms and the number of instances; `against` compares two systems instance by instance.
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from teach_agents_prompts import load_prompts

from teach_agents import Observation, Role
from teach_agents.agents.history import History
from teach_agents.agents.lm.deciding import Decider
from teach_agents.agents.lm.follower import LanguageFollower
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.benchmarks.comparison import compare
from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.folder import write_atomically
from teach_agents.benchmarks.lists import names_of
from teach_agents.benchmarks.selection import chosen
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.stored import read_run
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tatc.summary import summary_of
from teach_agents.session import DialogueHook

SYSTEMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "oracle": ("oracle", ()),
    "smollm2": ("smollm2", ()),
    "uniform": ("uniform", ()),
    "blanked": ("smollm2", ("lm_agents:Blanked",)),
}
PAIRS = (("uniform", "smollm2"), ("blanked", "smollm2"), ("smollm2", "oracle"))
LISTS = {"tatc": "valid_seen_60", "edh": "edh_valid_seen_200"}
DECISIONS = {"tatc": 200, "edh": 60}
CALL_S, HOURS_S = 600.0, 4 * 3600.0

Played = Callable[[str, Path, argparse.Namespace], dict[str, Any]]


class Blanked(DialogueHook):
    """Takes the words out of everything that is said; that somebody spoke remains."""

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """A blank."""
        return " "


class BlankedEyes(Perception):
    """The tier `oracle`, through which everything that was said has lost its words."""

    def __init__(self) -> None:
        self._eyes = perception_of("oracle")
        self.name = self._eyes.name
        self.privileges = self._eyes.privileges

    def begin(self, seed: int) -> None:
        """As the tier."""
        self._eyes.begin(seed)

    def perceive(self, observation: Observation) -> Observation:
        """As the tier, with blanks."""
        said = tuple(replace(one, text=" ") for one in observation.dialogue)
        return self._eyes.perceive(replace(observation, dialogue=said))


class BlankedFollower(LanguageFollower):
    """SmolLM2 as the Follower of EDH, to which nobody ever said a word."""

    def __init__(self, history: History) -> None:
        prompts = load_prompts().only("lm_follower*", "lm_choices", "repair")
        decider = Decider("smollm2", prompts, max_decisions=DECISIONS["edh"])
        super().__init__(decider, BlankedEyes(), FollowerPrompt(prompts), history=history)


def settings(system: str, most: int) -> TatcSettings:
    """The settings of a system's run of TATC, with at most so many decisions a session."""
    model, hooks = SYSTEMS[system]
    spec = f"lm:model={model},max_decisions={most // len(Role)}"
    return TatcSettings(commander=spec, follower=spec, hooks=hooks, pictures=0, call_time_limit_s=CALL_S)


def edh_settings(system: str, most: int) -> Settings:
    """The settings of a system's run of EDH, with at most so many decisions an instance."""
    alone = (
        "lm_agents:BlankedFollower" if system == "blanked" else f"lm:model={SYSTEMS[system][0]},max_decisions={most}"
    )
    return Settings(follower=alone, call_time_limit_s=CALL_S)


def tatc(system: str, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """A system's figures in TATC, after playing what is not yet played."""
    games = game_instances([asked.games])
    instances: Sequence[TatcInstance] = chosen(games, names_of(asked.names)) if asked.names else games
    how = settings(system, asked.max_decisions)
    run = TatcRun(folder, how, instances[: asked.limit])
    run.play(workers=asked.workers, concurrent=asked.concurrent, time_limit_s=HOURS_S)
    summary = summary_of(run)
    write_atomically(folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    said = {name: summary[name] for name in ("model", "prompt_hash", "perception", "end_reasons")}
    who = {"commander": how.commander, "follower": how.follower, "hooks": list(how.hooks)}
    return {**{name: summary[name] for name in FIGURES}, **who, **said, **told(summary, summary["costs"], folder)}


def edh(system: str, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """A system's figures in EDH, after carrying through what is not yet."""
    names = names_of(asked.names) if asked.names else ()
    references: Sequence[Reference] = edh_references(games=str(asked.games), names=names)
    run = FollowerRun(folder, "edh", edh_settings(system, asked.max_decisions), references[: asked.limit])
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


def against(runs: Path, systems: Sequence[str]) -> list[dict[str, Any]]:
    """Pairs of systems, compared session by session: the difference is the second's less the first's."""
    made = []
    for first, second in PAIRS:
        if first in systems and second in systems:
            found = compare(read_run(runs / first).outcomes, read_run(runs / second).outcomes)
            wanted = [one.to_json() for one in found if one.figure in ("success_rate", "goal_condition_success_macro")]
            made.append({"first": first, "second": second, "figures": wanted})
    return made


def main() -> None:
    """Play, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--benchmark", choices=list(PLAYED), default="tatc")
    parser.add_argument("--names", help=f"a list, shipped or in a file; '' for all; by default {LISTS}")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--concurrent", type=int, default=1, help="instances at a time in each worker process")
    parser.add_argument("--max-decisions", type=int, help=f"an instance, all chairs together; by default {DECISIONS}")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    systems = arguments.systems.split(",")
    if unknown := [one for one in systems if one not in SYSTEMS]:
        parser.error(f"unknown systems: {', '.join(unknown)}; there are {', '.join(SYSTEMS)}")
    if arguments.max_decisions is None:
        arguments.max_decisions = DECISIONS[arguments.benchmark]
    if (arguments.benchmark, "blanked" in systems) == ("edh", True) and arguments.max_decisions != DECISIONS["edh"]:
        parser.error(f"the system blanked has {DECISIONS['edh']} decisions in edh, not {arguments.max_decisions}")
    if arguments.names is None:
        arguments.names = LISTS[arguments.benchmark]
    asked = {"benchmark": arguments.benchmark, "list": arguments.names, "max_decisions": arguments.max_decisions}
    found: dict[str, Any] = {**asked, "systems": {}}
    for system in systems:
        found["systems"][system] = PLAYED[arguments.benchmark](system, arguments.out / system, arguments)
        print(f"{system}: {found['systems'][system]['success_rate']:.3f}", flush=True)
    text = json.dumps({**found, "against": against(arguments.out, systems)}, indent=1)
    print(text)
    if arguments.json:
        write_atomically(arguments.json, text + "\n")


if __name__ == "__main__":
    main()
