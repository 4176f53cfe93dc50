"""A line between a browser and the server that can be cut, as when a train enters a tunnel."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["Line", "line_to"]

_CHUNK = 1 << 16


class Line:
    """Passes bytes both ways between clients at `address` and a server."""

    def __init__(self, server: str) -> None:
        host, _, port = server.removeprefix("http://").partition(":")
        self._server = (host, int(port))
        self._door = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        self._cut = False
        self._thread = threading.Thread(target=self._admit, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"

    def cut(self) -> None:
        """Drop every connection, and each that is tried from now on."""
        with self._lock:
            self._cut = True
            for end in self._ends:
                _hang_up(end)
            self._ends.clear()

    def mend(self) -> None:
        """Let clients through again."""
        self._cut = False

    def close(self) -> None:
        """Take the line down."""
        self.cut()
        _hang_up(self._door)
        self._thread.join(10)

    def _admit(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            with self._lock:
                if self._cut:
                    _hang_up(client)
                    continue
                server = socket.create_connection(self._server)
                self._ends += [client, server]
            for source, drain in ((client, server), (server, client)):
                threading.Thread(target=_pass_on, args=(source, drain), daemon=True).start()


def _pass_on(source: socket.socket, drain: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(_CHUNK):
            drain.sendall(chunk)
    _hang_up(source)
    _hang_up(drain)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def line_to(server: str) -> Iterator[Line]:
    """A line to the server at an address, taken down in the end."""
    line = Line(server)
    try:
        yield line
    finally:
        line.close()
