from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator

import pytest

from teach_agents.actions import Role
from teach_agents.core.bus import MessageBus, Subscription
from teach_agents.core.bus.conformance import CODEC, MessageBusContract, plugged
from teach_agents.core.bus.redis import MessageCodec, RedisBus
from teach_agents.core.messages import (
    EVERYONE,
    BeginAsked,
    BeginDone,
    Message,
    ObservationAsked,
    UnknownPayload,
    UtteranceSaid,
)
from teach_agents.errors import BusClosedError, BusError, BusLostError, BusReplacedError, InputError
from teach_agents.observations import Observation, Pose, Vec3, View
from tests.bus.redis_server import RedisServer, redis_server

_SOON = 10.0


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server(durable=False) as running:
        yield running


class TestRedisBus(MessageBusContract):
    @pytest.fixture(autouse=True)
    def _served(self, server: RedisServer) -> None:
        self.url = server.url

    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        namespace, codec = secrets.token_hex(4), MessageCodec(CODEC, plugged())
        return RedisBus(self.url, capacity=capacity, patience=patience, namespace=namespace, codec=codec)


def _said(number: int, to: str = "follower") -> Message:
    payload = UtteranceSaid(turn=number, speaker=Role.FOLLOWER, text="")
    return Message(session="s", sequence=number, sender="environment", recipient=to, payload=payload)


def _request(number: int) -> Message:
    payload = BeginAsked(role=Role.FOLLOWER)
    return _said(number).model_copy(update={"payload": payload, "correlation": f"c{number}"})


async def _next(box: Subscription) -> int:
    return (await asyncio.wait_for(box.receive(), _SOON)).sequence


def _run(server: RedisServer, scene: Callable[[Callable[..., RedisBus]], Awaitable[None]]) -> None:
    """Play a scene with buses of one namespace, as processes would have them; all are closed afterwards."""

    async def played() -> None:
        made: list[RedisBus] = []
        namespace = secrets.token_hex(4)

        def bus(**options: object) -> RedisBus:
            made.append(RedisBus(server.url, **{"namespace": namespace, **options}))  # type: ignore[arg-type]  # options
            return made[-1]

        try:
            await asyncio.wait_for(scene(bus), 6 * _SOON)
        finally:
            for one in made:
                await one.close()

    asyncio.run(played())


def test_processes_share_a_bus(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there = bus(), bus()
        box = there.subscribe("follower", session="s")
        assert not await here.present("commander", session="s")
        while not await here.present("follower", session="s"):
            await asyncio.sleep(0.01)
        asked = asyncio.create_task(here.request(_request(1), timeout=_SOON))
        request = await asyncio.wait_for(box.receive(), _SOON)
        assert request == _request(1)
        await there.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=0))
        assert (await asked).kind == "begin_done"

    _run(server, scene)


