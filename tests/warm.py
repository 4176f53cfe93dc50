"""Programs in processes of their own that need not start from nothing: each is a fork of a process that is warm.

What `subprocess` starts imports numba and loads machine code for two seconds before it does anything. Here that is done
once in each test process (`tests/warmed.py`). What is tested is the same: a process with its own folder, arguments,
output and exit status. How a program starts from nothing is seen by `tests/test_imports.py`, and wherever a test uses
`subprocess`.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import traceback
import types
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from pathlib import Path

__all__ = ["command_line", "context", "script"]

_COMMAND_LINE = "from teach_agents.cli.main import main; main()"


@dataclass(frozen=True, slots=True)
class _Program:
    code: str
    file: str
    """Where the code stands; "" as with `python -c`."""
    arguments: tuple[str, ...]
    folder: str
    paths: tuple[str, ...]
    strict: bool


def context() -> ForkServerContext:
    """For processes of `multiprocessing` that are forks of the warm one."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["tests.warmed"])
    return made


def command_line(*arguments: str, cwd: Path, timeout: float = 300.0) -> subprocess.CompletedProcess[str]:
    """`teach-agents` with these arguments, in a folder."""
    return _run(_Program(_COMMAND_LINE, "", arguments, str(cwd), ("",), strict=False), timeout)


def script(
    file: Path, *arguments: str, cwd: Path, paths: Sequence[Path] = (), timeout: float = 300.0
) -> subprocess.CompletedProcess[str]:
    """`python -W error FILE ARGUMENTS...` in a folder; `paths` are where else modules are found."""
    places = (str(file.parent), *map(str, paths))
    program = _Program(file.read_text(encoding="utf8"), str(file), arguments, str(cwd), places, strict=True)
    return _run(program, timeout)


def _run(program: _Program, timeout: float) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        out, errors = Path(folder, "out"), Path(folder, "errors")
        process = context().Process(target=_play, args=(program, str(out), str(errors)))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(list(program.arguments), timeout)
        told = out.read_text(encoding="utf8"), errors.read_text(encoding="utf8")
        return subprocess.CompletedProcess(list(program.arguments), process.exitcode, *told)


def _play(program: _Program, out: str, errors: str) -> None:
    """Be the program, to the end of its process."""
    for stream, path in ((1, out), (2, errors)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, stream)
        os.close(file)
    os.chdir(program.folder)
    sys.argv = [program.file or "-c", *program.arguments]
    sys.path[:0] = program.paths
    if program.strict:
        warnings.simplefilter("error")
        sys.warnoptions[:] = ["error"]
    main = types.ModuleType("__main__")
    if program.file:
        main.__file__ = program.file
    sys.modules["__main__"] = main
    sys.exit(_ended(program, main))


def _ended(program: _Program, main: types.ModuleType) -> int:
    """The exit status, when all that Python does at the end of a program is done."""
    status: object = 0
    try:
        exec(compile(program.code, program.file or "<string>", "exec"), main.__dict__)
    except SystemExit as ended:
        status = ended.code
    except BaseException:  # noqa: BLE001  # as the interpreter does
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads
    atexit._run_exitfuncs()
    if isinstance(status, str):
        sys.stderr.write(f"{status}\n")
    sys.stdout.flush()
    sys.stderr.flush()
    return status if isinstance(status, int) else int(status is not None)
