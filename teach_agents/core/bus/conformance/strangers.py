"""Whoever listens or writes without a part in a session harms nobody."""

from __future__ import annotations

import asyncio
from time import monotonic

from teach_agents.core.bus.answering import answer_all
from teach_agents.core.bus.conformance.scene import (
    DELIVERED,
    SOON,
    BusScene,
    Rang,
    Seen,
    Step,
    message_of,
    raises,
    request_of,
    said,
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
            BeginDone(role="a"),
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

    def test_who_overhears_and_does_not_read_holds_nobody_up_and_is_told(self) -> None:
        """A stranger's mailbox costs a moment, once; what it missed it is told of, and then hears on."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a", session="s")
            await bus.publish(said(9, to="a"))
            assert await taken(box, 1) == [9]
            taps = bus.subscribe(EVERYONE), bus.subscribe("a")
            begun = monotonic()
            for number in range(8):
                await bus.publish(said(number, to="a"))
                assert await taken(box, 1) == [number]
            assert monotonic() - begun < 4 * OVERHEARING_S
            for tap in taps:
                assert await taken(tap, 2) == [0, 1]
                await raises(BusLostError, tap.receive())
            await bus.publish(said(8, to="a"))
            for heard in (box, *taps):
                assert await taken(heard, 1) == [8]

        self.with_bus(scene, capacity=2)

    def test_who_hears_everyone_and_reads_in_time_misses_nothing(self) -> None:
        """Publishers wait a moment for listeners, too."""

        async def scene(bus: MessageBus) -> None:
            tap = bus.subscribe(EVERYONE)
            publishers = [asyncio.create_task(bus.publish(said(number))) for number in range(12)]
            assert await taken(tap, 12) == list(range(12))
            await asyncio.gather(*publishers)

        self.with_bus(scene, capacity=2)

    def test_who_waits_for_room_holds_up_no_other_sender(self) -> None:
        """A stranger that floods one address stops itself."""

        async def scene(bus: MessageBus) -> None:
            flooded, box = bus.subscribe("b"), bus.subscribe("a")
            flood = [
                asyncio.create_task(bus.publish(message_of(Rang(times=1), "b", sender="stranger", number=number)))
                for number in range(4)
            ]
            await asyncio.sleep(DELIVERED)
            await asyncio.wait_for(bus.publish(said(7, to="a")), SOON / 2)
            assert await taken(box, 1) == [7]
            assert await taken(flooded, 4) == [0, 1, 2, 3]
            await asyncio.gather(*flood)

        self.with_bus(scene, capacity=1, patience=2 * SOON)

    def test_an_observation_reaches_its_recipient_only(self) -> None:
        """Whoever listens to everything, or also at that address, hears that it was asked for, and no more."""

        async def scene(bus: MessageBus) -> None:
            early, tap, mine = bus.subscribe("a"), bus.subscribe(EVERYONE), bus.subscribe("a", session="s")
            await bus.publish(said(0, to="a"))
            for box in (early, tap, mine):
                assert await taken(box, 1) == [0]
            late, later = bus.subscribe("a", session="s"), bus.subscribe(EVERYONE, session="s")
            seen = Seen("for a alone", b"\x00picture")
            await bus.publish(message_of(ObservationAsked(turn=3, role="a", observation=seen), "a"))
            await bus.publish(message_of(ObservationAsked(turn=3, role="a", observation=seen), EVERYONE))
            got = await asyncio.wait_for(mine.receive(), SOON)
            assert isinstance(got.payload, ObservationAsked) and got.payload.observation == seen
            for box in (tap, tap, later, later, early, late):
                heard = await asyncio.wait_for(box.receive(), SOON)
                assert isinstance(heard.payload, ObservationAsked)
                assert (heard.payload.turn, heard.payload.observation) == (3, None)
                assert "for a alone" not in repr(heard)

        self.with_bus(scene)

    def test_only_who_was_asked_can_answer(self) -> None:
        """A reply that somebody else forges is not taken for the answer, and raises where it was published."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            asked = asyncio.create_task(bus.request(request_of(1), timeout=SOON))
            request = await asyncio.wait_for(box.receive(), SOON)
            forged = message_of(BeginDone(role="b"), SESSION, sender="stranger", correlation="c1")
            await raises(NobodyListensError, bus.publish(forged))
            await bus.publish(request.reply(BeginDone(role="a"), sequence=0))
            assert (await asked).payload == BeginDone(role="a")

        self.with_bus(scene)

    def test_a_second_request_with_a_used_correlation_is_refused(self) -> None:
        """The first is answered as if there had been none."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            asked = asyncio.create_task(bus.request(request_of(1), timeout=SOON))
            request = await asyncio.wait_for(box.receive(), SOON)
            second = message_of(BeginAsked(role="a"), "a", sender="stranger", correlation="c1")
            await raises(BusError, bus.request(second, timeout=SOON))
            await bus.publish(request.reply(BeginDone(role="a"), sequence=0))
            assert (await asked).payload == BeginDone(role="a")

        self.with_bus(scene)

    def test_whoever_answers_is_unharmed_by_whatever_comes(self) -> None:
        """It is asked what the session asks and nothing else; replies that nobody waits for end nothing."""

        async def scene(bus: MessageBus) -> None:
            put: list[Payload] = []

            async def reply_to(request: Message) -> Payload | None:
                put.append(request.payload)
                return BeginDone(role="a") if isinstance(request.payload, BeginAsked) else None

            serving = asyncio.create_task(answer_all(bus, bus.subscribe("a"), reply_to))
            await asyncio.sleep(0)
            unwaited, odd = request_of(3), message_of(Rang(times=1), "a", correlation="c4")
            for number in (1, 2):
                for stray in (*_strays(), unwaited, odd):
                    await bus.publish(stray)
                assert (await bus.request(request_of(number), timeout=SOON)).payload == BeginDone(role="a")
            await bus.publish(message_of(Dismissed(), "a"))
            assert await asyncio.wait_for(serving, SOON) == Dismissed()
            turn = [unwaited.payload, odd.payload]
            assert put == [*turn, request_of(1).payload, *turn, request_of(2).payload]

        self.with_bus(scene)
