"""An agent's worker: it answers for the agent, and lets whoever replaces others go on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from teach_agents.core.agents.contract import Agent, Briefing, name_of, provenance_of, relives
from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.answering import answer_all
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.messages import (
    ActionAnswered,
    AgentFailed,
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
from teach_agents.core.session.seats import Seated, answered
from teach_agents.core.values import Utterance
from teach_agents.errors import InputError
from teach_agents.workers.wire import ObservationWire


class Chair:
    """Answers for `agent` at its role's address, until it is dismissed. The session knows how long it may take.

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
        self._agent = agent
        self._role = role
        self._bus = bus
        self._session_id = session_id
        self._inbox = bus.subscribe(str(role), session=session_id)
        self._runner = Runner(f"{role} of {session_id}")
        self._caller = Seated(agent, role, self._runner, self._codec.values)
        self._views = views
        self._begun = False
        self._turn = -1
        self._last: Payload | None = None
        self._told: Mapping[str, str] = {}

    def close(self) -> None:
        """Listen no more, and let the thread end."""
        self._inbox.close()
        self.stop()

    def stop(self) -> None:
        """Let the thread end; whoever comes after at this address finds what was not handled."""
        self._runner.stop()

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
        match payload:
            case SeatAsked():
                return self._seat(payload)
            case BeginAsked():
                self._begun, self._turn, self._last = False, -1, None
                answer = await self._answer(lambda: self._began(payload))
                self._begun = isinstance(answer, BeginDone)
                return answer
            case ObservationAsked():
                return await self._observed(payload)
        return None

    async def _observed(self, asked: ObservationAsked) -> Payload | None:
        if self._begun and asked.turn == self._turn:
            return self._last
        if not self._begun or asked.turn < self._turn or asked.observation is None:
            return BeginWanted(role=self._role)
        answer = await self._answer(lambda: self._asked(asked))
        if isinstance(answer, ActionAnswered):
            answer = self._with_provenance(answer)
        self._turn, self._last = asked.turn, answer
        return answer

    async def _answer(self, call: Callable[[], Payload]) -> Payload:
        """What the agent says, or `AgentFailed`."""
        try:
            return await self._runner.arun(call)
        except RaisedError as raised:
            error = raised.error
            details = "".join(traceback.format_exception(error))
            return AgentFailed(role=self._role, problem=f"raised {type(error).__name__}: {error}", details=details)

    def _began(self, asked: BeginAsked) -> Payload:
        self._caller.begin(Briefing(self._session_id, self._role, asked.seed, asked.resumed, asked.state), None)
        return BeginDone(role=self._role)

    def _asked(self, asked: ObservationAsked) -> Payload:
        """The answer to an observation, once it is told the news; without an action where it looks on or is read."""
        caller, turn, role, seen = self._caller, asked.turn, self._role, asked.observation
        if asked.told is not None:
            caller.inform(asked.told, None)
        for said in asked.heard:
            caller.inform(Utterance(*said), None)
        caller.agent.valid_actions = asked.valid
        if asked.recalled:
            caller.recall(seen, None)
            return ActionAnswered(turn=turn, role=role)
        if asked.reading:
            reading = caller.read(seen, asked.valid, asked.samples, None, "gave no distribution")
            return ActionAnswered(turn=turn, role=role, chances=reading.chances, how=reading.how)
        return answered(turn, role, caller.answer(seen, None))

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
