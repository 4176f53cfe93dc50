"""Programs in warm processes are told, tell and end as those that start from nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm

PROGRAM = """
import atexit, os, sys, threading, time
atexit.register(lambda: print("last"))
threading.Thread(target=lambda: (time.sleep(0.1), print("later"))).start()
print(os.getcwd(), __name__, __file__, sys.argv, flush=True)
print("oh", file=sys.stderr)
{end}
"""


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "sys.exit('no')", "os._exit(4)", "1 / 0", "open('absent')"])
def test_it_ends_as_one_that_starts_from_nothing(tmp_path: Path, end: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.format(end=end), encoding="utf8")
    cold = subprocess.run(
        [sys.executable, str(file), "a", "b c"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    here = warm.script(file, "a", "b c", cwd=tmp_path)
    assert (here.returncode, here.stdout) == (cold.returncode, cold.stdout)
    assert here.stderr.splitlines()[:1] == cold.stderr.splitlines()[:1] == ["oh"]
    assert here.stderr.splitlines()[-1] == cold.stderr.splitlines()[-1]


def test_warnings_are_errors(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import warnings; warnings.warn('careless')", encoding="utf8")
    done = warm.script(tmp_path / "program.py", cwd=tmp_path)
    assert done.returncode == 1 and "UserWarning: careless" in done.stderr


def test_one_that_hangs_is_ended(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import time; time.sleep(100)", encoding="utf8")
    with pytest.raises(subprocess.TimeoutExpired):
        warm.script(tmp_path / "program.py", cwd=tmp_path, timeout=0.5)
