"""`teach-agents prompts`: what models are told, and a folder of one's own to change it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from teach_agents.cli.options import JsonLines

app = typer.Typer(help="Prompts: what models are told, and how to tell them something else.", no_args_is_help=True)

Folder = Annotated[
    Path | None, Option("--prompts", help="A folder of your own templates; they stand in place of the package's.")
]


@app.command("list")
def list_(
    folder: Folder = None,
    as_json: JsonLines = False,
) -> None:
    """List all templates: who reads them, what they are given. A folder that does not fit is refused."""
    import json

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from teach_agents_prompts import load_prompts

    prompts = load_prompts(folder)
    if as_json:
        for one in prompts.values():
            row = {"name": one.name, "role": one.role, "about": one.about, "inputs": one.inputs}
            typer.echo(json.dumps({**row, "version": one.version, "hash": one.hash, "file": one.where}))
        return
    ours = load_prompts()
    table = Table()
    for title in ("name", "role", "version", "hash"):
        table.add_column(title, no_wrap=True)
    table.add_column("about", overflow="fold")
    for name, one in prompts.items():
        about = one.about if one.hash == ours[name].hash else f"(yours) {one.about}"
        table.add_row(*map(escape, (name, one.role, str(one.version), one.hash, about)))
    Console().print(table)


@app.command()
def show(
    name: Annotated[str, Argument(help="A template, such as lm_follower.")],
    folder: Folder = None,
) -> None:
    """Print a template's file."""
    from teach_agents_prompts import load_prompts

    typer.echo(Path(load_prompts(folder)[name].where).read_text(encoding="utf8"), nl=False)


@app.command()
def copy(
    folder: Annotated[Path, Argument(help="Where to; made if it is not there. Nothing in it is overwritten.")],
    names: Annotated[
        list[str] | None, Argument(help="Names or patterns, such as 'lm_*'; all if none are given.")
    ] = None,
) -> None:
    """Copy templates of the package into a folder, to be changed there and used by an agent's prompts=FOLDER.

    Those that models and exports use by themselves (repair, tools, ...) are not for agents to change.
    """
    from teach_agents_prompts import FIXED, Prompts, load_prompts

    from teach_agents.core.benchmark.folder import storing
    from teach_agents.errors import InputError

    theirs = Prompts({name: one for name, one in load_prompts().items() if name not in FIXED})
    chosen = theirs.only(*(names or ["*"]))
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        targets = {folder / Path(one.where).name: Path(one.where) for one in chosen.values()}
        there = [path.name for path in targets if path.exists()]
        if there:
            raise InputError("prompts copy", "is there already and is not overwritten", value=folder / there[0])
        for path, source in targets.items():
            path.write_bytes(source.read_bytes())
            typer.echo(path)
