"""What every MessageBus must do, as tests that an implementation inherits.

```python
class TestMyBus(MessageBusContract):
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        return MyBus(capacity=capacity, patience=patience)
```

A bus that writes its messages is given the codec of the suite's world, `CODEC`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from teach_agents.core.bus.answering import answer_all
from teach_agents.core.bus.contract import OVERHEARING_S, MessageBus, Subscription
from teach_agents.core.codec import Codec
from teach_agents.core.errors import (
    BusClosedError,
    BusError,
    BusFullError,
    BusLostError,
    NobodyListensError,
    RequestTimeoutError,
)
from teach_agents.core.messages import (
    EVERYONE,
    SESSION,
    ActionAnswered,
    ActionExecuted,
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
from teach_agents.core.values import Result, Say

__all__ = ["CODEC", "MessageBusContract"]

_SOON = 5.0
_DELIVERED = 0.3
"""Seconds in which a message reaches its mailbox, also through another process on a busy machine."""


@dataclass(frozen=True, slots=True)
class _Step:
    """The one action of the suite's world."""

    where: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """Its observations."""

    secret: str
    picture: bytes = b""


CODEC: Codec[str, _Step, _Seen] = Codec("conformance", instance=str, actions=(_Step,), observation=_Seen)
"""How the values of the suite's world are written."""


class _Rang(Payload):
    """A kind of message that no part of the core knows."""

    kind: Literal["conformance_rang"] = "conformance_rang"
    times: int


def _message(payload: Payload, to: str, *, sender: str = SESSION, number: int = 0, correlation: str = "") -> Message:
    return Message(session="s", sequence=number, sender=sender, recipient=to, correlation=correlation, payload=payload)


def _said(number: int, *, to: str = EVERYONE, session: str = "s") -> Message:
    payload = UtteranceSaid(turn=number, speaker="b", text=str(number))
    return Message(session=session, sequence=number, sender="b", recipient=to, payload=payload)


def _request(number: int) -> Message:
    return _message(BeginAsked(role="a", seed=number), "a", number=number, correlation=f"c{number}")


def _strays() -> list[Message]:
    """What strangers may send to the seat "a", in the best or worst of intentions."""
    asked = ObservationAsked(turn=0, role="a", observation=_Seen("forged"))
    return [
        _message(payload, "a", sender="stranger", correlation=correlation)
        for payload in (
            UtteranceSaid(turn=0, speaker="stranger", text="hello"),
            SpeakAsked(speaker="stranger", text="hello"),
            BeginAsked(role="a"),
            BeginDone(role="a"),
            ActionAnswered(turn=0, role="a", action=_Step("off")),
            Dismissed(),
            asked,
            _Rang(times=3),
            UnknownPayload.model_validate({"kind": "conformance_unknown", "whatever": [1]}),
        )
        for correlation in ("", "c1", "c9")
    ]


async def _raises(error: type[Exception], waits: Awaitable[object]) -> Exception:
    try:
        await asyncio.wait_for(waits, _SOON)
    except error as caught:
        return caught
    raise AssertionError(f"expected {error.__name__}")


async def _take(box: Subscription, count: int) -> list[int]:
    return [(await asyncio.wait_for(box.receive(), _SOON)).sequence for _ in range(count)]


