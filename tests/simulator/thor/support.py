"""Help for tests with the real `ai2thor` package: its client in front of our double, in a home of its own."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

__all__ = ["QUIET", "alive", "children", "gone_within", "real_client"]

QUIET = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ai2thor"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""The package leaves its log file open and has odd escapes in its texts."""


def real_client(**options: Any) -> Any:
    """The package's own Controller, driving the double."""
    from ai2thor.controller import Controller

    from teach_agents.simulator.double import command

    settings = {"scene": "FloorPlan1", "width": 64, "height": 64, "server_timeout": 60, "x_display": ":99"}
    return Controller(**{"local_executable_path": command(), **settings, **options})


def children() -> set[int]:
    """Process ids of this process's living children."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == os.getpid() and fields[0] != "Z":
                found.add(int(entry.name))
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone_within(pid: int, seconds: float) -> bool:
    """Whether a process ends in that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not alive(pid):
            return True
        time.sleep(0.05)
    return not alive(pid)
