"""The package under `examples/plugin_package`, installed by pip and used as a third party's: agent, task and hook."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "examples" / "plugin_package"
_COMMAND = "import sys; from teach_agents.cli.main import main; main()"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the package, built from its own pyproject.toml."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(PACKAGE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def ran(site: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs Python where the package is installed; what it printed."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(site), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_its_task_is_played_by_its_commander_under_its_hook(ran: Callable[..., str]) -> None:
    told = ran(str(PACKAGE / "play_it.py"))
    assert "commander: Put a clean mug in the fridge." in told
    assert re.search(r"^complete after \d+ turns", told, flags=re.MULTILINE)
    assert "commander read beyond its screens: nothing" in told
    notes = re.search(r"^house_rules: \{'asked': 0, 'hints': (\d+)\}", told, flags=re.MULTILINE)
    assert notes is not None and int(notes.group(1)) > 0


def test_it_is_listed_and_shown_with_its_parameters(ran: Callable[..., str]) -> None:
    listed = [json.loads(line) for line in ran("-c", _COMMAND, "plugins", "list", "--json").splitlines()]
    own = {(one["kind"], one["name"]) for one in listed if one["plugin"] == "kitchen"}
    assert own == {("agent", "reader"), ("task", "kitchen"), ("dialogue_hook", "house_rules")}
    shown = ran("-c", _COMMAND, "plugins", "show", "house_rules")
    assert "dialogue_hook house_rules (plugin: kitchen)" in shown
    assert "ask: bool = True" in shown and "asks first" in shown


def test_its_hook_takes_part_in_a_run_beside_others(ran: Callable[..., str], tmp_path: Path) -> None:
    hooks = ("--hook", "house_rules:ask=true", "--hook", "dialogue_acts")
    options = ("--task", "Toast", "--generate", "1", "--seed", "3", "--pictures", "0", "--max-turns", "250")
    ran("-c", _COMMAND, "tatc", *options, *hooks, "--out", "run")
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["dialogue_hooks"] == ["house_rules:ask=true", "dialogue_acts"]
    assert summary["hook_notes"]["house_rules:ask=true"]["asked"] == 1
    assert summary["costs"]["follower"]["dialogue_acts"]["AskPermission"] == 1
    (record,) = (tmp_path / "run" / "records").glob("*.jsonl")
    assert '"chosen":{"name":"Slice"' in record.read_text()
    assert "Replayed to the identical state." in ran("-c", _COMMAND, "replay", str(record))
