"""Many people at once: live sessions on a server of its own process, each with a client that acts by the clock.

    python benchmarks/serve_load.py [--json FILE] [--seconds 300] [--sessions 100] [--seeing 50] [--together]

Every session has one person in the Follower's chair, connected through a WebSocket. In `acting`, `--sessions` of them act
twice a second and look at nothing. In `seeing`, `--seeing` of them act once a second and have asked for their view, 300 x
300, which comes as a JPEG after each action. One load follows the other, each for `--seconds`; with `--together` both go on
at the same time. All clients are one process beside the server's.

Clients act when their clock says so, answered or not, and a delay counts from then on (a slow server is not asked less often).

| figure | what it is |
|---|---|
| acting_p50_ms, acting_p95_ms, acting_max_ms | from the moment an action was due until its answer was there |
| seeing_p50_ms, seeing_p95_ms, seeing_max_ms | from the moment an action was due until the picture after it was there |
| acting_actions, seeing_actions | how many were sent |
| acting_cpu_ms, seeing_cpu_ms | milliseconds of processor time of the server for each of these (not with `--together`): how much of the machine it needs where others need it too |
| cores | with `--together`: processors that the server kept busy on average |
| errors | actions that were refused or never answered, sockets that closed, pictures that never came |
| lost, reordered | events that a client's socket did not tell, or told at another place than their number says; afterwards the same is asked of `GET events` |
| rss_mib | the most memory that the server held |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from served_live import Held, Process, opened, watched
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

_LAST_ANSWER_S = 30.0
_MOVES = ("Turn Left", "Turn Right", "Look Up", "Look Down")
_VIEW = 300
_SCREEN = '{"type": "screen"'
"""What such a message says is for a page to show, and none of the clients' business."""
_ROOMS = [f"FloorPlan{first + number}" for first in (1, 201, 301, 401) for number in range(10)]


@dataclass
class Person:
    """Somebody in the Follower's chair: what was sent and what came back, with times in seconds of `time.monotonic`."""

    session: Held
    every_s: float
    sees: bool
    due: dict[str, float] = field(default_factory=dict)
    answered: dict[str, float] = field(default_factory=dict)
    event_of: dict[str, int] = field(default_factory=dict)
    frames: list[tuple[int, float]] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    errors: int = 0

    async def play(self, begins: float, seconds: float) -> None:
        """Act from a moment on, for so long, and wait for the last answer."""
        try:
            async with connect(self.session.socket, max_size=None) as socket:
                if self.sees:
                    await socket.send(json.dumps({"type": "views", "views": {"view": _VIEW}}))
                listening = asyncio.ensure_future(self._listen(socket))
                await self._act(socket, begins, begins + seconds)
                deadline = time.monotonic() + _LAST_ANSWER_S
                while not self._is_whole() and time.monotonic() < deadline and not listening.done():
                    await asyncio.sleep(0.05)
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
        except (ConnectionClosed, OSError):
            self.errors += 1

    async def _act(self, socket: ClientConnection, due: float, until: float) -> None:
        number = 0
        while due < until:
            await asyncio.sleep(due - time.monotonic())
            name = str(number)
            self.due[name] = due
            action = {"name": _MOVES[number % len(_MOVES)]}
            await socket.send(json.dumps({"type": "act", "id": name, "action": action}))
            number += 1
            due += self.every_s

    async def _listen(self, socket: ClientConnection) -> None:
        seq = 0
        async for message in socket:
            now = time.monotonic()
            if isinstance(message, bytes):
                self.frames.append((seq, now))
                self.errors += not message.startswith(b"\xff\xd8")
                continue
            if message.startswith(_SCREEN):
                continue
            told = json.loads(message)
            if told["type"] == "frame":
                seq = told["seq"]
            elif told["type"] == "event":
                self.events.append(told["seq"])
                if told["kind"] == "action":
                    self.actions.append(told["data"]["action"]["name"])
            elif told["type"] == "answer":
                self.answered[told["id"]] = now
                self.event_of[told["id"]] = told["event"]["seq"]
            elif told["type"] == "refused":
                self.errors += 1
        self.errors += 1  # the socket is closed by us, never by the server

    def _is_whole(self) -> bool:
        if len(self.answered) < len(self.due):
            return False
        last = max(self.event_of.values(), default=0)
        return not self.sees or any(seq >= last for seq, _ in self.frames)

    def delays(self) -> list[float]:
        """Milliseconds from the moment that an action was due, for those that were answered."""
        if not self.sees:
            return [1000 * (self.answered[name] - due) for name, due in self.due.items() if name in self.answered]
        found = []
        for name, number in self.event_of.items():
            came = next((at for seq, at in self.frames if seq >= number), None)
            if came is not None:
                found.append(1000 * (came - self.due[name]))
        return found

    def judged(self) -> dict[str, int]:
        """What went wrong: by the socket, and by the session's own list of events."""
        unanswered = len(self.due) - len(self.delays())
        self.session.end()
        told = [event["seq"] for event in self.session.events() or () if event["kind"] == "action"]
        sent = [_MOVES[number % len(_MOVES)] for number in range(len(self.due))]
        whole = range(self.events[0], self.events[0] + len(self.events)) if self.events else range(0)
        return {
            "errors": self.errors + unanswered,
            "lost": max(len(sent) - len(self.actions), 0) + max(len(sent) - len(told), 0),
            "reordered": int(self.events != [*whole]) + int(self.actions != sent) + int(told != sorted(told)),
        }


