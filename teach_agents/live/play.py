"""How a live session is held: one thing at a time, whoever does it, each kept before it is told; pauses and ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from teach_agents.actions import Role
from teach_agents.agents.contract import Agent, Briefing
from teach_agents.household import Household, Limits
from teach_agents.live.driver import Driver, Habits
from teach_agents.live.events import EventKind, LiveEvent, Told
from teach_agents.live.keeping import Line
from teach_agents.live.ledger import Deed, Ledger
from teach_agents.live.setting import HUMAN, Journal, LiveError, LiveSetting
from teach_agents.live.stage import Stage
from teach_agents.live.telling import Telling
from teach_agents.observations import Observation, Privilege
from teach_agents.session.result import EndReason, SessionResult, counts_of
from teach_agents.session.setting import End, agent_seed, crash
from teach_agents.session.timing import RealClock
from teach_agents.session.turns import Done

__all__ = ["Play", "Status"]

_LOG = logging.getLogger(__name__)

Status = Literal["running", "paused", "ended"]

_UNATTENDED = Limits(max_turns=2000)
"""When agents among themselves are stopped: TEACh's limits, a turn of theirs being two actions here."""


class Play:
    """A session being held; the household stands at its beginning. Belongs to one event loop.

    `make` builds the agent of a chair. Everything happens in the order in which it was asked for: what is done, and
    what else is told (`tell`).
    """

    def __init__(
        self, setting: LiveSetting, household: Household, journal: Journal | None, make: Callable[[Role], Agent]
    ) -> None:
        self.setting = setting
        self.stage = Stage(household)
        self.ledger = Ledger(setting, household)
        self.telling = Telling()
        self.going = asyncio.Event()
        self.status: Status = "running"
        self.closed = False
        self.result: SessionResult | None = None
        self.drivers: dict[Role, Driver] = {}
        self._simulator = household.simulator.name
        self._journal = journal
        self._make = make
        self._clock = RealClock()
        self._order = asyncio.Lock()
        self._notes: list[Told] = []
        self._noting: asyncio.Task[None] | None = None
        self._driving: dict[Role, asyncio.Task[None]] = {}

    async def begin(self, past: Sequence[Line], habits: Habits) -> None:
        """Start, or go on behind what a journal kept. Raises `RecordError` where its turns lead elsewhere now."""
        turns = [line.turn for line in past if line.turn is not None]
        if turns:
            await self.stage.run(lambda _: self.ledger.take_up(turns))
        self.telling.add(event for line in past for event in line.events)
        events = self.telling.events
        self._clock.begin(1 + events[-1].time_ms if events else 0)
        first = Told(EventKind.RESUMED, None, {"turns": len(turns)}) if events else self._beginning()
        await self._publish([first])
        self.going.set()
        last = self.ledger.last_actor
        done = None if last is None else self.ledger.last(last)
        end = None if last is None or done is None else self._end_after(last, done)
        if end is not None:
            await self._finish(end)
        else:
            self._seat(habits, resumed=bool(past))

    def _beginning(self) -> Told:
        setting, scenario = self.setting, self.setting.scenario
        data = {
            "session_id": setting.session_id,
            "scenario_id": scenario.scenario_id,
            "room": scenario.room,
            "task": {"name": scenario.task_name, "params": list(scenario.task_params)},
            "chairs": {role.value: setting.chairs[role] for role in Role},
            "simulator": self._simulator,
            "view_size": setting.view_size,
        }
        return Told(EventKind.BEGAN, None, data)

    def _seat(self, habits: Habits, *, resumed: bool) -> None:
        for role in Role:
            if self.setting.chairs[role] == HUMAN:
                continue
            seed = agent_seed(self.setting.scenario.seed, role)
            briefing = Briefing(self.setting.session_id, role, seed, resumed)
            driver = Driver(self._maker(role), briefing, self, habits)
            driver.asked = len(self.ledger.turns)
            driver.heard = self.ledger.utterances
            self.drivers[role] = driver
            self._driving[role] = asyncio.create_task(driver.run(), name=f"{role} of {self.setting.session_id}")

    def _maker(self, role: Role) -> Callable[[], Agent]:
        return lambda: self._make(role)

    async def _publish(self, told: Iterable[Told], line: Line | None = None, at: int | None = None) -> list[LiveEvent]:
        """Keep what happened, now or at a time, then tell it; whoever calls has the order to himself.

        Raises `_Unkept`.
        """
        first = len(self.telling.events)
        events = [
            LiveEvent(seq, self._clock.now_ms(0) if at is None else at, one.kind, one.role, one.data)
            for seq, one in enumerate(told, first)
        ]
        if self._journal is not None:
            kept = replace(line or Line(()), events=tuple(events))
            try:
                await self._journal.append(kept.to_json())
            except Exception as error:
                raise _Unkept(f"{type(error).__name__}: {error}") from error
        self.telling.add(events)
        return events

    def tell(self, told: Told) -> asyncio.Task[None] | None:
        """Make something known that is no action, once what is under way is over; `None` where nobody listens."""
        if self.telling.over:
            return None
        self._notes.append(told)
        if self._noting is None or self._noting.done():
            self._noting = asyncio.create_task(self._note())
        return self._noting

    async def _note(self) -> None:
        async with self._order:
            while self._notes and not self.telling.over:
                notes, self._notes = self._notes, []
                try:
                    await self._publish(notes)
                except _Unkept as unkept:
                    self._break(unkept)

    def seated(self, role: Role, agent: Agent) -> None:
        """An agent is ready in its chair."""
        self.ledger.seat(role, agent)
        privileges = sorted(str(one) for one in agent.privileges)
        self.tell(Told(EventKind.JOINED, role, {"agent": self.setting.chairs[role], "privileges": privileges}))

    async def observe(self, role: Role, privileges: Iterable[Privilege], asked: int) -> Observation:
        """What a role sees, with its own last action and result. Raises `LiveError` when the session is over."""
        self.check_open()
        seen = await self.stage.observe(role, frozenset(privileges), asked)
        last = self.ledger.last(role)
        return seen if last is None else replace(seen, last_action=last.action, last_result=last.result)

    def check_open(self) -> None:
        """Raise `LiveError` when the session is over."""
        if self.closed:
            raise LiveError("closed", "the session is not held here any more")
        if self.status == "ended":
            raise LiveError("ended", "the session has ended")

    async def carry_out(self, deed: Deed) -> LiveEvent:
        """Do something, keep it, tell it; the event. Raises `LiveError` where the session does not go on."""
        async with self._order:
            self.check_open()
            if self.status == "paused":
                raise LiveError("paused", "the session is paused")
            try:
                event, done = await self._carry_out(deed)
                self._wake_partner(deed)
                end = self._end_after(deed.role, done)
                if end is not None:
                    await self._finish(end)
            except _Unkept as unkept:
                self._break(unkept)
                raise LiveError("broken", "what was done could not be kept; nothing more is done here") from unkept
            return event

    async def _carry_out(self, deed: Deed) -> tuple[LiveEvent, Done]:
        time_ms = self._clock.now_ms(0)
        try:
            turn, told = await self.stage.run(lambda _: self.ledger.carry_out(deed, time_ms))
        except Exception as error:
            _LOG.exception("session %s broke", self.setting.session_id)
            await self._finish(crash(error))
            raise LiveError("broken", "the simulator broke; the session has ended") from error
        events = await self._publish(told, Line((), turn, deed.key, deed.role), time_ms)
        self.ledger.keep(turn)
        return events[0], turn.done[deed.role]

    def _wake_partner(self, deed: Deed) -> None:
        """Let the partner look, if it can see or hear what was done."""
        partner = self.drivers.get(deed.role.partner)
        heard = deed.action is not None and deed.action.name == "Text"
        if partner is not None and (heard or deed.role is Role.FOLLOWER):
            partner.wake()

    def _end_after(self, role: Role, done: Done) -> End | None:
        """Whether the session is over behind an action: Finish ends it, Stop only where no person could go on."""
        name = "" if done.action is None else done.action.name
        if role is Role.COMMANDER and name == "Finish":
            return End(EndReason.FINISHED, "the commander chose Finish")
        if self.setting.attended:
            return None
        if role is Role.FOLLOWER and name == "Stop":
            return End(EndReason.STOPPED, "the follower chose Stop")
        failures = self.ledger.failures
        failed = _UNATTENDED.over_failed(failures)
        if failed is not None:
            return End(EndReason.FAILURE_LIMIT, f"the {failed} failed {failures[failed]} times")
        if _UNATTENDED.out_of_turns(len(self.ledger.turns)):
            return End(EndReason.TURN_LIMIT, f"{len(self.ledger.turns)} turns were taken")
        return None

    def pause(self) -> None:
        """Let nobody act until `resume`."""
        self.check_open()
        if self.status == "running":
            self.status = "paused"
            self.going.clear()
            self.tell(Told(EventKind.PAUSED, None, {}))

    def resume(self) -> None:
        """Go on."""
        self.check_open()
        if self.status == "paused":
            self.status = "running"
            self.going.set()
            self.tell(Told(EventKind.RESUMED, None, {}))

    async def end(self, text: str) -> None:
        """End the session, when what is under way is over."""
        async with self._order:
            self.check_open()
            try:
                await self._finish(End(EndReason.ENDED, text))
            except _Unkept as unkept:
                self._break(unkept)
                raise LiveError("broken", "the end could not be kept") from unkept

    async def _finish(self, end: End) -> None:
        data: dict[str, Any] = {"reason": end.reason.value, "text": end.text, "success": False, "progress": None}
        told = None
        try:
            self.result = await self.stage.run(lambda _: self.ledger.result(end))
        except Exception:  # noqa: BLE001  # a broken simulator ends a session without a verdict
            _LOG.exception("the end of session %s could not be judged", self.setting.session_id)
        else:
            told = self.result.to_json(timed=False)
            data |= {"success": self.result.success, "progress": counts_of(self.result.progress)}
        notes, self._notes = self._notes, []
        await self._publish([*notes, Told(EventKind.ENDED, None, data)], Line((), result=told))
        self.status = "ended"
        self._over()

    def _break(self, unkept: _Unkept) -> None:
        """The session stands as it was last kept; whoever keeps it may take it up anew."""
        _LOG.error("session %s is closed: it could not be kept: %s", self.setting.session_id, unkept)
        self.closed = True
        self._over()

    def _over(self) -> None:
        """Tell nothing more, and ask the agents nothing more."""
        self.telling.finish()
        for role, task in self._driving.items():
            self.drivers[role].stop()
            if task is not asyncio.current_task():
                task.cancel()

    async def close(self) -> None:
        """Hold the session here no longer; what is under way is done first."""
        async with self._order:
            if not self.closed:
                self.closed = True
                self._over()
        tasks = [*self._driving.values(), *([] if self._noting is None else [self._noting])]
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.stage.close()


class _Unkept(Exception):
    """The journal did not take what happened."""
