"""`teach-agents thor-double`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app

pytest.importorskip("ai2thor")


def test_the_double_is_installed_and_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    runner = CliRunner()
    told = runner.invoke(app, ["thor-double", "install"])
    assert told.exit_code == 0, told.output
    (folder,) = (tmp_path / ".ai2thor" / "releases").iterdir()
    assert folder.name in told.output.replace("\n", "")
    assert "removed" in runner.invoke(app, ["thor-double", "uninstall"]).output
    assert "nothing was installed" in runner.invoke(app, ["thor-double", "uninstall"]).output
    assert not folder.exists()


def test_the_command_is_shown() -> None:
    assert "teach_agents.simulator.double" in CliRunner().invoke(app, ["thor-double", "command"]).output
