"""Options that every command with a run has: the same words, the same panels of `--help`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = [
    "RUNNING",
    "WHICH",
    "WHO",
    "CallTimeLimit",
    "Concurrent",
    "Engine",
    "Follower",
    "Limit",
    "Names",
    "Out",
    "Pictures",
    "ReferenceOutputs",
    "Resume",
    "Shard",
    "Simulator",
    "TimeLimit",
    "ViewSize",
    "Workers",
    "option",
]

WHICH = "Which instances"
WHO = "Who plays"
RUNNING = "How it runs"


def option(help: str, panel: str, **more: Any) -> Any:
    """An option in a panel of `--help`."""
    return typer.Option(help=help, rich_help_panel=panel, **more)


Out = Annotated[Path, typer.Option(help="Folder of the run. The same command goes on with an interrupted run in it.")]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the run in --out by its own settings and instances: no other option is needed, and any that "
        "is given must agree with it (workers, concurrent, engine and time limit may change). Where there is no run "
        "yet, one begins if its instances are named.",
    ),
]
Shard = Annotated[str, option("Only part i of n of the instances, counted from 1.", WHICH, metavar="I/N")]
Names = Annotated[
    list[str] | None,
    option(
        "Only those of a list, in its order: a file with a file name a line, such as TEACh's divided splits, or a list "
        "that comes with the package: valid_seen_60 (sessions, 5 of each of the 12 tasks) or edh_valid_seen_200 (of "
        "the released EDH instances), both drawn by seed 0. May be repeated.",
        WHICH,
        metavar="NAME|FILE",
    ),
]
Limit = Annotated[int | None, option("Only the first so many of these.", WHICH, min=1)]
Follower = Annotated[str, option("SPEC of the Follower: name[:key=value,...] or module:Class.", WHO)]
Simulator = Annotated[str, option("SPEC of the simulator.", WHO)]
Engine = Annotated[
    str,
    option("local: processes of this machine; ray: a Ray cluster (RAY_ADDRESS), or a Ray of one's own.", RUNNING),
]
Workers = Annotated[int, option("Processes.", RUNNING, min=1)]
Concurrent = Annotated[
    int,
    option(
        "Instances that a process plays at a time: a local language model reads their prompts in one pass. For "
        "--engine local.",
        RUNNING,
        min=1,
    ),
]
CallTimeLimit = Annotated[
    float, option("Seconds an agent has for one answer; one that takes longer has timed out.", RUNNING, min=0.001)
]
Pictures = Annotated[int, option("Instances shown with pictures in the report.", RUNNING, min=0)]
ReferenceOutputs = Annotated[
    Path | None,
    option(
        "Folder for what TEACh's own runner leaves behind: inference__*.json, pred_actions__*.json and metrics.json.",
        RUNNING,
    ),
]
TimeLimit = Annotated[
    float, option("Seconds after which an instance is killed and counts as timed out.", RUNNING, min=1)
]
ViewSize = Annotated[
    int, option("Width and height of pictures in pixels; TEACh's models are given 900.", RUNNING, min=16, max=4096)
]
