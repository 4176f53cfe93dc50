"""How often agents understand people: after a Commander's utterance they choose what the person did next.

    python benchmarks/understanding.py --games DIR [--agent SPEC ...] [--memory FILE] [--train DIR] [--limit N] [--json FILE]

`teach_agents.learning.understanding` says exactly which utterances count, and what counts as understood. An agent is a
Follower of the family `lm`, such as `lm:model=smollm2`. Beside agents:

| system | what it does |
|---|---|
| offered | the bound: whether any candidate is what the person did |
| majority | always what people do most often after words, in the sessions of `--train` |
| retrieval | what was done first where the likest words were heard, in the memory of `--memory` |

Shares come with 95 % intervals over rooms. Of sessions that agents are judged by only sums are told.
"""  # noqa: E501  # a command is one line

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

from teach_agents.actions import Role
from teach_agents.agents.contract import Briefing
from teach_agents.agents.english.values import Instruction
from teach_agents.agents.lm.follower import LanguageFollower
from teach_agents.agents.lm.memory import Memory
from teach_agents.agents.lm.memory_building import training_files
from teach_agents.benchmarks.folder import write_atomically
from teach_agents.benchmarks.solo.player import household_for
from teach_agents.data.games import game_files, read_game
from teach_agents.learning.understanding import (
    Chooser,
    Heard,
    by_agent,
    by_majority,
    by_memory,
    figures,
    heard_in,
    majority,
)
from teach_agents.specs import build


def agent_of(spec: str) -> LanguageFollower:
    """The Follower of a SPEC; only those that choose among candidates can be asked."""
    made = build("agent", spec, allow_import=True, role=Role.FOLLOWER)
    if not isinstance(made, LanguageFollower):
        raise SystemExit(f"--agent: {spec!r} is no Follower of a language model that chooses among candidates")
    return made


def told(most: Instruction) -> str:
    """A verb and a type."""
    about = most.what or most.where
    return f"{most.verb.value} {about.noun if about is not None else ''}".strip()


def main() -> None:
    """Watch, ask, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--agent", action="append", default=[], metavar="SPEC")
    parser.add_argument("--memory", type=Path)
    parser.add_argument("--train", type=Path)
    parser.add_argument("--limit", type=int, help="sessions, drawn the same way each time")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    agents = {spec: agent_of(spec) for spec in arguments.agent}
    choosers: dict[str, Chooser] = {}
    about: dict[str, Any] = {}
    if arguments.train:
        most = majority(map(read_game, training_files(arguments.train)))
        choosers["majority"], about["majority"] = by_majority(most), {"always": told(most)}
    if arguments.memory:
        memory = Memory.load(arguments.memory)
        choosers["retrieval"], about["retrieval"] = by_memory(memory), memory.provenance
    choosers |= {spec: by_agent(agent) for spec, agent in agents.items()}
    files = game_files(arguments.games)
    if arguments.limit is not None and arguments.limit < len(files):
        files = random.Random(0).sample(files, arguments.limit)
    household = household_for("embedded")
    heard: list[Heard] = []
    failed = dict.fromkeys(agents, 0)
    for number, file in enumerate(files, start=1):
        game = read_game(file)
        for agent in agents.values():
            agent.begin(Briefing(game.game_id, Role.FOLLOWER))
        heard += heard_in(game, household, choosers)
        failed = {spec: failed[spec] + agent.failed_decisions for spec, agent in agents.items()}
        if number % 20 == 0:
            print(f"{number} of {len(files)} sessions, {len(heard)} utterances", flush=True)
    about |= {spec: {**agent.provenance, "failed_decisions": failed[spec]} for spec, agent in agents.items()}
    result = {"sessions": len(files), **figures(heard)}
    result["systems"] = {name: {**row, **about.get(name, {})} for name, row in result["systems"].items()}
    text = json.dumps(result, indent=1)
    print(text)
    if arguments.json:
        write_atomically(arguments.json, text + "\n")


if __name__ == "__main__":
    main()
