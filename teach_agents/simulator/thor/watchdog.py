"""Nothing waits for ever: a thread that ends AI2-THOR's process when an action takes too long.

The package reads its pipe without a limit; when the process is gone the read ends. While the process starts, the
package waits for somebody to open the pipe at the other end; should it die before, the watchdog does so in its place.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_PERIOD = 0.1
_GRACE = 0.5


class Watchdog:
    """Watches the server of one controller, which `server` gives once there is one.

    `overdue` tells whether the last watched action was cut off for taking too long.
    """

    def __init__(self, server: Callable[[], Any]) -> None:
        self._server = server
        self._deadline: float | None = None
        self._changed = threading.Condition()
        self._ended = False
        self.overdue = False
        self._thread = threading.Thread(target=self._watch, name="thor watchdog", daemon=True)
        self._thread.start()

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Whatever blocks inside is over after so many seconds, by the death of the process."""
        self.overdue = False
        self._set(time.monotonic() + seconds)
        try:
            yield
        finally:
            self._set(None)

    def end(self) -> None:
        """Watch no longer."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(timeout=5.0)

    def _set(self, deadline: float | None) -> None:
        with self._changed:
            self._deadline = deadline
            self._changed.notify()

    def _watch(self) -> None:
        dead_since: float | None = None
        while True:
            with self._changed:
                if self._ended:
                    return
                self._changed.wait(_PERIOD if self._deadline is not None else None)
                deadline = self._deadline
            if deadline is None:
                dead_since = None
                continue
            now = time.monotonic()
            if now > deadline:
                self.overdue = True
                _kill(self._server())
            if not _is_dead(self._server()):
                dead_since = None
            elif now - (dead_since := dead_since or now) > _GRACE:
                _answer_for_the_dead(self._server())


def _process(server: Any) -> Any:
    return getattr(server, "unity_proc", None)


def _kill(server: Any) -> None:
    process = _process(server)
    if process is not None and process.poll() is None:
        process.kill()


def _is_dead(server: Any) -> bool:
    process = _process(server)
    return process is not None and process.poll() is not None


def _answer_for_the_dead(server: Any) -> None:
    """Open and close the pipes' other ends, so that whoever waits for them goes on, to read that nobody is there."""
    for name, mode in (("server_pipe_path", os.O_WRONLY), ("client_pipe_path", os.O_RDONLY)):
        path = getattr(server, name, None)
        if path is not None:
            try:
                os.close(os.open(path, mode | os.O_NONBLOCK))
            except OSError:
                continue  # nobody waits there, or the pipe is gone already
