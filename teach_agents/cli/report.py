"""`teach-agents report`: the HTML report of a run, from its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    run: Annotated[Path, typer.Argument(help="Folder of a run of any benchmark, finished or not.", metavar="RUN")],
) -> None:
    """Write RUN/report.html: figures by group and cluster, plots, reasons of failure, what was seen, said and done.

    One file that needs nothing else, for any browser. Every run writes it when it ends.
    """
    from teach_agents.core.benchmark.reporting.page import write_report

    typer.echo(f"Report: {write_report(run)}")
