"""`teach-agents plugins`: what is registered, by us and by installed plugins."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument

from teach_agents.actions import Role
from teach_agents.cli.options import JsonLines
from teach_agents.cli.tables import table_of

if TYPE_CHECKING:
    from teach_agents.core.registry import Entry, Registry


_HOUSEHOLD = ("", "teach")
"""Where the seats are a household's: in its own world, and in any."""

app = typer.Typer(
    help="What can be named in a SPEC: agents, simulators, tasks, benchmarks, models, dialogue hooks.",
    no_args_is_help=True,
)


@app.command("list")
def list_(
    as_json: JsonLines = False,
) -> None:
    """List everything that is registered, and plugins that could not be loaded."""
    import json

    from rich.console import Console

    from teach_agents.core.registry import default_registry

    registry = default_registry()
    entries = registry.everything()
    if as_json:
        for entry in entries:
            told = {"kind": entry.kind, "name": entry.name, "plugin": entry.plugin, "roles": _roles(entry)}
            typer.echo(json.dumps(told | ({"world": entry.world} if entry.world else {})))
    else:
        rows = ((one.kind, one.name, one.world, ", ".join(_roles(one)), one.plugin) for one in entries)
        Console().print(table_of(("kind", "name", "world", "plays", "plugin"), rows))
    _tell_problems(registry)


def _roles(entry: Entry) -> tuple[str, ...]:
    """The seats that an agent is known to take."""
    return entry.seats or (tuple(Role) if entry.kind == "agent" and entry.world in _HOUSEHOLD else ())


@app.command()
def show(
    name: Annotated[str, Argument(help="A registered name, such as planner.")],
) -> None:
    """Show what a name stands for: its plugin, where its code is, what it does, its parameters."""
    from teach_agents.core.registry import default_registry
    from teach_agents.errors import SpecError

    registry = default_registry()
    entries = registry.everything()
    found = [entry for entry in entries if entry.name == name]
    if not found:
        names = sorted({entry.name for entry in entries})
        _tell_problems(registry)
        raise SpecError("plugins show", "nothing of this name is registered", value=name, valid=names)
    for entry in found:
        _show(entry)


def _show(entry: Entry) -> None:
    from teach_agents.core.registry import parameters_of

    where = f", world: {entry.world}" if entry.world else ""
    typer.echo(f"{entry.kind} {entry.name} (plugin: {entry.plugin}{where})")
    seats: tuple[str | None, ...] = entry.seats or (None,)
    for role in seats:
        factory = entry.factory(role)
        made = f"as {role}:" if role else "made by:"
        typer.echo(f"  {made} {factory.__module__}.{getattr(factory, '__qualname__', factory)}")
        for paragraph in filter(None, (inspect.getdoc(factory) or "").split("\n\n")):
            typer.echo(f"    {paragraph if '|' in paragraph else ' '.join(paragraph.split())}")
        known = (parameters_of(factory) if callable(factory) else None) or {}
        for parameter in known.values():
            if parameter.name != "allow_import":
                typer.echo(f"    {_written(parameter)}")


def _written(parameter: inspect.Parameter) -> str:
    kind = parameter.annotation
    written = kind if isinstance(kind, str) else inspect.formatannotation(kind)
    annotation = "" if kind is parameter.empty else f": {written}"
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{parameter.name}{annotation}{default}"


def _tell_problems(registry: Registry) -> None:
    for problem in registry.problems.values():
        typer.echo(f"not loaded: {problem}", err=True)
