"""The user's cache of converted models: folders that are whole or absent, made by one process at a time."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from teach_agents.errors import ModelError


def cache_folder() -> Path:
    """Where converted models are kept: `$TEACH_AGENTS_CACHE`, or `teach_agents` in the user's cache folder."""
    chosen = os.environ.get("TEACH_AGENTS_CACHE", "")
    if chosen:
        return Path(chosen) / "models"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "teach_agents" / "models"


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """`folder`, which `make` fills the first time; others that want it meanwhile wait.

    It is filled under another name and renamed when whole, so a process that dies leaves no half of it. Raises
    `ModelError` where the cache cannot be written.
    """
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder.with_name(f".{folder.name}.lock")):
            if not folder.is_dir():
                _fill(folder, make)
    except OSError as error:
        why = error.strerror or error
        raise ModelError(
            f"{error.filename or folder.parent}: cannot be written ({why}); set TEACH_AGENTS_CACHE to a folder that can"
        ) from error
    return folder


def _fill(folder: Path, make: Callable[[Path], None]) -> None:
    for left in folder.parent.glob(f".{folder.name}.part-*"):
        shutil.rmtree(left, ignore_errors=True)
    part = Path(mkdtemp(prefix=f".{folder.name}.part-", dir=folder.parent))
    try:
        make(part)
        os.replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock, after waiting for it; the system lets go when the process ends, however it ends. (Not on Windows,
    which has no `flock`: there two processes may both do the work, and the later one's rename fails or is the same.)
    """
    with path.open("a", encoding="utf8") as file:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
