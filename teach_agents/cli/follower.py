"""`teach-agents edh` and `teach-agents tfd`: a Follower alone, with a dialogue that is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    from teach_agents.benchmarks.solo.player import Settings
    from teach_agents.benchmarks.solo.references import Reference
    from teach_agents.benchmarks.solo.run import FollowerRun

__all__ = ["edh", "tfd"]

_Instances = Annotated[
    Path | None,
    option("Folder of instance files; their sessions are looked for in --games, else beside it as in TEACh.", WHICH),
]
_Games = Annotated[Path | None, option("Folder of sessions; without --instances they are cut from these.", WHICH)]
_Id = Annotated[
    list[str] | None,
    typer.Option("--id", help="Only the instance of this id; may be repeated.", rich_help_panel=WHICH),
]
_Shuffle = Annotated[int | None, option("Order them by this seed instead of by id.", WHICH)]
_Seed = Annotated[int, option("Seed of the Follower.", WHO)]
_MaxSteps = Annotated[int, option("Steps after which an instance ends.", RUNNING, min=1)]
_MaxFailures = Annotated[int, option("Failed actions that end an instance.", RUNNING, min=1)]


def _command(kind: str, teaching: str) -> Callable[..., None]:
    """The command of a benchmark; `teaching` is its help."""

    def command(  # noqa: PLR0913  # one option a parameter
        context: typer.Context,
        out: Out = Path("runs") / kind,
        resume: Resume = False,
        instances: _Instances = None,
        games: _Games = None,
        names: Names = None,
        only: _Id = None,
        order: _Shuffle = None,
        shard: Shard = "1/1",
        limit: Limit = None,
        follower: Follower = "recorded",
        simulator: Simulator = "embedded",
        seed: _Seed = 0,
        max_steps: _MaxSteps = 1000,
        max_failures: _MaxFailures = 30,
        workers: Workers = 1,
        concurrent: Concurrent = 1,
        engine: Engine = "local",
        time_limit: TimeLimit = 600.0,
        call_time_limit: CallTimeLimit = 120.0,
        pictures: Pictures = 24,
        view_size: ViewSize = 300,
        reference_outputs: ReferenceOutputs = None,
    ) -> None:
        from teach_agents.benchmarks.reference_outputs import write_run_metrics
        from teach_agents.benchmarks.solo.kinds import BENCHMARKS
        from teach_agents.benchmarks.solo.player import Settings
        from teach_agents.benchmarks.solo.references import Reference, Search
        from teach_agents.benchmarks.solo.run import FollowerRun
        from teach_agents.benchmarks.stored import read_run
        from teach_agents.cli.progress import counting

        how = {"workers": workers, "concurrent": concurrent, "engine": engine, "time_limit_s": time_limit}
        words = Words(context)
        settings = Settings(follower, simulator, seed, max_steps, max_failures, view_size, call_time_limit)
        _check(settings, how)
        if words.sources:
            found = tuple(Reference(**one) for one in words.sources)
        else:
            where = {"instances": str(instances or ""), "games": str(games or "")}
            among = listed(names) or only or []
            whole = order is None and shard == "1/1" and not among
            with counting("Looking through sessions for instances") as told:
                search = Search(workers, limit if whole else None, told)
                there = BENCHMARKS[kind].find(**where, names=among, simulator=simulator, search=search)
            found = _chosen(there, only, order, shard)[:limit]
        extras: dict[str, Any] = {"pictures": pictures, "resume": resume, "reference_outputs": reference_outputs}
        run = FollowerRun(out, kind, settings, found, **extras)
        _run(run, words, how)
        if reference_outputs is not None:
            write_run_metrics(reference_outputs, read_run(out), processes=workers)
        leave(one["status"] for one in run.records().values())

    command.__doc__ = teaching
    return command


edh = _command(
    "edh",
    """Execution from dialogue history: restore a session's beginning, and let a Follower go on.

    Success is judged by the changes that the people made next.

    [bold]Examples[/bold]

      teach-agents edh --instances teach/edh_instances/valid_seen --follower random --out runs/random

      teach-agents edh --games teach/games/valid_seen --names edh_valid_seen_200 --out runs/edh_200

      teach-agents edh --games teach/games/valid_seen --names divided_val_seen.txt --shard 1/2 --out runs/first_half

      teach-agents edh --out runs/first_half --resume

    Exits with status 3 where no instance came to an end of its own: each crashed, timed out or could not be restored.
    """,
)

tfd = _command(
    "tfd",
    """Trajectory from dialogue: let a Follower carry out a whole session from all that was said in it.

    The format of instance files is inferred: no released one was at hand.

    [bold]Example[/bold]

      teach-agents tfd --games teach/games/valid_seen --follower random --workers 2 --out runs/tfd_random

    Exits with status 3 where no instance came to an end of its own: each crashed, timed out or could not be restored.
    """,
)


def _chosen(found: list[Reference], only: list[str] | None, order: int | None, shard: str) -> tuple[Reference, ...]:
    from teach_agents.core.benchmark.selection import chosen, ordered, sharded

    return sharded(ordered(chosen(found, only) if only else found, order), shard)


def _run(run: FollowerRun, words: Words, how: Mapping[str, Any]) -> None:
    from rich.console import Console

    from teach_agents.cli.progress import RunProgress

    words.keep([asdict(one) for one in run.references])
    console = Console(stderr=True)
    before = [bool(one["outcome"]["success"]) for one in run.records().values()]
    with (
        resumable(words, console, lambda: _finish(run, console)),
        RunProgress(console, run.kind.upper(), len(run.references), before) as progress,
    ):
        run.play(**how, on_outcome=lambda one: progress.count(one.instance_id, one.status, one.reason, one.success))


def _check(settings: Settings, how: Mapping[str, Any]) -> None:
    """Refuse names that nobody registered before any process starts or anything is written."""
    from teach_agents.core.benchmark.engines import engine_named

    engine_named(how["engine"], concurrent=how["concurrent"])
    check_registered("agent", settings.follower, "--follower")
    check_registered("simulator", settings.simulator, "--simulator")


def _finish(run: FollowerRun, console: Any) -> None:
    """Write summary and report, print the table, say where they are."""
    from rich.table import Table

    from teach_agents.benchmarks.reporting.page import write_report

    summary = run.write_summary()
    report = write_report(run.folder)
    table = Table(title=f"{run.kind.upper()}, {run.settings.follower} on {run.settings.simulator}: percent")
    for column in ("task", "instances", "success", "95 % interval", "goal cond. (macro)", "weighted by path"):
        table.add_column(column, justify="left" if column == "task" else "right")
    whole = {"success_rate": summary["success"]["success_rate"], **summary}
    for name, row in [*summary["by_task"].items(), ("all", whole)]:
        interval = " – ".join(map(percent, row["success_rate_ci"]))
        figures = [
            row["success_rate"],
            row["goal_condition_success_macro"],
            row["path_length_weighted_success_rate"],
        ]
        success, macro, weighted = map(percent, figures)
        table.add_row(name, str(row["n"]), success, interval, macro, weighted)
    console.print(table)
    typer.echo(f"Summary: {run.folder / 'summary.json'}")
    typer.echo(f"Report:  {report}")
