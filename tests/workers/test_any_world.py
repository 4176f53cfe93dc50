"""Worlds that are no household are played over workers too, and whoever dies is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.bus.redis import MessageCodec, RedisBus
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Status
from teach_agents.core.messages import EVERYONE, SESSION, Message, SpeakAsked, SpeakDone, UtteranceSaid
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.session import Session
from teach_agents.core.values import Event, Result, Say
from teach_agents.workers import Plan, run_agent, run_environment, run_recorder
from tests.bus.redis_server import RedisServer, redis_server

WORKERS = ("recorder", "a", "b", "environment")


@dataclass(frozen=True, slots=True)
class Add:
    number: int


@dataclass(frozen=True, slots=True)
class Sum:
    total: int
    secret: int | None = None


class Adding(Environment[str, Add, Sum]):
    """Two seats, by turns of three: "a" acts alone at first, then both, until the sum is large enough."""

    codec = Codec("adding", instance=str, actions=(Add,), observation=Sum)
    seats = ("a", "b")
    privileges = {"secret": "the next number"}

    def reset(self, instance: str, seed: int) -> Sequence[Event]:
        self.total, self.seed = 0, seed
        return (Event("began", {"with": instance}),)

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sum:
        return Sum(self.total, self.seed if "secret" in privileges else None)

    def act(self, seat: str, action: Any) -> Result:
        if not isinstance(action, Add):
            return Result(isinstance(action, Say), "heard")
        self.total += action.number
        return Result(True, str(self.total), cost=0.5, trace={"total": self.total})

    def status(self) -> Status:
        over = "it is enough" if self.total >= 60 else ""
        return Status(over, may_act=("a",) if self.total < 20 else None)


class Counting(Agent):
    privileges = frozenset({"secret"})

    def begin(self, briefing: Briefing) -> None:
        self.count = 0

    async def act(self, observation: Sum) -> Add | Say:
        self.count += 1
        await asyncio.sleep(0.004)
        if self.count % 3 == 0:
            return Say(f"{self.count}: {observation.total}")
        return Add(self.count % 4 + (observation.secret or 0))


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


async def _work(name: str, url: str, record: Path) -> Any:
    wire = MessageCodec(Adding.codec)
    if name == "recorder":
        return await run_recorder(record, url, "s", form=Adding().form)
    if name == "environment":
        plan = Plan("s", lambda: "one", Adding, timeouts=Timeouts(begin_s=30, act_s=30), seed=2)
        return await run_environment(plan, url, codec=wire)
    return await run_agent(Counting(), name, url, "s", codec=wire)


async def _lines(record: Path, count: int) -> None:
    while not record.exists() or record.read_bytes().count(b"\n") < count:
        await asyncio.sleep(0.002)


@pytest.mark.parametrize("dying", WORKERS)
def test_a_world_over_four_workers_has_the_record_of_one_in_a_process(
    server: RedisServer, tmp_path: Path, dying: str
) -> None:
    async def far(record: Path) -> Mapping[str, Any]:
        tasks = {name: asyncio.create_task(_work(name, server.url, record)) for name in WORKERS}
        for count in (3, 8):
            await _lines(record, count)
            tasks[dying].cancel()
            await asyncio.wait({tasks[dying]})
            tasks[dying] = asyncio.create_task(_work(dying, server.url, record))
        result: Mapping[str, Any] = await tasks["environment"]
        await asyncio.gather(*tasks.values())
        return result

    near = tmp_path / "near.jsonl"
    session = Session(Adding(), {"a": Counting(), "b": Counting()}, record=near)
    expected = asyncio.run(session.run("one", seed=2, session_id="s"))
    result = asyncio.run(asyncio.wait_for(far(tmp_path / "far.jsonl"), 60))
    assert result["reason"] == "it is enough" == expected.reason
    assert (tmp_path / "far.jsonl").read_bytes() == near.read_bytes()
    assert near.read_bytes().count(b"\n") > 12


def test_a_third_party_speaks_into_a_session_from_another_process(server: RedisServer, tmp_path: Path) -> None:
    record = tmp_path / "far.jsonl"

    async def say(bus: RedisBus, number: int, name: str) -> SpeakDone:
        asked = SpeakAsked(speaker=name, text="faster!")
        request = Message(
            session="s", sequence=number, sender="guest", recipient=SESSION, correlation=f"g{number}", payload=asked
        )
        reply = (await bus.request(request, timeout=10)).payload
        assert isinstance(reply, SpeakDone)
        return reply

    async def scene() -> Mapping[str, Any]:
        tasks = {name: asyncio.create_task(_work(name, server.url, record)) for name in WORKERS}
        guest = RedisBus(server.url)
        tap = guest.subscribe(EVERYONE, session="s")
        await _lines(record, 3)
        assert await say(guest, 0, "guest") == SpeakDone()
        assert "no seat" in (await say(guest, 1, "a")).problem
        result: Mapping[str, Any] = await tasks["environment"]
        await asyncio.gather(*tasks.values())
        heard: list[Message] = []
        while not heard or heard[-1].kind != "session_ended":
            heard.append(await tap.receive())
        said = [one.payload for one in heard if isinstance(one.payload, UtteranceSaid)]
        assert [one.text for one in said if one.speaker == "guest"] == ["faster!"]
        await guest.close()
        return result

    result = asyncio.run(asyncio.wait_for(scene(), 60))
    assert result["strangers"] == ["guest"]
    assert record.read_text().count('["guest","faster!",') == 1
