"""Ctrl-C and TERM as a wish to stop in good order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(Exception):
    """Work was left where it was, because somebody wished so or time is over."""


@contextmanager
def stopping(told: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Yields what says whether to stop; `told` is called when the wish comes. The second one is a `KeyboardInterrupt`.

    Outside the main thread, where Python hears no signals, nothing ever comes.
    """
    wished = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        if wished.is_set():
            raise KeyboardInterrupt
        wished.set()
        told()

    if threading.current_thread() is not threading.main_thread():
        yield wished.is_set
        return
    before = {one: signal.signal(one, hear) for one in _SIGNALS}
    try:
        yield wished.is_set
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
