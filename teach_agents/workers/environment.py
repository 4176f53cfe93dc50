"""The environment's worker: it holds the session, and goes on with one that another environment began."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from teach_agents.core.agents.distribution import Reading
from teach_agents.core.agents.runner import Runner
from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.environment import Environment as World
from teach_agents.core.environment import valid_actions
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.messages import (
    RECORDER,
    SESSION,
    ActionAnswered,
    AgentFailed,
    BeginAsked,
    BeginDone,
    LineAsked,
    LineKept,
    Payload,
    RecordAsked,
    RecordFailed,
    RecordTold,
)
from teach_agents.core.session.bus_client import BusLine, News, Visitors
from teach_agents.core.session.context import SessionContext, TurnClock, Unfinished, agent_seed
from teach_agents.core.session.episode import Answer, Episode
from teach_agents.core.session.format import RecordFormat, RecordHeader
from teach_agents.core.session.hooks import Over
from teach_agents.core.session.policies import Policy, played
from teach_agents.core.session.record import (
    Keeper,
    SessionRecord,
    begun_again,
    check_resumable,
    first_line,
    line_of,
    record_of,
    reenact,
)
from teach_agents.core.session.result import CRASHED, TIMED_OUT
from teach_agents.core.values import Event
from teach_agents.errors import RecordError, RequestTimeoutError
from teach_agents.workers.asking import Seats
from teach_agents.workers.plan import Plan

_Reply = TypeVar("_Reply", bound=Payload)

_LATE_S = 5.0
"""So long a worker may take to come to a session that has ended already, to be sent away again."""


async def hold(plan: Plan, bus: MessageBus, wire: MessageCodec) -> JsonMapping:
    """Hold a plan's session on a bus, whose codec is `wire`.

    The result as JSON, without the time it took, when it is in the record and everybody is dismissed. A session that
    the recorder knows is gone on with behind its last turn, and one that has ended is not played again. Raises
    `Unfinished` where the bus or the recorder is away, or another environment took over, `RequestTimeoutError` where
    agents do not come at the beginning, `InputError` where one is of another world, and `RecordError` for a record that
    cannot be gone on with.
    """
    environment = plan.environment()
    seats = Seats(bus, plan, wire)
    keeper = _Recording(seats, environment.form)
    record = await keeper.fetch()
    result, wait_s = (None if record is None else record.result), _LATE_S
    if result is None:
        wait_s = 0.0
        result = (await _played(environment, seats, bus, record, keeper)).to_json(timed=False)
    for address in (*map(str, environment.seats), RECORDER):
        await seats.dismiss(address, wait_s=wait_s)
    return result


async def _played(
    environment: World[Any, Any, Any], seats: Seats, bus: MessageBus, record: SessionRecord | None, keeper: _Recording
) -> Any:
    plan = seats.plan
    instance = seats.instance = plan.make_scenario() if record is None else record.header.instance
    seed = seats.seed = plan.seed_of(instance) if record is None else record.header.seed
    events, prefix = begun_again(environment, instance, seed)
    context = SessionContext(
        plan.session_id,
        environment,
        instance,
        seed,
        await seats.meet(environment),
        plan.timeouts,
        TurnClock(),
        tuple(plan.make_hooks()),
        prefix,
    )
    line = keeper.line = BusLine(seats, asyncio.get_running_loop())
    runner = Runner(f"session {plan.session_id}")
    try:
        if record is None:
            await keeper.begin(context.header())
        else:
            check_resumable(record, context.header())
        past = () if record is None else record.turns
        far, visitors = _FarSeats(seats, line, context, past), Visitors(environment)
        episode = Episode(context, tell=line.tell, heard=far.heard, keeper=keeper, past=past)
        async with visitors.at(bus, plan.session_id, SESSION):
            return await runner.arun(lambda: _held(plan.make_policy(), episode, far, visitors, record, events))
    finally:
        runner.stop()


def _held(  # how, what, with whom and from where on
    policy: Policy,
    episode: Episode,
    seats: _FarSeats,
    visitors: Visitors,
    record: SessionRecord | None,
    events: Sequence[Event],
) -> Any:
    """Hold a session in a runner's thread. Raises `Unfinished`, and `RecordError` for turns that lead elsewhere."""
    episode.judged_first()
    if record is not None and (differences := reenact(episode.environment, record)):
        raise RecordError(str(record.path), f"cannot be gone on with: {differences[0]}")
    begun = () if episode.past else events
    result = episode.ended(played(policy, episode, seats, lambda: visitors.speak(episode), begun))
    seats.line.flush()
    return episode.kept(result)


