"""Third parties that speak into a session."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from teach_agents.core.bus import MessageBus, Subscription
from teach_agents.core.environment import Environment
from teach_agents.core.errors import BusError, BusLostError, InputError, TeachAgentsError
from teach_agents.core.messages import SpeakAsked, SpeakDone
from teach_agents.core.session.episode import Episode


class Visitors:
    """What is said into a session from outside, by any thread or over a bus; it is heard before the next turn."""

    def __init__(self, environment: Environment[Any, Any, Any]) -> None:
        self._environment = environment
        self._spoken: deque[tuple[str, str]] = deque()

    def say(self, text: str, name: str) -> None:
        """Speak under a name. Raises `InputError` for the name of a seat and for what cannot be said."""
        if name in self._environment.seats or not name:
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
