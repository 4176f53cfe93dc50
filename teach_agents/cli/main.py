"""The `teach-agents` command."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

import typer
from typer import Option
from typer.core import TyperGroup

from teach_agents.cli import (
    chat,
    data,
    doctor,
    fidelity,
    mcp,
    memory,
    models,
    plugins,
    prompts,
    replay,
    reproduce,
    rooms,
    run,
    serve,
    stored_runs,
    tasks,
    thor_double,
    train,
    worker,
)
from teach_agents.errors import TeachAgentsError

_BENCHMARKS = {
    "tatc": "Play TATC self-play and write a summary and a report.",
    "edh": "Execution from dialogue history: restore a session's beginning, and let a Follower go on.",
    "tfd": "Trajectory from dialogue: let a Follower carry out a whole session from all that was said in it.",
}
"""Benchmarks whose commands, those of `teach-agents run`, are commands of their own too."""


class Commands(TyperGroup):
    """All commands; those of benchmarks come first."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names."""
        return [*_BENCHMARKS, "run", *[name for name in super().list_commands(ctx) if name != "run"]]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of them."""
        if cmd_name in _BENCHMARKS:
            return run.command_of(cmd_name, _BENCHMARKS[cmd_name])
        return super().get_command(ctx, cmd_name)


app = typer.Typer(
    name="teach-agents",
    cls=Commands,
    help="Commander and Follower agents that talk while they act: self-play on TEACh, with or without Unity.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
)
for _command in (
    stored_runs.compare,
    reproduce.reproduce,
    stored_runs.export,
    stored_runs.report,
    stored_runs.rescore,
    replay.replay,
    fidelity.fidelity,
    serve.serve,
    chat.chat,
    mcp.mcp,
    doctor.doctor,
):
    app.command()(_command)
for _group in (run, train, worker, rooms, tasks, data, models, prompts, memory, plugins, thor_double):
    app.add_typer(_group.app, name=_group.__name__.rpartition(".")[2].replace("_", "-"))


@app.callback(invoke_without_command=True)
def root(version: bool = Option(False, "--version", help="Print the version and leave.")) -> None:
    """Handle options that stand before any command."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(installed("teach-agents"))
        raise typer.Exit


def main() -> None:
    """Run the command; an error of ours, or a file the system refuses, is one line on stderr and exit status 2.

    `module:Class` is found in the working folder too, as it is by `python -m`; what is installed comes first.
    """
    sys.path.append(os.getcwd())
    try:
        app()
    except TeachAgentsError as error:
        _fail(str(error))
    except OSError as error:
        if error.filename is None:
            raise
        _fail(f"{error.filename}: {error.strerror}")


def _fail(message: str) -> NoReturn:
    typer.echo(f"teach-agents: {message}", err=True)
    sys.exit(2)