def test_what_a_dead_worker_had_not_acknowledged_is_given_to_its_successor(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, first = bus(), bus(worker="w")
        box = first.subscribe("follower")
        await first._station.registered()
        for number in range(4):
            await here.publish(_said(number))
        assert [await _next(box), await _next(box)] == [0, 1]
        second = bus(worker="w").subscribe("follower")
        assert [await _next(second) for _ in range(3)] == [1, 2, 3]
        with pytest.raises(BusReplacedError):
            await _next(box)
        with pytest.raises(BusReplacedError, match="is worker 'w' now"):
            await first.publish(_said(9))

    _run(server, scene)


def test_a_worker_that_closes_its_bus_leaves_its_mailbox_to_the_next(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, first = bus(), bus(worker="w")
        first.subscribe("follower")
        await first._station.registered()
        await here.publish(_said(0))
        await first.close()
        await here.publish(_said(1))
        box = bus(worker="w").subscribe("follower")
        assert [await _next(box), await _next(box)] == [0, 1]
        box.close()
        await asyncio.sleep(0.1)
        with pytest.raises(BusError, match="nobody listens"):
            await here.publish(_said(2))

    _run(server, scene)


def test_a_listener_that_died_without_a_name_holds_nobody_up(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, dead = bus(capacity=1), bus()
        dead.subscribe(EVERYONE)
        await dead._station.registered()
        await here.publish(_said(0, EVERYONE))
        for key in await here._station.line._client.keys("*info|*"):
            await here._station.line._client.delete(key)  # as its lease does when it has run out
        await here.publish(_said(1, EVERYONE))
        await here.publish(_said(2, EVERYONE))

    _run(server, scene)


def test_nothing_is_left_in_redis_for_good(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there = bus(), bus(worker="w")
        box, tap = there.subscribe("follower", session="s"), bus().subscribe(EVERYONE)
        await there._station.registered()
        asked = asyncio.create_task(here.request(_request(1), timeout=_SOON))
        request = await asyncio.wait_for(box.receive(), _SOON)
        await here.publish(_said(2))
        client = here._station.line._client
        keys = await client.keys(f"{here._station.line.prefix}*")
        assert len(keys) >= 8
        assert [key for key in keys if await client.pttl(key) < 0] == []
        await there.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=0))
        await asked
        assert await _next(box) == 2
        assert await client.xlen(f"{here._station.line.prefix}box|{box.place.name}") == 1  # type: ignore[attr-defined]  # ours
        tap.close()

    _run(server, scene)


def test_an_observation_needs_a_codec(server: RedisServer) -> None:
    seen = Observation(Role.FOLLOWER, 0, Pose(Vec3(0, 0, 0), 0, 0), View(lambda: pytest.fail("nobody looked")))
    message = _request(1).model_copy(update={"payload": ObservationAsked(turn=0, role=Role.FOLLOWER, observation=seen)})

    async def scene(bus: Callable[..., RedisBus]) -> None:
        with pytest.raises(BusError, match="with a codec only"):
            await bus().request(message, timeout=_SOON)

    _run(server, scene)


def test_redis_with_its_data_restarts_and_nothing_is_lost() -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there = bus(), bus(worker="w")
        box = there.subscribe("follower")
        await there._station.registered()
        await here.publish(_said(0))
        await here.publish(_said(1))
        assert await _next(box) == 0
        asked = asyncio.create_task(here.request(_request(2), timeout=_SOON))
        await asyncio.sleep(0.05)
        durable.kill()
        late = asyncio.create_task(here.publish(_said(3)))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(durable.start)
        assert await _next(box) == 1
        request = await asyncio.wait_for(box.receive(), _SOON)
        assert request == _request(2)
        await there.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=0))
        assert (await asked).kind == "begin_done"
        await late
        assert await _next(box) == 3

    with redis_server() as durable:
        _run(durable, scene)


def test_redis_restarts_without_its_data_and_says_so_and_requests_are_sent_again() -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there, watcher = bus(), bus(worker="w"), bus()
        box, tap = there.subscribe("follower"), watcher.subscribe(EVERYONE)
        await there._station.registered()
        await watcher._station.registered()
        asked = asyncio.create_task(here.request(_request(1), timeout=_SOON))
        assert await _next(tap) == 1
        waiting = asyncio.create_task(tap.receive())
        forgetful.kill()
        await asyncio.sleep(0.1)
        await asyncio.to_thread(forgetful.start)
        with pytest.raises(BusLostError, match="has lost what lay in the mailbox"):
            await asyncio.wait_for(waiting, _SOON)
        with pytest.raises(BusLostError):
            await _next(box)
        request = await asyncio.wait_for(box.receive(), _SOON)
        assert request == _request(1)
        await there.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=0))
        assert (await asked).kind == "begin_done"
        assert await _next(tap) == 1

    with redis_server(durable=False) as forgetful:
        _run(forgetful, scene)


