"""A worker of another world, or of a version that is not read, is refused in a line, and strangers in none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.core.bus import MemoryBus
from teach_agents.core.bus.conformance import CODEC
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.messages import (
    EVERYONE,
    RECORDER,
    SESSION,
    BeginAsked,
    Dismissed,
    LineAsked,
    Message,
    ObservationAsked,
    Payload,
    RecordAsked,
    Refused,
    SeatAsked,
    SeatTold,
    UnknownPayload,
    UtteranceSaid,
)
from teach_agents.errors import BusClosedError, BusLostError, InputError, NobodyListensError
from teach_agents.workers.chair import Chair
from teach_agents.workers.environment import hold
from teach_agents.workers.recorder import Recorder
from teach_agents.workers.wire import ObservationWire
from tests.workers.stage import Commander, Counting, plan, undisturbed

_LATER = {"world": "teach", "version": 2}


class _Later(ObservationWire):
    """The wire of a later version of the same world."""

    @property
    def stated(self) -> Mapping[str, Any]:
        return _LATER

    def check(self, where: str, world: str, version: int) -> None:
        """It reads the first version, too."""


def _held(path: Path, codec: MessageCodec, meddle: Any = None) -> Mapping[str, Any]:
    """The four workers on one bus, the Follower's with a codec of its own; what its worker raises comes first."""

    async def run() -> Mapping[str, Any]:
        bus = MemoryBus(capacity=4096)
        recorder = Recorder(path, bus, "s")
        chairs = {
            Role.COMMANDER: Chair(Commander(), Role.COMMANDER, bus, "s", codec=ObservationWire()),
            Role.FOLLOWER: Chair(Counting(), Role.FOLLOWER, bus, "s", codec=codec),
        }
        tasks = [asyncio.create_task(recorder.serve()), *(asyncio.create_task(one.serve()) for one in chairs.values())]
        if meddle is not None:
            tasks.append(asyncio.create_task(meddle(bus)))
        try:
            holding = asyncio.create_task(hold(plan(), bus, ObservationWire()))
            await asyncio.wait({holding}, timeout=20)
            if isinstance(holding.exception(), InputError):
                with pytest.raises(InputError, match="the session 's': refuses the follower: .*world"):
                    await asyncio.wait_for(tasks[2], 5)
            return await holding
        finally:
            await bus.close()
            for chair in chairs.values():
                chair.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            recorder.leave()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("codec", "line"),
    [
        (MessageCodec(CODEC), "the session 's': is of another world"),
        (_Later(), "the follower's worker: is written in a version of the world 'teach' that is not read here; got 2"),
    ],
)
def test_a_worker_of_another_world_or_version_is_refused_here_and_there(
    tmp_path: Path, codec: MessageCodec, line: str
) -> None:
    with pytest.raises(InputError) as refused:
        _held(tmp_path / "r.jsonl", codec)
    assert line in str(refused.value)


def _seat(codec: MessageCodec | None, **stated: Any) -> Payload | None:
    chair = Chair(Counting(), Role.FOLLOWER, MemoryBus(), "s", codec=codec)
    payload = SeatAsked(role=Role.FOLLOWER, **stated)
    asked = Message(session="s", sequence=0, sender=SESSION, recipient="follower", correlation="c", payload=payload)
    try:
        return asyncio.run(chair._seated(asked))
    finally:
        chair.stop()


def test_a_worker_states_its_world_once_and_the_first_one_states_none() -> None:
    told = _seat(MessageCodec(CODEC), world="conformance", version=1)
    assert isinstance(told, SeatTold) and (told.world, told.version) == ("conformance", 1)
    told = _seat(ObservationWire())
    assert isinstance(told, SeatTold) and (told.world, told.version) == ("", 0)
    assert isinstance(_seat(ObservationWire(), world="teach", version=1), SeatTold)
    for codec, stated in (
        (ObservationWire(), {"world": "conformance", "version": 1}),
        (ObservationWire(), _LATER),
        (MessageCodec(CODEC), {}),
        (MessageCodec(CODEC), {"world": "conformance", "version": 2}),
        (None, {"world": "conformance", "version": 1}),
    ):
        assert isinstance(_seat(codec, **stated), Refused), stated


def test_strangers_change_nothing_of_a_session_over_workers(tmp_path: Path) -> None:
    heard: list[str] = []

    async def meddle(bus: MemoryBus) -> None:
        async for message in bus.subscribe(EVERYONE):
            if message.sender == "stranger":
                continue
            heard.append(message.kind)
            for payload in (
                BeginAsked(role=Role.FOLLOWER),
                ObservationAsked(turn=len(heard), role=Role.FOLLOWER),
                LineAsked(number=len(heard), line="{}"),
                RecordAsked(),
                Dismissed(),
                Refused(problem="go away"),
                UtteranceSaid(turn=0, speaker="stranger", text="hello"),
                UnknownPayload.model_validate({"kind": "nobody_knows"}),
            ):
                for recipient in (*Role, RECORDER, SESSION):
                    envelope = {"session": "s", "sequence": 0, "sender": "stranger", "recipient": recipient}
                    with suppress(NobodyListensError, BusClosedError, BusLostError):
                        await bus.publish(Message(**envelope, correlation=message.correlation, payload=payload))

    result = _held(tmp_path / "far.jsonl", ObservationWire(), meddle)
    assert result["end_reason"] == "finished" and "line_kept" in heard
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl")
