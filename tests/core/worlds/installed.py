"""The package under `examples/world_package`, installed by pip into a folder of its own, without network."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

PACKAGE = Path(__file__).parents[3] / "examples" / "world_package"


@dataclass(frozen=True)
class Installed:
    """Commands of a machine on which the package is installed; they are run in `folder`."""

    site: Path
    folder: Path
    command: ClassVar[str] = "from teach_agents.cli.main import main; main()"

    @classmethod
    def by_pip(cls, folder: Path) -> Installed:
        """Install it below a folder."""
        site = folder / "site"
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(site), str(PACKAGE)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return cls(site, folder)

    @property
    def folders(self) -> tuple[Path, Path]:
        """Where its modules lie, and those of users."""
        return self.site, Path(__file__).parent

    @property
    def variables(self) -> dict[str, str]:
        """The environment of its commands."""
        paths = os.pathsep.join([*map(str, self.folders), *filter(None, sys.path)])
        return {**os.environ, "PYTHONPATH": paths, "COLUMNS": "120"}

    @property
    def said(self) -> str:
        """What its commands have said."""
        return (self.folder / "said.txt").read_text()

    def started(self, *words: object) -> subprocess.Popen[bytes]:
        """`teach-agents WORDS`, started."""
        with (self.folder / "said.txt").open("ab") as said:
            return subprocess.Popen(
                [sys.executable, "-c", self.command, *map(str, words)],
                cwd=self.folder,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
