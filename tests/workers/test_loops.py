"""Agents that own their loops, in processes of their own: one that is replaced lives through the session so far."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.agents.contract import Agent, Body
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.environment import Environment
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.session import Session
from teach_agents.core.values import Say, Stop
from teach_agents.workers import Plan, run_agent, run_environment, run_recorder
from tests.bus.redis_server import RedisServer, redis_server
from tests.core.session.worlds import Bench, Pair, Put


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server(durable=False) as running:
        yield running


class Asking(Agent):
    """Names one thing after the other, each when the last one lies there."""

    async def run(self, body: Body) -> None:
        for number in range(5):
            await body.say(f"thing {number}")
            while (await body.heard())[-1].text != f"{number} lies there":
                pass
        await body.do(Stop())


class Putting(Agent):
    """Puts what it hears of."""

    async def run(self, body: Body) -> None:
        while True:
            for said in await body.heard():
                await asyncio.sleep(0.004)
                result = await body.do(Put(said.text))
                assert result.message == f"left put {said.text}" and body.observation.here[-1] == said.text
                await body.do(Say(f"{said.text.split()[-1]} lies there"))


class Moody(Agent):
    """Each that is made says something else."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1

    async def run(self, body: Body) -> None:
        for number in range(50):
            await asyncio.sleep(0.004)
            await body.say(f"{self.made} {number}")


MAKE: Mapping[str, type[Agent]] = {"lead": Asking, "left": Putting}


async def _held(
    world: type[Environment[Any, Any, Any]], url: str, path: Path, dying: str, make: Mapping[str, type[Agent]]
) -> Mapping[str, Any]:
    wire = MessageCodec(world.codec)

    async def work(name: str) -> Any:
        if name == "recorder":
            return await run_recorder(path, url, path.stem, form=world().form)
        if name == "environment":
            plan = Plan(path.stem, lambda: "x", world, timeouts=Timeouts(30, 30), remind=False)
            return await run_environment(plan, url, codec=wire)
        return await run_agent(make[name](), name, url, path.stem, codec=wire)

    tasks = {name: asyncio.create_task(work(name)) for name in ("recorder", "environment", *make)}
    for count in (3, 7):
        while not path.exists() or path.read_bytes().count(b"\n") < count:
            await asyncio.sleep(0.002)
        tasks[dying].cancel()
        await asyncio.wait({tasks[dying]})
        tasks[dying] = asyncio.create_task(work(dying))
        if make is not MAKE:
            break
    result: Mapping[str, Any] = await tasks["environment"]
    await asyncio.gather(*tasks.values())
    return result


@pytest.mark.parametrize("dying", ["lead", "left", "environment"])
@pytest.mark.parametrize("world", [Pair, Bench])
def test_whoever_is_replaced_the_record_is_that_of_one_process(
    server: RedisServer, tmp_path: Path, world: type[Environment[Any, Any, Any]], dying: str
) -> None:
    if world is Bench:  # a seat without anybody is not played over workers
        world = type("Two", (Bench,), {"seats": ("lead", "left")})
    path, near = tmp_path / f"{world.__name__}{dying}.jsonl", tmp_path / "near.jsonl"
    expected = Session(world(), {seat: made() for seat, made in MAKE.items()}, record=near).play(
        "x", session_id=path.stem
    )
    result = asyncio.run(asyncio.wait_for(_held(world, server.url, path, dying, MAKE), 60))
    assert (result["end_reason"], result["reason"]) == ("stopped", "the lead stopped") and expected.turns > 12
    assert path.read_bytes() == near.read_bytes()


def test_one_that_does_something_else_than_then_has_crashed(server: RedisServer, tmp_path: Path) -> None:
    made = {"lead": Asking, "left": Moody}
    result = asyncio.run(asyncio.wait_for(_held(Pair, server.url, tmp_path / "m.jsonl", "left", made), 60))
    assert result["end_reason"] == "crashed"
    assert "the left cannot be taken up where it stood: in turn 0 it did Say(text='2 0') where" in result["reason"]
