"""`teach-agents rescore`: a run's metrics computed again from its records, without a simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_SHOWN = 20


def rescore(
    run: Annotated[Path, typer.Argument(help="Folder of a run of any benchmark.", metavar="RUN")],
    write: Annotated[bool, typer.Option("--write", help="Put the new figures in place of the run's.")] = False,
) -> None:
    """Judge every instance of a run again from its record, and count again; no simulator is needed.

    Says whether the figures agree with summary.json. Exit status 1 if they do not, unless they are written.
    """
    from teach_agents.core.benchmark.rescoring import rescore as rescored

    found = rescored(run)
    typer.echo(f"{found.judged} of {len(found.run.asked)} instances judged again from their records")
    if found.unrecorded:
        shown = ", ".join(found.unrecorded[:_SHOWN])
        typer.echo(f"{len(found.unrecorded)} without a record of their end, taken as the run noted them: {shown}")
    _tell("Intervals wider than in summary.json, which has them by an earlier rule; no difference", found.wider)
    if found.agrees:
        typer.echo("The figures agree with summary.json.")
    else:
        _tell("Instances that are judged otherwise", found.changed)
        _tell("Figures that differ from summary.json", found.differences)
    if write:
        found.write()
        typer.echo(f"Summary: {run / 'summary.json'}")
    elif not found.agrees:
        raise typer.Exit(1)


def _tell(what: str, places: tuple[str, ...]) -> None:
    if places:
        more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        typer.echo(f"{what}: {', '.join(places[:_SHOWN])}{more}")
