"""Workers for the runner's tests; they run in processes of their own."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from teach_agents.core.benchmark.engines import once_per_seat


def behave(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Do what the payload says: answer (late, and say so), raise, leave, die, be killed, hang or bring all to a stand.

    Before it goes wrong it waits until as many jobs have begun as `after` says; each notes so in the folder `seen`.
    """
    kind = payload["kind"]
    if "seen" in payload:
        _begun(Path(payload["seen"]), f"{payload['n']}-{kind}", payload.get("after", 0))
    if kind == "raise":
        raise ValueError("the agent fell over")
    if kind == "leave":
        raise SystemExit(4)
    if kind == "die":
        os._exit(7)
    if kind == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "hang":
        time.sleep(600)
    if kind == "stand":  # called without letting go of Python's lock, so that no thread goes on
        ctypes.PyDLL(None).sleep(600)
    if kind == "recovers" and (Path(payload["seen"]) / f"{payload['n']}-{kind}").read_text().count("begun") == 1:
        time.sleep(600)
    if kind == "slow":
        time.sleep(payload["s"])
    status = "timed_out" if kind == "late" else "done"
    return {"square": payload["n"] ** 2, "status": status, "process": os.getpid(), "seat": id(_desk())}


@once_per_seat
def _desk() -> object:
    """What a job has to itself."""
    return object()


def meet(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Answer once so many jobs are in this process at the same time; tell the process and what the seat has."""
    _begun(Path(payload["seen"]), str(payload["n"]), payload["after"])
    return {"process": os.getpid(), "seat": id(_desk()), "again": id(_desk())}


def _begun(folder: Path, name: str, after: int) -> None:
    """Note that a job began, once more each time, and wait for others."""
    with (folder / name).open("a") as file:
        file.write("begun\n")
    until = time.monotonic() + 60
    while sum(path.stat().st_size > 0 for path in folder.iterdir()) < after:
        assert time.monotonic() < until, "the others did not begin"
        time.sleep(0.01)
