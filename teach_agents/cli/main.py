"""The `teach-agents` command."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import typer

from teach_agents.cli import (
    chat,
    compare,
    data,
    doctor,
    export,
    fidelity,
    follower,
    mcp,
    memory,
    models,
    plugins,
    prompts,
    replay,
    report,
    reproduce,
    rescore,
    rooms,
    serve,
    tasks,
    tatc,
    thor_double,
    train,
    worker,
)
from teach_agents.cli.resuming import Resumable
from teach_agents.errors import TeachAgentsError

__all__ = ["app", "main"]

app = typer.Typer(
    name="teach-agents",
    help="Commander and Follower agents that talk while they act: self-play on TEACh, with or without Unity.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("tatc", cls=Resumable)(tatc.tatc)
app.command("edh", cls=Resumable)(follower.edh)
app.command("tfd", cls=Resumable)(follower.tfd)
app.command("compare")(compare.compare)
app.command("reproduce")(reproduce.reproduce)
app.command("export")(export.export)
app.command("report")(report.report)
app.command("rescore")(rescore.rescore)
app.command("replay")(replay.replay)
app.command("fidelity")(fidelity.fidelity)
app.command("serve")(serve.serve)
app.command("chat")(chat.chat)
app.command("mcp")(mcp.mcp)
app.command("doctor")(doctor.doctor)
app.add_typer(train.app, name="train")
app.add_typer(worker.app, name="worker")
app.add_typer(rooms.app, name="rooms")
app.add_typer(tasks.app, name="tasks")
app.add_typer(data.app, name="data")
app.add_typer(models.app, name="models")
app.add_typer(prompts.app, name="prompts")
app.add_typer(memory.app, name="memory")
app.add_typer(plugins.app, name="plugins")
app.add_typer(thor_double.app, name="thor-double")


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
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
