"""A server in a thread of the test's own process, and a client as the reference's requests look."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import uvicorn

__all__ = ["Answer", "post", "request", "serving"]

_PATIENCE_S = 30.0


@contextmanager
def serving(app: Any, lifespan: Literal["on", "off"] = "off") -> Iterator[str]:
    """Serve an application on a free port of this machine; yields its address."""
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none", lifespan=lifespan)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + _PATIENCE_S
    while not server.started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.started, "the server did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(_PATIENCE_S)


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def request(url: str, method: str, route: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answer:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=_PATIENCE_S)
    try:
        connection.request(method, route, body, headers or {})
        response = connection.getresponse()
        kept = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, response.read(), kept)
    finally:
        connection.close()


def post(url: str, route: str, content_type: str, body: bytes, **headers: str) -> Answer:
    """One POST."""
    return request(url, "POST", route, body, {"Content-Type": content_type, **headers})
