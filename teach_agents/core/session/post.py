"""The session's side of the bus: numbers, addresses and correlates its messages."""

from __future__ import annotations

from teach_agents.core.bus import MessageBus
from teach_agents.core.messages import EVERYONE, SESSION, Message, Payload


class Post:
    """Sends as `SESSION` within one session. Its requests are told from those of another post by its `mark`."""

    def __init__(self, bus: MessageBus, session_id: str, mark: str = "") -> None:
        self._bus = bus
        self._session_id = session_id
        self._mark = mark
        self._sent = 0

    async def tell(self, payload: Payload, time_ms: int) -> None:
        """Publish an event for whoever listens; raises what `MessageBus.publish` raises."""
        await self._bus.publish(self._message(EVERYONE, payload, time_ms, correlation=""))

    async def ask(self, address: str, payload: Payload, time_ms: int, *, timeout: float | None) -> Payload:
        """Ask who listens at an address, as a role's host does at the role, and wait for the reply.

        Raises what `MessageBus.request` raises.
        """
        correlation = f"{self._session_id}/{self._mark}{self._sent}"
        request = self._message(address, payload, time_ms, correlation)
        return (await self._bus.request(request, timeout=timeout)).payload

    async def overheard(self, address: str, question: Payload, answer: Payload, time_ms: int, number: int) -> None:
        """Publish what was asked of somebody of this process, and its answer, the `number`-th of that address."""
        correlation = f"{self._session_id}/{self._mark}{self._sent}"
        request = self._message(address, question, time_ms, correlation)
        await self._bus.publish(request)
        await self._bus.publish(request.reply(answer, sequence=number))

    def _message(self, recipient: str, payload: Payload, time_ms: int, correlation: str) -> Message:
        number = self._sent
        self._sent += 1
        return Message(
            session=self._session_id,
            sequence=number,
            sender=SESSION,
            recipient=recipient,
            time_ms=time_ms,
            correlation=correlation,
            payload=payload,
        )
