"""What the language-model pair reaches in TATC with different models, and how much of it is the dialogue's.

    python benchmarks/lm_agents.py --games DIR --out RUNS [--names valid_seen_60] [--systems oracle,uniform]
        [--limit N] [--workers 2] [--concurrent 1] [--max-decisions 200] [--json FILE]

Commander and Follower are `lm`, which share the decisions of a session half and half. Every system has a run folder of its own below
RUNS: the same command goes on with what is not finished, and `teach-agents report` reads it.

| system | who decides |
|---|---|
| oracle | a model that answers as the planner would, from the prompt's text: what the way through prompts and skills loses |
| smollm2 | SmolLM2-135M-Instruct |
| uniform | an even draw among the same candidates |
| blanked | SmolLM2 again, all utterances of both without their words |

Rates are fractions with 95 % intervals over rooms and the number of sessions; `against` compares two systems session by session.
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from teach_agents import Role
from teach_agents.benchmarks.comparison import compare
from teach_agents.benchmarks.folder import write_atomically
from teach_agents.benchmarks.lists import names_of
from teach_agents.benchmarks.selection import chosen
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
HOURS_S = 4 * 3600.0


class Blanked(DialogueHook):
    """Takes the words out of everything that is said; that somebody spoke remains."""

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """A blank."""
        return " "


def settings(system: str, most: int) -> TatcSettings:
    """The settings of a system's run, with at most so many decisions a session."""
    model, hooks = SYSTEMS[system]
    spec = f"lm:model={model},max_decisions={most // len(Role)}"
    return TatcSettings(commander=spec, follower=spec, hooks=hooks, pictures=0, call_time_limit_s=600.0)


def played(
    folder: Path, how: TatcSettings, instances: Sequence[TatcInstance], workers: int, concurrent: int
) -> dict[str, Any]:
    """A system's figures, after playing what is not yet played."""
    run = TatcRun(folder, how, instances)
    run.play(workers=workers, concurrent=concurrent, time_limit_s=HOURS_S)
    summary = summary_of(run)
    write_atomically(folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    lines = list(read_run(folder).lines.values())
    roles = summary["costs"]
    decisions = sum(one["decisions"] for one in roles.values())
    return {
        **{name: summary[name] for name in FIGURES},
        "n": summary["n"],
        "commander": how.commander,
        "follower": how.follower,
        "hooks": list(how.hooks),
        "model": summary["model"],
        "prompt_hash": summary["prompt_hash"],
        "perception": summary["perception"],
        "decisions": {role: one["decisions"] for role, one in roles.items()},
        "failed_decisions": {role: one["failed_decisions"] for role, one in roles.items()},
        "median_candidates": {role: one["median_candidates"] for role, one in roles.items()},
        "prompt_tokens_a_decision": round(sum(one["prompt_tokens"] for one in roles.values()) / max(1, decisions), 1),
        "seconds_a_session": round(sum(line["wall_s"] for line in lines) / max(1, len(lines)), 1),
        "end_reasons": summary["end_reasons"],
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
    parser.add_argument("--names", default="valid_seen_60", help="a list, shipped or in a file; '' for all games")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--concurrent", type=int, default=1, help="sessions at a time in each worker process")
    parser.add_argument("--max-decisions", type=int, default=200, help="a session, both chairs together")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    systems = arguments.systems.split(",")
    if unknown := [one for one in systems if one not in SYSTEMS]:
        parser.error(f"unknown systems: {', '.join(unknown)}; there are {', '.join(SYSTEMS)}")
    games = game_instances([arguments.games])
    instances = (chosen(games, names_of(arguments.names)) if arguments.names else games)[: arguments.limit]
    found: dict[str, Any] = {"list": arguments.names, "max_decisions": arguments.max_decisions, "systems": {}}
    for system in systems:
        how = settings(system, arguments.max_decisions)
        many = arguments.workers, arguments.concurrent
        found["systems"][system] = played(arguments.out / system, how, instances, *many)
        print(f"{system}: {found['systems'][system]['success_rate']:.3f}", flush=True)
    text = json.dumps({**found, "against": against(arguments.out, systems)}, indent=1)
    print(text)
    if arguments.json:
        write_atomically(arguments.json, text + "\n")


if __name__ == "__main__":
    main()
