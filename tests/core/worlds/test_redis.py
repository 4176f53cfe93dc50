"""Episodes of every world over a Redis, world, seats and recorder each a worker: the same bytes, whoever dies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.agents.contract import as_agent
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.session.session import Session
from teach_agents.workers import Plan, run_agent, run_environment, run_recorder
from tests.bus.redis_server import RedisServer, redis_server
from tests.core.worlds.cases import CASES, Case


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    """Shared: each session has a name of its own."""
    with redis_server(durable=False) as running:
        yield running


async def _work(case: Case, name: str, url: str, record: Path) -> Any:
    world, session = case.world(), record.stem
    wire = MessageCodec(world.codec)
    if name == "recorder":
        return await run_recorder(record, url, session, form=world.form)
    if name == "world":
        return await run_environment(
            Plan(session, lambda: case.instance, case.world, seed=4, make_policy=case.policy), url, codec=wire
        )
    return await run_agent(as_agent(case.agents()[name]), name, url, session, codec=wire)


@pytest.mark.parametrize("name", CASES)
def test_whoever_dies_the_record_is_that_of_one_process(server: RedisServer, tmp_path: Path, name: str) -> None:
    case, near, far = CASES[name], tmp_path / f"near-{name}.jsonl", tmp_path / f"far-{name}.jsonl"
    session = Session(case.world(), case.agents(), policy=case.policy(), record=near)
    expected = session.play(case.instance, seed=4, session_id=far.stem)
    workers = ("recorder", "world", *case.agents())

    async def scene() -> Any:
        tasks = {one: asyncio.create_task(_work(case, one, server.url, far)) for one in workers}
        while not far.exists() or far.read_bytes().count(b"\n") < 2:
            await asyncio.sleep(0.001)
        dying = random.choice(workers)
        tasks[dying].cancel()
        await asyncio.wait({tasks[dying]})
        tasks[dying] = asyncio.create_task(_work(case, dying, server.url, far))
        result = await tasks["world"]
        await asyncio.gather(*tasks.values())
        return result

    result = asyncio.run(asyncio.wait_for(scene(), 60))
    assert (result["end_reason"], result["reason"]) == (expected.end_reason, expected.reason)
    assert far.read_bytes() == near.read_bytes()
