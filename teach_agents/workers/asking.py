"""The environment's side: it asks agents and recorder of other processes, and brings a replaced agent up to date."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from time import monotonic
from typing import Any

from teach_agents.core.agents.contract import Agent, as_agent
from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.environment import Environment, valid_actions
from teach_agents.core.messages import (
    ActionAnswered,
    AgentFailed,
    BeginAsked,
    BeginDone,
    BeginWanted,
    Dismissed,
    Payload,
    Refused,
    SeatAsked,
    SeatTold,
)
from teach_agents.core.session.bus_client import News, Post
from teach_agents.core.session.context import Unfinished, agent_seed
from teach_agents.core.session.record import begun_again, chosen_in, past_observations
from teach_agents.core.session.seats import state_in
from teach_agents.errors import BusError, InputError, NobodyListensError, RequestTimeoutError, TeachAgentsError
from teach_agents.workers.plan import Plan

_POLL_S = 0.02
_MOST_REPLACED = 20
"""An agent that is replaced more often within one turn does not survive it."""


class Elsewhere(Agent):
    """Stands for an agent that answers over the bus from another process."""

    def __init__(self, told: SeatTold) -> None:
        self.role = told.role
        self.privileges = frozenset(told.privileges)
        self.spec = told.spec
        self.provenance: Mapping[str, str] = told.provenance
        self.relives = told.relives

    def act(self, observation: Any) -> Any:
        """Is never asked here."""
        raise TeachAgentsError(f"the {self.role} answers in another process")


class Seats(Post):
    """Asks agents and recorder, who may die and be replaced: it waits for whoever is to come. See `Post`.

    An agent that was replaced is brought up to date first. It is begun, then asked on the turns so far (`turns`, as
    long as the record) once more, in a world made for it. One that answers otherwise than was recorded is begun again,
    as resumed, and has failed if it is one that relives; so is every other one in a plan that does not `remind`.
    `instance` and `seed` are what is played, to be set before anybody is begun. Raises `Unfinished` where the bus is
    away, or another environment has taken over.
    """

    def __init__(self, bus: MessageBus, plan: Plan, wire: MessageCodec) -> None:
        super().__init__(bus, plan.session_id, mark=f"{secrets.token_hex(4)}.")
        self.instance: Any = None
        self.seed = 0
        self.agents: dict[Any, Elsewhere] = {}
        self.plan = plan
        self._wire = wire
        self.turns: list[Any] = []

    async def tell(self, payload: Payload, time_ms: int) -> None:
        """Publish an event."""
        try:
            await super().tell(payload, time_ms)
        except BusError as error:
            raise Unfinished(str(error)) from error

    async def dismiss(self, address: str, why: Dismissed | Refused | None = None, *, wait_s: float = 0.0) -> None:
        """Tell a worker that the session is over; one that is gone, or does not come in time, need not be told."""
        until = monotonic() + wait_s
        while True:
            try:
                return await self._bus.publish(self._message(address, why or Dismissed(), 0))
            except NobodyListensError:
                if monotonic() > until:
                    return
            except BusError as error:
                raise Unfinished(str(error)) from error
            await asyncio.sleep(_POLL_S)

    async def reach(self, address: str, payload: Payload, time_ms: int = 0, *, timeout: float | None) -> Payload:
        """The reply of whoever is at an address, or comes there in time. Raises `RequestTimeoutError`."""
        until = None if timeout is None else monotonic() + timeout
        while True:
            left = None if until is None else max(until - monotonic(), _POLL_S)
            try:
                return await super().ask(address, payload, time_ms, timeout=left)
            except RequestTimeoutError:
                raise
            except NobodyListensError as error:
                if until is not None and monotonic() > until:
                    raise RequestTimeoutError(f"nobody came to {address!r} within {timeout:g} s") from error
                await asyncio.sleep(_POLL_S)
            except BusError as error:
                raise Unfinished(str(error)) from error

    async def meet(self, environment: Environment[Any, Any, Any]) -> Mapping[Any, Agent]:
        """Who plays, as soon as everybody is there. Raises `RequestTimeoutError`, `InputError` for another world."""
        for seat in environment.seats:
            await self._seated(seat)
            as_agent(self.agents[seat], privileges=environment.privileges)
        return self.agents

    async def ask(self, address: str, payload: Payload, time_ms: int, *, timeout: float | None) -> Payload:
        """The agent's reply, whoever answers for it by now."""
        role = next(seat for seat in self.agents if str(seat) == address)
        if isinstance(payload, BeginAsked):
            return await self._brought_up(role)
        for _ in range(_MOST_REPLACED):
            reply = await self.reach(address, payload, time_ms, timeout=timeout)
            if not isinstance(reply, BeginWanted):
                if isinstance(reply, ActionAnswered) and reply.provenance is not None:
                    self.agents[role].provenance = reply.provenance
                return reply
            begun = await self._brought_up(role)
            if not isinstance(begun, BeginDone):
                return begun
        return AgentFailed(role=role, problem=f"had to be begun anew {_MOST_REPLACED} times in one turn")

    async def _seated(self, role: Any) -> SeatTold:
        """Who sits there. One of another world is refused, in its process and here: `InputError`."""
        told = await self.reach(
            str(role), SeatAsked(role=role, **self._wire.stated), timeout=self.plan.timeouts.begin_s
        )
        try:
            if isinstance(told, Refused):
                raise InputError(f"the {role}'s worker", told.problem)
            if not isinstance(told, SeatTold):
                raise Unfinished(f"a worker says {told.kind!r} where it was asked who it is: is it of this version?")
            self._wire.check(f"the {role}'s worker", told.world, told.version)
        except InputError as error:
            await self.dismiss(str(role), Refused(problem=str(error)))
            raise
        known = self.agents.setdefault(role, Elsewhere(told))
        if known.spec != told.spec or known.privileges != frozenset(told.privileges):
            raise Unfinished(f"the {role}, {known.spec!r}, was replaced by another agent, {told.spec!r}")
        known.provenance = told.provenance
        self._wire.looks_at(role, told.views)
        return told

    async def _brought_up(self, role: Any) -> Payload:
        """Bring an agent to where the session stands: `BeginDone`, or `AgentFailed`."""
        try:
            for _ in range(_MOST_REPLACED):
                seat = await self._seated(role)
                asked = [turn.turn for turn in self.turns if role in turn.done]
                if seat.begun and seat.turn in (asked[-1] if asked else -1, len(self.turns)):
                    return BeginDone(role=role)
                reply = await self._reminded(role)
                if not isinstance(reply, BeginWanted):
                    return reply
        except RequestTimeoutError as error:
            return AgentFailed(role=role, problem=f"was not ready: {error}", timed_out=True)
        return AgentFailed(role=role, problem=f"was replaced {_MOST_REPLACED} times while it was begun")

    async def _reminded(self, role: Any) -> Payload:
        """Begin an agent and ask it on the turns so far; `BeginWanted` where it was replaced meanwhile."""
        agent = self.agents[role]
        again = self.turns and (self.plan.remind or agent.relives)
        begun = await self._begun(role, resumed=bool(self.turns) and (agent.relives or not again))
        if not again or not isinstance(begun, BeginDone):
            return begun
        environment = self.plan.environment()
        begun_again(environment, self.instance, self.seed)
        news = News(environment.seats)
        for turn, seen in past_observations(environment, self.turns, role, agent.privileges):
            for said in turn.before:
                news.heard(said)
            done, forced = turn.done.get(role), any(one.forced for one in turn.done.values())
            if done is not None or forced:
                valid = valid_actions(environment, role)
                asking = news.asked(role, seen, turn.turn, valid=valid, recalled=forced)
                reply = await self.reach(str(role), asking, timeout=self.plan.timeouts.act_s)
                if isinstance(reply, BeginWanted):
                    return reply
                if not isinstance(reply, ActionAnswered) or not (forced or reply.action == chosen_in(done)):
                    return await self._otherwise(role, turn, reply)
            news.executed(environment.codec, turn)
        return begun

    async def _otherwise(self, role: Any, turn: Any, reply: Payload) -> Payload:
        """An agent answered a turn so far otherwise than was recorded: it is begun anew, if it may be."""
        if not self.agents[role].relives:
            return await self._begun(role, resumed=True)
        if isinstance(reply, AgentFailed):
            return reply
        recorded, did = chosen_in(turn.done[role]), getattr(reply, "action", None)
        problem = (
            f"cannot be taken up where it stood: in turn {turn.turn} it did {did!r} where {recorded!r} was recorded"
        )
        return AgentFailed(role=role, problem=problem)

    async def _begun(self, role: Any, *, resumed: bool) -> Payload:
        state = state_in(self.turns, role) if resumed and not self.agents[role].relives else None
        asked = BeginAsked(role=role, seed=agent_seed(self.seed, role), resumed=resumed, state=state)
        return await self.reach(str(role), asked, timeout=self.plan.timeouts.begin_s)
