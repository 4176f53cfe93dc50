"""Connections that come to nothing are cut, and cost nobody else anything."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from teach_agents_serve import Limits
from teach_agents_serve.connections import Gathering, TimedHTTP, TimedWebSocket
from websockets.sync.client import connect

from tests.serve.live import PATIENCE_S, live_app, made, running
from tests.serve.serving import request


class _Hasty(TimedHTTP):
    headers_s = 0.3
    unread_s = 0.5


class _HastySocket(TimedWebSocket):
    unread_s = 0.5


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    app = live_app(tmp_path, limits=Limits(unread_s=0.3))
    with running(app, http=_Hasty, ws=_HastySocket) as address:
        yield address


def _raw(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), PATIENCE_S)


def _is_cut(connection: socket.socket) -> bool:
    """Whether the server ends it, within the patience of the connection."""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("begun", [b"", b"GET /health HTTP/1.1\r\nHost: a\r\n", b"GET /health HTT"])
def test_headers_that_never_end_are_not_waited_for(url: str, begun: bytes) -> None:
    with _raw(url) as slow:
        slow.sendall(begun)
        assert _is_cut(slow)


def test_headers_that_come_byte_by_byte_are_too_late_too(url: str) -> None:
    with _raw(url) as slow:
        slow.settimeout(0.05)
        cut = False
        deadline = time.monotonic() + PATIENCE_S
        while not cut and time.monotonic() < deadline:
            try:
                slow.sendall(b"X")
                cut = slow.recv(1) == b""
            except TimeoutError:
                continue
            except OSError:
                cut = True
        assert cut


def test_a_second_request_on_a_connection_has_its_own_time(url: str) -> None:
    with _raw(url) as kept:
        for _ in range(3):
            kept.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            answer = b""
            while not answer.endswith(b"}"):
                answer += kept.recv(4096)
            assert answer.startswith(b"HTTP/1.1 200")
            time.sleep(0.2)
        kept.sendall(b"GET /health")
        assert _is_cut(kept)


@pytest.mark.parametrize("route", ["/v1/live", "/v1/sessions"])
def test_a_client_that_goes_before_its_request_is_whole_is_nobodys_fault(tmp_path: Path, route: str) -> None:
    app = live_app(tmp_path)
    asked = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json"), (b"content-length", b"100")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": route,
        "query_string": b"",
        "headers": asked,
        "client": ("::1", 1),
    }
    coming = iter([{"type": "http.request", "body": b"{", "more_body": True}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(coming, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 400


def test_a_socket_that_is_quiet_is_not_cut(url: str) -> None:
    session = made(url, room="FloorPlan1")
    with connect(f"{url.replace('http', 'ws')}/v1/live/{session.id}/socket?key={session.keys['follower']}") as quiet:
        time.sleep(0.8)
        quiet.send(json.dumps({"type": "ping"}))
        while json.loads(quiet.recv(timeout=PATIENCE_S))["type"] != "pong":
            pass


def test_who_does_not_read_is_cut_and_the_session_goes_on(url: str) -> None:
    session = made(url, room="FloorPlan1")
    key = session.keys["watch"]
    with _raw(url) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        route = f"/v1/live/{session.id}/socket?key={key}"
        head = f"GET {route} HTTP/1.1\r\nHost: {url[7:]}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        deaf.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
        deaf.recv(256)
        views = json.dumps({"type": "views", "views": {"view": 1024, "map": 1024}}).encode()
        deaf.sendall(b"\x81" + bytes([0x80 | len(views)]) + bytes(4) + views)
        deadline = time.monotonic() + PATIENCE_S
        turn = 0
        while session.told()["watching"] or not turn:
            session.act("follower", "Turn Left", key=str(turn))
            turn += 1
            assert time.monotonic() < deadline, "it is still connected"
    assert session.told()["turns"] >= turn > 0


def test_a_message_that_is_too_large_closes_its_socket_alone(url: str) -> None:
    session = made(url, room="FloorPlan1")
    with connect(f"{url.replace('http', 'ws')}/v1/live/{session.id}/socket?key={session.keys['follower']}") as loud:
        loud.send("x" * 100_000)
        with pytest.raises(Exception, match="1009"):
            while True:
                loud.recv(timeout=PATIENCE_S)
    assert request(url, "GET", "/health").status == 200


class _Wire:
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed = True


def test_what_is_said_at_once_is_sent_at_once() -> None:
    async def talk() -> None:
        wire = _Wire()
        gathering = Gathering(wire)  # type: ignore[arg-type]  # as much of one as is needed
        for word in (b"a", b"b", b"c"):
            gathering.write(word)
        assert wire.sent == []
        await asyncio.sleep(0)
        assert wire.sent == [b"abc"]
        gathering.write(b"d")
        gathering.write(bytes(1 << 16))
        assert len(wire.sent) == 2, "much is not kept waiting"
        gathering.write(b"last")
        gathering.close()
        assert wire.sent[2:] == [b"last"]
        assert wire.closed
        await asyncio.sleep(0)
        assert len(wire.sent) == 3

    asyncio.run(talk())


def test_a_client_that_says_much_at_once_is_heard_in_order(url: str) -> None:
    session = made(url, room="FloorPlan1")
    with connect(f"{url.replace('http', 'ws')}/v1/live/{session.id}/socket?key={session.keys['follower']}") as quick:
        for number in range(40):
            quick.send(json.dumps({"type": "act", "id": str(number), "action": {"name": "Turn Left"}}))
        answers = list[str]()
        while len(answers) < 40:
            told = json.loads(quick.recv(timeout=PATIENCE_S))
            if told["type"] == "answer":
                answers.append(told["id"])
    assert answers == [str(number) for number in range(40)]
