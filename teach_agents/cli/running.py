"""What the commands that run a benchmark share besides their options: checks before, tables and statuses after."""

from __future__ import annotations

from collections.abc import Iterable

import typer

__all__ = ["ALL_BROKE_DOWN", "check_registered", "leave", "listed", "percent"]

ALL_BROKE_DOWN = 3
"""The exit status of a run in which no instance came to an end of its own: each crashed, timed out or never started."""


def check_registered(kind: str, spec: str, where: str) -> None:
    """Refuse a SPEC that names nothing that is registered; what it names is not made, which may be costly."""
    from teach_agents.core.registry import default_registry
    from teach_agents.core.specs import SpecForm, parse

    parsed = parse(spec, where=where)
    if parsed.form is SpecForm.REGISTERED:
        default_registry().entry(kind, parsed.name)


def listed(names: Iterable[str] | None) -> list[str]:
    """The ids in all the lists that `--names` names."""
    from teach_agents.benchmarks.lists import names_of

    return list(dict.fromkeys(name for source in names or () for name in names_of(source)))


def percent(value: float | None) -> str:
    """A fraction in a table."""
    return "–" if value is None else f"{100 * value:.1f}"


def leave(statuses: Iterable[str]) -> None:
    """Leave with `ALL_BROKE_DOWN` where it is so; `statuses` are those of all instances."""
    if "done" not in set(statuses):
        typer.echo("No instance came to an end of its own; summary and report say why.", err=True)
        raise typer.Exit(ALL_BROKE_DOWN)
