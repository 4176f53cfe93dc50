"""The built wheel works in a fresh environment outside the checkout: it runs a self-play and ships its data."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _run(*command: str, cwd: Path, timeout: float = 400) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder), cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_package_and_nothing_named_serve_or_plugins(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert all(top.startswith("teach_agents") for top in tops), tops
    assert "teach_agents/py.typed" in names
    assert any(name.startswith("teach_agents/tasks/definitions/") for name in names)
    for role in ("commander", "follower"):
        assert f"teach_agents/models/local/adapters/{role}/adapter_model.safetensors" in names
    assert "teach_agents/models/vision/household/shipped/weights.safetensors" in names
    assert "teach_agents/understanding/heads/weights.safetensors" in names
    assert "teach_agents/understanding/words.json" in names
    assert not [name for name in names if name.startswith("teach_agents/understanding/corpus/") and ".jsonl" in name]
    assert not [name for name in names if name.startswith("teach_agents/benchmarks/requests/meanings/")]
    assert any(name.startswith("teach_agents/benchmarks/requests/data/dev/") for name in names)
    assert {"teach_agents_serve/page/index.html", "teach_agents_serve/page/app.js"} <= set(names)
    assert sum(zipfile.ZipFile(wheel).getinfo(name).file_size for name in names) < 76_000_000, (
        "8 MB, two adapters of 10 MB and one of 20, eyes of 10 MB, heads of 18 MB"
    )


@pytest.mark.slow
def test_a_fresh_environment_plays_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment), cwd=tmp_path)
    pip = (sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"))
    quick = ("--quiet", "--no-compile", "--disable-pip-version-check")
    _run(*pip, "install", *quick, str(wheel), cwd=tmp_path)
    command = [str(environment / "bin" / "teach-agents"), "tatc", "--task", "Coffee", "--generate", "1"]
    _run(*command, "--max-turns", "40", "--out", "run", cwd=tmp_path)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["n"] == 1 and summary["simulator"] == "embedded"
    assert summary["crashed"] == summary["timed_out"] == 0
    assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
