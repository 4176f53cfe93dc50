"""The folder of a run: whole files or none, lines that last, the versions it is played with; one run at a time."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any, TypeVar

from teach_agents.core.errors import InputError, TeachAgentsError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.plugins import ENTRY_POINT_GROUP
from teach_agents.core.values import NOTHING

_ContentT = TypeVar("_ContentT")
_LOCK = ".lock"
_ROOM_TO_WRITE = 1 << 20
"""Bytes; a disk with less left is full, and what crashes then is not the agents' fault."""
_PACKAGES = (
    "teach-agents",
    "jinja2",
    "langchain-core",
    "numba",
    "numpy",
    "peft",
    "pillow",
    "pydantic",
    "ray",
    "torch",
    "transformers",
)


def environment(packages: Iterable[str] = (), variables: Mapping[str, str] = NOTHING) -> JsonObject:
    """The present environment as JSON: no names of machines, people or folders but what `variables` hold.

    Packages that are not installed are left out. `packages` are noted besides those that anything can depend on,
    `variables` are variables of the system's environment, by what they are noted as.
    """
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: found for name in sorted((*_PACKAGES, *packages)) if (found := _version(name))},
        "plugins": {
            point.dist.name: point.dist.version
            for point in entry_points(group=ENTRY_POINT_GROUP)
            if point.dist and point.dist.name != _PACKAGES[0]
        },
        **{name: os.environ.get(variable, "") for name, variable in variables.items()},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


class Journal:
    """JSON objects in a file, one a line.

    `append` returns when the line is on the disk. A line that was cut short (the machine went down, the disk was full)
    is passed over by whoever reads, and does not spoil the next one. One process writes at a time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, entry: JsonMapping) -> None:
        """Write one object through to the disk. Raises `OSError` when it cannot be written."""
        line = json.dumps(entry, allow_nan=False).encode() + b"\n"
        with self.path.open("ab+") as file:
            if _cut_short(file):
                line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def __iter__(self) -> Iterator[JsonObject]:
        """Every whole object, first to last; none where there is no file yet."""
        for line in self.path.read_bytes().splitlines() if self.path.exists() else []:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry


def _cut_short(file: Any) -> bool:
    """Whether a file ends in the middle of a line."""
    if not file.tell():
        return False
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) != b"\n")


class RunFolder:
    """The folder of a run that can be interrupted and goes on.

    `settings.json` says what was `asked`, `environments.json` with which versions it was carried out, the `journal`
    holds one line per finished instance, on the disk the moment it ends. Opening a folder that holds results which were
    asked for by other words raises `InputError`, one that cannot be written `TeachAgentsError`. To `resume` is to go on
    by the same words also where there are no results yet.
    """

    def __init__(
        self,
        path: Path,
        journal: str,
        asked: JsonMapping,
        *,
        resume: bool = False,
        environment: Callable[[], JsonObject] = environment,
    ) -> None:
        self.path = path
        self.journal = Journal(path / journal)
        self._resume = resume
        self._environment = environment
        self._asked: JsonObject = json.loads(json.dumps(asked))
        with storing(path):
            path.mkdir(parents=True, exist_ok=True)
        with self.running():
            pass

    @contextmanager
    def running(self) -> Iterator[None]:
        """Hold the folder. Raises `InputError` while another process does, or where it ran something else meanwhile."""
        with claimed(self.path):
            with storing(self.path):
                self._claim()
                self._note_environment()
            yield

    def _claim(self) -> None:
        """Write down what is asked, unless there are results that were asked for by other words."""
        path = self.path / "settings.json"
        if next(iter(self.journal), None) is None and not (self._resume and path.exists()):
            write_json(path, self._asked)
            return
        theirs = _claim_of(path)
        changed = [_difference(key, theirs.get(key), one) for key, one in self._asked.items() if theirs.get(key) != one]
        if changed:
            raise InputError(
                "--out", f"holds a run with other {' and '.join(changed)}; choose a new folder", value=str(self.path)
            )

    def _note_environment(self) -> None:
        """Write down what the run is carried out with, once for every change of it."""
        now = self._environment()
        known = environments_in(self.path) if next(iter(self.journal), None) is not None else []
        if now not in known:
            write_json(self.path / "environments.json", {"environments": [*known, now]})

    def keep(self, entry: JsonMapping, *, broke_down: bool) -> None:
        """Put a result on the disk.

        Raises `TeachAgentsError` where that cannot be, and for one that broke down while the disk was full: it is left
        to be run again.
        """
        if broke_down and shutil.disk_usage(self.path).free < _ROOM_TO_WRITE:
            raise TeachAgentsError(f"{self.path}: the disk is full; the same command goes on when there is space")
        with storing(self.path):
            self.journal.append(entry)


def _claim_of(path: Path) -> JsonMapping:
    """What a folder's results were asked for by."""
    try:
        claim = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError) as error:
        problem = "holds results, but what they were asked for by cannot be read; choose a new folder"
        raise InputError("--out", problem, value=str(path)) from error
    return claim if isinstance(claim, dict) else {}


def _difference(key: str, theirs: object, ours: object) -> str:
    """What differs under a key, by name; of settings which."""
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return key
    return f"{key} ({', '.join(name for name in ours | theirs if theirs.get(name) != ours.get(name))})"


def environments_in(folder: Path) -> list[Any]:
    """What the run of a folder was carried out with."""
    try:
        return list(json.loads((folder / "environments.json").read_bytes())["environments"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a whole file or nothing, through to the disk.

    What UTF-8 cannot hold of a text (lone surrogates in what an agent raised) is escaped.
    """
    raw = content.encode("utf8", errors="backslashreplace") if isinstance(content, str) else content
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def write_json(path: Path, content: _ContentT) -> _ContentT:
    """Write a whole file of JSON or nothing; what it holds. Raises `TeachAgentsError` where it cannot be written."""
    with storing(path.parent):
        write_atomically(path, json.dumps(content, indent=1) + "\n")
    return content


@contextmanager
def storing(folder: Path) -> Iterator[None]:
    """What the system has against the folder, as one error that names it: no permission, no space, no folder."""
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
