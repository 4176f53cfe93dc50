"""FIFO: two named pipes, msgpack out, JSON in (AI2-THOR specification 6.4).

A field is a byte with its kind, four bytes with its length, and its body; a message is fields and an end field. The
server's pipe is opened first and an event sent at once, or both sides wait for each other for ever (6.3).
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import select
import struct
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonObject
from teach_agents.simulator.double.events import Field, WireEvent

if TYPE_CHECKING:
    from io import BufferedReader


_HEADER = struct.Struct("!BI")
_ACTION = 2
_METADATA = 1
_PATCH = 11
_END = 255
_CODES: Mapping[Field, tuple[int, int]] = {
    Field.RGB: (4, 10),
    Field.DEPTH: (5, 12),
    Field.CLASSES: (8, 15),
    Field.IDS: (9, 14),
}
"""Of the agent's pictures, and of other cameras'."""
_PATCHED = ("lastAction", "errorMessage", "errorCode", "lastActionSuccess", "agentId", "actionReturn")
_PIPE_BYTES = 1 << 20
"""A pipe this long holds an event with its pictures; the system's 64 KiB make the client read in pieces."""
_SET_PIPE_SIZE = 1031
_PATIENCE = 0.005


class Fifo:
    """The two pipes. Raises `EOFError` when the client is gone."""

    def __init__(self, server_pipe: str, client_pipe: str) -> None:
        self._client_pipe = client_pipe
        self._parent = os.getppid()
        self._out = self._open_for_writing(server_pipe)
        self._in: BufferedReader | None = None

    def send(self, event: WireEvent) -> None:
        """Send an event; a question's answer goes without pictures."""
        import msgpack

        if event.patch:
            agent = event.metadata["agents"][0]
            body = msgpack.packb({key: agent[key] for key in _PATCHED})
            self._write([_HEADER.pack(_PATCH, len(body)), body])
            return
        body = msgpack.packb(event.metadata)
        parts: list[Any] = [_HEADER.pack(_METADATA, len(body)), body]
        for field, other, pixels in event.images:
            parts += [_HEADER.pack(_CODES[field][other], len(pixels)), pixels]
        self._write(parts)

    def receive(self) -> JsonObject:
        """The next request."""
        if self._in is None:
            self._in = self._open_for_reading(self._client_pipe)
        request: JsonObject = {}
        while True:
            code, length = _HEADER.unpack(self._read(_HEADER.size))
            if code == _END:
                return request
            body = self._read(length)
            if code == _ACTION:
                request = json.loads(body)

    def _read(self, length: int) -> bytes:
        assert self._in is not None
        data = self._in.read(length) if length else b""
        if len(data) < length:
            raise EOFError("the client closed its pipe")
        return data

    def _write(self, parts: Sequence[Any]) -> None:
        views = [memoryview(part).cast("B") for part in (*parts, _HEADER.pack(_END, 0)) if len(part)]
        try:
            while views:
                written = os.writev(self._out, views[:64])
                while views and written >= len(views[0]):
                    written -= len(views.pop(0))
                if written:
                    views[0] = views[0][written:]
        except BrokenPipeError as error:
            raise EOFError("the client closed its pipe") from error

    def _open_for_writing(self, path: str) -> int:
        """Wait for the client to read, as long as it lives."""
        while True:
            try:
                pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                self._check_parent()
                time.sleep(_PATIENCE)
            else:
                break
        os.set_blocking(pipe, True)
        try:
            fcntl.fcntl(pipe, _SET_PIPE_SIZE, _PIPE_BYTES)
        except OSError:
            pass  # the system allows no longer pipe, or knows none: slower, not wrong
        return pipe

    def _open_for_reading(self, path: str) -> BufferedReader:
        """Wait for the client's first word, as long as it lives."""
        pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while not poll.poll(1000):
            self._check_parent()
        os.set_blocking(pipe, True)
        return open(pipe, "rb")

    def _check_parent(self) -> None:
        if os.getppid() != self._parent:
            raise EOFError("the client is gone")
