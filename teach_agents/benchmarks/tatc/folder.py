"""The folder of a run: whole files or none, and one run in it at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from teach_agents.errors import InputError, TeachAgentsError

__all__ = ["claimed", "storing", "write_atomically"]

_LOCK = ".lock"


def write_atomically(path: Path, text: str) -> None:
    """Write a whole file or nothing. What UTF-8 cannot hold (lone surrogates in what an agent raised) is escaped."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf8", errors="backslashreplace")
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def storing(folder: Path) -> Iterator[None]:
    """What the system has against the folder, as one error that names it: no permission, no room, no folder."""
    try:
        yield
    except OSError as error:
        raise TeachAgentsError(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from error


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold the folder for one run. Raises `InputError` while another process holds it.

    The system lets go when the process ends, however it ends. (Not on Windows, which has no `flock`.)
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with storing(folder):
        file = (folder / _LOCK).open("a", encoding="utf8")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            problem = "another process is playing a run in this folder; wait for it or choose another"
            raise InputError("--out", problem, value=str(folder)) from None
        yield
