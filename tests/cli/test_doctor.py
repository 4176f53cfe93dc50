"""`teach-agents doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.simulator import EmbeddedSimulator
from teach_agents.simulator.conformance import SimulatorContract
from teach_agents.simulator.thor.checks import look_around, selftest


def test_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "findings.json"
    told = CliRunner().invoke(app, ["doctor", "--out", str(out)])
    assert told.exit_code == 1, told.output
    assert "FAIL CUDA_VISIBLE_DEVICES" in told.output
    findings = {finding["name"]: finding for finding in json.loads(out.read_text())}
    assert findings["CUDA_VISIBLE_DEVICES"]["well"] is False
    assert "vulkaninfo" in findings["CUDA_VISIBLE_DEVICES"]["told"]
    assert findings["home folder"]["well"] is True


def test_every_finding_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    findings = list(look_around())
    assert all(finding.told for finding in findings)
    assert {"python", "ai2thor", "system", "X display", "Vulkan"} <= {finding.name for finding in findings}


def test_the_selftest_tries_every_point_of_the_contract() -> None:
    findings = list(selftest(EmbeddedSimulator))
    assert len(findings) == sum(name.startswith("test_") for name in dir(SimulatorContract))
    assert all(finding.well for finding in findings)


def test_the_selftest_goes_on_after_a_failure() -> None:
    findings = list(selftest(EmbeddedSimulator, "FloorPlan401"))
    assert any(finding.well for finding in findings)
    assert [finding.told for finding in findings if finding.well is False]
