"""A small server that speaks chat completions as it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[Mapping[str, Any]], "tuple[int, Any] | tuple[int, Any, Mapping[str, str]]"]


class FakeServer:
    """Where it listens, and every request it got: path, headers, body."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []


def chat(text: object, **more: Any) -> dict[str, Any]:
    """A chat completion that says this."""
    usage = {"prompt_tokens": 11, "completion_tokens": 3}
    return {"choices": [{"message": {"content": text}, "finish_reason": "stop", **more}], "usage": usage}


@contextmanager
def serving(answer: Answer) -> Iterator[FakeServer]:
    """A server on this machine whose replies are a status and JSON, or bytes as they are, and perhaps headers."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fake.bodies.append(body)
            fake.headers.append(dict(self.headers))
            assert self.path == "/v1/chat/completions"
            status, said, *headers = answer(body)
            content = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            for name, value in (headers[0] if headers else {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            try:
                self.wfile.write(content)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *arguments: object) -> None:
            """Quietly."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    fake = FakeServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
