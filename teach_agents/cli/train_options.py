"""What the commands that train have in common: options, which of them were given, and what is said at the end."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from teach_agents.cli.options import RUNNING, option
from teach_agents.cli.resuming import was_given
from teach_agents.core.json_types import JsonMapping, JsonObject

WHAT = "What is learnt"
HOW = "How it is learnt"
CHECKS = "How it is checked"
OF_RUNNING = ("out", "resume", "minutes", "threads")
"""Options of every training that say nothing of what is learnt."""

DEVICE = "auto (a GPU if there is one), cpu, cuda, mps."
GOES_ON = "Go on with the training in --out. No other option is needed; one that says what is learnt must agree."

Rate = Annotated[
    float, option("The highest learning rate, reached after 5 % of the steps; then it falls along a cosine.", HOW)
]
Minutes = Annotated[float | None, option("Stop after so many minutes; everything is kept.", RUNNING)]
Threads = Annotated[int | None, option("Threads that compute; torch's own number if not given.", RUNNING, min=1)]


def asked(context: typer.Context, of_running: Collection[str]) -> JsonObject:
    """The options that say what is learnt and how: all but those `of_running`."""
    return {name: value for name, value in context.params.items() if name not in of_running}


def given(context: typer.Context, of_running: Collection[str]) -> JsonObject:
    """Those that the command line gives: for a training that goes on all others are as they were."""
    return {name: value for name, value in asked(context, of_running).items() if was_given(context, name)}


def use_threads(threads: int | None) -> None:
    """Let torch compute with so many threads. Raises `MissingExtraError` where there is no torch."""
    from teach_agents.models.local.packages import torch

    packages = torch()
    if threads is not None:
        packages.set_num_threads(threads)


def say_what_came(made: JsonMapping, command: str, out: Path, what: str, use: str, subject: str = "It is") -> None:
    """Say where what was trained is and how to use it, and what goes on with a training that is not finished.

    Raises `Exit` where it was interrupted.
    """
    typer.echo(f"{what}: {out}\nAccount: {out / 'training.json'}\n{use}")
    if made["ended"] != "finished":
        typer.echo(f"{subject} not finished. This goes on: teach-agents train {command} --out {out} --resume")
    if made["ended"] == "interrupted":
        raise typer.Exit(130)
