"""What serving an agent adds to HTTP: `/act` of an agent that does nothing, beside a bare FastAPI echo of the same body.

    python benchmarks/serve_speed.py [--json FILE] [--rounds 5] [--requests 400] [--seconds 5]

Two servers (uvicorn, one process each) answer one client on a connection that is kept. A round sends `--requests` to
each in turn, one to the echo, one to the agent, so that both meet the same machine. The echo is a FastAPI route that
reads the body and sends it back.

| figure | what it is |
|---|---|
| json_overhead_ms, jpeg_overhead_ms | median seconds of `/act` less the echo's, in milliseconds: the median over the rounds, extremes beside; the body is 2 kB of JSON, or that with a 300 x 300 JPEG of noise in base64 |
| json_echo_ms, json_act_ms, jpeg_echo_ms, jpeg_act_ms | the medians themselves |
| acts_per_s, echoes_per_s | 2 kB requests a second, `--clients` at a time, each with a session of its own; the client is another process on the same machine |
| acts_over_echoes | their ratio |
| act_cpu_ms, echo_cpu_ms | CPU milliseconds of the server's process for one of these requests (Linux) |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import asyncio
import base64
import http.client
import io
import json
import multiprocessing
import os
import socket
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from children import term_ends_orderly
from fastapi import FastAPI, Request, Response
from telling import tell

_PATIENCE_S = 60.0


def idle(seen: Any) -> Any:
    """The agent that does nothing."""
    from teach_agents.actions import Action

    return Action.wait()


def agent_app() -> Any:
    """The served agent."""
    from teach_agents_serve import Limits, create_app

    return create_app("serve_speed:idle", allow_import=True, limits=Limits(requests_per_s=1_000_000))


def echo_app() -> Any:
    """A bare FastAPI echo."""
    app = FastAPI()

    @app.post("/echo")
    async def echo(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    return app


def _serve(make: Callable[[], Any], listening: socket.socket) -> None:
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(make(), log_level="error", access_log=False))
    server.run(sockets=[listening])


@contextmanager
def serving(make: Callable[[], Any]) -> Iterator[tuple[int, int]]:
    """Serve an application in a process of its own; yields the port and the process's id."""
    # With the protocol named, as uvicorn's own socket: else asyncio leaves Nagle's algorithm on.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(256)
        port = listening.getsockname()[1]
        term_ends_orderly()  # which ends what is a daemon
        process = multiprocessing.get_context("fork").Process(target=_serve, args=(make, listening), daemon=True)
        process.start()
        try:
            yield port, process.pid or 0
        finally:
            process.terminate()
            process.join(_PATIENCE_S)