class MessageBusContract(ABC):
    """Inherit, say how a bus is made, and pytest runs the contract."""

    @abstractmethod
    def make_bus(self, *, capacity: int, patience: float) -> MessageBus:
        """A fresh bus: mailboxes of `capacity` messages, publishers that wait `patience` seconds."""

    def _with_bus(
        self, scene: Callable[[MessageBus], Awaitable[None]], *, capacity: int = 64, patience: float = _SOON
    ) -> None:
        async def run() -> None:
            bus = self.make_bus(capacity=capacity, patience=patience)
            try:
                await scene(bus)
            finally:
                await bus.close()

        asyncio.run(run())

    def test_a_message_reaches_its_recipient_and_those_who_hear_everyone(self) -> None:
        """Addresses are kept apart; `EVERYONE` hears all."""

        async def scene(bus: MessageBus) -> None:
            mine, other, tap = bus.subscribe("a"), bus.subscribe("b"), bus.subscribe(EVERYONE)
            await bus.publish(_said(0, to="a"))
            await bus.publish(_said(1, to="b"))
            await bus.publish(_said(2))
            assert await _take(mine, 1) == [0]
            assert await _take(other, 1) == [1]
            assert await _take(tap, 3) == [0, 1, 2]

        self._with_bus(scene)

    def test_a_subscription_to_one_session_hears_no_other(self) -> None:
        """Sessions share a bus without mixing."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE, session="a")
            await bus.publish(_said(0, session="b"))
            await bus.publish(_said(1, session="a"))
            assert await _take(box, 1) == [1]

        self._with_bus(scene)

    def test_order_within_a_session_survives_back_pressure(self) -> None:
        """Publishers that wait for room do not overtake one another."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            publishers = [asyncio.create_task(bus.publish(_said(number, to="a"))) for number in range(40)]
            assert await _take(box, 40) == list(range(40))
            await asyncio.gather(*publishers)

        self._with_bus(scene, capacity=2)

    def test_a_newcomer_does_not_overtake_a_publisher_that_waits_for_room(self) -> None:
        """Not even where room was made just before it came."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            await bus.publish(_said(0, to="a"))
            waiting = asyncio.create_task(bus.publish(_said(1, to="a")))
            await asyncio.sleep(_DELIVERED)
            newcomer = asyncio.create_task(bus.publish(_said(2, to="a")))
            assert (await box.receive()).sequence == 0
            assert await _take(box, 2) == [1, 2]
            await asyncio.gather(waiting, newcomer)

        self._with_bus(scene, capacity=1)

    def test_a_full_mailbox_raises_where_the_message_was_published(self) -> None:
        """Who is addressed and never reads stops the publisher, loudly."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            await bus.publish(_said(0, to="a"))
            await _raises(BusFullError, bus.publish(_said(1, to="a")))
            assert await _take(box, 1) == [0]
            await bus.publish(_said(2, to="a"))
            assert await _take(box, 1) == [2]

        self._with_bus(scene, capacity=1, patience=0.05)

    def test_a_message_for_nobody_raises(self) -> None:
        """Nothing is lost silently."""

        async def scene(bus: MessageBus) -> None:
            await _raises(BusError, bus.publish(_said(0, to="a")))

        self._with_bus(scene)

    def test_replies_find_their_requests_in_any_order(self) -> None:
        """Correlation joins a reply to its request."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            asked = [asyncio.create_task(bus.request(_request(number), timeout=_SOON)) for number in (1, 2)]
            requests = [await asyncio.wait_for(box.receive(), _SOON) for _ in asked]
            for number, request in enumerate(reversed(requests)):
                await bus.publish(request.reply(BeginDone(role="a"), sequence=number))
            assert [(await task).correlation for task in asked] == ["c1", "c2"]

        self._with_bus(scene)

    def test_a_request_without_a_reply_times_out_and_a_late_reply_raises(self) -> None:
        """Neither side waits for ever or loses a message unawares."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            await _raises(RequestTimeoutError, bus.request(_request(1), timeout=0.05))
            request = await asyncio.wait_for(box.receive(), _SOON)
            await _raises(BusError, bus.publish(request.reply(BeginDone(role="a"), sequence=0)))

        self._with_bus(scene)

    def test_closing_wakes_everyone_who_waits(self) -> None:
        """Requests, receivers and later publishers get `BusClosedError`; what was delivered is still received."""

        async def scene(bus: MessageBus) -> None:
            box, idle = bus.subscribe("a"), bus.subscribe("b")
            asked = asyncio.create_task(bus.request(_request(1), timeout=_SOON))
            waiting = asyncio.create_task(idle.receive())
            await asyncio.sleep(_DELIVERED)
            await bus.close()
            await bus.close()
            await _raises(BusClosedError, asked)
            await _raises(BusClosedError, waiting)
            assert await _take(box, 1) == [1]
            await _raises(BusClosedError, box.receive())
            await _raises(BusClosedError, bus.publish(_said(2)))
            assert [message async for message in idle] == []

        self._with_bus(scene)

    def test_a_closed_subscription_holds_nobody_up(self) -> None:
        """A publisher that waits for a listener who leaves goes on."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            await bus.publish(_said(0))
            publisher = asyncio.create_task(bus.publish(_said(1)))
            await asyncio.sleep(0.01)
            box.close()
            box.close()
            await asyncio.wait_for(publisher, _SOON)

        self._with_bus(scene, capacity=1)

    def test_who_hears_everyone_and_does_not_read_holds_nobody_up_and_is_told(self) -> None:
        """A stranger's mailbox costs a moment, once; what it missed it is told of, and then hears on."""

        async def scene(bus: MessageBus) -> None:
            tap, box = bus.subscribe(EVERYONE), bus.subscribe("a")
            begun = monotonic()
            for number in range(8):
                await bus.publish(_said(number, to="a"))
                assert await _take(box, 1) == [number]
            assert monotonic() - begun < 3 * OVERHEARING_S
            assert await _take(tap, 2) == [0, 1]
            await _raises(BusLostError, tap.receive())
            await bus.publish(_said(8))
            assert await _take(tap, 1) == [8]

        self._with_bus(scene, capacity=2)

    def test_who_hears_everyone_and_reads_in_time_misses_nothing(self) -> None:
        """Publishers wait a moment for listeners, too."""

        async def scene(bus: MessageBus) -> None:
            tap = bus.subscribe(EVERYONE)
            publishers = [asyncio.create_task(bus.publish(_said(number))) for number in range(12)]
            assert await _take(tap, 12) == list(range(12))
            await asyncio.gather(*publishers)

        self._with_bus(scene, capacity=2)

    def test_who_waits_for_room_holds_up_no_other_sender(self) -> None:
        """A stranger that floods one address stops itself."""

        async def scene(bus: MessageBus) -> None:
            flooded, box = bus.subscribe("b"), bus.subscribe("a")
            flood = [
                asyncio.create_task(bus.publish(_message(_Rang(times=1), "b", sender="stranger", number=number)))
                for number in range(4)
            ]
            await asyncio.sleep(_DELIVERED)
            await asyncio.wait_for(bus.publish(_said(7, to="a")), _SOON / 2)
            assert await _take(box, 1) == [7]
            assert await _take(flooded, 4) == [0, 1, 2, 3]
            await asyncio.gather(*flood)

        self._with_bus(scene, capacity=1, patience=2 * _SOON)

    def test_an_observation_reaches_its_recipient_only(self) -> None:
        """Whoever listens to everything, or at the same address later, hears that it was asked for, and no more."""

        async def scene(bus: MessageBus) -> None:
            tap, mine = bus.subscribe(EVERYONE), bus.subscribe("a")
            await bus.publish(_said(0, to="a"))
            assert await _take(mine, 1) == [0] == await _take(tap, 1)
            late, later = bus.subscribe("a"), bus.subscribe(EVERYONE, session="s")
            seen = _Seen("for a alone", b"\x00picture")
            await bus.publish(_message(ObservationAsked(turn=3, role="a", observation=seen), "a"))
            await bus.publish(_message(ObservationAsked(turn=3, role="a", observation=seen), EVERYONE))
            got = await asyncio.wait_for(mine.receive(), _SOON)
            assert isinstance(got.payload, ObservationAsked) and got.payload.observation == seen
            for box in (tap, tap, later, later, late):
                heard = await asyncio.wait_for(box.receive(), _SOON)
                assert isinstance(heard.payload, ObservationAsked)
                assert (heard.payload.turn, heard.payload.observation) == (3, None)
                assert "for a alone" not in repr(heard)

        self._with_bus(scene)

    def test_a_worlds_values_arrive_as_they_were_sent(self) -> None:
        """Actions, results without what agents may not know, kinds of messages from elsewhere and unknown ones."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe(EVERYONE)
            result = Result(True, "done", cost=0.5, trace={"hidden": 1})
            sent = [
                ActionAnswered(turn=1, role="a", action=_Step("north")),
                ActionAnswered(turn=1, role="a", problem="nothing"),
                ActionExecuted(turn=1, role="a", action=Say("hello"), result=result),
                _Rang(times=2),
                UnknownPayload.model_validate({"kind": "conformance_unknown", "whatever": [1]}),
            ]
            for payload in sent:
                await bus.publish(_message(payload, EVERYONE))
            got = [(await asyncio.wait_for(box.receive(), _SOON)).payload for _ in sent]
            assert got == sent
            executed, unknown = got[2], got[4]
            assert isinstance(executed, ActionExecuted) and not executed.result.trace
            assert isinstance(unknown, UnknownPayload)
            assert (unknown.kind, dict(unknown.data)) == ("conformance_unknown", {"whatever": [1]})

        self._with_bus(scene)

    def test_only_who_was_asked_can_answer(self) -> None:
        """A reply that somebody else forges is not taken for the answer, and raises where it was published."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            asked = asyncio.create_task(bus.request(_request(1), timeout=_SOON))
            request = await asyncio.wait_for(box.receive(), _SOON)
            forged = _message(BeginDone(role="b"), SESSION, sender="stranger", correlation="c1")
            await _raises(NobodyListensError, bus.publish(forged))
            await bus.publish(request.reply(BeginDone(role="a"), sequence=0))
            assert (await asked).payload == BeginDone(role="a")

        self._with_bus(scene)

    def test_a_second_request_with_a_used_correlation_is_refused(self) -> None:
        """The first is answered as if there had been none."""

        async def scene(bus: MessageBus) -> None:
            box = bus.subscribe("a")
            asked = asyncio.create_task(bus.request(_request(1), timeout=_SOON))
            request = await asyncio.wait_for(box.receive(), _SOON)
            second = _message(BeginAsked(role="a"), "a", sender="stranger", correlation="c1")
            await _raises(BusError, bus.request(second, timeout=_SOON))
            await bus.publish(request.reply(BeginDone(role="a"), sequence=0))
            assert (await asked).payload == BeginDone(role="a")

        self._with_bus(scene)

    def test_a_reply_goes_to_who_asked_and_fills_no_mailbox(self) -> None:
        """Whoever listens at its own address and asks from there gets the reply once; those who hear everyone, too."""

        async def scene(bus: MessageBus) -> None:
            box, own, tap = bus.subscribe("a"), bus.subscribe(SESSION), bus.subscribe(EVERYONE)
            for number in range(3):
                asked = asyncio.create_task(bus.request(_request(number), timeout=_SOON))
                request = await asyncio.wait_for(box.receive(), _SOON)
                await bus.publish(request.reply(BeginDone(role="a"), sequence=number))
                assert (await asked).sequence == number
                assert await _take(tap, 2) == [number, number]
            await bus.publish(_said(9, to=SESSION))
            assert await _take(own, 1) == [9]

        self._with_bus(scene, capacity=2)

    def test_whoever_answers_is_unharmed_by_whatever_comes(self) -> None:
        """It is asked what the session asks and nothing else; replies that nobody waits for end nothing."""

        async def scene(bus: MessageBus) -> None:
            put: list[Payload] = []

            async def reply_to(request: Message) -> Payload | None:
                put.append(request.payload)
                return BeginDone(role="a") if isinstance(request.payload, BeginAsked) else None

            serving = asyncio.create_task(answer_all(bus, bus.subscribe("a"), reply_to))
            await asyncio.sleep(0)
            unwaited, odd = _request(3), _message(_Rang(times=1), "a", correlation="c4")
            for number in (1, 2):
                for stray in (*_strays(), unwaited, odd):
                    await bus.publish(stray)
                assert (await bus.request(_request(number), timeout=_SOON)).payload == BeginDone(role="a")
            await bus.publish(_message(Dismissed(), "a"))
            assert await asyncio.wait_for(serving, _SOON) == Dismissed()
            turn = [unwaited.payload, odd.payload]
            assert put == [*turn, _request(1).payload, *turn, _request(2).payload]

        self._with_bus(scene)
