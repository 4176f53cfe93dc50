"""A server of live sessions as `teach-agents serve` runs it, in a thread of the test's own process, and its clients."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from teach_agents_serve import Limits, create_app
from teach_agents_serve.connections import UVICORN
from teach_agents_serve.live_serving import LiveServing
from uvicorn import Config, Server
from websockets.asyncio.client import ClientConnection, connect

from teach_agents.actions import Role
from tests.serve.serving import Answer, request

__all__ = ["AGENTS", "PATIENCE_S", "Client", "Made", "live_app", "live_server", "made", "running", "sse"]

PATIENCE_S = 60.0
AGENTS = {role: {"planner": "planner"} for role in Role}
_T = TypeVar("_T")


def live_app(store: Path, *, limits: Limits | None = None, token: str = "", **serving: Any) -> Any:
    """An application with live sessions alone."""
    live = LiveServing(store, serving.pop("agents", AGENTS), **serving)
    return create_app(live=live, limits=limits, token=token)


@contextmanager
def running(app: Any, **more: Any) -> Iterator[str]:
    """Serve an application on a free port, as the command does; yields its address."""
    config = {**UVICORN, "host": "127.0.0.1", "port": 0, "log_level": "error", **more}
    server = Server(Config(app, **config))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE_S
    while not server.started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.started, "the server did not start"
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the server did not stop"


@contextmanager
def live_server(store: Path, *, uvicorn: dict[str, Any] | None = None, **more: Any) -> Iterator[str]:
    """Serve live sessions that are kept in a folder."""
    with running(live_app(store, **more), **(uvicorn or {})) as url:
        yield url


@dataclass(frozen=True)
class Made:
    """A session that was made."""

    url: str
    id: str
    keys: dict[str, str]

    def ask(self, method: str, route: str, place: str = "watch", body: Any = None, **headers: str) -> Answer:
        """A request for something of the session, with a place's key."""
        sent = b"" if body is None else json.dumps(body).encode()
        known = {"Authorization": f"Bearer {self.keys[place]}", "Content-Type": "application/json", **headers}
        return request(self.url, method, f"/v1/live/{self.id}{route}", sent, known)

    def told(self, route: str = "", place: str = "watch") -> dict[str, Any]:
        """What a GET answers."""
        answer = self.ask("GET", route, place)
        assert answer.status == 200, answer.text
        return dict(json.loads(answer.body))

    def act(self, place: str, name: str, key: str = "", **action: Any) -> Answer:
        """Act in a chair."""
        more = {"Idempotency-Key": key} if key else {}
        return self.ask("POST", "/act", place, {"action": {"name": name, **action}}, **more)

    def until(self, holds: Callable[[dict[str, Any]], bool], place: str = "watch") -> dict[str, Any]:
        """The session's description once something holds of it."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds(told := self.told(place=place)):
            assert time.monotonic() < deadline, told
            time.sleep(0.02)
        return told

    async def playing(self, place: str, work: Callable[[Client], Awaitable[_T]], after: int = -1) -> _T:
        """Do something through a socket."""
        route = f"/v1/live/{self.id}/socket?key={self.keys[place]}&after={after}"
        async with connect(self.url.replace("http", "ws") + route) as socket, asyncio.timeout(PATIENCE_S):
            return await work(Client(socket))

    def play(self, place: str, work: Callable[[Client], Awaitable[_T]], after: int = -1) -> _T:
        """The same, from outside any event loop."""
        return asyncio.run(self.playing(place, work, after))


def made(url: str, **asked: Any) -> Made:
    """Make a session."""
    body = json.dumps({"pace_s": 0.0, **asked}).encode()
    answer = request(url, "POST", "/v1/live", body, {"Content-Type": "application/json"})
    assert answer.status == 201, answer.text
    told = json.loads(answer.body)
    return Made(url, told["id"], told["keys"])


class Client:
    """A client's end of a socket: keeps what it hears, by type."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._looked = 0

    async def send(self, **message: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def _read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.socket.recv())
        if message["type"] == "frame":
            message["file"] = await self.socket.recv()
        self.heard.append(message)
        return message

    async def hear(self, kind: str, holds: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """The next message of a type of which something holds; a frame's `file` is what follows it."""
        while True:
            if self._looked == len(self.heard):
                await self._read()
            message = self.heard[self._looked]
            self._looked += 1
            if message["type"] == kind and holds(message):
                return message

    async def act(self, id: str, name: str, **action: Any) -> dict[str, Any]:
        """Act; the answer. What comes before it can still be heard."""
        known = len(self.heard)
        await self.send(type="act", id=id, action={"name": name, **action})
        while True:
            message = self.heard[known] if known < len(self.heard) else await self._read()
            known += 1
            if message.get("id") == id and message["type"] in ("answer", "refused"):
                return message

    @property
    def events(self) -> list[int]:
        """The numbers of the events that were heard."""
        return [message["seq"] for message in self.heard if message["type"] == "event"]


def sse(text: str) -> list[dict[str, Any]]:
    """The events of a stream."""
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
