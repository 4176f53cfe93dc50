"""`teach-agents export`: a run as data for others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    run: Annotated[Path, typer.Argument(help="Folder of a run of any benchmark.", metavar="RUN")],
    out: Annotated[Path, typer.Option(help="Folder to write into.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="hf: a folder that datasets.load_dataset reads, with all of it; jsonl: conversations for fine-tuning, "
            "one per instance and role; steps: observation, message, action, result and thought of every step; "
            "decisions: what a model chose from candidates, each as prompt and answer.",
        ),
    ] = "hf",
) -> None:
    """Write a run's records as data sets (JSON lines); pictures are left out.

    [bold]Examples[/bold]

      teach-agents export runs/demo --format hf --out data/demo

      teach-agents export runs/demo --format jsonl --out data/demo_chat
    """
    from teach_agents.core.benchmark.exporting import export as exported

    found = exported(run, form, out)
    for path, rows in found.rows.items():
        typer.echo(f"{path}: {rows} rows")
    if found.unrecorded:
        typer.echo(f"{len(found.unrecorded)} instances have no record of what was done and are left out.")
