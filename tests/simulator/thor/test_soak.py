"""A long run leaves no memory, process or file behind.

In short: SOAK_STEPS lengthens it, and benchmarks/thor_soak.py plays the long form.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ai2thor")

STEPS = int(os.environ.get("SOAK_STEPS", "1000"))
RESETS = STEPS // 50
_SOAK = Path(__file__).parents[3] / "benchmarks" / "thor_soak.py"


@pytest.mark.slow
def test_resets_and_steps_leave_nothing(tmp_path: Path) -> None:
    out = tmp_path / "soak.json"
    command = [sys.executable, str(_SOAK), "--resets", str(RESETS), "--steps", str(STEPS), "--json", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(out.read_text(encoding="utf8"))
    assert done.returncode == 0, found
    assert found["steps"] == STEPS
    assert found["growth"] <= 0.05
    assert not found["process_left"] and not found["files_left"]