async def _played(people: Sequence[Person], seconds: float) -> None:
    begins = time.monotonic() + 1.0
    waits = [begins + person.every_s * number / len(people) for number, person in enumerate(people)]
    await asyncio.gather(*(person.play(wait, seconds) for person, wait in zip(people, waits, strict=True)))


def _figures(name: str, people: Sequence[Person]) -> dict[str, Any]:
    delays = sorted(delay for person in people for delay in person.delays())
    percent = statistics.quantiles(delays, n=100) if len(delays) > 1 else [float("nan")] * 99
    return {
        f"{name}_actions": sum(len(person.due) for person in people),
        f"{name}_p50_ms": percent[49],
        f"{name}_p95_ms": percent[94],
        f"{name}_max_ms": delays[-1] if delays else float("nan"),
    }


def measure(seconds: float, acting: int, seeing: int, *, together: bool) -> dict[str, Any]:
    """All figures by name."""
    figures: dict[str, Any] = {"seconds": seconds, "sessions": acting, "seeing": seeing, "together": together}
    wrong = {"errors": 0, "lost": 0, "reordered": 0}
    with tempfile.TemporaryDirectory() as folder:
        server = Process(Path(folder))
        try:
            with watched(server) as memory:
                loads = {
                    "acting": [Person(_session(server, number), 0.5, sees=False) for number in range(acting)],
                    "seeing": [Person(_session(server, number), 1.0, sees=True) for number in range(seeing)],
                }
                begun = [[*loads["acting"], *loads["seeing"]]] if together else [one for one in loads.values() if one]
                for people in begun:
                    spent = server.cpu_s
                    asyncio.run(_played(people, seconds))
                    spent = server.cpu_s - spent
                    if together:
                        figures["cores"] = spent / seconds
                    else:
                        name = "seeing" if people[0].sees else "acting"
                        figures[f"{name}_cpu_ms"] = 1000 * spent / sum(len(one.due) for one in people)
                for name, people in loads.items():
                    figures |= _figures(name, people)
                    for person in people:
                        found = person.judged()
                        wrong = {kind: count + found[kind] for kind, count in wrong.items()}
            figures["rss_mib"] = max(memory) / (1 << 20)
        finally:
            server.stop()
    return {**figures, **wrong}


def _session(server: Process, number: int) -> Held:
    return opened(server.port, _ROOMS[number % len(_ROOMS)], view_size=_VIEW)


def main() -> None:
    """Measure, print, write JSON if asked; fails where anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0, help="of each load")
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seeing", type=int, default=50)
    parser.add_argument("--together", action="store_true", help="both loads at the same time")
    given = parser.parse_args()
    figures = measure(given.seconds, given.sessions, given.seeing, together=given.together)
    text = json.dumps(figures, indent=1)
    print(text)
    if given.json:
        given.json.write_text(text + "\n")
    if figures["errors"] or figures["lost"] or figures["reordered"]:
        raise SystemExit("something was lost")


if __name__ == "__main__":
    main()
