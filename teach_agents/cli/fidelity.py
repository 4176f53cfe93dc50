"""`teach-agents fidelity`: how faithfully the embedded simulator replays recorded human sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from teach_agents.cli.tables import table_of
from teach_agents.core.json_types import JsonObject

if TYPE_CHECKING:
    from teach_agents.benchmarks.fidelity.summary import Measured


_ROWS = (
    ("moves", "allowed", "moves.allowed_recall"),
    ("", "blocked", "moves.blocked_recall"),
    ("clicks", "before anything was moved", "clicks.untouched"),
    ("", "all", "clicks.all"),
    ("outcomes", "balanced accuracy", "outcomes.balanced_accuracy"),
    ("", "of Place", "outcomes.by_action.Place.balanced_accuracy"),
    ("replay of successes, unaided", "task complete", "replay.unaided.successes.task_success"),
    ("", "pose never differs", "replay.unaided.successes.pose_exact"),
    ("replay of all actions, unaided", "task complete", "replay.unaided.all.task_success"),
    ("", "pose never differs", "replay.unaided.all.pose_exact"),
    ("replay, recorded outcomes winning", "task complete", "replay.aided.task_success"),
    ("", "tracked properties", "replay.aided.property_agreement"),
    ("", "progress checks", "replay.aided.progress_check_agreement"),
)
"""What the table shows: a group, a line, where the figure stands."""


def fidelity(
    games: Annotated[list[Path], Option(help="TEACh game files, or folders of them; may be repeated.")],
    json_file: Annotated[
        Path | None, Option("--json", help="Write all figures here as JSON.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        Option(help="Write report.html, with pictures of clicks that missed, and figures.json here."),
    ] = None,
    limit: Annotated[int | None, Option(help="Only the first so many games.", min=1)] = None,
    workers: Annotated[int, Option(help="Processes.", min=1)] = 1,
    click_size: Annotated[
        int,
        Option(help="Size in pixels of the pictures clicks are resolved in; 900 is TEACh's.", min=16, max=900),
    ] = 300,
    time_limit: Annotated[
        float, Option(help="Seconds after which a session is given up and counts as failed.", min=1)
    ] = 300.0,
) -> None:
    """Replay recorded sessions and say how far the embedded simulator agrees with what AI2-THOR did.

    Steps allowed and blocked, clicks and the objects they chose, outcomes of interactions, final states. A session that
    cannot be replayed is named, counts as a miss in every share of sessions, and makes the exit status 1.

    [bold]Examples[/bold]

      teach-agents fidelity --games games/valid_seen --workers 2

      teach-agents fidelity --games games/valid_seen --workers 2 --json fidelity.json --out runs/fidelity
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from teach_agents.benchmarks.fidelity.running import figures, measure_games
    from teach_agents.data.games import game_files

    paths = game_files(games)[:limit]
    console = Console(stderr=True)
    columns = (TextColumn("sessions"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=len(paths))

        def count(measured: Measured) -> None:
            if measured.rows is None:
                console.print(f"{measured.game_id} {measured.reason}", markup=False)
            progress.update(bar, advance=1)

        sessions = measure_games(
            paths,
            click_size=click_size,
            workers=workers,
            time_limit_s=time_limit,
            pictures=None if out is None else out / "pictures",
            on_session=count,
        )
    found = figures(sessions, click_size=click_size)
    _show(found)
    for path in (json_file, None if out is None else out / "figures.json"):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf8")
            typer.echo(f"Figures: {path}")
    if out is not None:
        from teach_agents.benchmarks.fidelity.report import write_report

        typer.echo(f"Report:  {write_report(out, found, sessions)}")
    if found["failed"]:
        raise typer.Exit(1)


def _show(found: JsonObject) -> None:
    from rich.console import Console

    rows = []
    for group, line, path in _ROWS:
        figure = _at(found, path)
        if figure is not None:
            low_high = " – ".join(f"{100 * bound:.2f}" for bound in figure["ci"])
            value = "–" if figure["value"] is None else f"{100 * figure['value']:.2f}"
            rows.append((group, line, value, low_high, str(figure["n"])))
    title = f"Agreement with AI2-THOR over {found['sessions']} recorded sessions, percent"
    Console().print(table_of(("", "figure", "value", "95 % interval", "n"), rows, 2, title=title))


def _at(found: JsonObject, path: str) -> JsonObject | None:
    """The figure at a dotted path; `None` where the sessions hold no such action."""
    node: JsonObject | None = found
    for key in path.split("."):
        node = None if node is None else node.get(key)
    return node