class _FarSeats(News):
    """The agents of other processes, as the thread sees them in which the episode is played.

    What is news is told with the next observation.
    """

    def __init__(self, seats: Seats, line: BusLine, context: SessionContext, past: Sequence[Any]) -> None:
        self._seats = seats
        self.line = line
        self._context = context
        super().__init__(context.environment.seats)
        for turn in past:  # who was asked was told what was news then
            for said in turn.before:
                self.heard(said)
            for seat in turn.done:
                self.asked(seat, None, turn.turn)
            self.executed(context.environment.codec, turn)

    def begin(self, seat: Any, turn: int, *, resumed: bool) -> None:
        """Have a seat's agent get ready. Raises `Over`."""
        asked = BeginAsked(role=seat, seed=agent_seed(self._context.seed, seat), resumed=resumed)
        self._reply(seat, asked, turn, BeginDone)

    def answer(self, seat: Any, observation: Any, turn: int) -> Answer:
        """What a seat's agent does on seeing this. Raises `Over`."""
        reply = self._observed(seat, observation, turn)
        return Answer(reply.action, reply.action, reply.problem, reply.thought)

    def recall(self, seat: Any, observation: Any, turn: int) -> None:
        """A seat's agent looks on. Raises `Over`."""
        self._observed(seat, observation, turn, recalled=True)

    def read(self, seat: Any, observation: Any, turn: int, samples: int | None) -> Reading:
        """How probable its agent is to do what. Raises `Over`."""
        reply = self._observed(seat, observation, turn, reading=True, samples=samples)
        return Reading(reply.chances, reply.how)

    def _observed(self, seat: Any, observation: Any, turn: int, **how: Any) -> ActionAnswered:
        valid = valid_actions(self._context.environment, seat)
        asked = self.asked(seat, observation, turn, valid=valid, **how)
        return self._reply(seat, asked, turn, ActionAnswered)

    def _reply(self, seat: Any, asked: Payload, turn: int, kind: type[_Reply]) -> _Reply:
        timeouts, clock, seats = self._context.timeouts, self._context.clock, self._context.environment.seats
        begins = isinstance(asked, BeginAsked)
        limit_s = timeouts.begin_s if begins else timeouts.act_s
        time_ms = clock.now_ms(turn, seats.index(seat), len(seats))
        self.line.flush()
        try:
            reply = self.line.wait(self._seats.ask(str(seat), asked, time_ms, timeout=limit_s))
        except RequestTimeoutError:
            late = "was not ready" if begins else f"gave no answer in turn {turn}"
            raise Over(TIMED_OUT, f"the {seat} {late} within {limit_s:g} s") from None
        if isinstance(reply, AgentFailed):
            raise Over(TIMED_OUT if reply.timed_out else CRASHED, f"the {seat} {reply.problem}", reply.details)
        if not isinstance(reply, kind):
            what = "the beginning" if begins else "an observation"
            raise Over(CRASHED, f"the {seat} answered {what} with {reply.kind!r}")
        return reply


class _Recording(Keeper):
    """Has the recorder keep every line, and goes on when it is kept; the turns of `seats` are those that are.

    The recorder goes on by itself, and closes its file when it is dismissed.
    """

    def __init__(self, seats: Seats, form: RecordFormat) -> None:
        self._seats = seats
        self._kept = 0
        self._form = form
        self.line: BusLine | None = None

    async def fetch(self) -> SessionRecord | None:
        """The record so far, `None` before its first line; its path is only a name for it."""
        told = await self._asked(RecordAsked())
        if not isinstance(told, RecordTold):
            raise Unfinished(f"the recorder answered {told.kind!r} where it was asked for the record")
        self._kept = len(told.lines)
        if not told.lines:
            return None
        raw = "".join(f"{line}\n" for line in told.lines).encode()
        record = record_of(raw, Path(f"record of {self._seats.plan.session_id}"), self._form)
        self._seats.turns += record.turns
        return record

    async def begin(self, header: RecordHeader) -> None:
        """Keep the first line."""
        await self._keep(first_line(self._form, header))

    def turn(self, record: Any) -> None:
        """Keep a turn."""
        self._wait(self._form.turn_to_json(record))
        self._seats.turns.append(record)

    def end(self, result: JsonMapping) -> None:
        """Keep the result."""
        self._wait({"result": result})

    def _wait(self, line: JsonMapping) -> None:
        assert self.line is not None, "the session is under way"
        self.line.wait(self._keep(line))

    async def _keep(self, line: JsonMapping) -> None:
        number, self._kept = self._kept, self._kept + 1
        kept = await self._asked(LineAsked(number=number, line=line_of(line)))
        if not isinstance(kept, LineKept):
            problem = kept.problem if isinstance(kept, RecordFailed) else f"the recorder answered {kept.kind!r}"
            raise Unfinished(problem)

    async def _asked(self, payload: Payload) -> Payload:
        """The recorder's reply. A record that cannot be kept leaves the session as it is: `Unfinished`."""
        try:
            return await self._seats.reach(RECORDER, payload, timeout=self._seats.plan.timeouts.begin_s)
        except RequestTimeoutError as error:
            raise Unfinished(f"nobody keeps the record: {error}") from error
