"""`teach-agents edh` and `teach-agents tfd`: a Follower alone, with a dialogue that is over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from teach_agents.benchmarks.metrics import Outcome
    from teach_agents.benchmarks.solo.player import Settings
    from teach_agents.benchmarks.solo.references import Reference
    from teach_agents.benchmarks.solo.run import FollowerRun

__all__ = ["edh", "tfd"]

_WHICH = "Which instances"
_WHO = "Who acts"
_RUNNING = "How it runs"


def _option(help: str, panel: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel=panel, **more)


_Out = Annotated[Path, typer.Option(help="Folder of the run; an interrupted run in it goes on.")]
_Instances = Annotated[
    Path | None,
    _option("Folder of instance files; their sessions are looked for in --games, else beside it as in TEACh.", _WHICH),
]
_Games = Annotated[Path | None, _option("Folder of sessions; without --instances they are cut from these.", _WHICH)]
_Names = Annotated[
    list[Path] | None,
    _option("List of instances, a file name a line, such as TEACh's divided splits; may be repeated.", _WHICH),
]
_Id = Annotated[
    list[str] | None,
    typer.Option("--id", help="Only the instance of this id; may be repeated.", rich_help_panel=_WHICH),
]
_Shuffle = Annotated[int | None, _option("Order them by this seed instead of by id.", _WHICH)]
_Shard = Annotated[str, _option("Only part i of n, counted from 1.", _WHICH, metavar="I/N")]
_Limit = Annotated[int | None, _option("Only the first so many of these.", _WHICH, min=1)]
_Follower = Annotated[str, _option("SPEC of the Follower: name[:key=value,...] or module:Class.", _WHO)]
_Simulator = Annotated[str, _option("SPEC of the simulator.", _WHO)]
_Seed = Annotated[int, _option("Seed of the Follower.", _WHO)]
_MaxSteps = Annotated[int, _option("Steps after which an instance ends.", _RUNNING, min=1)]
_MaxFailures = Annotated[int, _option("Failed actions that end an instance.", _RUNNING, min=1)]
_Workers = Annotated[int, _option("Processes.", _RUNNING, min=1)]
_TimeLimit = Annotated[
    float, _option("Seconds after which an instance is killed and counts as timed out.", _RUNNING, min=1)
]


def edh(  # noqa: PLR0913  # one option a parameter
    out: _Out = Path("runs/edh"),
    instances: _Instances = None,
    games: _Games = None,
    names: _Names = None,
    only: _Id = None,
    order: _Shuffle = None,
    shard: _Shard = "1/1",
    limit: _Limit = None,
    follower: _Follower = "recorded",
    simulator: _Simulator = "embedded",
    seed: _Seed = 0,
    max_steps: _MaxSteps = 1000,
    max_failures: _MaxFailures = 30,
    workers: _Workers = 1,
    time_limit: _TimeLimit = 600.0,
) -> None:
    """Execution from dialogue history: restore a session's beginning, and let a Follower go on.

    Success is judged by the changes that the people made next.

    [bold]Examples[/bold]

      teach-agents edh --instances teach/edh_instances/valid_seen --follower random --out runs/random

      teach-agents edh --games teach/games/valid_seen --names divided_val_seen.txt --shard 1/2 --out runs/first_half
    """
    from teach_agents.benchmarks.edh.benchmark import edh_references
    from teach_agents.benchmarks.solo.player import Settings

    where = {"instances": str(instances or ""), "games": str(games or "")}
    found = edh_references(**where, names=_listed(names), simulator=simulator)
    settings = Settings(follower, simulator, seed, max_steps, max_failures)
    _run("edh", out, settings, _chosen(found, only, order, shard)[:limit], workers, time_limit)


def tfd(  # noqa: PLR0913  # one option a parameter
    out: _Out = Path("runs/tfd"),
    instances: _Instances = None,
    games: _Games = None,
    names: _Names = None,
    only: _Id = None,
    order: _Shuffle = None,
    shard: _Shard = "1/1",
    limit: _Limit = None,
    follower: _Follower = "recorded",
    simulator: _Simulator = "embedded",
    seed: _Seed = 0,
    max_steps: _MaxSteps = 1000,
    max_failures: _MaxFailures = 30,
    workers: _Workers = 1,
    time_limit: _TimeLimit = 600.0,
) -> None:
    """Trajectory from dialogue: let a Follower carry out a whole session from all that was said in it.

    The format of instance files is inferred: no released one was at hand.

    [bold]Example[/bold]

      teach-agents tfd --games teach/games/valid_seen --follower random --workers 2 --out runs/tfd_random
    """
    from teach_agents.benchmarks.solo.player import Settings
    from teach_agents.benchmarks.tfd.benchmark import tfd_references

    where = {"instances": str(instances or ""), "games": str(games or "")}
    found = tfd_references(**where, names=_listed(names))
    settings = Settings(follower, simulator, seed, max_steps, max_failures)
    _run("tfd", out, settings, _chosen(found, only, order, shard)[:limit], workers, time_limit)


def _listed(names: list[Path] | None) -> list[str]:
    from teach_agents.benchmarks.selection import read_names

    return [name for path in names or () for name in read_names(path)]


def _chosen(found: list[Reference], only: list[str] | None, order: int | None, shard: str) -> tuple[Reference, ...]:
    from teach_agents.benchmarks.selection import chosen, ordered, sharded

    return sharded(ordered(chosen(found, only) if only else found, order), shard)


def _run(
    kind: str, out: Path, settings: Settings, references: tuple[Reference, ...], workers: int, limit: float
) -> None:
    from rich.console import Console

    from teach_agents.benchmarks.solo.run import FollowerRun

    _check_specs(settings)
    console = Console(stderr=True)
    run = FollowerRun(out, kind, settings, references)
    try:
        _play(run, workers, limit, console)
    except KeyboardInterrupt:
        _finish(run, console)
        console.print("Interrupted. The same command goes on where this one stopped.")
        raise typer.Exit(130) from None
    _finish(run, console)


def _check_specs(settings: Settings) -> None:
    """Refuse names that nobody registered before any process starts or anything is written."""
    from teach_agents.registry import default_registry
    from teach_agents.specs import SpecForm, parse

    for kind, spec in (("agent", settings.follower), ("simulator", settings.simulator)):
        parsed = parse(spec, where=f"{kind} SPEC")
        if parsed.form is SpecForm.REGISTERED:
            default_registry().entry(kind, parsed.name)


def _play(run: FollowerRun, workers: int, limit: float, console: Any) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(run.kind.upper()), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=len(run.references), completed=len(run.records()))

        def tell(outcome: Outcome) -> None:
            progress.update(bar, advance=1)
            if outcome.status != "done":
                last = outcome.reason.strip().splitlines()[-1:]
                progress.console.print(f"{outcome.instance_id} {outcome.status}: {' '.join(last)}", markup=False)

        run.play(workers=workers, time_limit_s=limit, on_outcome=tell)


def _finish(run: FollowerRun, console: Any) -> None:
    """Write the summary, print the table, say where it is."""
    from rich.table import Table

    summary = run.write_summary()
    table = Table(title=f"{run.kind.upper()}, {run.settings.follower} on {run.settings.simulator}: percent")
    for column in ("task", "instances", "success", "95 % interval", "goal cond. (macro)", "weighted by path"):
        table.add_column(column, justify="left" if column == "task" else "right")
    whole = {"success_rate": summary["success"]["success_rate"], **summary}
    for name, row in [*summary["by_task"].items(), ("all", whole)]:
        interval = " – ".join(_percent(bound) for bound in row["success_rate_ci"])
        figures = [
            row["success_rate"],
            row["goal_condition_success_macro"],
            row["path_length_weighted_success_rate"],
        ]
        success, macro, weighted = map(_percent, figures)
        table.add_row(name, str(row["n"]), success, interval, macro, weighted)
    console.print(table)
    typer.echo(f"Summary: {run.folder / 'summary.json'}")


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"
