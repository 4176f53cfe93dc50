"""A real redis-server of a test's own, on a unix socket in a folder that is gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PATIENCE_S = 20.0


class RedisServer:
    """Started, killed and started again; with `durable`, what it was told is on the disk when it answers."""

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/redis.sock"
        self._durable = durable
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until it answers."""
        command = ["redis-server", "--port", "0", "--unixsocket", "redis.sock", "--save", "", "--dir", "."]
        if self._durable:
            command += ["--appendonly", "yes", "--appendfsync", "always"]
        log = (self.folder / "redis.log").open("ab")
        self._process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)
        log.close()
        until = time.monotonic() + _PATIENCE_S
        while not self._answers():
            assert time.monotonic() < until, (self.folder / "redis.log").read_text()
            time.sleep(0.01)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as line:
            try:
                line.connect(f"{self.folder}/redis.sock")
                line.sendall(b"PING\r\n")
                return line.recv(5) == b"+PONG"
            except OSError:
                return False

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(_PATIENCE_S)
        (self.folder / "redis.sock").unlink(missing_ok=True)

    def pause(self, paused: bool) -> None:
        """It neither answers nor dies, or goes on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)

    def stop(self) -> None:
        """End it if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(_PATIENCE_S)


@contextmanager
def redis_server(*, durable: bool = True) -> Iterator[RedisServer]:
    """A server; skips where redis-server is not installed, and fails there in CI."""
    if shutil.which("redis-server") is None:
        message = "needs redis-server (apt-get install redis-server)"
        if os.environ.get("TEACH_AGENTS_CI"):
            pytest.fail(message)
        pytest.skip(message)
    with tempfile.TemporaryDirectory(prefix="redis") as folder:  # a socket's path is short
        server = RedisServer(Path(folder), durable=durable)
        try:
            server.start()
            yield server
        finally:
            server.stop()
