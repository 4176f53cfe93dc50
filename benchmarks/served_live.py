"""A server of live sessions as people start it, in a process of its own, for benchmarks that load it and break it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from children import ends_with_this

__all__ = ["Held", "Process", "opened", "requested", "watched"]

_PATIENCE_S = 120.0
_COMMAND = [sys.executable, "-c", "from teach_agents.cli.main import main; main()", "serve"]


class Process:
    """`teach-agents serve` with the sessions of a folder, on a port that stays the same when it is started again.

    What it says is in `log`. It ends with the program that started it.
    """

    def __init__(self, store: Path, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._store = store
        self.log = store / "server.log"
        self._options = options
        self.start()

    @property
    def pid(self) -> int:
        """Of the running process."""
        return self._process.pid

    @property
    def resident_bytes(self) -> int:
        """Memory that the process holds now."""
        fields = Path(f"/proc/{self.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGESIZE")

    @property
    def cpu_s(self) -> float:
        """Seconds that processors have worked for the process."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [*_COMMAND, "--port", str(self.port), "--store", str(self._store), *self._options]
        environment = {key: value for key, value in os.environ.items() if key != "TEACH_AGENTS_TOKEN"}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        ends_with_this(self._process)
        deadline = time.monotonic() + _PATIENCE_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the server did not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return requested(self.port, "GET", "/health")[0] == 200
        except OSError:
            return False

    def kill(self) -> None:
        """End it without a word of warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(_PATIENCE_S)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()


def requested(port: int, method: str, route: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    """Status and body of one request on a connection of its own; `Content_Type="..."` is a header."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)
    try:
        connection.request(method, route, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@dataclass(frozen=True, slots=True)
class Held:
    """A live session, both chairs people's, by the key of the Follower's."""

    port: int
    id: str
    key: str

    @property
    def socket(self) -> str:
        """Where its WebSocket is; `&after=N` may follow."""
        return f"ws://127.0.0.1:{self.port}/v1/live/{self.id}/socket?key={self.key}"

    def asked(self, method: str, route: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Status and body of a request with the key."""
        key = {"Authorization": f"Bearer {self.key}", **headers}
        return requested(self.port, method, f"/v1/live/{self.id}{route}", body, **key)

    def end(self) -> None:
        """End it; one that has ended stays as it is."""
        self.asked("POST", "/end")

    def events(self) -> list[dict[str, Any]] | None:
        """All that the Follower may know of what happened, of one that has ended; `None` where there is no session."""
        status, body = self.asked("GET", "/events")
        if status != 200:
            return None
        return [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: ")]


def opened(port: int, room: str, **asked: Any) -> Held:
    """A new session in a room."""
    body = json.dumps({"room": room, **asked}).encode()
    status, answer = requested(port, "POST", "/v1/live", body, Content_Type="application/json")
    if status != 201:
        raise SystemExit(f"POST /v1/live: {status}: {answer[:300]!r}")
    told = json.loads(answer)
    return Held(port, told["id"], told["keys"]["follower"])


@contextmanager
def watched(server: Process, every_s: float = 0.5) -> Iterator[list[int]]:
    """Looks at the server's memory while something goes on: bytes, one number every so many seconds."""
    seen = [server.resident_bytes]
    over = threading.Event()

    def look() -> None:
        while not over.wait(every_s):
            seen.append(server.resident_bytes)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()
