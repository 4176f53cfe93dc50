"""Shared by all tests: where the TEACh data lie, and how many tests of them ran."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def teach_data() -> Path:
    """The folder that TEACH_DATA_DIR names, in the layout of `teach-agents data get`; skips without it."""
    folder = os.environ.get("TEACH_DATA_DIR", "")
    if not folder:
        pytest.skip("TEACH_DATA_DIR is unset: no TEACh data to test with (see scripts/unpack_data.sh)")
    if not Path(folder, "games").is_dir():
        pytest.fail(f"TEACH_DATA_DIR={folder} holds no folder 'games' (see scripts/unpack_data.sh)")
    return Path(folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests of recorded TEACh data ran, so that a silent absence is seen."""
    counts = {
        outcome: sum("data" in report.keywords for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "skipped")
    }
    ran = counts["passed"] + counts["failed"]
    terminalreporter.write_line(f"data tests: {ran} ran, {counts['skipped']} skipped")
