"""What the documents say runs."""

from __future__ import annotations

import re
import subprocess
import sys
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

from tests.chat.test_terminal import PATIENCE_S

DOCS = Path(__file__).parents[2] / "docs"


def test_the_session_by_pipe_is_as_told() -> None:
    document = (DOCS / "chat.md").read_text(encoding="utf8")
    found = re.search(r"```sh\n(.*?)```\n\nprints\n\n```text\n(.*?)```", document, re.DOTALL)
    assert found is not None
    command, told = found.groups()
    here = f"PATH={Path(sys.executable).parent}:$PATH; {command}"
    done = subprocess.run(["sh", "-c", here], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert OutputChecker().check_output(told, done.stdout, ELLIPSIS), done.stdout


def test_openais_client_gets_coffee_as_told(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    from tests.serve.serving import serving
    from tests.serve.test_openai_endpoint import made

    document = (DOCS / "openai_endpoint.md").read_text(encoding="utf8")
    found = re.search(r"```python\n# needs a server at (\S+)\n(.*?)```", document, re.DOTALL)
    assert found is not None
    address, code = found.groups()
    with serving(made(tmp_path), lifespan="on") as url:
        script = code.replace(address, url)
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    assert "the task is complete" in done.stdout, done.stdout + done.stderr
