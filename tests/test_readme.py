"""What the README says runs, and stands in its first thirty lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf8")


def _python_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_the_example_stands_in_the_first_thirty_lines() -> None:
    first = "\n".join(README.splitlines()[:30])
    assert "make demo" in first and "play(" in first


def test_the_example_runs(tmp_path: Path) -> None:
    example = _python_blocks()[0]
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"(True|False) \d+ \w+\n", done.stdout), done.stdout


def test_the_program_for_thor_runs() -> None:
    done = subprocess.run([sys.executable, "-c", _python_blocks()[1]], capture_output=True, text=True, check=True)
    assert "(300, 300, 3)" in done.stdout


def test_a_custom_follower_takes_at_most_ten_lines() -> None:
    example = _python_blocks()[0]
    assert len([line for line in example.splitlines() if line.strip()]) <= 10


def test_every_command_in_the_readme_exists() -> None:
    from teach_agents.cli.main import app

    named = set(re.findall(r"`teach-agents ([a-z-]+(?: (?:get|show|list|check|stats))?)", README))
    assert {"tatc", "data get", "tasks check", "rooms list", "plugins list", "replay"} <= named
    for command in named:
        shown = CliRunner().invoke(app, [*command.split(), "--help"])
        assert shown.exit_code == 0, f"{command}: {shown.output}"


def test_every_document_the_readme_links_to_exists() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