def test_a_redis_that_stays_away_is_an_error_after_a_while() -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here = bus(outage=0.3)
        box = here.subscribe("follower")
        await here.publish(_said(0))
        assert await _next(box) == 0
        gone.kill()
        with pytest.raises(BusError, match=r"redis.sock has not answered for 0.3 s"):
            await here.publish(_said(1))
        with pytest.raises(BusError, match="has not answered"):
            await _next(box)
        await here.close()
        with pytest.raises(BusClosedError):
            await here.publish(_said(2))

    with redis_server(durable=False) as gone:
        _run(gone, scene)


@pytest.mark.parametrize("url", ["localhost:6379", "http://localhost", "redis://", "redis://h:port"])
def test_what_is_no_address_of_a_redis_is_refused(url: str) -> None:
    async def scene() -> None:
        with pytest.raises(InputError, match="bus: "):
            RedisBus(url)

    asyncio.run(scene())


def test_a_password_is_not_told() -> None:
    async def scene() -> None:
        bus = RedisBus("redis://:secret@127.0.0.1:1/0", outage=0.05)
        with pytest.raises(BusError) as caught:
            await bus.publish(_said(0))
        assert "secret" not in str(caught.value) and "127.0.0.1:1" in str(caught.value)
        await bus.close()

    asyncio.run(scene())


def test_a_correlation_that_another_process_waits_with_is_refused(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there, stranger = bus(), bus(), bus()
        box = there.subscribe("follower")
        await there._station.registered()
        asked = asyncio.create_task(here.request(_request(1), timeout=_SOON))
        request = await asyncio.wait_for(box.receive(), _SOON)
        with pytest.raises(BusError, match="'c1' is already used by a request that waits"):
            await stranger.request(_request(1).model_copy(update={"sender": "stranger"}), timeout=_SOON)
        await there.publish(request.reply(BeginDone(role=Role.FOLLOWER), sequence=0))
        assert (await asked).kind == "begin_done"

    _run(server, scene)


def test_what_is_no_message_is_told_once_and_nothing_more(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there = bus(), bus(worker="w")
        box = there.subscribe("follower")
        await there._station.registered()
        stream = f"{here._station.line.prefix}box|{box.place.name}"  # type: ignore[attr-defined]  # ours
        await here._station.line._client.xadd(stream, {"text": "{}", "packed": ""})
        await here.publish(_said(1))
        with pytest.raises(BusLostError, match="cannot be read"):
            await _next(box)
        assert await _next(box) == 1
        again = bus(worker="w").subscribe("follower")
        assert await _next(again) == 1

    _run(server, scene)


def test_an_observation_of_another_world_is_left_out(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        stranger, there = bus(codec=_Garbling()), bus(codec=MessageCodec(CODEC))
        box = there.subscribe("follower")
        await there._station.registered()
        payload = ObservationAsked(turn=3, role=Role.FOLLOWER, observation="looks like nothing")
        await stranger.publish(_said(0).model_copy(update={"payload": payload}))
        got = (await asyncio.wait_for(box.receive(), _SOON)).payload
        assert isinstance(got, ObservationAsked) and (got.turn, got.observation) == (3, None)

    _run(server, scene)


class _Garbling(MessageCodec):
    def pack(self, message: Message) -> bytes:
        return b"looks like nothing"


def test_a_reply_that_cannot_be_read_is_an_error_of_its_request_alone(server: RedisServer) -> None:
    async def scene(bus: Callable[..., RedisBus]) -> None:
        here, there = bus(), bus()
        box = there.subscribe("follower")
        await there._station.registered()
        asked = [asyncio.create_task(here.request(_request(number), timeout=_SOON)) for number in (1, 2)]
        unknown = UnknownPayload.model_validate({"kind": "nobody_knows"})
        for payload in (unknown, BeginDone(role=Role.FOLLOWER)):
            request = await asyncio.wait_for(box.receive(), _SOON)
            await there.publish(request.reply(payload, sequence=0))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(type(one).__name__ for one in answers) == ["BusError", "Message"]

    _run(server, scene)
