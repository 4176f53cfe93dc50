"""The session's side of the bus: messages, numbered and in order; news for agents elsewhere; strangers who speak."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from teach_agents.core.bus import MessageBus, Subscription
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment
from teach_agents.core.errors import BusError, BusLostError, InputError, TeachAgentsError
from teach_agents.core.messages import EVERYONE, SESSION, Message, ObservationAsked, Payload, SpeakAsked, SpeakDone
from teach_agents.core.session.episode import Episode
from teach_agents.core.session.record import said_in
from teach_agents.core.values import Utterance

_T = TypeVar("_T")


class Post:
    """Sends as `SESSION` within one session. Its requests are told from those of another post by its `mark`."""

    def __init__(self, bus: MessageBus, session_id: str, mark: str = "") -> None:
        self._bus = bus
        self._session_id = session_id
        self._mark = mark
        self._sent = 0

    async def tell(self, payload: Payload, time_ms: int) -> None:
        """Publish an event for whoever listens; raises what `MessageBus.publish` raises."""
        await self._bus.publish(self._message(EVERYONE, payload, time_ms))

    async def ask(self, address: str, payload: Payload, time_ms: int, *, timeout: float | None) -> Payload:
        """Ask who listens at an address, as a role's host does at the role, and wait for the reply.

        Raises what `MessageBus.request` raises.
        """
        return (await self._bus.request(self._message(address, payload, time_ms, asking=True), timeout=timeout)).payload

    async def overheard(self, address: str, question: Payload, answer: Payload, time_ms: int, number: int) -> None:
        """Publish what was asked of somebody of this process, and its answer, the `number`-th of that address."""
        request = self._message(address, question, time_ms, asking=True)
        await self._bus.publish(request)
        await self._bus.publish(request.reply(answer, sequence=number))

    def _message(self, recipient: str, payload: Payload, time_ms: int, *, asking: bool = False) -> Message:
        number = self._sent
        self._sent += 1
        return Message(
            session=self._session_id,
            sequence=number,
            sender=SESSION,
            recipient=recipient,
            time_ms=time_ms,
            correlation=f"{self._session_id}/{self._mark}{number}" if asking else "",
            payload=payload,
        )


class BusLine:
    """Publishes through `post` in its event loop, `loop`; for another thread than the loop's."""

    def __init__(self, post: Post, loop: asyncio.AbstractEventLoop) -> None:
        self._post = post
        self._loop = loop
        self._told: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._answered: Counter[str] = Counter()

    def tell(self, payload: Payload, time_ms: int) -> None:
        """Make something known with the next `flush`."""
        self._told.append(lambda: self._post.tell(payload, time_ms))

    def asked(self, seat: str, question: Payload, answer: Payload, time_ms: int) -> None:
        """Make known, with the next `flush`, what an agent of this process was asked, and what it answered."""
        number = self._answered[seat]
        self._answered[seat] += 1
        self._told.append(lambda: self._post.overheard(seat, question, answer, time_ms, number))

    def flush(self) -> None:
        """Publish what was told since the last time. Raises what `MessageBus.publish` raises."""
        if self._told:
            told, self._told = self._told, []

            async def send() -> None:
                for one in told:
                    await one()

            self.wait(send())

    def wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What a coroutine comes to in the event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class News:
    """What was said and what came of actions since each seat was asked last."""

    def __init__(self, seats: tuple[Any, ...]) -> None:
        self._heard: dict[Any, list[Utterance]] = {seat: [] for seat in seats}
        self._told: dict[Any, Any] = dict.fromkeys(seats)

    def heard(self, said: Utterance) -> None:
        """Somebody spoke."""
        for seat, heard in self._heard.items():
            if seat != said.speaker:
                heard.append(said)

    def told(self, seat: Any, done: Any) -> None:
        """What became of what a seat did."""
        self._told[seat] = done.told

    def executed(self, codec: Codec[Any, Any, Any], turn: Any) -> None:
        """A turn was carried out; what strangers said before it was heard already."""
        for seat, done in turn.done.items():
            self.told(seat, done)
        for said in said_in(codec, turn):
            self.heard(said)

    def asked(self, seat: Any, seen: Any, turn: int, **how: Any) -> ObservationAsked:
        """The question what a seat does on seeing this; `how` is what else it says. Nothing is told twice."""
        heard, self._heard[seat] = self._heard[seat], []
        result, self._told[seat] = self._told[seat], None
        return ObservationAsked(
            turn=turn,
            role=seat,
            observation=seen,
            heard=()
            if hasattr(seen, "dialogue")
            else tuple((str(one.speaker), one.text, one.time_ms) for one in heard),
            told=None if hasattr(seen, "last_result") else result,
            **how,
        )


class Visitors:
    """What is said into a session from outside, by any thread or over a bus; it is heard before the next turn."""

    def __init__(self, environment: Environment[Any, Any, Any]) -> None:
        self._environment = environment
        self._spoken: deque[tuple[str, str]] = deque()

    def say(self, text: str, name: str) -> None:
        """Speak under a name. Raises `InputError` for the name of a seat and for what cannot be said."""
        if not isinstance(name, str) or not name.strip() or name in self._environment.seats:
            raise InputError("say", "needs a name that is no seat of this world", value=name)
        self._environment.codec.say(text)
        self._spoken.append((name, text))

    def speak(self, episode: Episode) -> None:
        """Have everything heard that was said since the last time."""
        while self._spoken:
            episode.interject(*self._spoken.popleft())

    def leave(self) -> None:
        """The session is over: what was said too late is heard by nobody."""
        self._spoken.clear()

    @asynccontextmanager
    async def at(self, bus: MessageBus, session_id: str, *addresses: str) -> AsyncIterator[None]:
        """Third parties may speak over a bus, at these addresses of the session."""
        inboxes = [bus.subscribe(address, session=session_id) for address in addresses]
        listening = [asyncio.create_task(self._listen(bus, inbox)) for inbox in inboxes]
        try:
            yield
        finally:
            for inbox, task in zip(inboxes, listening, strict=True):
                inbox.close()
                task.cancel()

    async def _listen(self, bus: MessageBus, inbox: Subscription) -> None:
        """Read what comes to an address of the session: who asks to speak may; anything else is let pass."""
        sent = 0
        while True:
            try:
                async for message in inbox:
                    if isinstance(message.payload, SpeakAsked) and message.correlation:
                        with suppress(BusError):  # whoever asked waits no longer
                            await bus.publish(message.reply(self._asked(message.payload), sequence=sent))
                        sent += 1
                return
            except BusLostError:
                continue  # whoever asked has no reply, and asks again

    def _asked(self, asked: SpeakAsked) -> SpeakDone:
        try:
            self.say(asked.text, asked.speaker)
        except TeachAgentsError as error:
            return SpeakDone(problem=str(error))
        return SpeakDone()
