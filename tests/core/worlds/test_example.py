"""`examples/world_package`, installed: a world in a file is run, interrupted, gone on with, reported, played by all."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import select
import signal
import socket
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.core.registry import default_registry
from tests.core.worlds.example import two_rooms
from tests.core.worlds.installed import PACKAGE, Installed

_SLOW = ("run", "escape", "--workers", 2, "--agent", "guide=slow:SlowGuide")
_PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A machine on which it is installed."""
    return Installed.by_pip(tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="module")
def here(installed: Installed, warm_workers: None) -> Iterator[Callable[..., str]]:
    """`teach-agents` in this very process, as if the package had been installed before it began."""

    def ran(*words: object) -> str:
        done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "120"})
        assert done.exit_code == 0, (done.output, done.exception)
        return done.output

    with pytest.MonkeyPatch.context() as patch:
        for folder in installed.folders:
            patch.syspath_prepend(folder)
        patch.chdir(installed.folder)
        default_registry.cache_clear()
        yield ran
    default_registry.cache_clear()


@pytest.fixture(scope="module")
def whole(here: Callable[..., str], installed: Installed) -> Path:
    """A run that nobody interrupted."""
    here(*_SLOW, "--out", "whole")
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
    installed: Installed, here: Callable[..., str], whole: Path, how: signal.Signals
) -> None:
    out = installed.folder / how.name
    journal = out / "episodes.jsonl"
    with installed.started(*_SLOW, "--out", out) as process:
        while not journal.exists():
            assert process.poll() is None, installed.said
            time.sleep(0.01)
        time.sleep(random.uniform(0.1, 1.5))
        if how == signal.SIGINT:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        process.wait(_PATIENCE_S)
    done = journal.read_bytes().count(b"\n")
    here("run", "escape", "--out", out, "--resume")
    assert (out / "summary.json").read_bytes() == (whole / "summary.json").read_bytes(), f"cut off behind {done} lines"
    assert sorted(_lines(out)) == sorted(_lines(whole))
    records = {path.name: path.read_bytes() for path in (whole / "records").iterdir()}
    assert {path.name: path.read_bytes() for path in (out / "records").iterdir()} == records


def _lines(run: Path) -> list[str]:
    """A journal's lines, but for the time they took."""
    found = [json.loads(line) for line in (run / "episodes.jsonl").read_text().splitlines()]
    return [json.dumps({name: value for name, value in one.items() if name != "wall_s"}) for one in found]


def test_a_run_is_reported_rescored_compared_and_exported(here: Callable[..., str], whole: Path) -> None:
    here("run", "escape", "--agent", "walker=random", "--out", "lots")
    page = (whole / "report.html").read_text(encoding="utf8")
    assert "By level" in page and "4 words" in page and "say amber to the box" in page
    assert "The figures agree" in here("rescore", whole)
    found = json.loads(here("compare", whole, "lots", "--json"))[0]
    assert found["figure"] == "success_rate" and found["difference"] < 0
    here("export", whole, "--out", "data")
    assert Path("data/README.md").is_file()


def test_language_models_and_lots_play_it(here: Callable[..., str]) -> None:
    for spec in ("lm:model=uniform", "random"):
        here("run", "escape", "--agent", f"guide={spec}", "--agent", f"walker={spec}", "--out", spec)
        summary = json.loads(Path(spec, "summary.json").read_text())
        assert summary["status"]["done"] == 20 and set(summary["end_reasons"]) <= {"escaped", "stayed"}
    thoughts = json.loads(Path("lm:model=uniform/records/house-2.jsonl").read_text().splitlines()[1])["thoughts"]
    assert thoughts["guide"]["candidates"] == ["say something", "wait"]
    words = [one.split()[1] for one in thoughts["walker"]["candidates"][:-1]]
    assert len(words) == 4 and set(words) < set(two_rooms.WORDS) and thoughts["walker"]["candidates"][-1] == "wait"


def test_its_agents_are_served_over_http(installed: Installed, here: Callable[..., str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with installed.started("serve", "--world", "two_rooms", "--agent", "walker=scripted", "--port", port) as server:
        try:
            until = time.monotonic() + _PATIENCE_S
            while not _answers(url):
                assert server.poll() is None and time.monotonic() < until, installed.said
                time.sleep(0.05)
            here("run", "escape", "--agent", f"walker={url}", "--workers", 2, "--out", "served")
        finally:
            server.terminate()
            server.wait(_PATIENCE_S)
    summary = json.loads((installed.folder / "served" / "summary.json").read_text())
    assert (summary["success_rate"], summary["agents"]["walker"]) == (1.0, url)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/v1/agents", timeout=5) as answer:
            return bool(json.load(answer)["world"] == "two_rooms")
    except OSError:
        return False


def test_a_person_plays_it_in_the_terminal(installed: Installed) -> None:
    words = ("run", "escape", "--limit", "1", "--agent", "walker=person", "--out", "person")
    typed = iter((b"wait for me\n", b"2\n", b"1\n", b"1\n", b"1\n"))
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(installed.folder)
        os.execve(sys.executable, [sys.executable, "-c", installed.command, *words], installed.variables)
    shown = b""
    try:
        while chunk := os.read(terminal, 4096) if select.select([terminal], [], [], _PATIENCE_S)[0] else b"":
            shown += chunk
            if shown.endswith(b"> "):
                os.write(terminal, next(typed))
    except OSError:  # the other side has closed it
        pass
    os.close(terminal)  # whoever waits for more is told that there is none
    assert os.waitpid(process, 0)[1] == 0, shown.decode()
    assert (
        b"guide: The walker has to get into the study. The box opens to cedar." in shown
        and b"2 say cedar to the box" in shown
    )
    line = json.loads((installed.folder / "person" / "episodes.jsonl").read_text())
    assert (line["success"], line["agents"]["walker"], line["costs"]["walker"]["utterances"]) == (True, "person", 1)


def test_the_page_that_teaches_it_shows_its_code_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (PACKAGE.parents[1] / "docs" / "your_own_world.md").read_text(encoding="utf8")
    code = (PACKAGE / "two_rooms.py").read_text(encoding="utf8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    shown = [block for block in blocks if block in code]
    used = [block for block in blocks if block not in code]
    assert sum(block.count("\n") for block in shown) > 100 and len(used) == 2
    monkeypatch.chdir(tmp_path)
    for block in used:
        exec(block, dict(vars(two_rooms)))
