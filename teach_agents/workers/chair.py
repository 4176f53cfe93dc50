"""An agent's worker: it answers for the agent, and lets whoever replaces others go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teach_agents.core.agents.contract import Agent, name_of, provenance_of, relives
from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.answering import answer_all
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.messages import (
    ActionAnswered,
    BeginAsked,
    BeginDone,
    BeginWanted,
    Message,
    ObservationAsked,
    Payload,
    Refused,
    SeatAsked,
    SeatTold,
)
from teach_agents.core.session.seats import AgentHost
from teach_agents.errors import InputError
from teach_agents.workers.wire import ObservationWire


class Chair(AgentHost):
    """Answers for `agent` at its role's address, until it is dismissed.

    The observation that was answered last is answered the same way again, so that an environment that died between
    question and record goes on with the same answer. An agent that was not begun, or is asked for
    an earlier turn, asks to be begun. `views` names the pictures that the agent looks at. `codec` is the bus's, by
    default households': a session in another world, or in a version of it that is not read here, is refused.
    """

    def __init__(
        self,
        agent: Agent,
        role: Any,
        bus: MessageBus,
        session_id: str,
        *,
        views: tuple[str, ...] = (),
        codec: MessageCodec | None = None,
    ) -> None:
        self._codec = codec or ObservationWire(agent.privileges)
        if self._codec.values is None:
            raise InputError("worker", "needs the codec of its world: MessageCodec(codec)")
        super().__init__(agent, role, bus, session_id, self._codec.values)
        self._views = views
        self._begun = False
        self._turn = -1
        self._last: Payload | None = None
        self._told: Mapping[str, str] = {}

    async def serve(self) -> None:
        """Answer until dismissed.

        Raises `InputError` where session and worker are of two worlds, `BusReplacedError` when another process has this
        chair, and `BusError`.
        """
        parted = await answer_all(self._bus, self._inbox, self._seated)
        if isinstance(parted, Refused):
            raise InputError(f"the session {self._session_id!r}", f"refuses the {self._role}: {parted.problem}")

    async def _seated(self, request: Message) -> Payload | None:
        """The reply to any request."""
        payload = request.payload
        if getattr(payload, "role", None) != self._role:
            return None
        if isinstance(payload, SeatAsked):
            return self._seat(payload)
        if isinstance(payload, BeginAsked):
            self._begun, self._turn, self._last = False, -1, None
            answer = await self.answer(request)
            self._begun = isinstance(answer, BeginDone)
            return answer
        if isinstance(payload, ObservationAsked):
            return await self._observed(request, payload)
        return None

    async def _observed(self, request: Message, asked: ObservationAsked) -> Payload | None:
        if self._begun and self._last is not None and asked.turn == self._turn:
            return self._last
        expected = self._begun and (self._last is None or asked.turn > self._turn)
        if not expected or asked.observation is None:
            return BeginWanted(role=self._role)
        answer = await self.answer(request)
        if isinstance(answer, ActionAnswered):
            answer = self._with_provenance(answer)
        self._turn, self._last = asked.turn, answer
        return answer

    def _with_provenance(self, answer: ActionAnswered) -> ActionAnswered:
        """The answer, with what the agent's answers depend on where that is news."""
        now = provenance_of(self._agent)
        if now == self._told:
            return answer
        self._told = now
        return answer.model_copy(update={"provenance": now})

    def _seat(self, asked: SeatAsked) -> Payload:
        """Who sits here; why that is not possible where the session is of another world."""
        try:
            self._codec.check(f"the session {self._session_id!r}", asked.world, asked.version)
        except InputError as error:
            return Refused(problem=str(error))
        agent = self._agent
        self._told = provenance_of(agent)
        return SeatTold(
            **self._codec.stated,
            role=self._role,
            spec=name_of(agent),
            privileges=tuple(sorted(agent.privileges)),
            views=self._views,
            provenance=dict(self._told),
            begun=self._begun,
            relives=relives(agent),
            turn=self._turn,
        )
