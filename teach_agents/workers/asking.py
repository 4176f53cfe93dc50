"""The environment's side: it asks agents and recorder of other processes, and brings a replaced agent up to date."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from time import monotonic

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.bus import MessageBus
from teach_agents.core.messages import (
    ActionAnswered,
    AgentFailed,
    BeginAsked,
    BeginDone,
    BeginWanted,
    Dismissed,
    ObservationAsked,
    Payload,
    Refused,
    SeatAsked,
    SeatTold,
)
from teach_agents.core.session.context import Unfinished, agent_seed
from teach_agents.core.session.post import Post
from teach_agents.errors import BusError, InputError, NobodyListensError, RequestTimeoutError, TeachAgentsError
from teach_agents.household import Scenario
from teach_agents.observations import Observation, Privilege
from teach_agents.session.turns import TurnRecord
from teach_agents.workers.past import chosen_in, past_observations
from teach_agents.workers.plan import Plan
from teach_agents.workers.wire import ObservationWire

__all__ = ["Elsewhere", "FarPost", "Seats"]

_POLL_S = 0.02
_MOST_REPLACED = 20
"""An agent that is replaced more often within one turn does not survive it."""


class Elsewhere(Agent):
    """Stands for an agent that answers over the bus from another process."""

    def __init__(self, told: SeatTold) -> None:
        self.role = told.role
        self.privileges = frozenset(map(Privilege, told.privileges))
        self.spec = told.spec
        self.provenance: Mapping[str, str] = told.provenance

    def act(self, observation: Observation) -> Action:
        """Is never asked here."""
        raise TeachAgentsError(f"the {self.role} answers in another process")


class FarPost(Post):
    """A post whose listeners may die and be replaced: it waits for whoever is to come. See `Post`.

    Raises `Unfinished` where the bus is away, or another environment has taken over.
    """

    def __init__(self, bus: MessageBus, session_id: str) -> None:
        super().__init__(bus, session_id, mark=f"{secrets.token_hex(4)}.")

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
                return await self._bus.publish(self._message(address, why or Dismissed(), 0, correlation=""))
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


class Seats(FarPost):
    """Asks the agents. One that was replaced is brought up to date first.

    It is begun, then asked on the turns so far (`turns`, as long as the record) once more, in a household made for it.
    One that answers otherwise than was recorded is begun again, as resumed; so is every one in a plan that does not
    `remind`. `scenario` is what is played, to be set before anybody is begun.
    """

    def __init__(self, bus: MessageBus, plan: Plan, wire: ObservationWire, turns: Sequence[TurnRecord]) -> None:
        super().__init__(bus, plan.session_id)
        self.scenario: Scenario | None = None
        self.agents: dict[Role, Elsewhere] = {}
        self._plan = plan
        self._wire = wire
        self._turns = turns

    async def meet(self) -> Mapping[Role, Agent]:
        """Who plays, as soon as everybody is there. Raises `RequestTimeoutError`, `InputError` for another world."""
        for role in Role:
            await self._seated(role)
        return self.agents

    async def ask(self, address: str, payload: Payload, time_ms: int, *, timeout: float | None) -> Payload:
        """The agent's reply, whoever answers for it by now."""
        role = Role(address)
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

    async def _far(self, role: Role, payload: Payload, timeout: float | None) -> Payload:
        return await self.reach(role.value, payload, timeout=timeout)

    async def _seated(self, role: Role) -> SeatTold:
        """Who sits there. One of another world is refused, in its process and here: `InputError`."""
        told = await self._far(role, SeatAsked(role=role, **self._wire.stated), self._plan.timeouts.begin_s)
        try:
            if isinstance(told, Refused):
                raise InputError(f"the {role}'s worker", told.problem)
            if not isinstance(told, SeatTold):
                raise Unfinished(f"a worker says {told.kind!r} where it was asked who it is: is it of this version?")
            self._wire.check(f"the {role}'s worker", told.world, told.version)
        except InputError as error:
            await self.dismiss(role.value, Refused(problem=str(error)))
            raise
        known = self.agents.setdefault(role, Elsewhere(told))
        if known.spec != told.spec or known.privileges != frozenset(told.privileges):
            raise Unfinished(f"the {role}, {known.spec!r}, was replaced by another agent, {told.spec!r}")
        known.provenance = told.provenance
        self._wire.looks_at(role, told.views)
        return told

    async def _brought_up(self, role: Role) -> Payload:
        """Bring an agent to where the session stands: `BeginDone`, or `AgentFailed`."""
        try:
            for _ in range(_MOST_REPLACED):
                seat = await self._seated(role)
                here = len(self._turns)
                if seat.begun and seat.turn in (here - 1, here):
                    return BeginDone(role=role)
                reply = await self._reminded(role)
                if not isinstance(reply, BeginWanted):
                    return reply
        except RequestTimeoutError as error:
            return AgentFailed(role=role, problem=f"was not ready: {error}", timed_out=True)
        return AgentFailed(role=role, problem=f"was replaced {_MOST_REPLACED} times while it was begun")

    async def _reminded(self, role: Role) -> Payload:
        """Begin an agent and ask it on the turns so far; `BeginWanted` where it was replaced meanwhile."""
        if self._turns and not self._plan.remind:
            return await self._begun(role, resumed=True)
        begun = await self._begun(role, resumed=False)
        if not isinstance(begun, BeginDone) or not self._turns:
            return begun
        assert self.scenario is not None
        household, privileges = self._plan.make_household(), self.agents[role].privileges
        for turn, seen in past_observations(household, self.scenario, self._turns, role, privileges):
            asked = ObservationAsked(turn=turn.turn, role=role, observation=seen)
            reply = await self._far(role, asked, self._plan.timeouts.act_s)
            if isinstance(reply, BeginWanted):
                return reply
            if not isinstance(reply, ActionAnswered) or reply.action != chosen_in(turn.done[role]):
                return await self._begun(role, resumed=True)
        return begun

    async def _begun(self, role: Role, *, resumed: bool) -> Payload:
        assert self.scenario is not None
        asked = BeginAsked(role=role, seed=agent_seed(self.scenario.seed, role), resumed=resumed)
        return await self._far(role, asked, self._plan.timeouts.begin_s)
