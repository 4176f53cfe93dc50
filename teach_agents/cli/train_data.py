"""`teach-agents train data` and `train export`: demonstrations to learn from, made and given to other trainers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from teach_agents.core.json_types import JsonMapping

if TYPE_CHECKING:
    from teach_agents.core.benchmark.engines import Job


app = typer.Typer(
    help="Demonstrations to learn from: decisions as they should be made, of people and of self-play.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

_Out = Annotated[
    Path,
    Option(help="Folder to gather into; gone on with where the same words are said again."),
]
_Workers = Annotated[int, Option(help="Processes.", min=1)]
_TimeLimit = Annotated[float, Option(help="Seconds for one session.", min=1.0)]


@app.command()
def people(
    games: Annotated[Path, Option(help="TEACh's training sessions: a folder, or one file.")],
    out: _Out,
    limit: Annotated[int | None, Option(help="So many of the sessions, drawn the same way each time.", min=1)] = None,
    workers: _Workers = 1,
    time_limit: _TimeLimit = 1800.0,
) -> None:
    """Make demonstrations of people's sessions: where a person began something, what our Follower should choose.

    Each session is carried out again in the embedded simulator. Two kinds come of it: human, with the Commander there,
    and alone, as in EDH. Sessions of evaluation splits are refused.

    [bold]Example[/bold]

      teach-agents train data people --games games/train --out data/people
    """
    from teach_agents.learning.people import WORKER, sources

    _gather(out, WORKER, {}, sources(games, limit=limit), workers, time_limit)


@app.command("self-play")
def self_play(  # noqa: PLR0913  # one option a parameter
    out: _Out,
    sessions: Annotated[int, Option(help="How many to play.", min=1)] = 1000,
    games: Annotated[
        Path | None,
        Option(help="Begin as these training sessions did, in place of generated tasks."),
    ] = None,
    seed: Annotated[int, Option(help="Draws tasks, rooms and states.")] = 0,
    exploring: Annotated[
        float, Option(help="How often something else is done than what is learnt, on average.")
    ] = 0.13,
    student: Annotated[str, Option(help="SPEC of a model; what it would do is then done instead.")] = "",
    workers: _Workers = 1,
    time_limit: _TimeLimit = 1800.0,
) -> None:
    """Make demonstrations of self-play: the language-model pair with the planners' choices in place of a model's.

    Tasks in rooms of TEACh's training split, drawn by --seed. What is said is put in many ways; now and then something
    else is done than what is learnt, so that failures and the way back are in the data (DAgger).

    [bold]Examples[/bold]

      teach-agents train data self-play --sessions 3000 --out data/play

      teach-agents train data self-play --sessions 500 --seed 1 --student 'smollm2:adapter=runs/follower' --out data/own
    """
    from teach_agents.learning.selfplay import WORKER, SelfPlay, instances, sources

    how = SelfPlay(exploring=exploring, student=student).to_json()
    _gather(out, WORKER, how, sources(instances(sessions, seed=seed, games=games)), workers, time_limit)


def _gather(out: Path, worker: str, how: JsonMapping, found: Sequence[Job], workers: int, time_limit_s: float) -> None:
    from rich.console import Console

    from teach_agents.cli.progress import RunProgress
    from teach_agents.learning.gathering import DEMONSTRATIONS, Gathering

    gathering = Gathering(out, worker, how, found)
    before = [True for one in gathering.results().values() if one.status == "done"]
    console = Console(stderr=True)
    try:
        with RunProgress(console, "sessions", len(found), before) as progress:
            summary = gathering.gather(
                workers=workers,
                time_limit_s=time_limit_s,
                on_session=lambda one: progress.count(one.job_id, one.status, one.reason, one.status == "done"),
            )
    except KeyboardInterrupt:
        console.print("Interrupted. The same command goes on.", markup=False, highlight=False)
        raise typer.Exit(130) from None
    made = ", ".join(f"{count} {kind}" for kind, count in summary["demonstrations"].items()) or "none"
    typer.echo(f"{out / DEMONSTRATIONS}: {made}, of {summary['sessions']} sessions")
    typer.echo(f"{out / 'summary.json'}: {sum(summary['dropped'].values())} left out, by reason")
    if summary["broken"]:
        typer.echo(f"{len(summary['broken'])} sessions broke; the same command tries them again.")


def export(
    data: Annotated[list[Path], Option(help="Demonstrations: a file, or a folder they were gathered in. Repeat it.")],
    out: Annotated[Path, Option(help="The file to write; packed where it ends in .gz.")],
    role: Annotated[str, Option(help="commander or follower; both if not given.")] = "",
    show_choices: Annotated[
        bool,
        Option(
            "--show-choices",
            help="List the choices in the prompt too, as models are shown them that are not held to one.",
        ),
    ] = False,
) -> None:
    """Write demonstrations as chats, JSON lines for other trainers.

    Each line holds messages (system, user, assistant: the right choice) and metadata: session, kind, role, choices.

    [bold]Examples[/bold]

      teach-agents train export --data data/people --data data/play --out chats.jsonl

      teach-agents train export --data data/play --role commander --show-choices --out commander.jsonl
    """
    from teach_agents.actions import Role
    from teach_agents.errors import InputError
    from teach_agents.learning.gathering import write_chats

    if role and role not in list(Role):
        raise InputError("--role", "is no role", value=role, valid=Role)
    count = write_chats(out, data, Role(role) if role else None, show_choices=show_choices)
    typer.echo(f"{out}: {count} chats")
