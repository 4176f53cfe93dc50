"""Trees of the project that run side by side: this checkout and another commit's, by the same interpreter.

A tree brings its own entry points: programs in it find those of its `pyproject.toml`, not the installed ones.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from children import ends_with_this

__all__ = ["BEFORE", "ROOT", "Spent", "Tree", "run_by_turns", "scratch", "worktree"]

ROOT = Path(__file__).resolve().parent.parent
BEFORE = "8ccb15a"
"""The commit before there was a core: what later trees are compared with."""

_PACKAGES = ("", "serve", "plugins", "prompts")
_PATIENCE_S = 60.0
_SLICE_S = 0.1
"""How long a process runs until it is another's turn."""
_PROGRAM = "from teach_agents.cli.main import main; main()"


@dataclass(frozen=True)
class Spent:
    """What a process and its children took, seconds; `code` is its exit status, `output` what it wrote."""

    wall_s: float
    cpu_s: float
    code: int
    output: str


@dataclass(frozen=True)
class Tree:
    """A tree and where its entry points lie; `threads` is how many threads numerical libraries may use."""

    folder: Path
    metadata: Path
    threads: int = 1

    @classmethod
    def of(cls, folder: Path, work: Path, threads: int = 1) -> Tree:
        """A tree whose entry points are written to a folder in `work`."""
        folder = folder.resolve()
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf8"))["project"]
        metadata = work.resolve() / f"entry_points of {re.sub(r'[^A-Za-z0-9]+', '_', str(folder)).strip('_')}"
        name = re.sub(r"[-_.]+", "_", project["name"])
        written = metadata / f"{name}-{project['version']}.dist-info"
        written.mkdir(parents=True, exist_ok=True)
        (written / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        (written / "entry_points.txt").write_text(_ini(project))
        return cls(folder, metadata, threads)

    def environment(self, more: Sequence[Path] = ()) -> dict[str, str]:
        """The variables of a process that runs in the tree; `more` folders are found last."""
        paths = [self.metadata, *(self.folder / one for one in _PACKAGES), *more]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(self.threads))
        return {**os.environ, **threads, "PYTHONPATH": os.pathsep.join(map(str, paths))}

    def program(self, *words: str) -> list[str]:
        """The command line `teach-agents` of the tree."""
        return [sys.executable, "-c", _PROGRAM, *words]

    def run(self, command: Sequence[str], folder: Path, *, more: Sequence[Path] = (), progress: bool = False) -> Spent:
        """Run a command in the tree, in a folder; with `progress` what it tells of that is shown.

        The process ends with this one. Of processes that end meanwhile, this one's children alone are counted.
        """
        log = subprocess.PIPE if not progress else None
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            command, cwd=folder, env=self.environment(more), stdout=subprocess.PIPE, stderr=log, text=True
        )
        ends_with_this(process)
        try:
            output, errors = process.communicate()
        except BaseException as interrupted:  # Ctrl-C reaches the process, too: it ends before its tree goes
            if not isinstance(interrupted, KeyboardInterrupt):
                process.terminate()
            process.communicate(timeout=_PATIENCE_S)
            raise
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Spent(time.perf_counter() - began, cpu, process.returncode, output + (errors or ""))


def run_by_turns(commands: Sequence[tuple[Tree, Sequence[str]]], folder: Path) -> list[tuple[int, str]]:
    """Run one command in each tree at the same time, but never two at once: exit statuses and what they wrote.

    They are stopped and let go on in turns of a tenth of a second, their children with them. So a machine that is slow
    for a while, because others use it, is slow for all of them alike. CPU times can be compared, wall times cannot.
    """
    logs = [folder / f"output of {number}.txt" for number in range(len(commands))]
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for (tree, command), log in zip(commands, logs, strict=True):
            with log.open("wb") as file:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=tree.environment(),
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            processes.append(process)
            ends_with_this(process)
            os.killpg(process.pid, signal.SIGSTOP)
        while running := [process for process in processes if process.poll() is None]:
            for process in running:
                _go_on(process, None if len(running) == 1 else _SLICE_S)
    finally:
        for process in processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                os.killpg(process.pid, signal.SIGCONT)
                process.wait(_PATIENCE_S)
    return [
        (process.returncode, log.read_text(encoding="utf8", errors="replace"))
        for process, log in zip(processes, logs, strict=True)
    ]


def _go_on(process: subprocess.Popen[bytes], seconds: float | None) -> None:
    """Let a stopped process and its children go on, for a while or to the end."""
    os.killpg(process.pid, signal.SIGCONT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGSTOP)


def _ini(project: Mapping[str, Any]) -> str:
    groups = {**project.get("entry-points", {}), "console_scripts": project.get("scripts", {})}
    return "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items()) + "\n"
        for group, points in groups.items()
    )


@contextmanager
def scratch(work: Path | None, name: str) -> Iterator[Path]:
    """The folder `work`, which stays, or one that is gone afterwards."""
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
        yield work.resolve()
    else:
        with TemporaryDirectory(prefix=name) as folder:
            yield Path(folder).resolve()


@contextmanager
def worktree(work: Path, commit: str = BEFORE, *, of: Path | None = None) -> Iterator[Path]:
    """The tree `of` a folder, or `commit`'s: a git worktree in `work` that is removed afterwards."""
    if of is not None:
        yield of.resolve()
        return
    folder = work / f"tree of {commit}"
    git: Callable[..., object] = lambda *words: subprocess.run(  # noqa: E731
        ["git", "-C", str(ROOT), "worktree", *words], check=True, capture_output=True
    )
    if not (folder / "pyproject.toml").exists():
        git("prune")
        git("add", "--force", "--detach", str(folder), commit)
    try:
        yield folder
    finally:
        git("remove", "--force", str(folder))
