"""Whoever listens or writes without a part in a session harms nobody."""

from __future__ import annotations

import asyncio
from time import monotonic

from teach_agents.core.bus.answering import answer_all
from teach_agents.core.bus.conformance.scene import (
    DELIVERED,
    READY,
    SOON,
    BusScene,
    Rang,
    Seen,
    Step,
    ask,
    message_of,
    on_bus,
    raises,
    received,
    request_of,
    say,
    taken,
)
from teach_agents.core.bus.contract import OVERHEARING_S, MessageBus
from teach_agents.core.errors import BusError, BusLostError, NobodyListensError
from teach_agents.core.messages import (
    EVERYONE,
    SESSION,
    ActionAnswered,
    BeginAsked,
    BeginDone,
    Dismissed,
    Message,
    ObservationAsked,
    Payload,
    SpeakAsked,
    UnknownPayload,
    UtteranceSaid,
)


def _strays() -> list[Message]:
    """What strangers may send to the seat "a", in the best or worst of intentions."""
    asked = ObservationAsked(turn=0, role="a", observation=Seen("forged"))
    return [
        message_of(payload, "a", sender="stranger", correlation=correlation)
        for payload in (
            UtteranceSaid(turn=0, speaker="stranger", text="hello"),
            SpeakAsked(speaker="stranger", text="hello"),
            BeginAsked(role="a"),
            READY,
            ActionAnswered(turn=0, role="a", action=Step("off")),
            Dismissed(),
            asked,
            Rang(times=3),
            UnknownPayload.model_validate({"kind": "conformance_unknown", "whatever": [1]}),
        )
        for correlation in ("", "c1", "c9")
    ]


class StrangersContract(BusScene):
    """Listeners that do not read, or should not see; forged replies; whatever may come to who answers."""

    @on_bus(capacity=2)
    async def test_who_overhears_and_does_not_read_holds_nobody_up_and_is_told(self, bus: MessageBus) -> None:
        """A stranger's mailbox costs a moment, once; what it missed it is told of, and then hears on."""
        box = bus.subscribe("a", session="s")
        await say(bus, 9)
        assert await taken(box, 1) == [9]
        taps = bus.subscribe(EVERYONE), bus.subscribe("a")
        begun = monotonic()
        for number in range(8):
            await say(bus, number)
            assert await taken(box, 1) == [number]
        assert monotonic() - begun < 4 * OVERHEARING_S
        for tap in taps:
            assert await taken(tap, 2) == [0, 1]
            await raises(BusLostError, tap.receive())
        await say(bus, 8)
        for heard in (box, *taps):
            assert await taken(heard, 1) == [8]

    @on_bus(capacity=2)
    async def test_who_hears_everyone_and_reads_in_time_misses_nothing(self, bus: MessageBus) -> None:
        """Publishers wait a moment for listeners, too."""
        tap = bus.subscribe(EVERYONE)
        publishers = [asyncio.create_task(say(bus, number, to=EVERYONE)) for number in range(12)]
        assert await taken(tap, 12) == list(range(12))
        await asyncio.gather(*publishers)

    @on_bus(capacity=1, patience=2 * SOON)
    async def test_who_waits_for_room_holds_up_no_other_sender(self, bus: MessageBus) -> None:
        """A stranger that floods one address stops itself."""
        flooded, box = bus.subscribe("b"), bus.subscribe("a")
        flood = [
            asyncio.create_task(bus.publish(message_of(Rang(times=1), "b", sender="stranger", number=number)))
            for number in range(4)
        ]
        await asyncio.sleep(DELIVERED)
        await asyncio.wait_for(say(bus, 7), SOON / 2)
        assert await taken(box, 1) == [7]
        assert await taken(flooded, 4) == [0, 1, 2, 3]
        await asyncio.gather(*flood)

    @on_bus()
    async def test_an_observation_reaches_its_recipient_only(self, bus: MessageBus) -> None:
        """Whoever listens to everything, or also at that address, hears that it was asked for, and no more."""
        early, tap, mine = bus.subscribe("a"), bus.subscribe(EVERYONE), bus.subscribe("a", session="s")
        await say(bus, 0)
        for box in (early, tap, mine):
            assert await taken(box, 1) == [0]
        late, later = bus.subscribe("a", session="s"), bus.subscribe(EVERYONE, session="s")
        seen = Seen("for a alone", b"\x00picture")
        await bus.publish(message_of(ObservationAsked(turn=3, role="a", observation=seen), "a"))
        await bus.publish(message_of(ObservationAsked(turn=3, role="a", observation=seen), EVERYONE))
        got = await received(mine)
        assert isinstance(got.payload, ObservationAsked) and got.payload.observation == seen
        for box in (tap, tap, later, later, early, late):
            heard = await received(box)
            assert isinstance(heard.payload, ObservationAsked)
            assert (heard.payload.turn, heard.payload.observation) == (3, None)
            assert "for a alone" not in repr(heard)

    @on_bus()
    async def test_only_who_was_asked_can_answer(self, bus: MessageBus) -> None:
        """A reply that somebody else forges is not taken for the answer, and raises where it was published."""
        box = bus.subscribe("a")
        asked = ask(bus, 1)
        request = await received(box)
        forged = message_of(BeginDone(role="b"), SESSION, sender="stranger", correlation="c1")
        await raises(NobodyListensError, bus.publish(forged))
        await bus.publish(request.reply(READY, sequence=0))
        assert (await asked).payload == READY

    @on_bus()
    async def test_a_second_request_with_a_used_correlation_is_refused(self, bus: MessageBus) -> None:
        """The first is answered as if there had been none."""
        box = bus.subscribe("a")
        asked = ask(bus, 1)
        request = await received(box)
        second = message_of(BeginAsked(role="a"), "a", sender="stranger", correlation="c1")
        await raises(BusError, bus.request(second, timeout=SOON))
        await bus.publish(request.reply(READY, sequence=0))
        assert (await asked).payload == READY

    @on_bus()
    async def test_whoever_answers_is_unharmed_by_whatever_comes(self, bus: MessageBus) -> None:
        """It is asked what the session asks and nothing else; replies that nobody waits for end nothing."""
        put: list[Payload] = []

        async def reply_to(request: Message) -> Payload | None:
            put.append(request.payload)
            return READY if isinstance(request.payload, BeginAsked) else None

        serving = asyncio.create_task(answer_all(bus, bus.subscribe("a"), reply_to))
        await asyncio.sleep(0)
        unwaited, odd = request_of(3), message_of(Rang(times=1), "a", correlation="c4")
        for number in (1, 2):
            for stray in (*_strays(), unwaited, odd):
                await bus.publish(stray)
            assert (await bus.request(request_of(number), timeout=SOON)).payload == READY
        await bus.publish(message_of(Dismissed(), "a"))
        assert await asyncio.wait_for(serving, SOON) == Dismissed()
        turn = [unwaited.payload, odd.payload]
        assert put == [*turn, request_of(1).payload, *turn, request_of(2).payload]
