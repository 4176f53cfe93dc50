"""One session: agents in the seats of a world, until the world, one of them or a mishap ends it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from teach_agents.core.agents.contract import AgentLike, as_agent
from teach_agents.core.agents.runner import LateError, Runner
from teach_agents.core.bus import MessageBus
from teach_agents.core.environment import Environment
from teach_agents.core.errors import InputError, RecordError
from teach_agents.core.messages import ENVIRONMENT
from teach_agents.core.session.bus_client import BusLine, Post, Visitors
from teach_agents.core.session.context import Clock, SessionContext, Timeouts, TurnClock
from teach_agents.core.session.episode import Episode
from teach_agents.core.session.format import RecordFormat
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.policies import Policy, Turns, played
from teach_agents.core.session.record import (
    Keeper,
    RecordWriter,
    SessionRecord,
    begun_again,
    check_resumable,
    read_record,
    reenact,
)
from teach_agents.core.session.result import TIMED_OUT, End
from teach_agents.core.session.seats import LocalSeats
from teach_agents.core.values import Event

_PATIENT = Timeouts()


class _Start(NamedTuple):
    """Where a session begins: with what happened at once, or behind a record."""

    context: SessionContext
    keeper: Keeper | None
    events: Sequence[Event] = ()
    past: SessionRecord | None = None


class Session:
    """Brings agents together in a world. May play any number of instances, one at a time.

    `agents` are agents or functions by seat; seats without one are not there. They are asked by `policy`, turn by turn
    by default. An agent that raises or hangs ends the session as crashed or timed out; an answer that is no action is
    the world's to count. Everything that happens is published on `bus`, if there is one. `record` is the file that is
    written turn by turn; a file that exists is replaced, or gone on with by `resume`.
    """

    def __init__(
        self,
        environment: Environment[Any, Any, Any],
        agents: Mapping[Any, AgentLike],
        *,
        policy: Policy | None = None,
        timeouts: Timeouts = _PATIENT,
        record: str | Path | None = None,
        bus: MessageBus | None = None,
    ) -> None:
        if not isinstance(environment, Environment):
            raise InputError("session", "needs an Environment", value=environment)
        unknown = [seat for seat in agents if seat not in environment.seats]
        if unknown or not agents:
            raise InputError("session", "needs agents for seats of the world", value=unknown, valid=environment.seats)
        self.environment = environment
        self.record = None if record is None else Path(record)
        self.policy: Policy = policy or Turns()
        self.form: RecordFormat = environment.form
        self._bus = bus
        known = environment.privileges
        seated = {
            seat: as_agent(agents[seat], seat=seat, privileges=known) for seat in environment.seats if seat in agents
        }
        self._context = SessionContext("", environment, None, 0, seated, timeouts, TurnClock())
        self._visitors = Visitors(environment)
        self._held_alone = threading.Lock()

    def with_hook(self, hook: DialogueHook, name: str = "") -> Self:
        """Add a dialogue hook after those there are; `name`, by default its SPEC or class, is what results call it."""
        if not isinstance(hook, DialogueHook):
            raise InputError("session", "needs a DialogueHook", value=hook)
        self._context = replace(
            self._context, hooks=(*self._context.hooks, (name or hook.spec or type(hook).__name__, hook))
        )
        return self

    def with_clock(self, clock: Clock) -> Self:
        """Stamp what happens by another clock than `TurnClock`, for example `RealClock` in live use."""
        self._context = replace(self._context, clock=clock)
        return self

    def say(self, text: str, *, as_: str) -> None:
        """Speak into the session from no seat of it, under a name; from any thread.

        It is heard before the next turn, recorded and replayed, and marks the session: its result names who spoke, and
        it enters no comparison. Raises `InputError` for the name of a seat and for what cannot be said.
        """
        self._visitors.say(text, as_)

    async def run(self, instance: Any, *, seed: int = 0, session_id: str = "") -> Any:
        """Play one instance to its end.

        Whatever agents, hooks or the world do, there is a result and a complete record. What is wrong with the instance
        is raised before anything begins. A cancelled session (Ctrl-C) leaves a record that `resume` goes on with.
        `session_id` is the instance's id by default; give one where several sessions of an instance share a bus.
        """
        with self._alone():
            return await self._held(self._begun(instance, seed, session_id))

    def play(self, instance: Any, *, seed: int = 0, session_id: str = "") -> Any:
        """`run` for plain code; inside a running event loop (a notebook) too, which then stands still meanwhile.

        Raises `InputError` with a bus, which needs an event loop that goes on.
        """
        self._off_the_bus("run(...)")
        with self._alone():
            return _Hold(self, self._begun(instance, seed, session_id), None).run()

    async def resume(self) -> Any:
        """Go on with the unfinished session in `record`, where it was cut off.

        Its turns are carried out again and must lead to the recorded states. The agents are told that the session is
        resumed. Raises `RecordError` when there is nothing to resume, when agents or world are not those of the record,
        or when its turns now lead elsewhere.
        """
        with self._alone():
            return await self._held(self._resumed())

    def play_on(self) -> Any:
        """`resume` for plain code. Raises `InputError` with a bus."""
        self._off_the_bus("resume()")
        with self._alone():
            return _Hold(self, self._resumed(), None).run()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._held_alone.acquire(blocking=False):
            raise InputError("session", "plays an instance already; it plays one at a time")
        try:
            yield
        finally:
            self._held_alone.release()

    def _off_the_bus(self, method: str) -> None:
        if self._bus is not None:
            raise InputError("session", f"with a bus it is held by `await session.{method}`")

    def _begun(self, instance: Any, seed: int, session_id: str) -> _Start:
        events, prefix = begun_again(self.environment, instance, seed)
        name = session_id or str(getattr(instance, "instance_id", "session"))
        context = replace(self._context, session_id=name, instance=instance, seed=seed, prefix=prefix)
        if self.record is None:
            return _Start(context, None, events)
        writer = RecordWriter(self.record, self.form)
        writer.begin(context.header())
        return _Start(context, writer, events)

    def _resumed(self) -> _Start:
        if self.record is None:
            raise InputError("resume", "the session has no record: give Session(..., record=FILE)")
        record = read_record(self.record, self.form)
        if record.result is not None:
            problem = "the session has ended already; it can be replayed, not resumed"
            raise RecordError(self.record, problem, value=record.result.get("end_reason"))
        name, instance, seed = record.header.session_id, record.header.instance, record.header.seed
        events, prefix = begun_again(self.environment, instance, seed)
        context = replace(self._context, session_id=name, instance=instance, seed=seed, prefix=prefix)
        check_resumable(record, context.header())
        return _Start(context, RecordWriter(self.record, self.form), () if record.turns else events, record)

    async def _held(self, start: _Start) -> Any:
        """Hold a session from an event loop, in which the bus is."""
        if self._bus is None:
            return await _Hold(self, start, None).arun()
        session_id = start.context.session_id
        addresses = (*map(str, start.context.agents), ENVIRONMENT)
        line = BusLine(Post(self._bus, session_id), asyncio.get_running_loop())
        async with self._visitors.at(self._bus, session_id, *addresses):
            return await _Hold(self, start, line).arun()


class _Hold:
    """One session being held: the episode is played in a runner's thread, and closed in one whatever becomes of it."""

    def __init__(self, session: Session, start: _Start, line: BusLine | None) -> None:
        self._session = session
        self._start = start
        self._line = line
        self._runner = Runner(f"session {start.context.session_id}")
        past = () if start.past is None else start.past.turns
        self._seats = LocalSeats(start.context, self._runner, line=line, past=past)
        self._began = time.perf_counter()
        self._episode = Episode(
            start.context,
            tell=None if line is None else line.tell,
            heard=self._seats.heard,
            keeper=start.keeper,
            past=past,
        )

    async def arun(self) -> Any:
        try:
            try:
                end = await self._runner.arun(self._play)
            except LateError as late:
                end = self._late(late)
            result = await self._runner.arun(lambda: self._close(end))
        finally:
            self._leave()
        if self._runner.busy:
            await asyncio.to_thread(self._runner.join)
        return result

    def run(self) -> Any:
        try:
            try:
                end = self._runner.run(self._play)
            except LateError as late:
                end = self._late(late)
            result = self._runner.run(lambda: self._close(end))
        finally:
            self._leave()
        if self._runner.busy:
            self._runner.join()
        return result

    def _late(self, late: LateError) -> End:
        """An agent hangs in the runner's thread, which is left behind with it."""
        self._runner.stop()
        self._runner = Runner(f"end of {self._start.context.session_id}")
        return End(TIMED_OUT, str(late))

    def _leave(self) -> None:
        if self._start.keeper is not None:
            self._start.keeper.close()
        self._session._visitors.leave()
        self._runner.stop()

    def _play(self) -> End:
        episode, past = self._episode, self._start.past
        episode.judged_first()
        if past is not None:
            assert self._start.keeper is not None
            if differences := reenact(self._session.environment, past):
                raise RecordError(past.path, f"cannot be resumed: {differences[0]}")
            self._start.keeper.resume(past)
        return played(self._session.policy, episode, self._seats, self._before_turn, self._start.events)

    def _before_turn(self) -> None:
        self._session._visitors.speak(self._episode)
        if self._line is not None:
            self._line.flush()

    def _close(self, end: End) -> Any:
        result = self._episode.ended(end)
        if self._line is not None:
            try:
                self._line.flush()
            except Exception as error:  # noqa: BLE001  # a bus that fails at the end is a crash like any other
                result = self._episode.broken(error, result)
        return self._episode.kept(replace(result, wall_s=time.perf_counter() - self._began))
