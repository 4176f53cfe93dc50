"""What goes wrong on a network, done to a server of live sessions on purpose: nothing may be lost, and nobody be held up.

    python benchmarks/serve_faults.py [--json FILE] [--actions 400] [--kills 5] [--slow 200] [--bad 2000] [--cases 100000]

One server in a process of its own, with a planner and an idle Follower to be asked over HTTP. All the while people sit in
Follower's chairs. They act again under the same id what was not answered, and come back with `after=` when their socket
is gone, as the page does.

| figure | what it is |
|---|---|
| kills, actions, again, cut | how often the server was killed (-9) and started again while people acted; the actions they wanted done; messages that were sent again after one in ten was dropped on its way, or sent twice at once; sockets that were cut in the midst of it |
| lost, doubled, reordered | of these actions, by the sessions' own events afterwards and by what the sockets told; sessions that were not there any more count with all of theirs |
| slow_p95_ms, slow_cut | milliseconds for a person's action while `--slow` connections send their headers or bodies a byte now and then; how many of them the server had cut when the time for headers was over |
| bodies, bombs, garbled, cases | requests of 100 MB; PNGs and packed numbers that unpack to gigabytes; malformed UTF-8 in bodies, paths, headers, and in frames of sockets; cases that schemathesis makes of the OpenAPI schema (half of them with real sessions' ids and keys) |
| answers | how often each status came; `full` is `/ready`, 503 when as many sessions are open as there may be |
| server_errors, tracebacks | 5xx answers and requests that came to nothing; exceptions that nobody caught, in the server's log |
| rss_mib, rss_begin_mib | the most memory the server held from the first slow connection on, and before it |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import asyncio
import base64
import io
import json
import random
import shutil
import socket
import statistics
import struct
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from serve_cases import schema_cases
from served_live import Held, Process, opened, requested, watched
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

_PEOPLE = 4
_MOVES = ("Turn Left", "Turn Right", "Look Up", "Look Down")
_ANSWER_S = 2.0
_HEADERS_S = 30.0
"""Longer than the server waits for headers."""
_OPTIONS = ("--commander", "planner", "--follower", "idle")


@dataclass
class Stubborn:
    """Somebody whose every action is done in the end; the network is the dice's."""

    session: Held
    dice: random.Random
    wanted: int
    done: dict[str, int] = field(default_factory=dict)
    """The number of the event that each action became."""
    events: list[int] = field(default_factory=list)
    again: int = 0
    cut: int = 0

    async def play(self) -> None:
        """Until all is done; whoever comes to nothing for five minutes gives up, and what was wanted is lost."""
        async with asyncio.timeout(300 + self.wanted):
            while len(self.done) < self.wanted:
                try:
                    after = self.events[-1] if self.events else -1
                    async with connect(f"{self.session.socket}&after={after}", max_size=None) as self._socket:
                        await self._sit()
                except (OSError, WebSocketException, TimeoutError):
                    self.cut += 1
                    await asyncio.sleep(0.2)

    async def _sit(self) -> None:
        while len(self.done) < self.wanted:
            name = str(len(self.done))
            message = json.dumps({"type": "act", "id": name, "action": {"name": _MOVES[int(name) % len(_MOVES)]}})
            for _ in range(self.dice.choice((0, 1, 1, 1, 1, 1, 1, 1, 1, 2))):
                await self._socket.send(message)
            try:
                async with asyncio.timeout(_ANSWER_S):
                    await self._until(name)
            except TimeoutError:
                self.again += 1
            if self.dice.random() < 0.05:
                self._socket.transport.abort()  # cut, with whatever is under way
                raise OSError("cut")

    async def _until(self, name: str) -> None:
        while name not in self.done:
            told = json.loads(await self._socket.recv())
            if told["type"] == "event":
                self.events.append(told["seq"])
            elif told["type"] == "answer":
                self.done.setdefault(told["id"], told["event"]["seq"])

    def judged(self) -> Counter[str]:
        """What became of the actions."""
        events = self.session.events()
        if events is None:
            return Counter(lost=self.wanted)
        acted = [event["data"]["action"]["name"] for event in events if event["kind"] == "action"]
        sent = [_MOVES[number % len(_MOVES)] for number in range(self.wanted)]
        numbers = [self.done.get(str(number), -1) for number in range(self.wanted)]
        return Counter(
            lost=max(len(sent) - len(acted), 0),
            doubled=max(len(acted) - len(sent), 0),
            reordered=int(acted != sent)
            + int(numbers != sorted(numbers))
            + int(self.events != sorted(set(self.events))),
        )


