"""Agents behind the bus: a host per chair that answers for its agent, in a thread of the agent's own."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from concurrent.futures import Future

from teach_agents.actions import Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.answering import answer_all
from teach_agents.core.messages import (
    ActionAnswered,
    AgentFailed,
    BeginAsked,
    BeginDone,
    Message,
    ObservationAsked,
    Payload,
)
from teach_agents.session.answering import answer_of
from teach_agents.session.thread import AgentThread

__all__ = ["AgentHost"]

_MOMENT_S = 0.002
"""How long the session's loop stands still for an answer: waking it up again costs more than most answers take."""


class _Raised(Exception):
    """Carries what an agent raised."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class AgentHost:
    """Subscribes at its role's address and answers every request with what its agent says, raises or fails to say."""

    def __init__(self, agent: Agent, role: Role, bus: MessageBus, session_id: str) -> None:
        self._agent = agent
        self._role = role
        self._bus = bus
        self._session_id = session_id
        self._inbox = bus.subscribe(role.value, session=session_id)
        self._thread = AgentThread(f"{role.value} of {session_id}")

    def close(self) -> None:
        """Listen no more, and let the thread end."""
        self._inbox.close()
        self.stop()

    def stop(self) -> None:
        """Let the thread end; whoever comes after at this address finds what was not handled."""
        self._thread.stop()

    async def serve(self) -> None:
        """Answer until cancelled or closed. Raises `BusFullError` when an answer cannot be delivered."""
        await answer_all(self._bus, self._inbox, self.answer)

    async def _call(self, call: Callable[[], object]) -> object:
        """What a call of the agent returns. Raises `_Raised` with what it raised."""
        answered: Future[object] = Future()
        answered.set_running_or_notify_cancel()  # who gives up waiting cancels nothing: the agent still answers

        def told(value: object, error: BaseException | None) -> None:
            if error is None:
                answered.set_result(value)
            else:
                # Wrapped: a future refuses StopIteration, and CancelledError or SystemExit must not act on the session.
                answered.set_exception(_Raised(error))

        self._thread.start(call, told)
        try:
            return answered.result(timeout=_MOMENT_S)
        except TimeoutError:
            return await asyncio.wrap_future(answered)

    async def answer(self, request: Message) -> Payload | None:
        """What the agent says to a request, or `AgentFailed`; `None` to what is no request for it."""
        payload = request.payload
        if getattr(payload, "role", None) != self._role:
            return None
        try:
            if isinstance(payload, BeginAsked):
                briefing = Briefing(self._session_id, self._role, payload.seed, payload.resumed)
                await self._call(lambda: self._agent.begin(briefing))
                return BeginDone(role=self._role)
            if isinstance(payload, ObservationAsked) and (observation := payload.observation) is not None:
                answered = await self._call(lambda: answer_of(self._agent, observation, self._thread.settled))
                assert isinstance(answered, ActionAnswered)
                return answered
        except _Raised as raised:
            return self._failed(raised.error)
        return None

    def _failed(self, error: BaseException) -> Payload:
        details = "".join(traceback.format_exception(error))
        return AgentFailed(role=self._role, problem=f"raised {type(error).__name__}: {error}", details=details)
