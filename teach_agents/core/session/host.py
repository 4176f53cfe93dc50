"""An agent behind the bus: it answers what the session asks at its seat's address."""

from __future__ import annotations

import traceback
from typing import Any

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.answering import answer_all
from teach_agents.core.codec import Codec
from teach_agents.core.messages import (
    ActionAnswered,
    AgentFailed,
    BeginAsked,
    BeginDone,
    Message,
    ObservationAsked,
    Payload,
)
from teach_agents.core.session.episode import Answer
from teach_agents.core.session.seated import Seated
from teach_agents.core.values import Utterance


class AgentHost:
    """Subscribes at its seat's address and answers every request with what its agent says, raises or fails to say.

    How long an answer may take is for the session to know.
    """

    def __init__(self, agent: Agent, seat: Any, bus: MessageBus, session_id: str, codec: Codec[Any, Any, Any]) -> None:
        self._agent = agent
        self._role = seat
        self._bus = bus
        self._session_id = session_id
        self._inbox = bus.subscribe(str(seat), session=session_id)
        self._runner = Runner(f"{seat} of {session_id}")
        self._caller = Seated(agent, seat, self._runner, codec)

    def close(self) -> None:
        """Listen no more, and let the thread end."""
        self._inbox.close()
        self.stop()

    def stop(self) -> None:
        """Let the thread end; whoever comes after at this address finds what was not handled."""
        self._runner.stop()

    async def serve(self) -> None:
        """Answer until cancelled or closed. Raises `BusFullError` when an answer cannot be delivered."""
        await answer_all(self._bus, self._inbox, self.answer)

    async def answer(self, request: Message) -> Payload | None:
        """What the agent says to a request, or `AgentFailed`; `None` to what is no request for it."""
        payload, runner, caller = request.payload, self._runner, self._caller
        if getattr(payload, "role", None) != self._role:
            return None
        try:
            if isinstance(payload, BeginAsked):
                briefing = Briefing(self._session_id, self._role, payload.seed, payload.resumed)
                await runner.arun(lambda: caller.begin(briefing, None))
                return BeginDone(role=self._role)
            if isinstance(payload, ObservationAsked) and (seen := payload.observation) is not None:
                return await runner.arun(lambda: self._asked(payload, seen))
        except RaisedError as raised:
            error = raised.error
            details = "".join(traceback.format_exception(error))
            return AgentFailed(role=self._role, problem=f"raised {type(error).__name__}: {error}", details=details)
        return None

    def _asked(self, asked: ObservationAsked, seen: Any) -> ActionAnswered:
        """The answer to an observation, once it is told the news; without an action where it looks on or is read."""
        caller, turn, role = self._caller, asked.turn, self._role
        if asked.told is not None:
            caller.inform(asked.told, None)
        for said in asked.heard:
            caller.inform(Utterance(*said), None)
        caller.offer(asked.valid)
        if asked.recalled:
            caller.recall(seen, None)
            return ActionAnswered(turn=turn, role=role)
        if asked.reading:
            reading = caller.read(seen, asked.valid, asked.samples, None, "gave no distribution")
            return ActionAnswered(turn=turn, role=role, chances=reading.chances, how=reading.how)
        return answered(turn, role, caller.answer(seen, None))


def answered(turn: int, seat: Any, answer: Answer) -> ActionAnswered:
    """An answer as a message."""
    return ActionAnswered(
        turn=turn,
        role=seat,
        action=answer.action,
        problem=answer.problem,
        thought=None if answer.thought is None else dict(answer.thought),
    )