async def _killed_while(people: list[Stubborn], server: Process, kills: int) -> None:
    playing = asyncio.gather(*(person.play() for person in people), return_exceptions=True)
    total = sum(person.wanted for person in people)
    for number in range(kills):
        while sum(len(person.done) for person in people) < total * (number + 1) / (kills + 1) and not playing.done():
            await asyncio.sleep(0.02)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    await playing


def kills_and_frames(server: Process, actions: int, kills: int) -> dict[str, Any]:
    """Kill the server, drop and double messages, cut sockets; count what became of the actions."""
    held = [opened(server.port, f"FloorPlan{number + 1}") for number in range(_PEOPLE)]
    people = [Stubborn(one, random.Random(number), actions // _PEOPLE) for number, one in enumerate(held)]
    asyncio.run(_killed_while(people, server, kills))
    for person in people:
        person.session.end()
    judged = sum((person.judged() for person in people), Counter[str]())
    return {
        "kills": kills,
        "actions": sum(person.wanted for person in people),
        "again": sum(person.again for person in people),
        "cut": sum(person.cut for person in people),
        **{name: judged[name] for name in ("lost", "doubled", "reordered")},
    }


def _act(session: Held) -> float:
    """Milliseconds for an action of somebody who is no trouble."""
    began = time.perf_counter()
    body = json.dumps({"action": {"name": "Turn Left"}}).encode()
    status, answer = session.asked("POST", "/act", body, Content_Type="application/json")
    if status != 200:
        raise SystemExit(f"an honest action: {status}: {answer[:300]!r}")
    return 1000 * (time.perf_counter() - began)


def slow_ones(server: Process, session: Held, many: int, seconds: float) -> dict[str, Any]:
    """Connections that send a byte now and then, half of them of their headers, half of a body."""
    heads = (
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"POST /v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{",
    )
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(many)]
    for number, one in enumerate(slow):
        one.sendall(heads[number % 2])
    taken, cut = [], set[int]()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        taken.append(_act(session))
        for number in random.Random(len(taken)).sample(range(many), many // 10):
            try:
                slow[number].sendall(b"a")
            except OSError:
                cut.add(number)
        time.sleep(0.1)
    for one in slow:
        one.close()
    percent = statistics.quantiles(taken, n=100)
    return {"slow": many, "slow_s": seconds, "slow_p95_ms": percent[94], "slow_cut": len(cut)}


def _png(side: int) -> bytes:
    """A black picture of so many pixels a side, a thousandth of its size when packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packed, lines = zlib.compressobj(9), io.BytesIO()
    for _ in range(side):
        lines.write(packed.compress(bytes(1 + 3 * side)))
    lines.write(packed.flush())
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines.getvalue()) + chunk(b"IEND", b"")


def _bombs() -> Iterator[dict[str, Any]]:
    seen = {"turn": 0, "pose": {"position": [0, 0, 0], "yaw": 0, "horizon": 0}}
    for side in (5_000, 12_000):
        yield {**seen, "view": base64.b64encode(_png(side)).decode()}
    gigabyte = zlib.compressobj(9)
    packed = b"".join(gigabyte.compress(bytes(1 << 20)) for _ in range(1 << 10)) + gigabyte.flush()
    for shape in ([300, 300], [16_384, 16_384]):
        numbers = {"dtype": "float32", "shape": shape, "zlib": base64.b64encode(packed).decode()}
        yield {**seen, "depth": numbers}


@dataclass
class Asking:
    """Asks a server and counts what it answers."""

    port: int
    answers: Counter[str] = field(default_factory=Counter)
    nothing: int = 0

    def ask(self, method: str, route: str, body: bytes = b"", **headers: str) -> bytes:
        """One request; a 4xx that comes before the body was sent may break it off."""
        try:
            status, answer = requested(self.port, method, route, body, **headers)
        except (ConnectionResetError, BrokenPipeError):
            self.answers["cut off"] += 1
            return b""
        except OSError:
            self.nothing += 1
            return b""
        self.answers[str(status)] += 1
        return answer

    def raw(self, sent: bytes) -> None:
        """Bytes as they are, on a connection of their own."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            try:
                line.sendall(sent)
                line.shutdown(socket.SHUT_WR)
                told = line.recv(64)
            except ConnectionError:
                told = b""
            except TimeoutError:
                self.nothing += 1
                return
        self.answers[told[9:12].decode("ascii", "replace") or "cut off"] += 1

    @property
    def server_errors(self) -> int:
        """5xx, and what came to nothing."""
        return self.nothing + sum(count for status, count in self.answers.items() if status.startswith("5"))


def large_ones(asking: Asking, session: Held) -> dict[str, Any]:
    """Bodies of 100 MB, and small ones that unpack to gigabytes."""
    body = b'{"room": "' + b"a" * 100_000_000 + b'"}'
    routes = ("/v1/live", f"/v1/live/{session.id}/act", "/v1/sessions", "/v1/chat/completions", "/get_next_action")
    key = {"Authorization": f"Bearer {session.key}"}
    for route in routes:
        asking.ask("POST", route, body, Content_Type="application/json", **key)
    made = json.loads(asking.ask("POST", "/v1/sessions", b'{"role": "commander"}', Content_Type="application/json"))
    bombs = [*_bombs()]
    for bomb in bombs:
        asking.ask("POST", f"/v1/sessions/{made['id']}/act", json.dumps(bomb).encode(), Content_Type="application/json")
    return {"bodies": len(routes), "bombs": len(bombs)}


def garbled_ones(asking: Asking, session: Held, many: int) -> dict[str, Any]:
    """Bytes that are no UTF-8, wherever text belongs."""
    dice = random.Random(0)
    broken = (b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x28\x8c\xbc", b"\x80", b"\xc0\xaf", b"\xf8\x88\x80\x80")
    held = f"/v1/live/{session.id}"
    routes = (f"{held}/act", "/v1/live", "/v1/sessions", f"{held}/socket", "/start_new_edh_instance")
    for _ in range(many):
        bad = b"".join(dice.choices(broken, k=dice.randrange(1, 4)))
        route = dice.choice(routes)
        start = dice.choice((b"POST ", b"GET ")) + route.encode()
        head = b"Host: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
        place = dice.randrange(4)
        body = b'{"action": {"name": "Text", "utterance": "' + bad + b'"}}' if place == 0 else b"{}"
        start += (b"/" + bad) if place == 1 else (b"?key=" + bad) if place == 2 else b""
        head += (b"X-Odd: " + bad + b"\r\nAuthorization: Bearer " + bad + b"\r\n") if place == 3 else b""
        head += (
            f"Authorization: Bearer {session.key}\r\nContent-Length: {len(body)}\r\n".encode() if place != 3 else b""
        )
        asking.raw(start + b" HTTP/1.1\r\n" + head + b"\r\n" + body)
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += f"Sec-WebSocket-Key: {'A' * 22}==\r\n"
    route = session.socket.partition(str(session.port))[2]
    for bad in broken:
        frame = b"\x81" + bytes([0x80 | len(bad)]) + bytes(4) + bad
        asking.raw(f"GET {route} HTTP/1.1\r\nHost: 127.0.0.1\r\n{upgrade}\r\n".encode() + frame)
    return {"garbled": many + len(broken)}


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """All figures by name."""
    with tempfile.TemporaryDirectory() as folder:
        server = Process(Path(folder), *_OPTIONS)
        try:
            figures = kills_and_frames(server, given.actions, given.kills)
            session = opened(server.port, "FloorPlan1")
            asking = Asking(server.port)
            begin = server.resident_bytes
            with watched(server) as memory:
                figures |= slow_ones(server, session, given.slow, given.slow_seconds)
                figures |= large_ones(asking, session)
                figures |= garbled_ones(asking, session, given.bad)
                figures["cases"] = schema_cases(server.port, given.cases, asking.answers)
                _act(session)
            figures |= {"answers": dict(sorted(asking.answers.items())), "server_errors": asking.server_errors}
            said = server.log.read_text(errors="replace")
            figures["tracebacks"] = said.count("Traceback (most recent call last)")
            figures |= {"rss_begin_mib": begin / (1 << 20), "rss_mib": max(memory) / (1 << 20)}
        finally:
            server.stop()
            if given.log:
                shutil.copy(server.log, given.log)
    return figures


def main() -> None:
    """Measure, print, write JSON if asked; fails where anything was lost or broke."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--log", type=Path, help="keep what the server said in this file")
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--slow", type=int, default=200)
    parser.add_argument("--slow-seconds", type=float, default=_HEADERS_S)
    parser.add_argument("--bad", type=int, default=2000)
    parser.add_argument("--cases", type=int, default=100_000)
    given = parser.parse_args()
    figures = measure(given)
    text = json.dumps(figures, indent=1)
    print(text)
    if given.json:
        given.json.write_text(text + "\n")
    if any(figures[name] for name in ("lost", "doubled", "reordered", "server_errors", "tracebacks")):
        raise SystemExit("something was lost, or the server failed")


if __name__ == "__main__":
    main()
