"""Machine code of kernels is kept, until any of the modules it may have been made of changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from teach_agents.simulator.embedded.kernels import compiling

CALLED = "from compiling import {how}\n\n@{how}\ndef factor():\n    return {factor}\n"
CALLER = "from called import factor\nfrom compiling import entry\n\n@entry\ndef scaled(x):\n    return factor() * x\n"
RUN = "from caller import scaled\nprint(scaled(2), sum(scaled.stats.cache_hits.values()))"


def _run(folder: Path) -> list[int]:
    """What `scaled(2)` gives in a new process, and how many kernels it took from the cache."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache")}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # which would hide a file that changes within a second to one as long
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return [int(word) for word in done.stdout.split()]


def _package(folder: Path, how: str) -> None:
    (folder / "compiling.py").write_text(Path(compiling.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "called.py").write_text(CALLED.format(how=how, factor=3), encoding="utf-8")
    (folder / "caller.py").write_text(CALLER, encoding="utf-8")


def test_machine_code_is_kept_for_other_processes(tmp_path: Path) -> None:
    _package(tmp_path, "kernel")
    assert _run(tmp_path) == [6, 0]
    assert _run(tmp_path) == [6, 1]


def test_machine_code_is_made_anew_when_another_kernels_file_changes(tmp_path: Path) -> None:
    for how in ("kernel", "inlined"):
        _package(tmp_path, how)
        assert _run(tmp_path)[0] == 6
        (tmp_path / "called.py").write_text(CALLED.format(how=how, factor=4), encoding="utf-8")
        assert _run(tmp_path) == [8, 0]
