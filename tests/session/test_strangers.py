"""Whatever third parties send to the addresses of a session leaves it as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from teach_agents.actions import Action, Role
from teach_agents.core.bus import MemoryBus
from teach_agents.core.messages import (
    EVERYONE,
    SESSION,
    ActionAnswered,
    BeginAsked,
    Dismissed,
    Message,
    ObservationAsked,
    Payload,
    UnknownPayload,
    UtteranceSaid,
)
from teach_agents.errors import BusClosedError, BusError, NobodyListensError
from teach_agents.observations import Observation
from tests.session.support import FORWARD, scenario, session


def _strays(heard: Message) -> Iterator[Message]:
    """What a stranger may make of a message: for the agents, and as if it were theirs."""
    payloads: tuple[Payload, ...] = (
        UtteranceSaid(turn=0, speaker="stranger", text="hello"),
        BeginAsked(role=Role.FOLLOWER),
        ObservationAsked(turn=0, role=Role.FOLLOWER),
        ActionAnswered(turn=0, role=Role.FOLLOWER, action=Action.stop()),
        Dismissed(),
        UnknownPayload.model_validate({"kind": "nobody_knows", "what": 1}),
    )
    for recipient in (*Role, SESSION):
        for payload in payloads:
            yield Message(
                session=heard.session,
                sequence=0,
                sender="stranger",
                recipient=recipient,
                correlation=heard.correlation,
                payload=payload,
            )


def _agents() -> tuple[list[Action], list[Action]]:
    return [Action.say("hi"), Action.wait(), Action.finish()], [FORWARD, Action.say("done")]


def _undisturbed(path: Path) -> bytes:
    asyncio.run(session(*_agents(), record=path).run(scenario()))
    return path.read_bytes()


def test_strangers_that_write_to_every_address_change_nothing(tmp_path: Path) -> None:
    async def scene() -> list[str]:
        bus, kinds = MemoryBus(capacity=4096), []
        tap = bus.subscribe(EVERYONE)

        async def meddle() -> None:
            async for heard in tap:
                if heard.sender != "stranger":
                    kinds.append(heard.kind)
                    for stray in _strays(heard):
                        with suppress(NobodyListensError, BusClosedError):
                            await bus.publish(stray)

        meddling = asyncio.create_task(meddle())
        await session(*_agents(), record=tmp_path / "far.jsonl", bus=bus).run(scenario())
        await bus.close()
        await meddling
        return kinds

    kinds = asyncio.run(asyncio.wait_for(scene(), 30))
    assert kinds[-1] == "session_ended" and kinds.count("action_executed") == 6
    assert (tmp_path / "far.jsonl").read_bytes() == _undisturbed(tmp_path / "near.jsonl")


def test_a_request_of_a_stranger_is_asked_of_no_agent() -> None:
    asked: list[int] = []

    async def follower(seen: Observation) -> Action:
        asked.append(seen.turn)
        payload = ObservationAsked(turn=9, role=Role.FOLLOWER, observation=seen)
        request = Message(
            session="s1", sequence=0, sender="stranger", recipient="follower", correlation="x", payload=payload
        )
        with suppress(BusError):
            await bus.request(request, timeout=0.05)
        return Action.wait()

    bus = MemoryBus()
    asyncio.run(asyncio.wait_for(session([Action.wait(), Action.finish()], follower, bus=bus).run(scenario()), 30))
    assert asked == [0, 1]


def test_who_listens_to_everything_sees_nobodys_observation() -> None:
    async def scene() -> list[Message]:
        bus, heard = MemoryBus(capacity=4096), []
        taps = [bus.subscribe(EVERYONE), bus.subscribe(EVERYONE, session="s1")]
        await session(*_agents(), bus=bus).run(scenario())
        await bus.close()
        for tap in taps:
            heard += [message async for message in tap]
        return heard

    heard = asyncio.run(scene())
    assert {"session_began", "action_executed", "utterance_said", "session_ended"} <= {one.kind for one in heard}
    for message in heard:
        assert not any(isinstance(value, Observation) for _, value in message.payload), message.kind
