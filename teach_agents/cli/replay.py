"""`teach-agents replay`: carry out a recorded session again, check it, or make a TEACh game file of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from teach_agents.household import Household
    from teach_agents.tasks import Progress


def replay(
    source: Annotated[Path, Argument(help="A session's record (JSON lines), or a TEACh game file.")],
    verify: Annotated[
        bool,
        Option("--verify", help="Exit with status 1 unless every action did again exactly what is recorded."),
    ] = False,
    to_game: Annotated[
        Path | None, Option("--to-game", help="Write the record as a TEACh game file.", show_default=False)
    ] = None,
    simulator: Annotated[
        str | None, Option(help="SPEC of the simulator; by default the record's, or embedded for a game.")
    ] = None,
    add_tasks: Annotated[
        list[Path] | None,
        Option(help="Task definitions besides those installed: a file or folder; may be repeated."),
    ] = None,
) -> None:
    """Carry out a recorded session again.

    A record must lead to the identical state, turn by turn. Of a TEACh game the actions that succeeded are carried out;
    where a click now acts on something else, the recorded object is clicked on elsewhere, or acted on by id.
    """
    from teach_agents.data.games import GAME_SUFFIX
    from teach_agents.errors import InputError

    if source.name.endswith(GAME_SUFFIX):
        if to_game is not None:
            raise InputError("--to-game", "the source is a TEACh game already", value=source)
        same = _replay_game(source, _household(simulator or "embedded", add_tasks or []))
    else:
        same = _replay_record(source, simulator, add_tasks or [], to_game)
    if verify and not same:
        raise typer.Exit(1)


def _household(simulator: str, tasks: list[Path], **sizes: int) -> Household:
    from teach_agents.core.specs import build
    from teach_agents.household import Household
    from teach_agents.installed import installed_tasks
    from teach_agents.kinds import SIMULATOR

    return Household(build(SIMULATOR, simulator, allow_import=True), installed_tasks(tasks), **sizes)


def _replay_record(source: Path, simulator: str | None, tasks: list[Path], to_game: Path | None) -> bool:
    from teach_agents import session
    from teach_agents.data import write_game

    record = session.read_record(source)
    header = record.header
    sizes = {"view_size": header.view_size, "click_size": header.click_size}
    household = _household(simulator or header.simulator, tasks, **sizes)
    if to_game is None:
        report = session.replay(record, household)
    else:
        game, report = session.to_game(record, household)
        write_game(game, to_game)
        typer.echo(f"Written: {to_game}")
    ended = "unfinished" if record.result is None else record.result.get("end_reason")
    typer.echo(f"{header.scenario.task_name} in {header.scenario.room}: {report.turns} turns, {ended}")
    typer.echo("Replayed to the identical state." if report.identical else "The replay parts from the record:")
    for difference in report.differences:
        typer.echo(f"  {difference}")
    typer.echo(f"Final state: {_goals(report.progress)}")
    return report.identical


def _replay_game(source: Path, household: Household) -> bool:
    from teach_agents.data import read_game
    from teach_agents.session import replay_game

    game = read_game(source)
    report = replay_game(game, household)
    typer.echo(f"{game.task.task_name} in {game.episode.room}: {report.executed} recorded actions carried out")
    for count, what in (
        (report.as_recorded, "did at once what was recorded"),
        (report.clicked_again, "after a click elsewhere on the object"),
        (report.forced, "on the object by id"),
        (report.strayed, "motions that ended elsewhere"),
        (report.failed, "failed"),
    ):
        typer.echo(f"  {count:5} {what}")
    for problem in report.problems:
        typer.echo(f"  {problem}")
    typer.echo(f"Final state: {_goals(report.progress)}")
    typer.echo(f"Recorded:    {_goals(report.recorded_progress)}")
    return report.executed == report.as_recorded and report.progress.success == report.recorded_progress.success


def _goals(progress: Progress) -> str:
    state = "the task is complete" if progress.success else "the task is not complete"
    return f"{state}, {progress.goal_conditions_satisfied} of {progress.goal_conditions_total} goal conditions hold"
