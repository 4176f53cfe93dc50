"""`teach-agents doctor`: what AI2-THOR needs of this machine, and whether it works."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

if TYPE_CHECKING:
    from teach_agents.simulator.thor.checks import Finding


_SIGNS = {True: "ok  ", False: "FAIL", None: "    "}


def doctor(
    selftest: Annotated[bool, Option("--selftest", help="Start AI2-THOR and try everything we use of it.")] = False,
    executable: Annotated[
        str | None, Option(help="A local build to start, or 'double' for the embedded simulator behind ai2thor.")
    ] = None,
    platform: Annotated[str | None, Option(help="CloudRendering or Linux64; by default ai2thor chooses.")] = None,
    room: Annotated[str, Option(help="The kitchen to try it in.")] = "FloorPlan1",
    out: Annotated[Path | None, Option(help="Write the findings here as JSON, to send them.")] = None,
) -> None:
    """Look at what AI2-THOR needs; with --selftest start it and try every point. Exit status 1 if anything is amiss."""
    findings = []
    for finding in _findings(selftest, executable, platform, room):
        findings.append(finding)
        typer.echo(f"{_SIGNS[finding.well]} {finding.name}{': ' if finding.told else ''}{finding.told}")
    if out is not None:
        out.write_text(json.dumps([finding._asdict() for finding in findings], indent=2) + "\n", encoding="utf8")
    failed = sum(finding.well is False for finding in findings)
    typer.echo(f"{failed} of {len(findings)} amiss" if failed else "all well")
    raise typer.Exit(1 if failed else 0)


def _findings(selftest: bool, executable: str | None, platform: str | None, room: str) -> Iterator[Finding]:
    from teach_agents.simulator.thor.checks import look_around

    yield from look_around()
    if selftest:
        from teach_agents.simulator.thor import ThorSimulator
        from teach_agents.simulator.thor.checks import selftest as try_everything

        yield from try_everything(lambda: ThorSimulator(executable=executable, platform=platform), room)