class Line:
    """A connection that is kept."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)

    def post(self, route: str, body: bytes) -> bytes:
        """One request's answer."""
        self._connection.request("POST", route, body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise SystemExit(f"{route}: {response.status}: {answer[:300]!r}")
        return answer

    def opened(self) -> str:
        """The route at which a new session acts."""
        session = json.loads(self.post("/v1/sessions", b'{"role": "follower"}'))["id"]
        return f"/v1/sessions/{session}/act"


def observation(size: int, picture: bytes = b"") -> bytes:
    """An observation of `size` bytes of JSON, the picture not counted."""
    seen: dict[str, Any] = {
        "turn": 1,
        "pose": {"position": [1.25, 0.901, -0.5], "yaw": 90.0, "horizon": 30.0},
        "last_action": {"name": "Pickup", "x": 0.5, "y": 0.25},
        "last_result": {"success": True, "message": "Pickup"},
        "dialogue": [],
    }
    said = {"speaker": "commander", "text": "please put a slice of tomato on the plate", "time_ms": 1000}
    while len(json.dumps({**seen, "dialogue": [*seen["dialogue"], said]})) <= size:
        seen["dialogue"].append(said)
    if picture:
        seen["view"] = base64.b64encode(picture).decode()
    return json.dumps(seen).encode()


def jpeg() -> bytes:
    """A 300 x 300 JPEG of smooth noise."""
    import numpy as np
    from PIL import Image

    noise = np.random.default_rng(5).integers(0, 256, (60, 60, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).resize((300, 300)).save(file, "JPEG", quality=90)
    return file.getvalue()


def medians(echo: int, agent: int, body: bytes, requests: int) -> tuple[float, float]:
    """Median milliseconds of the echo and of `/act`, asked in turns."""
    lines = Line(echo), Line(agent)
    routes = "/echo", lines[1].opened()
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(requests + 20):
        for line, route, times in zip(lines, routes, taken, strict=True):
            began = time.perf_counter()
            line.post(route, body)
            if number >= 20:
                times.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken[0]), statistics.median(taken[1])


async def _client(port: int, head: bytes, body: bytes, until: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    done = 0
    while time.monotonic() < until:
        writer.write(head + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        if not answered.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{answered!r}")
        length = int(answered.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        done += 1
    writer.close()
    return done


def rate(port: int, routes: Sequence[str], body: bytes, seconds: float) -> float:
    """Answers a second, one client for every route."""

    async def clients() -> int:
        until = time.monotonic() + seconds
        heads = [
            f"POST {route} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            for route in routes
        ]
        return sum(await asyncio.gather(*(_client(port, head, body, until) for head in heads)))

    return asyncio.run(clients()) / seconds


def cpu_s(process: int) -> float:
    """CPU seconds that a process has used so far; 0 where `/proc` does not tell."""
    file = Path(f"/proc/{process}/stat")
    if not file.exists():
        return 0.0
    user, system = file.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def loaded(server: tuple[int, int], routes: Sequence[str], body: bytes, seconds: float) -> tuple[float, float]:
    """Answers a second, and CPU milliseconds of the server for each."""
    port, process = server
    before = cpu_s(process)
    found = rate(port, routes, body, seconds)
    return found, 1000 * (cpu_s(process) - before) / (found * seconds)


def measure(rounds: int, requests: int, seconds: float, clients: int) -> dict[str, Any]:
    """All figures by name."""
    figures: dict[str, Any] = {"rounds": rounds, "requests": requests, "seconds": seconds, "clients": clients}
    small, large = observation(2048), observation(2048, jpeg())
    figures |= {"json_bytes": len(small), "jpeg_bytes": len(large)}
    with serving(echo_app) as echo, serving(agent_app) as agent:
        for name, body in (("json", small), ("jpeg", large)):
            found = [medians(echo[0], agent[0], body, requests) for _ in range(rounds)]
            over = [act - bare for bare, act in found]
            figures[f"{name}_echo_ms"] = statistics.median(bare for bare, _ in found)
            figures[f"{name}_act_ms"] = statistics.median(act for _, act in found)
            figures[f"{name}_overhead_ms"] = statistics.median(over)
            figures |= {f"{name}_overhead_ms_min": min(over), f"{name}_overhead_ms_max": max(over)}
        acts = [Line(agent[0]).opened() for _ in range(clients)]
        rounded = [
            (loaded(echo, ["/echo"] * clients, small, seconds), loaded(agent, acts, small, seconds))
            for _ in range(rounds)
        ]
    rates = [(bare[0], act[0]) for bare, act in rounded]
    figures["echoes_per_s"] = statistics.median(bare for bare, _ in rates)
    figures["acts_per_s"] = statistics.median(act for _, act in rates)
    figures |= {"acts_per_s_min": min(act for _, act in rates), "acts_per_s_max": max(act for _, act in rates)}
    figures["acts_over_echoes"] = statistics.median(act / bare for bare, act in rates)
    figures["echo_cpu_ms"] = statistics.median(bare[1] for bare, _ in rounded)
    figures["act_cpu_ms"] = statistics.median(act[1] for _, act in rounded)
    return figures


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--clients", type=int, default=8)
    arguments = parser.parse_args()
    tell(measure(arguments.rounds, arguments.requests, arguments.seconds, arguments.clients), arguments.json)


if __name__ == "__main__":
    main()
