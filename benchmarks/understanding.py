"""How often agents understand people: after a Commander's utterance they choose what the person did next.

    python benchmarks/understanding.py --games DIR [--agent SPEC ...] [--train DIR] [--encoder minilm]
        [--limit N] [--registry FILE] [--json FILE]

`teach_agents.learning.understanding` says exactly which utterances count, and what counts as understood. An agent is a
Follower of the family `lm`, such as `lm:model=smollm2`; `TITLE=SPEC` gives it a name. Beside agents:

| system | what it does |
|---|---|
| offered | the bound: whether any candidate is what the person did |
| majority | always what people do most often after words, in the sessions of `--train` |
| retrieval | what was done first where the likest words were heard, in a memory of the sessions of `--train` |

Shares come with 95 % intervals over rooms. Of sessions that agents are judged by only sums are told.
With --registry they become rows of the registry, in place of those of the same names there.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from figures import commit
from follower_baselines import registered
from telling import tell

from teach_agents.actions import Role
from teach_agents.agents.lm.follower import LanguageFollower
from teach_agents.agents.lm.memory import Memory
from teach_agents.agents.lm.memory_building import examples_from_games, training_files
from teach_agents.benchmarks.published import BASELINES, registry
from teach_agents.benchmarks.solo.player import household_for
from teach_agents.core.agents.contract import Briefing
from teach_agents.core.benchmark.results import Measurement, Results, Row
from teach_agents.core.specs import build
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
from teach_agents.models.text import load_text_encoder
from teach_agents.understanding.english.values import Instruction

About = dict[str, dict[str, Any]]
LEARNT_FROM = dict.fromkeys(("majority", "retrieval"), " --train $TEACH_DATA_DIR/games/train --encoder {}")
"""What the command says for systems that are no agents."""


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


def titled(asked: str) -> tuple[str, str]:
    """The title and the SPEC of an agent that was asked for."""
    title, equals, spec = asked.partition("=")
    return (title, spec) if equals and ":" not in title else (asked, asked)


def results_of(found: Mapping[str, Any], asked: argparse.Namespace, specs: Mapping[str, str]) -> Results:
    """The shares as rows of the registry, in percent."""
    some = f"{found['sessions']} sessions" if asked.limit else "all sessions"
    command = f"python benchmarks/understanding.py --games $TEACH_DATA_DIR/games/{asked.games.name}"
    command += f" --limit {asked.limit}" if asked.limit else ""
    sources: dict[str, Measurement] = {}
    rows: list[Row] = []
    for name, row in found["systems"].items():
        named = f"understanding {name}"
        who = f" --agent '{specs[name]}'" if name in specs else LEARNT_FROM.get(name, "").format(asked.encoder)
        sources[named] = Measurement(
            kind="measurement",
            command=command + who,
            commit=commit(),
            simulator="embedded",
            instances=f"what Commanders say before an interaction, in {some}",
            denominator="every such utterance",
            privileges={"follower": tuple(sorted(row.get("privileges", ())))},
            seed=0,
            model=row.get("model"),
            model_hash=row.get("model_hash"),
            prompt_hash=row.get("prompt_hash"),
            notes=f"{found['median_candidates']:g} candidates in the middle" if name in specs else "",
        )
        told = {"system": name, "benchmark": "understanding", "split": asked.games.name, "source": named}
        shares = {
            "understood": found,
            "understood_spoken_of": found["spoken_of"],
            "begun_alike": found["begun_alike"],
        }
        for metric, of in shares.items():
            if name not in of["systems"]:
                continue
            its = of["systems"][name]
            low, high = (round(100 * bound, 2) for bound in its["ci"])
            rows.append(Row(**told, metric=metric, value=round(100 * its["share"], 2), n=of["n"], interval=(low, high)))
    return Results(metrics=registry().metrics, sources=sources, rows=tuple(rows))


def systems(asked: argparse.Namespace, agents: Mapping[str, LanguageFollower]) -> tuple[dict[str, Chooser], About]:
    """Who chooses, and what is to be said of those that are no agents."""
    choosers: dict[str, Chooser] = {}
    about: About = {}
    if asked.train:
        most = majority(map(read_game, training_files(asked.train)))
        choosers["majority"], about["majority"] = by_majority(most), {"always": told(most)}
        memory = Memory.of(examples_from_games(training_files(asked.train)), load_text_encoder(asked.encoder))
        choosers["retrieval"], about["retrieval"] = by_memory(memory), dict(memory.provenance)
    choosers |= {name: by_agent(agent) for name, agent in agents.items()}
    return choosers, about


def watch(
    files: Sequence[Path], agents: Mapping[str, LanguageFollower], choosers: dict[str, Chooser]
) -> tuple[list[Heard], dict[str, int]]:
    """Every utterance that counts, and by agent how many decisions failed."""
    household = household_for("embedded")
    heard: list[Heard] = []
    failed = dict.fromkeys(agents, 0)
    for number, file in enumerate(files, start=1):
        game = read_game(file)
        for agent in agents.values():
            agent.begin(Briefing(game.game_id, Role.FOLLOWER))
        heard += heard_in(game, household, choosers)
        failed = {name: failed[name] + agent.failed_decisions for name, agent in agents.items()}
        if number % 20 == 0:
            print(f"{number} of {len(files)} sessions, {len(heard)} utterances", flush=True)
    return heard, failed


def main() -> None:
    """Watch, ask, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--agent", action="append", default=[], metavar="[TITLE=]SPEC")
    parser.add_argument("--train", type=Path, help="TEACh's training sessions, for majority and retrieval")
    parser.add_argument("--encoder", default="minilm", help="SPEC of the text encoder that retrieval goes by")
    parser.add_argument("--limit", type=int, help="sessions, drawn the same way each time")
    parser.add_argument("--registry", type=Path, nargs="?", const=BASELINES, help="by default the file that ships")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    specs = dict(map(titled, arguments.agent))
    agents = {name: agent_of(spec) for name, spec in specs.items()}
    choosers, about = systems(arguments, agents)
    files = game_files(arguments.games)
    if arguments.limit is not None and arguments.limit < len(files):
        files = random.Random(0).sample(files, arguments.limit)
    heard, failed = watch(files, agents, choosers)
    for name, agent in agents.items():
        counts = {"failed_decisions": failed[name], "privileges": sorted(agent.privileges)}
        about[name] = {"spec": specs[name], **agent.provenance, **counts}
    result = {"sessions": len(files), **figures(heard)}
    result["systems"] = {name: {**row, **about.get(name, {})} for name, row in result["systems"].items()}
    tell(result, arguments.json)
    if arguments.registry:
        registered(results_of(result, arguments, specs), arguments.registry)


if __name__ == "__main__":
    main()
