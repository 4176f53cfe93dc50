"""Messages arrive, in order, as they were sent; what cannot arrive raises."""

from __future__ import annotations

import asyncio

from teach_agents.core.bus.conformance.scene import (
    DELIVERED,
    READY,
    SOON,
    BusScene,
    Rang,
    Step,
    ask,
    message_of,
    on_bus,
    plugged,
    raises,
    received,
    request_of,
    say,
    taken,
)
from teach_agents.core.bus.contract import MessageBus
from teach_agents.core.errors import BusClosedError, BusError, BusFullError, RequestTimeoutError
from teach_agents.core.messages import EVERYONE, SESSION, ActionAnswered, ActionExecuted, UnknownPayload
from teach_agents.core.payload import payload_class
from teach_agents.core.values import Result, Say


class DeliveryContract(BusScene):
    """Addresses, order, back pressure, requests and their replies, closing."""

    @on_bus()
    async def test_a_message_reaches_its_recipient_and_those_who_hear_everyone(self, bus: MessageBus) -> None:
        """Addresses are kept apart; `EVERYONE` hears all."""
        mine, other, tap = bus.subscribe("a"), bus.subscribe("b"), bus.subscribe(EVERYONE)
        await say(bus, 0)
        await say(bus, 1, to="b")
        await say(bus, 2, to=EVERYONE)
        assert await taken(mine, 1) == [0]
        assert await taken(other, 1) == [1]
        assert await taken(tap, 3) == [0, 1, 2]

    @on_bus()
    async def test_a_subscription_to_one_session_hears_no_other(self, bus: MessageBus) -> None:
        """Sessions share a bus without mixing."""
        box = bus.subscribe(EVERYONE, session="a")
        await say(bus, 0, session="b", to=EVERYONE)
        await say(bus, 1, session="a", to=EVERYONE)
        assert await taken(box, 1) == [1]

    @on_bus(capacity=2)
    async def test_order_within_a_session_survives_back_pressure(self, bus: MessageBus) -> None:
        """Publishers that wait for room do not overtake one another."""
        box = bus.subscribe("a")
        publishers = [asyncio.create_task(say(bus, number)) for number in range(40)]
        assert await taken(box, 40) == list(range(40))
        await asyncio.gather(*publishers)

    @on_bus(capacity=1)
    async def test_a_newcomer_does_not_overtake_a_publisher_that_waits_for_room(self, bus: MessageBus) -> None:
        """Not even where there was space just before it came."""
        box = bus.subscribe("a")
        await say(bus, 0)
        waiting = asyncio.create_task(say(bus, 1))
        await asyncio.sleep(DELIVERED)
        newcomer = asyncio.create_task(say(bus, 2))
        assert (await box.receive()).sequence == 0
        assert await taken(box, 2) == [1, 2]
        await asyncio.gather(waiting, newcomer)

    @on_bus(capacity=1, patience=0.05)
    async def test_a_full_mailbox_raises_where_the_message_was_published(self, bus: MessageBus) -> None:
        """Who is addressed and never reads stops the publisher, loudly."""
        box = bus.subscribe("a")
        await say(bus, 0)
        await raises(BusFullError, say(bus, 1))
        assert await taken(box, 1) == [0]
        await say(bus, 2)
        assert await taken(box, 1) == [2]

    @on_bus()
    async def test_a_message_for_nobody_raises(self, bus: MessageBus) -> None:
        """Nothing is lost silently."""
        await raises(BusError, say(bus, 0))

    @on_bus()
    async def test_replies_find_their_requests_in_any_order(self, bus: MessageBus) -> None:
        """Correlation joins a reply to its request."""
        box = bus.subscribe("a")
        asked = [ask(bus, number) for number in (1, 2)]
        requests = [await received(box) for _ in asked]
        for number, request in enumerate(reversed(requests)):
            await bus.publish(request.reply(READY, sequence=number))
        assert [(await task).correlation for task in asked] == ["c1", "c2"]

    @on_bus()
    async def test_a_request_without_a_reply_times_out_and_a_late_reply_raises(self, bus: MessageBus) -> None:
        """Neither side waits for ever or loses a message unawares."""
        box = bus.subscribe("a")
        await raises(RequestTimeoutError, bus.request(request_of(1), timeout=0.05))
        await raises(BusError, bus.publish((await received(box)).reply(READY, sequence=0)))

    @on_bus()
    async def test_closing_wakes_everyone_who_waits(self, bus: MessageBus) -> None:
        """Requests, receivers and later publishers get `BusClosedError`; what was delivered is still received."""
        box, idle = bus.subscribe("a"), bus.subscribe("b")
        asked = ask(bus, 1)
        waiting = asyncio.create_task(idle.receive())
        await asyncio.sleep(DELIVERED)
        await bus.close()
        await bus.close()
        await raises(BusClosedError, asked)
        await raises(BusClosedError, waiting)
        assert await taken(box, 1) == [1]
        await raises(BusClosedError, box.receive())
        await raises(BusClosedError, say(bus, 2, to=EVERYONE))
        assert [message async for message in idle] == []

    @on_bus(capacity=1)
    async def test_a_closed_subscription_holds_nobody_up(self, bus: MessageBus) -> None:
        """A publisher that waits for a listener who leaves goes on."""
        box = bus.subscribe(EVERYONE)
        await say(bus, 0, to=EVERYONE)
        publisher = asyncio.create_task(say(bus, 1, to=EVERYONE))
        await asyncio.sleep(0.01)
        box.close()
        box.close()
        await asyncio.wait_for(publisher, SOON)

    @on_bus()
    async def test_a_worlds_values_arrive_as_they_were_sent(self, bus: MessageBus) -> None:
        """Actions, results without what agents may not know, kinds of messages from elsewhere and unknown ones."""
        box = bus.subscribe(EVERYONE)
        result = Result(True, "done", cost=0.5, trace={"hidden": 1})
        sent = [
            ActionAnswered(turn=1, role="a", action=Step("north")),
            ActionAnswered(turn=1, role="a", problem="nothing"),
            ActionExecuted(turn=1, role="a", action=Say("hello"), result=result),
            Rang(times=2),
            UnknownPayload.model_validate({"kind": "conformance_unknown", "whatever": [1]}),
        ]
        for payload in sent:
            await bus.publish(message_of(payload, EVERYONE))
        got = [(await received(box)).payload for _ in sent]
        assert got == sent
        executed, unknown = got[2], got[4]
        assert isinstance(executed, ActionExecuted) and not executed.result.trace
        assert isinstance(unknown, UnknownPayload)
        assert (unknown.kind, dict(unknown.data)) == ("conformance_unknown", {"whatever": [1]})

    @on_bus()
    async def test_a_kind_that_a_plugin_registers_arrives_as_it_was_sent(self, bus: MessageBus) -> None:
        """By who knows no more of it than its name, and by the plugin."""
        box = bus.subscribe("a")
        told = {"kind": "conformance_hummed", "tune": "la"}
        await bus.publish(message_of(UnknownPayload.model_validate(told), "a"))
        got = (await received(box)).payload
        known = payload_class("conformance_hummed", plugged())
        assert known is not None and type(got) in (known, UnknownPayload) and got.model_dump() == told
        await bus.publish(message_of(known.model_validate(told), "a"))
        assert (await received(box)).payload == known.model_validate(told)

    @on_bus(capacity=2)
    async def test_a_reply_goes_to_who_asked_and_fills_no_mailbox(self, bus: MessageBus) -> None:
        """Whoever listens at its own address and asks from there gets the reply once; those who hear everyone, too."""
        box, own, tap = bus.subscribe("a"), bus.subscribe(SESSION), bus.subscribe(EVERYONE)
        for number in range(3):
            asked = ask(bus, number)
            await bus.publish((await received(box)).reply(READY, sequence=number))
            assert (await asked).sequence == number
            assert await taken(tap, 2) == [number, number]
        await say(bus, 9, to=SESSION)
        assert await taken(own, 1) == [9]
