"""Each of the four workers as one call, from its bus to its end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from teach_agents.core.agents.contract import Agent
from teach_agents.core.bus.redis import MessageCodec, RedisBus
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.messages import RECORDER, SESSION
from teach_agents.core.session.format import RecordFormat
from teach_agents.session.format import TEACH_FORMAT
from teach_agents.workers.chair import Chair
from teach_agents.workers.environment import hold
from teach_agents.workers.plan import Plan
from teach_agents.workers.recorder import Recorder
from teach_agents.workers.wire import ObservationWire


@asynccontextmanager
async def worker_bus(
    url: str, session_id: str, address: str, wire: MessageCodec | None = None, *, outage: float = 60.0
) -> AsyncIterator[RedisBus]:
    """The bus of the worker at an address of a session, which replaces whoever had it before; closed afterwards."""
    bus = RedisBus(url, worker=f"{session_id}/{address}", codec=wire, outage=outage)
    try:
        yield bus
    finally:
        await bus.close()


async def reach(url: str, *, outage: float) -> None:
    """Ask whether there is a Redis. Raises `BusError` when there is none for `outage` seconds."""
    bus = RedisBus(url, outage=outage)
    try:
        await bus.present(SESSION, session="")
    finally:
        await bus.close()


async def run_agent(
    agent: Agent,
    role: str,
    url: str,
    session_id: str,
    *,
    views: tuple[str, ...] = (),
    codec: MessageCodec | None = None,
    outage: float = 60.0,
) -> None:
    """Answer for an agent until the session is over, in a household unless the world's `codec` is given.

    Raises `BusError`, and `InputError` for a session in another world.
    """
    wire = codec or ObservationWire(agent.privileges)
    async with worker_bus(url, session_id, str(role), wire, outage=outage) as bus:
        chair = Chair(agent, role, bus, session_id, views=views, codec=wire)
        try:
            await chair.serve()
            chair.close()
        finally:
            chair.stop()


async def run_recorder(
    path: Path, url: str, session_id: str, *, form: RecordFormat = TEACH_FORMAT, outage: float = 60.0
) -> None:
    """Keep a session's record until it is over. Raises `BusError`, `RecordError`."""
    async with worker_bus(url, session_id, RECORDER, outage=outage) as bus:
        recorder = Recorder(path, bus, session_id, form)
        try:
            await recorder.serve()
            recorder.close()
        finally:
            recorder.leave()


async def run_environment(
    plan: Plan, url: str, *, pictures: str = "png", codec: MessageCodec | None = None, outage: float = 60.0
) -> JsonMapping:
    """Hold a session to its end, in a household unless the world's `codec` is given; see `environment.hold`."""
    wire = codec or ObservationWire(pictures=pictures)
    async with worker_bus(url, plan.session_id, SESSION, wire, outage=outage) as bus:
        return await hold(plan, bus, wire)
