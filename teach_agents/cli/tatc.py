"""`teach-agents tatc`: a Commander and a Follower play TEACh tasks with each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from teach_agents.actions import Role
from teach_agents.cli.options import (
    RUNNING,
    WHICH,
    WHO,
    CallTimeLimit,
    Concurrent,
    Engine,
    Follower,
    Limit,
    Names,
    Out,
    Pictures,
    ReferenceOutputs,
    Resume,
    Shard,
    Simulator,
    TimeLimit,
    ViewSize,
    Workers,
    option,
)
from teach_agents.cli.resuming import Words, resumable
from teach_agents.cli.running import check_registered, leave, listed, percent

if TYPE_CHECKING:
    from teach_agents.benchmarks.tatc.instances import TatcInstance
    from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings

__all__ = ["tatc"]

_Games = Annotated[
    list[Path] | None,
    option("TEACh game files, or folders of them: play their tasks from their initial states.", WHICH),
]
_Generate = Annotated[
    int | None, option("Play this many generated instances instead (12 when neither is given).", WHICH)
]
_Tasks = Annotated[
    list[str] | None, option("Generate only this task, as NAME or NAME:p0,p1,...; may be repeated.", WHICH)
]
_AddTasks = Annotated[
    list[Path] | None, option("Task definitions besides those installed: a file or folder; may be repeated.", WHICH)
]
_Rooms = Annotated[list[str] | None, option("Generate only in this room, such as FloorPlan7; may be repeated.", WHICH)]
_Seed = Annotated[int, option("Seed of instances and agents.", WHICH)]
_Commander = Annotated[str, option("SPEC of the Commander: name[:key=value,...] or module:Class.", WHO)]
_Hooks = Annotated[list[str] | None, option("SPEC of a dialogue hook, such as noisy_speech; may be repeated.", WHO)]
_MaxTurns = Annotated[int, option("Turns after which a session ends.", RUNNING, min=1)]
_MaxFailures = Annotated[int, option("Failed actions of either agent that end a session.", RUNNING, min=1)]


def tatc(  # noqa: PLR0913  # one option a parameter
    context: typer.Context,
    out: Out = Path("runs/tatc"),
    resume: Resume = False,
    games: _Games = None,
    names: Names = None,
    generate: _Generate = None,
    task: _Tasks = None,
    add_tasks: _AddTasks = None,
    room: _Rooms = None,
    shard: Shard = "1/1",
    limit: Limit = None,
    seed: _Seed = 0,
    commander: _Commander = "planner",
    follower: Follower = "planner",
    simulator: Simulator = "embedded",
    hook: _Hooks = None,
    max_turns: _MaxTurns = 1000,
    max_failures: _MaxFailures = 30,
    workers: Workers = 1,
    concurrent: Concurrent = 1,
    engine: Engine = "local",
    time_limit: TimeLimit = 900.0,
    call_time_limit: CallTimeLimit = 120.0,
    pictures: Pictures = 24,
    view_size: ViewSize = 300,
    reference_outputs: ReferenceOutputs = None,
) -> None:
    """Play TATC self-play and write a summary and a report.

    A Commander, who knows the task, and a Follower, who can act, talk their way through household tasks.

    [bold]Examples[/bold]

      teach-agents tatc --generate 24 --workers 2 --out runs/demo

      teach-agents tatc --games games/valid_seen --workers 2 --out runs/valid_seen

      teach-agents tatc --games games/valid_seen --names valid_seen_60 --out runs/valid_seen_60

      teach-agents tatc --out runs/valid_seen --resume

      teach-agents tatc --task Coffee --room FloorPlan7 --follower mypackage.agents:MyFollower

    Exits with status 3 where no session came to an end of its own: each crashed, timed out or never started.
    """
    from teach_agents.benchmarks.stored import read_run
    from teach_agents.benchmarks.tatc.instances import TatcInstance
    from teach_agents.benchmarks.tatc.reference_outputs import write_run_outputs
    from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
    from teach_agents.core.benchmark.selection import sharded

    settings = TatcSettings(
        commander=commander,
        follower=follower,
        simulator=simulator,
        hooks=tuple(hook or ()),
        add_tasks=tuple(str(path.resolve()) for path in add_tasks or ()),
        max_turns=max_turns,
        max_failures=max_failures,
        view_size=view_size,
        pictures=pictures,
        seed=seed,
        call_time_limit_s=call_time_limit,
    )
    how = {"workers": workers, "concurrent": concurrent, "engine": engine, "time_limit_s": time_limit}
    words = Words(context)
    if words.sources:
        instances = [TatcInstance.from_json(one) for one in words.sources]
    else:
        instances = list(sharded(_instances(settings, games, names, generate, task, room), shard))[:limit]
    _check(settings, instances[0], how)
    run = TatcRun(out, settings, instances, resume=resume)
    _run(run, words, how)
    if reference_outputs is not None:
        write_run_outputs(reference_outputs, read_run(out), processes=workers)
    leave(one["status"] for one in run.episodes().values())


def _instances(
    settings: TatcSettings,
    games: list[Path] | None,
    names: list[str] | None,
    generate: int | None,
    task: list[str] | None,
    room: list[str] | None,
) -> list[TatcInstance]:
    """Those of games, or generated ones."""
    from teach_agents.benchmarks.tatc.instances import game_instances, generated_instances
    from teach_agents.core.benchmark.selection import chosen
    from teach_agents.errors import InputError
    from teach_agents.installed import installed_tasks

    library = installed_tasks(settings.add_tasks)
    if names and not games:
        raise InputError("--names", "names sessions: say with --games where they are", value=", ".join(names))
    if not games:
        count = 12 if generate is None else generate
        return generated_instances(count, seed=settings.seed, tasks=task or (), rooms=room or (), library=library)
    if generate or task or room:
        raise InputError("--games", "cannot be combined with --generate, --task or --room")
    found = game_instances(games, seed=settings.seed)
    return list(chosen(found, listed(names))) if names else found


def _check(settings: TatcSettings, first: TatcInstance, how: Mapping[str, Any]) -> None:
    """Refuse an engine or a SPEC that cannot be built before any process starts or anything is written.

    Agents and hooks are made once, as for the first session; a simulator, which may be costly, is only looked up. A
    first game that cannot be read fails its own session, not the run.
    """
    from contextlib import suppress

    from teach_agents.benchmarks.tatc.episode import make_agent, make_hook
    from teach_agents.core.benchmark.engines import engine_named
    from teach_agents.errors import GameFileError

    engine_named(how["engine"], concurrent=how["concurrent"])
    for role in Role:
        with suppress(GameFileError):
            make_agent(role, settings, first)
    for spec in settings.hooks:
        make_hook(spec)
    check_registered("simulator", settings.simulator, "--simulator")


def _run(run: TatcRun, words: Words, how: Mapping[str, Any]) -> None:
    from rich.console import Console

    from teach_agents.cli.progress import RunProgress

    words.keep([one.to_json() for one in run.instances])
    console = Console(stderr=True)
    before = [_succeeded(one) for one in run.episodes().values()]
    with (
        resumable(words, console, lambda: _finish(run, console)),
        RunProgress(console, "TATC", len(run.instances), before) as progress,
    ):
        run.play(
            **how,
            on_episode=lambda one: progress.count(one["instance_id"], one["status"], one["reason"], _succeeded(one)),
        )


def _succeeded(episode: Mapping[str, Any]) -> bool:
    return episode["status"] == "done" and bool(episode["success"])


def _finish(run: TatcRun, console: Any) -> None:
    """Write summary and report, print the table, say where they are."""
    from teach_agents.benchmarks.reporting.page import write_report
    from teach_agents.benchmarks.tatc.summary import summary_of
    from teach_agents.core.benchmark.folder import storing, write_atomically

    summary = summary_of(run)
    with storing(run.folder):
        write_atomically(run.folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    report = write_report(run.folder)
    _table(summary, console)
    typer.echo(f"Summary: {run.folder / 'summary.json'}")
    typer.echo(f"Report:  {report}")


def _table(summary: dict[str, Any], console: Any) -> None:
    from rich.table import Table

    from teach_agents.core.benchmark.statistics import COMPARABLE

    table = Table(
        title=f"TATC on {summary['simulator']}: success in percent, beside the TEACh paper's rule-based pair",
        caption=f"The paper's figure stands beside ours of {COMPARABLE} sessions and more.",
    )
    for column in ("task", "sessions", "success", "95 % interval", "goal cond. (macro)", "paper"):
        table.add_column(column, justify="left" if column == "task" else "right")
    rows = [*summary["by_task"].items(), ("all", summary)]
    for name, row in rows:
        interval = " – ".join(map(percent, row["success_rate_ci"]))
        paper = percent(row["rule_based_pair_success_rate"] if row["n"] >= COMPARABLE else None)
        macro = percent(row["goal_condition_success_macro"])
        table.add_row(name, str(row["n"]), percent(row["success_rate"]), interval, macro, paper)
    console.print(table)
