"""`examples/world_package`, installed: a world in a file is run, interrupted, gone on with and reported like ours."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.core.worlds.installed import PACKAGE, Installed

_SLOW = ("run", "escape", "--workers", 2, "--agent", "guide=slow:SlowGuide")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A machine on which it is installed."""
    return Installed.by_pip(tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="module")
def whole(installed: Installed) -> Path:
    """A run that nobody interrupted."""
    installed.ran(*_SLOW, "--out", "whole")
    return installed.folder / "whole"


def test_it_is_a_hundred_and_fifty_lines() -> None:
    assert len((PACKAGE / "two_rooms.py").read_text(encoding="utf8").splitlines()) <= 150


def test_all_of_twenty_instances_end_by_what_the_pair_did(whole: Path) -> None:
    summary = json.loads((whole / "summary.json").read_text())
    assert (summary["benchmark"], summary["n"], summary["success_rate"]) == ("escape", 20, 1.0)
    assert summary["agents"] == {"guide": "slow:SlowGuide", "walker": "scripted"}
    assert list(summary["by_group"]["level"]) == [f"{count} words" for count in range(2, 7)]
    assert summary["end_reasons"] == {"escaped": 20} and summary["world"]["name"] == "two_rooms"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "ctrl-c"])
def test_a_run_that_is_interrupted_at_any_moment_goes_on_to_the_same_bytes(
    installed: Installed, whole: Path, how: signal.Signals
) -> None:
    out = installed.folder / how.name
    journal = out / "episodes.jsonl"
    with installed.started(*_SLOW, "--out", out) as process:
        while not journal.exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(random.uniform(0.1, 1.9))
        if how == signal.SIGINT:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        process.communicate(timeout=60)
    done = journal.read_bytes().count(b"\n")
    installed.ran("run", "escape", "--out", out, "--resume")
    assert (out / "summary.json").read_bytes() == (whole / "summary.json").read_bytes(), f"cut off behind {done} lines"
    assert sorted(_lines(out)) == sorted(_lines(whole))
    records = {path.name: path.read_bytes() for path in (whole / "records").iterdir()}
    assert {path.name: path.read_bytes() for path in (out / "records").iterdir()} == records


def _lines(run: Path) -> list[str]:
    """A journal's lines, but for the time they took."""
    found = [json.loads(line) for line in (run / "episodes.jsonl").read_text().splitlines()]
    return [json.dumps({name: value for name, value in one.items() if name != "wall_s"}) for one in found]


def test_a_run_is_reported_rescored_compared_and_exported(installed: Installed, whole: Path) -> None:
    installed.ran("run", "escape", "--out", "other", "--limit", 20)
    page = (whole / "report.html").read_text(encoding="utf8")
    assert "By level" in page and "4 words" in page and "say amber to the box" in page
    assert "The figures agree" in installed.ran("rescore", whole)
    assert json.loads(installed.ran("compare", whole, "other", "--json"))[0]["figure"] == "success_rate"
    installed.ran("export", whole, "--out", "data")
    assert (installed.folder / "data" / "README.md").is_file()
