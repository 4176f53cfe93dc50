"""A local HTTP server that serves one file as S3 does, and misbehaves when told to."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Fault", "Shelf", "serving"]


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request: an error status, a body cut after some bytes, a wrong stated size."""

    status: int = 200
    cut: int | None = None
    longer_by: int = 0
    no_length: bool = False
    wrong_range: bool = False


@dataclass
class Shelf:
    """The file and the faults of the coming requests, first to last; `requests` is what was asked for."""

    content: bytes
    etag: str | None = "plain"
    ranges: bool = True
    headers: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)

    @property
    def tag(self) -> str | None:
        """The ETag header; `plain` stands for the content's MD5."""
        digest = hashlib.md5(self.content, usedforsecurity=False).hexdigest()
        return f'"{digest}"' if self.etag == "plain" else self.etag


class _Handler(BaseHTTPRequestHandler):
    shelf: Shelf

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        shelf = self.shelf
        asked = {key.lower(): value for key, value in self.headers.items()}
        shelf.requests.append(asked)
        fault = shelf.faults.pop(0) if shelf.faults else Fault()
        if fault.status != 200:
            self._answer(fault.status, b"", {})
        elif shelf.tag is not None and asked.get("if-none-match") == shelf.tag:
            self._answer(304, b"", {})
        elif shelf.ranges and "range" in asked and asked.get("if-range") == shelf.tag:
            self._continue(int(asked["range"].removeprefix("bytes=").rstrip("-")), fault)
        else:
            self._answer(200, shelf.content, {}, fault)

    def _continue(self, start: int, fault: Fault) -> None:
        size = len(self.shelf.content)
        if start >= size:
            self._answer(416, b"", {"Content-Range": f"bytes */{size}"})
            return
        stated = start + 1 if fault.wrong_range else start
        headers = {"Content-Range": f"bytes {stated}-{size - 1}/{size}"}
        self._answer(206, self.shelf.content[start:], headers, fault)

    def _answer(self, status: int, body: bytes, headers: dict[str, str], fault: Fault | None = None) -> None:
        fault = fault or Fault()
        self.send_response(status)
        if self.shelf.tag is not None:
            self.send_header("ETag", self.shelf.tag)
        if not fault.no_length:
            self.send_header("Content-Length", str(len(body) + fault.longer_by))
        for key, value in {**self.shelf.headers, **headers}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body if fault.cut is None else body[: fault.cut])
        self.wfile.flush()


@contextmanager
def serving(shelf: Shelf) -> Iterator[str]:
    """Serve the shelf; gives the address of its folder."""
    handler = type("Handler", (_Handler,), {"shelf": shelf})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
