"""A release folder that the `ai2thor` package takes for a downloaded build (AI2-THOR specification 6.1, way B).

Only folders that hold our own mark are ever changed or removed.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

from teach_agents.errors import InputError, MissingExtraError

PLATFORMS = ("CloudRendering", "Linux64")
_MARK = "teach-agents-double.json"
_SERVERS = "metadata.json"


def build_commit() -> str:
    """The commit whose build the installed `ai2thor` package asks for. Raises `MissingExtraError` without it."""
    try:
        from ai2thor._builds import COMMIT_ID
    except ModuleNotFoundError as error:
        raise MissingExtraError("ai2thor", "thor") from error
    return str(COMMIT_ID)


def release_folder(platform: str = "CloudRendering", home: Path | None = None) -> Path:
    """Where the package looks for its build. Raises `InputError` for a platform it has none for."""
    if platform not in PLATFORMS:
        raise InputError("thor-double", "no such platform", value=platform, valid=PLATFORMS)
    return (home or Path.home()) / ".ai2thor" / "releases" / f"thor-{platform}-{build_commit()}"


def is_double(folder: Path) -> bool:
    """Whether a release folder holds the double."""
    return (folder / _MARK).is_file()


def _our_folder(where: str, platform: str, home: Path | None) -> Path:
    """Where the double is or may be put. Raises `InputError` where a folder stands that is not ours."""
    folder = release_folder(platform, home)
    if folder.exists() and not is_double(folder):
        raise InputError(where, "this is a build of AI2-THOR's own; it is left alone", value=str(folder))
    return folder


def install(platform: str = "CloudRendering", home: Path | None = None) -> Path:
    """Put the double where the package looks for its build, and return the folder; again is as good as once.

    Raises `InputError` where a folder stands that is not ours.
    """
    folder = _our_folder("thor-double install", platform, home)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MARK).write_text(json.dumps({"python": sys.executable}) + "\n", encoding="utf8")
    (folder / _SERVERS).write_text(json.dumps({"server_types": ["FIFO", "WSGI"]}) + "\n", encoding="utf8")
    executable = folder / folder.name
    python = shlex.quote(sys.executable)
    executable.write_text(f'#!/bin/sh\nexec {python} -P -m teach_agents.simulator.double "$@"\n', encoding="utf8")
    executable.chmod(0o755)
    return folder


def uninstall(platform: str = "CloudRendering", home: Path | None = None) -> Path | None:
    """Take the double away again; returns the folder, `None` where none was installed.

    Raises `InputError` where a folder stands that is not ours.
    """
    folder = _our_folder("thor-double uninstall", platform, home)
    if not folder.exists():
        return None
    for name in (folder.name, _SERVERS, _MARK):
        (folder / name).unlink(missing_ok=True)
    folder.with_name(folder.name + ".lock").unlink(missing_ok=True)
    try:
        folder.rmdir()
    except OSError:
        left = ", ".join(sorted(os.listdir(folder)))
        raise InputError(
            "thor-double uninstall", f"the folder holds more than the double: {left}", value=str(folder)
        ) from None
    return folder
