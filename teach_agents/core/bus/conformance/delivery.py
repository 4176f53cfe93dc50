"""Messages arrive, in order, as they were sent; what cannot arrive raises."""

from __future__ import annotations

import asyncio

from teach_agents.core.bus.conformance.scene import (
    DELIVERED,
    SOON,
    BusScene,
    Rang,
    Step,
    message_of,
    plugged,
    raises,
    request_of,
    said,
    taken,
)
from teach_agents.core.bus.contract import MessageBus
from teach_agents.core.errors import BusClosedError, BusError, BusFullError, RequestTimeoutError
from teach_agents.core.messages import EVERYONE, SESSION, ActionAnswered, ActionExecuted, BeginDone, UnknownPayload
from teach_agents.core.payload import payload_class
from teach_agents.core.values import Result, Say


class DeliveryContract(BusScene):
    """Addresses, order, back pressure, requests and their replies, closing."""

    def test_a_message_reaches_its_recipient_and_those_who_hear_everyone(self) -> None:
        """Addresses are kept apart; `EVERYONE` hears all."""

        async def scene(bus: MessageBus) -> None:
            mine, other, tap = bus.subscribe("a"), bus.subscribe("b"), bus.subscribe(EVERYONE)
            await bus.publish(said(0, to="a"))
            await bus.publish(said(1, to="b"))
            await bus.publish(said(2))
            assert await taken(mine, 1) == [0]
            assert await taken(other, 1) == [1]
            assert await taken(tap, 3) == [0, 1, 2]

        self.with_bus(scene)

    def test_a_subscription_to_one_session_hears_no_other(self) -> None:
        """Sessions share a bus without mixing."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE, session="a")
            await bus.publish(said(0, session="b"))
            await bus.publish(said(1, session="a"))
            assert await taken(box, 1) == [1]

        self.with_bus(scene)

    def test_order_within_a_session_survives_back_pressure(self) -> None:
        """Publishers that wait for room do not overtake one another."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            publishers = [asyncio.create_task(bus.publish(said(number, to="a"))) for number in range(40)]
            assert await taken(box, 40) == list(range(40))
            await asyncio.gather(*publishers)

        self.with_bus(scene, capacity=2)

    def test_a_newcomer_does_not_overtake_a_publisher_that_waits_for_room(self) -> None:
        """Not even where there was space just before it came."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            await bus.publish(said(0, to="a"))
            waiting = asyncio.create_task(bus.publish(said(1, to="a")))
            await asyncio.sleep(DELIVERED)
            newcomer = asyncio.create_task(bus.publish(said(2, to="a")))
            assert (await box.receive()).sequence == 0
            assert await taken(box, 2) == [1, 2]
            await asyncio.gather(waiting, newcomer)

        self.with_bus(scene, capacity=1)

    def test_a_full_mailbox_raises_where_the_message_was_published(self) -> None:
        """Who is addressed and never reads stops the publisher, loudly."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            await bus.publish(said(0, to="a"))
            await raises(BusFullError, bus.publish(said(1, to="a")))
            assert await taken(box, 1) == [0]
            await bus.publish(said(2, to="a"))
            assert await taken(box, 1) == [2]

        self.with_bus(scene, capacity=1, patience=0.05)

    def test_a_message_for_nobody_raises(self) -> None:
        """Nothing is lost silently."""

        async def scene(bus: MessageBus) -> None:
            await raises(BusError, bus.publish(said(0, to="a")))

        self.with_bus(scene)

    def test_replies_find_their_requests_in_any_order(self) -> None:
        """Correlation joins a reply to its request."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            asked = [asyncio.create_task(bus.request(request_of(number), timeout=SOON)) for number in (1, 2)]
            requests = [await asyncio.wait_for(box.receive(), SOON) for _ in asked]
            for number, request in enumerate(reversed(requests)):
                await bus.publish(request.reply(BeginDone(role="a"), sequence=number))
            assert [(await task).correlation for task in asked] == ["c1", "c2"]

        self.with_bus(scene)

    def test_a_request_without_a_reply_times_out_and_a_late_reply_raises(self) -> None:
        """Neither side waits for ever or loses a message unawares."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            await raises(RequestTimeoutError, bus.request(request_of(1), timeout=0.05))
            request = await asyncio.wait_for(box.receive(), SOON)
            await raises(BusError, bus.publish(request.reply(BeginDone(role="a"), sequence=0)))

        self.with_bus(scene)

    def test_closing_wakes_everyone_who_waits(self) -> None:
        """Requests, receivers and later publishers get `BusClosedError`; what was delivered is still received."""

        async def scene(bus: MessageBus) -> None:
            box, idle = bus.subscribe("a"), bus.subscribe("b")
            asked = asyncio.create_task(bus.request(request_of(1), timeout=SOON))
            waiting = asyncio.create_task(idle.receive())
            await asyncio.sleep(DELIVERED)
            await bus.close()
            await bus.close()
            await raises(BusClosedError, asked)
            await raises(BusClosedError, waiting)
            assert await taken(box, 1) == [1]
            await raises(BusClosedError, box.receive())
            await raises(BusClosedError, bus.publish(said(2)))
            assert [message async for message in idle] == []

        self.with_bus(scene)

    def test_a_closed_subscription_holds_nobody_up(self) -> None:
        """A publisher that waits for a listener who leaves goes on."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            await bus.publish(said(0))
            publisher = asyncio.create_task(bus.publish(said(1)))
            await asyncio.sleep(0.01)
            box.close()
            box.close()
            await asyncio.wait_for(publisher, SOON)

        self.with_bus(scene, capacity=1)

    def test_a_worlds_values_arrive_as_they_were_sent(self) -> None:
        """Actions, results without what agents may not know, kinds of messages from elsewhere and unknown ones."""

        async def scene(bus: MessageBus) -> None:
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
            got = [(await asyncio.wait_for(box.receive(), SOON)).payload for _ in sent]
            assert got == sent
            executed, unknown = got[2], got[4]
            assert isinstance(executed, ActionExecuted) and not executed.result.trace
            assert isinstance(unknown, UnknownPayload)
            assert (unknown.kind, dict(unknown.data)) == ("conformance_unknown", {"whatever": [1]})

        self.with_bus(scene)

    def test_a_kind_that_a_plugin_registers_arrives_as_it_was_sent(self) -> None:
        """By who knows no more of it than its name, and by the plugin."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            told = {"kind": "conformance_hummed", "tune": "la"}
            await bus.publish(message_of(UnknownPayload.model_validate(told), "a"))
            got = (await asyncio.wait_for(box.receive(), SOON)).payload
            known = payload_class("conformance_hummed", plugged())
            assert known is not None and type(got) in (known, UnknownPayload) and got.model_dump() == told
            await bus.publish(message_of(known.model_validate(told), "a"))
            assert (await asyncio.wait_for(box.receive(), SOON)).payload == known.model_validate(told)

        self.with_bus(scene)

    def test_a_reply_goes_to_who_asked_and_fills_no_mailbox(self) -> None:
        """Whoever listens at its own address and asks from there gets the reply once; those who hear everyone, too."""

        async def scene(bus: MessageBus) -> None:
            box, own, tap = bus.subscribe("a"), bus.subscribe(SESSION), bus.subscribe(EVERYONE)
            for number in range(3):
                asked = asyncio.create_task(bus.request(request_of(number), timeout=SOON))
                request = await asyncio.wait_for(box.receive(), SOON)
                await bus.publish(request.reply(BeginDone(role="a"), sequence=number))
                assert (await asked).sequence == number
                assert await taken(tap, 2) == [number, number]
            await bus.publish(said(9, to=SESSION))
            assert await taken(own, 1) == [9]

        self.with_bus(scene, capacity=2)
