"""Sessions over four processes in which workers and Redis are killed again and again: is any lost, or another?

    python benchmarks/bus_faults.py [--json FILE] [--sessions 20] [--faults 6] [--seed 0]

The planner pair makes coffee in FloorPlan7 under `teach-agents worker all`. At `--faults` turns, drawn by the seed, a
worker gets SIGKILL (sometimes a second one at once), or Redis does and is started again: with its data in half of the
sessions (`appendfsync always`), without any in the others. Each record is compared with that of an undisturbed session
in one process.

| figure | what it is |
|---|---|
| sessions, same_records | how many were played; how many of their records are the undisturbed one, byte for byte |
| kills | by what was killed |
| unplanned_deaths | workers that ended with an error of their own and were replaced; each is printed |
| session_s, undisturbed_s | median seconds of a session, processes' start included; of one without faults, likewise |
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from children import ends_with_this
from telling import tell

from teach_agents import EmbeddedSimulator, Household, Role, Session
from teach_agents.core.specs import build
from teach_agents.live import make_scenario

WORKERS = ("environment", "commander", "follower", "recorder")
PATIENCE_S = 600.0


class Redis:
    """A redis-server on a unix socket that can be killed and started again."""

    def __init__(self, folder: Path, durable: bool) -> None:
        self.url = f"unix://{folder}/redis.sock"
        self._socket = folder / "redis.sock"
        self._command = ["redis-server", "--port", "0", "--unixsocket", str(self._socket), "--save", ""]
        self._command += [
            "--dir",
            str(folder),
            *(["--appendonly", "yes", "--appendfsync", "always"] if durable else []),
        ]
        self.start()

    def start(self) -> None:
        """Start; a client that comes too early tries again."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        ends_with_this(self._process)
        while not self._socket.exists():
            time.sleep(0.005)

    def kill(self) -> None:
        """As a power cut would."""
        self._process.kill()
        self._process.wait()
        self._socket.unlink(missing_ok=True)


class Played:
    """A session under the supervisor, whose words say which process is which."""

    def __init__(self, record: Path, url: str) -> None:
        begin = [sys.executable, "-c", "from teach_agents.cli.main import main; main()", "worker", "all"]
        command = [*begin, "--session", "s", "--record", str(record), "--room", "FloorPlan7", "--views", "none"]
        self._record = record
        self._running = subprocess.Popen(
            [*command, "--restarts", "100", "--bus", url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        ends_with_this(self._running)
        self._processes: dict[str, int] = {}
        self.unplanned: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._running.stderr is not None
        for line in self._running.stderr:
            if found := re.match(r"(\w+): process (\d+)", line):
                self._processes[found[1]] = int(found[2])
            elif "exit status" in line:
                self.unplanned.append(line.strip())

    def reached(self, lines: int) -> bool:
        """Wait until the record has so many lines; whether the session still goes on."""
        until = time.monotonic() + PATIENCE_S
        while self._running.poll() is None and time.monotonic() < until:
            if self._record.exists() and self._record.read_bytes().count(b"\n") >= lines:
                return True
            time.sleep(0.002)
        return False

    def kill(self, name: str) -> None:
        """Kill a worker, if it lives."""
        with suppress(ProcessLookupError, KeyError):
            os.kill(self._processes[name], signal.SIGKILL)

    def wait(self) -> None:
        """Wait for the end."""
        try:
            self._running.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._running.terminate()
            self._running.wait()


def undisturbed(path: Path) -> bytes:
    """The record of the session in this process."""
    chairs: list[Any] = [build("agent", "planner", role=role) for role in Role]
    session = Session(Household(EmbeddedSimulator()), *chairs, record=path)
    asyncio.run(session.run(make_scenario("Coffee", room="FloorPlan7"), session_id="s"))
    return path.read_bytes()


def played(folder: Path, faults: list[tuple[int, list[str]]], durable: bool) -> tuple[bytes, float, list[str]]:
    """A session's record and seconds, and what else the supervisor said of deaths."""
    redis, record = Redis(folder, durable), folder / "s.jsonl"
    begun = time.monotonic()
    session = Played(record, redis.url)
    for lines, killed in faults:
        if not session.reached(lines):
            break
        for name in killed:
            if name == "redis":
                redis.kill()
                redis.start()
            else:
                session.kill(name)
    session.wait()
    took = time.monotonic() - begun
    redis.kill()
    return record.read_bytes() if record.exists() else b"", took, session.unplanned


def drawn(rng: random.Random, count: int, lines: int) -> list[tuple[int, list[str]]]:
    """At which lines of the record who is killed."""
    return [
        (at, rng.sample([*WORKERS, "redis"], 2 if rng.random() < 0.3 else 1))
        for at in sorted(rng.sample(range(1, lines), min(count, lines - 1)))
    ]


def main() -> None:
    """Play and print; exits with 1 where a session was lost or became another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--faults", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    kills: Counter[str] = Counter()
    same, times = 0, []
    unplanned: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bus") as folder:
        expected = undisturbed(Path(folder, "near.jsonl"))
        quiet = Path(folder, "quiet")
        quiet.mkdir()
        calm = played(quiet, [], durable=True)
        for number in range(arguments.sessions):
            place = Path(folder, str(number))
            place.mkdir()
            faults = drawn(rng, arguments.faults, expected.count(b"\n") - 1)
            record, took, others = played(place, faults, durable=number % 2 == 0)
            kills.update(name for _, killed in faults for name in killed)
            same += record == expected
            times.append(took)
            unplanned += others
            print(
                f"{number}: {'same' if record == expected else 'ANOTHER'} after {took:.1f} s, {faults}",
                *others,
                flush=True,
            )
    figures = {
        "sessions": arguments.sessions,
        "same_records": same,
        "kills": dict(kills),
        "unplanned_deaths": len(unplanned),
        "session_s": round(statistics.median(times), 1),
        "undisturbed_s": round(calm[1], 1),
    }
    tell(figures, arguments.json)
    if same < arguments.sessions or calm[0] != expected:
        sys.exit(1)


if __name__ == "__main__":
    main()
