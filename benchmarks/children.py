"""Processes that a benchmark starts end with it, however it ends: by an error, Ctrl-C or TERM (not by kill -9)."""

from __future__ import annotations

import atexit
import signal
import subprocess
import sys
import threading
from types import FrameType

__all__ = ["ends_with_this", "term_ends_orderly"]

_PATIENCE_S = 10.0


def term_ends_orderly() -> None:
    """Have TERM end this program as an error does, so that what is to be done at the end is done."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _leave)


def ends_with_this(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a process at the end of this one, if it runs by then."""
    term_ends_orderly()
    atexit.register(_end, process)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
