"""The environment's worker: it holds the session, and goes on with one that another environment began."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from teach_agents.actions import Role
from teach_agents.core.bus import MessageBus
from teach_agents.core.messages import RECORDER, LineAsked, LineKept, Payload, RecordAsked, RecordFailed, RecordTold
from teach_agents.errors import RecordError, RequestTimeoutError
from teach_agents.session.conduct import Conduct
from teach_agents.session.keeping import Keeper
from teach_agents.session.record import RecordHeader, SessionRecord, check_resumable, line_of, record_of
from teach_agents.session.replay import reenact
from teach_agents.session.result import SessionResult
from teach_agents.session.setting import Setting, Unfinished
from teach_agents.session.timing import TurnClock
from teach_agents.session.turns import TurnRecord
from teach_agents.workers.asking import FarPost, Seats
from teach_agents.workers.plan import Plan
from teach_agents.workers.wire import ObservationWire

__all__ = ["Environment"]


_LATE_S = 5.0
"""So long a worker may take to come to a session that has ended already, to be sent away again."""


class Environment:
    """Holds a plan's session on a bus; `wire` is that bus's codec."""

    def __init__(self, plan: Plan, bus: MessageBus, wire: ObservationWire) -> None:
        self._plan = plan
        self._bus = bus
        self._wire = wire

    async def hold(self) -> Mapping[str, Any]:
        """The result as JSON, without the time it took, when it is in the record and everybody is dismissed.

        A session that the recorder knows is gone on with behind its last turn, and one that has ended is not played
        again. Raises `Unfinished` where the bus or the recorder is away, or another environment took over,
        `RequestTimeoutError` where agents do not come at the beginning, `InputError` where one is of another world, and
        `RecordError` for a record that cannot be gone on with.
        """
        turns: list[TurnRecord] = []
        seats = Seats(self._bus, self._plan, self._wire, turns)
        keeper = _Recording(seats, turns, self._plan.timeouts.begin_s)
        record = await keeper.fetch(self._plan.session_id)
        result, wait_s = (None if record is None else record.result), _LATE_S
        if result is None:
            wait_s = 0.0
            result = (await self._played(seats, record, keeper)).to_json(timed=False)
        for address in (*(role.value for role in Role), RECORDER):
            await seats.dismiss(address, wait_s=wait_s)
        return result

    async def _played(self, seats: Seats, record: SessionRecord | None, keeper: _Recording) -> SessionResult:
        plan = self._plan
        scenario = seats.scenario = plan.make_scenario() if record is None else record.header.scenario
        household = plan.make_household()
        household.reset(scenario)
        agents = await seats.meet()
        hooks = tuple(plan.make_hooks())
        setting = Setting(plan.session_id, household, agents, plan.limits, plan.timeouts, TurnClock(), hooks)
        conduct = Conduct(setting, keeper)
        if record is None:
            await keeper.begin(setting.header())
        else:
            check_resumable(record, setting.header())
            if differences := reenact(household, record):
                raise RecordError(str(record.path), f"cannot be gone on with: {differences[0]}")
            conduct.take_up(record)
        return await conduct.run(seats)


class _Recording(Keeper):
    """Has the recorder keep every line, and goes on when it is kept. `turns` gets those that are."""

    def __init__(self, post: FarPost, turns: list[TurnRecord], patience_s: float | None) -> None:
        self._post = post
        self._patience_s = patience_s
        self._kept = 0
        self._turns = turns

    async def fetch(self, session_id: str) -> SessionRecord | None:
        """The record so far, `None` before its first line; its path is only a name for it."""
        told = await self._asked(RecordAsked())
        if not isinstance(told, RecordTold):
            raise Unfinished(f"the recorder answered {told.kind!r} where it was asked for the record")
        self._kept = len(told.lines)
        if not told.lines:
            return None
        record = record_of("".join(f"{line}\n" for line in told.lines).encode(), Path(f"record of {session_id}"))
        self._turns += record.turns
        return record

    async def begin(self, header: RecordHeader) -> None:
        """Keep the first line."""
        await self._keep(header.to_json())

    def resume(self, record: SessionRecord) -> None:
        """The recorder goes on by itself."""

    async def turn(self, record: TurnRecord) -> None:
        """Keep a turn."""
        await self._keep(record.to_json())
        self._turns.append(record)

    async def end(self, result: Mapping[str, Any]) -> None:
        """Keep the result."""
        await self._keep({"result": result})

    def close(self) -> None:
        """The recorder closes its file when it is dismissed."""

    async def _keep(self, line: Mapping[str, Any]) -> None:
        number, self._kept = self._kept, self._kept + 1
        kept = await self._asked(LineAsked(number=number, line=line_of(line)))
        if not isinstance(kept, LineKept):
            problem = kept.problem if isinstance(kept, RecordFailed) else f"the recorder answered {kept.kind!r}"
            raise Unfinished(problem)

    async def _asked(self, payload: Payload) -> Payload:
        """The recorder's reply. A record that cannot be kept leaves the session as it is: `Unfinished`."""
        try:
            return await self._post.reach(RECORDER, payload, timeout=self._patience_s)
        except RequestTimeoutError as error:
            raise Unfinished(f"nobody keeps the record: {error}") from error
