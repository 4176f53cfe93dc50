"""How often the planner pair succeeds, task by task, and why it fails where it does.

    python benchmarks/tatc_planner.py --games DIR [--per-task 5] [--limit N] [--workers 2] [--json FILE] [--talk]

A quick bench for work on the planner: `teach-agents tatc` measures the published figure.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import traceback
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from teach_agents.actions import Action, Role
from teach_agents.agents.planner import planner_commander, planner_follower
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.data import read_game
from teach_agents.household.household import Household
from teach_agents.household.scenario import Scenario
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

MAX_TURNS = 1000
MAX_FAILURES = 30


@dataclass
class Record:
    """One session of the pair."""

    game: str
    name: str
    task: str
    room: str
    success: bool = False
    end: str = ""
    turns: int = 0
    acts: int = 0
    failed: int = 0
    satisfied: int = 0
    total: int = 0
    seconds: float = 0.0
    error: str = ""
    refusals: list[str] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)


def play(path: Path, mode: str = "language", verbose: bool = False) -> Record:
    """Let the pair play one game's task from its initial state."""
    game = read_game(path)
    task = f"{game.task.task_name} {' '.join(p for p in game.task.task_params)}".strip()
    record = Record(path.name.removesuffix(".game.json"), game.task.task_name, task, "")
    started = time.perf_counter()
    try:
        _play(game, mode, record, verbose)
    except Exception:  # noqa: BLE001  # a crash is a result of the bench
        record.end, record.error = "crashed", traceback.format_exc()
    record.seconds = time.perf_counter() - started
    return record


def _play(game: object, mode: str, record: Record, verbose: bool) -> None:
    household = Household(EmbeddedSimulator())
    scenario = Scenario.from_game(game)  # type: ignore[arg-type]  # read_game's value
    household.reset(scenario)
    record.room = household.simulator.state.room
    agents: dict[Role, Agent] = {Role.COMMANDER: planner_commander(mode), Role.FOLLOWER: planner_follower(mode)}
    for role, agent in agents.items():
        agent.begin(Briefing(record.game, role))
    record.end = "turns"
    for turn in range(MAX_TURNS):
        chosen: dict[Role, Action] = {}
        for role, agent in agents.items():
            action = agent.act(household.observe(role, agent.privileges, turn=turn))
            assert isinstance(action, Action)
            chosen[role] = action
        for role, action in chosen.items():
            result = household.act(role, action, time_ms=turn)
            _note(record, role, action, result.success, result.message, turn, verbose)
        record.turns = turn + 1
        if chosen[Role.COMMANDER].name == "Finish":
            record.end = "finished"
            break
        if max(household.failures.values()) >= MAX_FAILURES:
            record.end = "failures"
            break
    progress = household.progress()
    record.success = progress.success
    record.satisfied, record.total = progress.goal_conditions_satisfied, progress.goal_conditions_total


def _note(record: Record, role: Role, action: Action, success: bool, message: str, turn: int, verbose: bool) -> None:
    line = ""
    if action.name == "Text":
        line = f"{turn:4d} {role.value}: {action.utterance}"
        record.talk.append(line)
    elif role is Role.FOLLOWER and action.name != "NoOp":
        record.acts += 1
        click = f" {action.x:.2f} {action.y:.2f}" if action.x is not None and action.y is not None else ""
        line = f"{turn:4d}   {action.name}{click}" + ("" if success else f"  FAILED {message}")
        if not success:
            record.failed += 1
            record.refusals.append(f"{action.name}: {message}")
            record.talk.append(line)
    if verbose and line:
        print(line, flush=True)


def sample(folder: Path, per_task: int | None, limit: int | None, seed: int, only: str) -> list[Path]:
    """Games of a folder, a seeded sample of so many for each task."""
    groups: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("*.game.json")):
        with path.open(encoding="utf8") as file:
            name = json.load(file)["tasks"][0]["task_name"]
        if only in name:
            groups[name].append(path)
    rng = random.Random(seed)
    chosen = []
    for name in sorted(groups):
        paths = groups[name]
        chosen += paths if per_task is None else sorted(rng.sample(paths, min(per_task, len(paths))))
    return chosen[:limit]


def report(records: list[Record]) -> None:
    """Print success by task and the reasons for failure."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[record.name].append(record)
    for record in records:
        if not record.success:
            print(f"FAIL {record.game} {record.room} {record.task} [{record.end}] turns {record.turns}", end=" ")
            print(f"failed {record.failed} conditions {record.satisfied}/{record.total} {record.error[-300:]}")
    print()
    for name, group in sorted(groups.items()):
        won = [record for record in group if record.success]
        acts = sum(record.acts for record in won) / max(1, len(won))
        print(
            f"{name:28s} {len(won):3d}/{len(group):3d}  actions {acts:6.1f}  ends", dict(Counter(r.end for r in group))
        )
    won_all = sum(record.success for record in records)
    print(f"SR {won_all}/{len(records)} = {100 * won_all / max(1, len(records)):.1f} %", end="; ")
    print(f"{sum(r.seconds for r in records) / max(1, len(records)):.1f} s a session")


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=Path, required=True, help="folder of game files, or one file")
    parser.add_argument("--per-task", type=int, default=None)
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="tasks whose name holds this")
    parser.add_argument("--mode", default="language")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--talk", action="store_true", help="print every session as it goes")
    options = parser.parse_args()
    one = options.games.is_file()
    paths = (
        [options.games] if one else sample(options.games, options.per_task, options.limit, options.seed, options.only)
    )
    if options.workers > 1:
        with ProcessPoolExecutor(options.workers) as pool:
            records = list(pool.map(play, paths, [options.mode] * len(paths)))
    else:
        records = [play(path, options.mode, options.talk) for path in paths]
    report(records)
    if options.json:
        options.json.write_text(json.dumps([asdict(record) for record in records], indent=1), encoding="utf8")


if __name__ == "__main__":
    main()
