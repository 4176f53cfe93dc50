"""What the bus between processes costs: messages a second, round trips, and a session over four processes.

    python benchmarks/redis_bus.py [--json FILE] [--bus URL] [--messages 5000] [--requests 1000] [--rounds 5]

Without `--bus`, a redis-server of its own is started on a unix socket, without persistence. Publisher and listener,
requester and answerer, and the four workers are processes of their own.

| figure | what it is |
|---|---|
| messages_per_s | small messages from one publisher to one listener, one after another, until the last has arrived |
| round_trip_ms, round_trip_p95_ms | a request and its reply; `memory_round_trip_ms` the same on the `MemoryBus` of one process |
| far_session_s, near_session_s | the planner pair makes coffee in FloorPlan7, no pictures sent: environment, agents and recorder in four processes that are there already, and all in one; median over the rounds, extremes beside |
| turns, far_over_near, added_ms_per_turn | of that session; their ratio; what the bus adds to a turn of two agents and a line of record |
| same_record | whether the two records are the same, byte for byte |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents import EmbeddedSimulator, Household, Role, Session
from teach_agents.core.bus import MemoryBus, MessageBus
from teach_agents.core.bus.redis import RedisBus
from teach_agents.core.messages import BeginAsked, BeginDone, Message, UtteranceSaid
from teach_agents.core.specs import build
from teach_agents.live import make_scenario
from teach_agents.workers import Plan, run_agent, run_environment, run_recorder

PROCESSES = multiprocessing.get_context("fork")
PATIENCE_S = 60.0


@contextmanager
def redis(url: str) -> Iterator[str]:
    """The address of a Redis: the given one, or a server of our own."""
    if url:
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="redis") as folder:
        socket = Path(folder, "redis.sock")
        command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            while not socket.exists():
                time.sleep(0.01)
            try:
                yield f"unix://{socket}"
            finally:
                server.terminate()


@contextmanager
def process(work: Callable[..., None], *arguments: object) -> Iterator[None]:
    """A process that works meanwhile."""
    running = PROCESSES.Process(target=work, args=arguments, daemon=True)
    running.start()
    try:
        yield
    finally:
        running.join(PATIENCE_S)
        running.kill()


def message(number: int, to: str) -> Message:
    """A small message; a request to whoever plays."""
    payload: Any = UtteranceSaid(turn=number, speaker=Role.COMMANDER, text="please slice the tomato")
    if to == "follower":
        payload = BeginAsked(role=Role.FOLLOWER)
    return Message(
        session="b", sequence=number, sender="environment", recipient=to, correlation=f"c{number}", payload=payload
    )


def listen(url: str, count: int) -> None:
    """Take so many messages, then say so."""

    async def run() -> None:
        bus = RedisBus(url)
        box = bus.subscribe("listener")
        for _ in range(count):
            await box.receive()
        await bus.publish(message(0, "counter"))
        await bus.close()

    asyncio.run(run())


async def answered(bus: MessageBus, count: int) -> None:
    """Answer so many requests."""
    box = bus.subscribe("follower")
    for number in range(count):
        request = await box.receive()
        await bus.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=number))


def answer(url: str, count: int) -> None:
    """The same in a process of its own."""

    async def run() -> None:
        bus = RedisBus(url)
        await answered(bus, count)
        await bus.close()

    asyncio.run(run())


async def there(bus: RedisBus, address: str, session: str) -> None:
    """Wait for a listener."""
    while not await bus.present(address, session=session):
        await asyncio.sleep(0.01)


async def messages_per_s(url: str, count: int) -> float:
    """See the module."""
    bus = RedisBus(url)
    with process(listen, url, count):
        over = bus.subscribe("counter")
        await there(bus, "listener", "b")
        begun = time.perf_counter()
        for number in range(count):
            await bus.publish(message(number, "listener"))
        await over.receive()
        took = time.perf_counter() - begun
        await bus.close()
    return count / took


async def round_trips(bus: MessageBus, count: int) -> list[float]:
    """Milliseconds of each request."""
    found = []
    for number in range(count):
        begun = time.perf_counter()
        await bus.request(message(number, "follower"), timeout=PATIENCE_S)
        found.append(1000 * (time.perf_counter() - begun))
    return found


async def far_round_trips(url: str, count: int) -> list[float]:
    """Over Redis."""
    bus = RedisBus(url)
    with process(answer, url, count):
        await there(bus, "follower", "b")
        found = await round_trips(bus, count)
        await bus.close()
    return found


async def near_round_trips(count: int) -> list[float]:
    """In memory."""
    bus = MemoryBus()
    serving = asyncio.create_task(answered(bus, count))
    await asyncio.sleep(0)
    found = await round_trips(bus, count)
    await serving
    return found


def play(url: str, role: Role, session: str) -> None:
    """The worker of an agent."""
    asyncio.run(run_agent(planner(role), role, url, session))


def keep(url: str, path: Path, session: str) -> None:
    """The worker of the record."""
    asyncio.run(run_recorder(path, url, session))


def planner(role: Role) -> Any:
    """An agent of the pair."""
    return build("agent", "planner", role=role)


def household() -> Household:
    """A household of its own."""
    return Household(EmbeddedSimulator())


async def far_session(url: str, path: Path, scenario: Any) -> float:
    """Seconds of a session whose workers are there."""
    session = path.stem
    with (
        process(keep, url, path, session),
        process(play, url, Role.COMMANDER, session),
        process(play, url, Role.FOLLOWER, session),
    ):
        bus = RedisBus(url)
        for address in ("recorder", "commander", "follower"):
            await there(bus, address, session)
        await bus.close()
        begun = time.perf_counter()
        await run_environment(Plan(session, lambda: scenario, household), url)
        return time.perf_counter() - begun


async def near_session(path: Path, scenario: Any) -> float:
    """Seconds of the same in this process."""
    begun = time.perf_counter()
    session = Session(household(), planner(Role.COMMANDER), planner(Role.FOLLOWER), record=path)
    await session.run(scenario, session_id=path.stem)
    return time.perf_counter() - begun


def sessions(url: str, rounds: int) -> dict[str, Any]:
    """Both kinds of session in turn, after one of each that does not count."""
    scenario = make_scenario("Coffee", room="FloorPlan7")
    far: list[float] = []
    near: list[float] = []
    same = True
    turns = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            paths = [Path(folder, place, f"s{number}.jsonl") for place in ("near", "far")]
            near.append(asyncio.run(near_session(paths[0], scenario)))
            far.append(asyncio.run(far_session(url, paths[1], scenario)))
            same = same and paths[0].read_bytes() == paths[1].read_bytes()
            turns = paths[0].read_bytes().count(b"\n") - 2
    far_s, near_s = statistics.median(far[1:]), statistics.median(near[1:])
    return {
        "turns": turns,
        "far_session_s": round(far_s, 3),
        "far_session_s_extremes": [round(min(far[1:]), 3), round(max(far[1:]), 3)],
        "near_session_s": round(near_s, 3),
        "near_session_s_extremes": [round(min(near[1:]), 3), round(max(near[1:]), 3)],
        "far_over_near": round(far_s / near_s, 2),
        "added_ms_per_turn": round(1000 * (far_s - near_s) / turns, 2),
        "same_record": same,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--bus", default="")
    parser.add_argument("--messages", type=int, default=5000)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with redis(arguments.bus) as url:
        far = asyncio.run(far_round_trips(url, arguments.requests))
        figures = {
            "messages_per_s": round(asyncio.run(messages_per_s(url, arguments.messages))),
            "round_trip_ms": round(statistics.median(far), 3),
            "round_trip_p95_ms": round(statistics.quantiles(far, n=20)[-1], 3),
            "memory_round_trip_ms": round(statistics.median(asyncio.run(near_round_trips(arguments.requests))), 3),
            **sessions(url, arguments.rounds),
        }
    tell(figures, arguments.json)


if __name__ == "__main__":
    main()
