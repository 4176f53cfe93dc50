"""A second process that outlives the double, so that a client is told of its death.

A client that waits for an answer with a time-out (100 s unless it is given another) reads on where the writer of its
pipe is gone, and one that waits for the first event does so for ever (AI2-THOR specification 6.3). The guard writes
what is no field of the protocol into the pipe: the client raises as soon as it reads that, at a field's border or after
the body that was being sent.
"""

from __future__ import annotations

import os
import signal
import time

_NO_FIELD = b"\xfe" * 65536
_GRACE = 0.5
"""A client without a time-out has its own words for a process that is gone; it gets as long to say them, seconds."""
_PATIENCE = 10.0
_PAUSE = 0.02


def guard(server_pipe: str, client_pipe: str) -> None:
    """Fork the guard of this process, which answers for it in the server's pipe when it is gone.

    Until then it only keeps the client's pipe open: an action sent to the dead is an answer missed, no broken pipe.

    Must be called before there are threads, and before anything heavy is imported: the guard keeps what there is.
    """
    ended, alive = os.pipe()
    if os.fork():
        os.close(ended)  # `alive` stays open until this process ends, however it does
        return
    try:
        os.close(alive)
        os.open(client_pipe, os.O_RDONLY | os.O_NONBLOCK)
        _leave_the_group()
        os.read(ended, 1)
        _answer(server_pipe)
    finally:
        os._exit(0)


def _leave_the_group() -> None:
    """Be no part of what the terminal or a supervisor signals, and hold none of the files that are waited for."""
    os.setsid()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)


def _answer(server_pipe: str) -> None:
    """Write until nobody reads any more; at once done where nobody does."""
    try:
        os.close(os.open(server_pipe, os.O_WRONLY | os.O_NONBLOCK))
        time.sleep(_GRACE)
        pipe = os.open(server_pipe, os.O_WRONLY | os.O_NONBLOCK)
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                os.write(pipe, _NO_FIELD)
            except BlockingIOError:
                time.sleep(_PAUSE)
    except OSError:
        return  # nobody reads, or the pipe is gone: the client has closed it
