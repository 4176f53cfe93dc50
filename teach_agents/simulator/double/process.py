"""The double's process: says hello at once, gets ready, then answers one request after the other.

A second process that outlives the double, so that a client is told of its death. A client that waits for an answer
with a time-out (100 s unless it is given another) reads on where the writer of its pipe is gone, and one that waits
for the first event does so for ever (AI2-THOR specification 6.3). The guard writes what is no field of the protocol
into the pipe: the client raises as soon as it reads that, at a field's border or after the body that was being sent.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import MissingExtraError
from teach_agents.simulator.double.events import Field, WireEvent, on_the_wire, wrapped

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Answer
    from teach_agents.simulator.double.fifo import Fifo
    from teach_agents.simulator.double.wsgi import Wsgi


_SIZE = 300

Act = Callable[[JsonMapping], "Answer"]


def main() -> None:
    """Serve the client whose environment this is, until it is gone. Exit status 0, or 2 without a client."""
    try:
        wire = _wire(os.environ)
        options = dict(pairwise(sys.argv))
        width, height = (int(options.get(name, _SIZE)) for name in ("-screen-width", "-screen-height"))
        serve(wire, width, height, pictures=os.environ.get("AI2THOR_SERVER_SIDE_SCREENSHOT", "True") == "True")
    except (EOFError, KeyboardInterrupt):
        os._exit(0)  # nothing here needs an orderly end, and the client may be waiting for it


def serve(wire: Fifo | Wsgi, width: int, height: int, *, pictures: bool = True) -> None:
    """Answer requests until the client is gone; a failure inside is the answer to the request that met it.

    The first event is sent before anything heavy is imported: the client waits for it, without limit (6.3).
    """
    wire.send(_hello(width, height, pictures=pictures))
    act: Act | None = None
    while True:
        request = wire.receive()
        sequence = int(request.get("sequenceId", 0))
        act = act or _ready(width, height)
        try:
            event = on_the_wire(act(request), sequence, pictures=pictures)
        except Exception as error:  # noqa: BLE001  # whatever broke, the client must get an answer, or it hangs
            traceback.print_exc()
            event = _failed(width, height, request, error)
        wire.send(event)


def _ready(width: int, height: int) -> Act:
    """The engine; one that cannot start fails at every request, so that the client hears why."""
    try:
        from teach_agents.simulator.controller.engine import Engine

        return Engine(width, height).act
    except Exception as error:  # noqa: BLE001  # as above: an import or a damaged installation can raise anything
        traceback.print_exc()
        problem = error

    def refuse(_request: JsonMapping) -> Answer:
        raise problem

    return refuse


def _hello(width: int, height: int, *, pictures: bool) -> WireEvent:
    images = ((Field.RGB, False, bytes(3 * width * height)),) if pictures else ()
    return _bare(width, height, 0)._replace(images=images)


def _failed(width: int, height: int, request: JsonMapping, error: Exception) -> WireEvent:
    problem = f"teach-agents-unity: {type(error).__name__}: {error}"
    return _bare(width, height, int(request.get("sequenceId", 0)), str(request.get("action")), problem)


def _bare(width: int, height: int, sequence: int, action: str | None = None, problem: str = "") -> WireEvent:
    """An event of no scene."""
    from teach_agents.simulator.controller.scene_metadata import Result, Shown, event_metadata

    result = Result(action, not problem, problem)
    return WireEvent(wrapped(event_metadata(Shown((width, height)), result), sequence))


def _wire(environment: Mapping[str, str]) -> Fifo | Wsgi:
    """The wire that the client's environment variables name (6.2)."""
    server, client = (environment.get(f"AI2THOR_FIFO_{side}_PIPE_PATH") for side in ("SERVER", "CLIENT"))
    if environment.get("AI2THOR_SERVER_TYPE", "FIFO").upper() == "WSGI" and environment.get("AI2THOR_PORT"):
        from teach_agents.simulator.double.wsgi import Wsgi

        host, token = environment.get("AI2THOR_HOST", "127.0.0.1"), environment.get("AI2THOR_CLIENT_TOKEN", "")
        return Wsgi(host, int(environment["AI2THOR_PORT"]), token)
    if server and client:
        guard(server, client)
        try:
            from teach_agents.simulator.double.fifo import Fifo

            return Fifo(server, client)
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "thor") from error
    sys.stderr.write(
        "teach-agents-unity is started by the ai2thor package: Controller(local_executable_path=...). It found no "
        "AI2THOR_FIFO_SERVER_PIPE_PATH and no AI2THOR_PORT in its environment.\n"
    )
    raise SystemExit(2)


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
