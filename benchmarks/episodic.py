"""The Episodic Transformer and its ablations: trained one after the other on the same features, then played in EDH.

    python benchmarks/episodic.py train --games teach/games/train --networks runs/et [--every N] [--workers N]
                                          [-- OPTIONS]
    TEACH_DATA_DIR=... python benchmarks/episodic.py play --networks runs/et --out runs/edh-et [--clicks oracle|SPEC]
                                          [--only NAME] [--limit N] [--workers N] [--registry FILE] [--json FILE]
    TEACH_DATA_DIR=... python benchmarks/episodic.py both ...

`both` trains, then plays. `train` makes one folder a network in --networks, and `features` beside them; what is
interrupted goes on when it is called again; with --every it learns from every Nth session by name. OPTIONS are those of
`teach-agents train episodic-transformer`, for all of them. `play` runs them and the random agent on the list
`edh_valid_seen_200`, at most 200 steps an episode, with clicks by the true outlines of what is in view (a privilege,
stated in results) or by a detector. With --registry the figures become rows of the registry, in place of those of the
same names there; --networks should then be a relative folder, since it stands in them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from follower_baselines import COMMAND, Baseline, registered, run

from teach_agents.agents.lm.memory_building import training_files
from teach_agents.benchmarks.published import BASELINES, registry
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.benchmark.results import Results
from teach_agents.core.benchmark.summary import measured

NETWORKS: dict[str, tuple[str, ...]] = {
    "whole": (),
    "language": ("--inputs", "language"),
    "vision": ("--inputs", "vision"),
    "history-loss": ("--history-loss",),
}
"""What sets each network apart from the first."""
SYSTEMS = {
    "whole": "Episodic Transformer",
    "language": "Episodic Transformer, language only",
    "vision": "Episodic Transformer, vision only",
    "history-loss": "Episodic Transformer, history loss",
}
WHERE = ("--games", "$TEACH_DATA_DIR/games/valid_seen", "--names", "edh_valid_seen_200", "--max-steps", "200")


def train(asked: argparse.Namespace) -> None:
    """Train what is not trained yet."""
    files = training_files(asked.games)[asked.every - 1 :: asked.every]
    sessions = [part for file in files for part in ("--data", str(file))]
    for name, options in NETWORKS.items():
        out = asked.networks / name
        if _is_trained(out):
            continue
        begun = (out / "checkpoint.pt").exists()
        data = ["--resume"] if begun else [*sessions, "--features", str(asked.networks / "features")]
        how = [*data, "--workers", str(asked.workers), *([] if begun else (*options, *asked.options))]
        subprocess.run([COMMAND, "train", "episodic-transformer", "--out", str(out), *how], check=True)


def _is_trained(out: Path) -> bool:
    account = out / "training.json"
    return account.exists() and json.loads(account.read_text())["ended"] == "finished"


def systems(asked: argparse.Namespace) -> Iterator[Baseline]:
    """Every system that is played."""
    clicks = "clicks=oracle" if asked.clicks == "oracle" else f"detector='{asked.clicks}'"
    how = "oracle" if asked.clicks == "oracle" else "detector"
    yield Baseline(
        "edh200-random", "edh", "random", "valid_seen", "edh_valid_seen_200", WHERE, ("--follower", "random")
    )
    for name in NETWORKS:
        spec = f"episodic:weights={asked.networks / name},{clicks}"
        title = f"{SYSTEMS[name]}, clicks by {how}"
        who = ("--follower", spec)
        yield Baseline(f"edh200-episodic-{name}-{how}", "edh", title, "valid_seen", "edh_valid_seen_200", WHERE, who)


def play(asked: argparse.Namespace) -> None:
    """Run, print, and write what was asked for."""
    asked.out.mkdir(parents=True, exist_ok=True)
    results, told = Results(metrics=registry().metrics), {}
    for one in systems(asked):
        if asked.only and not any(word in one.name for word in asked.only):
            continue
        stored, label = run(one, asked.out, asked.limit, asked.workers)
        found = measured(stored, f"baseline {one.name}", label)
        results = results.joined(found)
        whole = {row.metric: row for row in found.rows if not row.task}
        told[one.name] = {name: row.model_dump(include={"value", "interval", "n"}) for name, row in whole.items()}
        success, goals = whole["success_rate"], whole["goal_condition_success_macro"]
        print(f"{one.name}: n {success.n}, success {success.value} {success.interval}, goals (macro) {goals.value}")
        if asked.registry:
            registered(results, asked.registry)
    if asked.json:
        write_atomically(asked.json, json.dumps(told, indent=1) + "\n")


def above_nought(word: str) -> int:
    """A whole number of 1 or more."""
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, not {word!r}")
    return int(word)


def main() -> None:
    """Train or play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command, does in (("train", (train,)), ("play", (play,)), ("both", (train, play))):
        own = commands.add_parser(command)
        own.set_defaults(does=does)
        own.add_argument("--networks", type=Path, required=True)
        own.add_argument("--workers", type=int, default=1)
        if train in does:
            own.add_argument("--games", type=Path, required=True)
            own.add_argument(
                "--every", type=above_nought, default=1, metavar="N", help="learn from every so manyth session, by name"
            )
            own.add_argument("options", nargs="*")
        if play in does:
            own.add_argument("--out", type=Path, required=True)
            own.add_argument("--clicks", default="oracle")
            own.add_argument("--only", action="append")
            own.add_argument("--limit", type=int, help="only the first so many instances")
            own.add_argument("--registry", type=Path, nargs="?", const=BASELINES, help="by default the file that ships")
            own.add_argument("--json", type=Path)
    asked = parser.parse_args()
    for step in asked.does:
        step(asked)


if __name__ == "__main__":
    main()
