"""The package under `examples/world_package`, installed by pip into a folder of its own, without network."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "examples" / "world_package"
_COMMAND = "from teach_agents.cli.main import main; main()"


@dataclass(frozen=True)
class Installed:
    """Commands of a machine on which the package is installed; they are run in `folder`."""

    site: Path
    folder: Path

    @classmethod
    def by_pip(cls, folder: Path) -> Installed:
        """Install it below a folder."""
        site = folder / "site"
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(site), str(PACKAGE)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return cls(site, folder)

    def started(self, *words: object) -> subprocess.Popen[str]:
        """`teach-agents WORDS`, started."""
        paths = os.pathsep.join([str(self.site), str(Path(__file__).parent), *filter(None, sys.path)])
        return subprocess.Popen(
            [sys.executable, "-c", _COMMAND, *map(str, words)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "120"},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def ran(self, *words: object, typed: str = "", status: int = 0) -> str:
        """What it said; it must end with a status."""
        with self.started(*words) as process:
            said, _ = process.communicate(typed, timeout=120)
        assert process.returncode == status, said
        return said
