"""Shared by all tests: where the TEACh data lie, and how many tests of them ran."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from tests import warm

gc.disable()  # until all tests are collected: what is imported meanwhile stays
os.environ.setdefault("OMP_NUM_THREADS", "1")  # test processes share the cores: threads of torch would wait by spinning
settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared machine")


@pytest.fixture(scope="session")
def teach_data() -> Path:
    """The folder that TEACH_DATA_DIR names, in the layout of `teach-agents data get`; skips without it."""
    folder = os.environ.get("TEACH_DATA_DIR", "")
    if not folder:
        pytest.skip("TEACH_DATA_DIR is unset: no TEACh data to test with (see scripts/unpack_data.sh)")
    if not Path(folder, "games").is_dir():
        pytest.fail(f"TEACH_DATA_DIR={folder} holds no folder 'games' (see scripts/unpack_data.sh)")
    return Path(folder)


@pytest.fixture(scope="module")
def warm_workers() -> Iterator[None]:
    """Workers of the engine `local` are forks of a warm process, for tests of what is played in them.

    That they start from nothing elsewhere is seen in `tests/benchmarks/engines` and by the tests of the command line.
    """
    forking = SimpleNamespace(get_context=lambda method: warm.context())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("teach_agents.core.benchmark.engines.local.multiprocessing", forking)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests begin first, so that none of them is what all processes wait for in the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Modules and collected tests are there to the end: no later collection of garbage need look at them again."""
    gc.enable()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests of recorded TEACh data ran, so that a silent absence is seen."""
    counts = {
        outcome: sum("data" in report.keywords for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "skipped")
    }
    ran = counts["passed"] + counts["failed"]
    terminalreporter.write_line(f"data tests: {ran} ran, {counts['skipped']} skipped")
