"""How a live session is held: one action at a time, whoever acts, each kept before it is told; pauses and ends."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from teach_agents.actions import Role
from teach_agents.agents.contract import Agent, Briefing
from teach_agents.household import Household, Limits
from teach_agents.household.map import RoomMap
from teach_agents.live.driver import Driver, Habits
from teach_agents.live.events import EventKind, LiveEvent, Told, actor_of, events_of
from teach_agents.live.ledger import Deed, Ledger, Written
from teach_agents.live.setting import HUMAN, Journal, LiveError, LiveSetting
from teach_agents.live.stage import Stage
from teach_agents.live.telling import Telling
from teach_agents.observations import Observation
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

    `make` builds the agent of a chair. What is done is done in the order in which it was asked for.
    """

    def __init__(
        self, setting: LiveSetting, household: Household, journal: Journal | None, make: Callable[[Role], Agent]
    ) -> None:
        self.setting = setting
        self.stage = Stage(household)
        self.ledger = Ledger(setting, household)
        self.room_map = RoomMap.of(household.simulator)
        self.going = asyncio.Event()
        self.status: Status = "running"
        self.closed = False
        self.result: SessionResult | None = None
        self._journal = journal
        self._make = make
        self._clock = RealClock()
        self.telling = Telling(lambda: self._clock.now_ms(0))
        self._order = asyncio.Lock()
        self.drivers: dict[Role, Driver] = {}
        self._driving: dict[Role, asyncio.Task[None]] = {}

    async def begin(self, past: Sequence[Written], habits: Habits) -> list[LiveEvent]:
        """Start, or go on behind `past`; the first events of the past turns.

        Raises `RecordError` where they lead elsewhere now.
        """
        turns = [written.turn for written in past]
        if turns:
            await self.stage.run(lambda _: self.ledger.take_up(turns))
        self.telling.add(Told(EventKind.BEGAN, None, self._beginning()), 0)
        events = [self._recalled(written) for written in past]
        self._clock.begin(1 + events[-1].time_ms if events else 1)
        if past:
            self.telling.next_seq = max(self.telling.next_seq, int(time.time() * 1000))
            self.telling.tell(Told(EventKind.RESUMED, None, {"turn": len(turns)}))
        self.going.set()
        end = self._end_after(*_last_of(past)) if past else None
        if end is not None:
            await self._finish(end)
        else:
            self._seat(habits, resumed=bool(past))
        return events

    def _beginning(self) -> dict[str, Any]:
        setting, scenario = self.setting, self.setting.scenario
        return {
            "session_id": setting.session_id,
            "scenario_id": scenario.scenario_id,
            "room": scenario.room,
            "task": {"name": scenario.task_name, "params": list(scenario.task_params)},
            "chairs": {role.value: setting.chairs[role] for role in Role},
            "simulator": setting.simulator,
            "view_size": setting.view_size,
        }

    def _recalled(self, written: Written) -> LiveEvent:
        self.telling.next_seq = max(self.telling.next_seq, written.seq)
        return self._publish(written)

    def _publish(self, written: Written) -> LiveEvent:
        """Tell of a turn; the first event, that of the action."""
        told = events_of(written.turn, written.held, written.seconds)
        time_ms = max(done.time_ms for done in written.turn.done.values())
        events = [self.telling.add(one, time_ms) for one in told]
        return events[0]

    def _seat(self, habits: Habits, *, resumed: bool) -> None:
        for role in Role:
            if self.setting.chairs[role] == HUMAN:
                continue
            seed = agent_seed(self.setting.scenario.seed, role)
            briefing = Briefing(self.setting.session_id, role, seed, resumed)
            driver = Driver(self._maker(role), briefing, self, habits)
            driver.asked = len(self.ledger.turns)
            self.drivers[role] = driver
            self._driving[role] = asyncio.create_task(driver.run(), name=f"{role} of {self.setting.session_id}")

    def _maker(self, role: Role) -> Callable[[], Agent]:
        return lambda: self._make(role)

    def tell(self, told: Told) -> None:
        """Make something known that is no action."""
        self.telling.tell(told)

    def seated(self, role: Role, agent: Agent) -> None:
        """An agent is ready in its chair."""
        self.ledger.seat(role, agent)

    async def observe(self, role: Role, agent: Agent, asked: int) -> Observation:
        """What an agent sees, with its own last action and result. Raises `LiveError` when the session is over."""
        self.check_open()
        seen = await self.stage.observe(role, agent.privileges, asked)
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
                with self.telling.holding():
                    event, done = await self._carry_out(deed)
            except _Unkept as unkept:
                self._break(f"a turn could not be kept: {unkept}")
                raise LiveError("broken", "the turn could not be kept; nothing more is done here") from unkept
            except Exception as error:
                _LOG.exception("session %s broke", self.setting.session_id)
                await self._finish(crash(error))
                raise LiveError("broken", "the simulator broke; the session has ended") from error
            self._wake_others(deed)
            end = self._end_after(deed.role, done)
            if end is not None:
                await self._finish(end)
            return event

    async def _carry_out(self, deed: Deed) -> tuple[LiveEvent, Done]:
        time_ms = self._clock.now_ms(0)
        written = await self.stage.run(lambda _: self.ledger.carry_out(deed, time_ms))
        written = replace(written, seq=self.telling.next_seq)
        if self._journal is not None:
            try:
                await self._journal.append(written.to_json())
            except Exception as error:
                raise _Unkept(f"{type(error).__name__}: {error}") from error
        self.ledger.keep(written.turn)
        return self._publish(written), written.turn.done[deed.role]

    def _wake_others(self, deed: Deed) -> None:
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
        """End the session, whatever is under way first."""
        async with self._order:
            self.check_open()
            await self._finish(End(EndReason.ENDED, text))

    async def _finish(self, end: End) -> None:
        self.status = "ended"
        data: dict[str, Any] = {"reason": end.reason.value, "text": end.text, "success": False, "progress": None}
        try:
            self.result = await self.stage.run(lambda _: self.ledger.result(end))
            data |= {"success": self.result.success, "progress": counts_of(self.result.progress)}
        except Exception:  # noqa: BLE001  # a broken simulator ends a session without a verdict
            _LOG.exception("the end of session %s could not be judged", self.setting.session_id)
        self.tell(Told(EventKind.ENDED, None, data))
        self.telling.finish()
        self._dismiss()

    def _break(self, problem: str) -> None:
        """The session stands as it was last kept; whoever keeps it may take it up anew."""
        _LOG.error("session %s: %s", self.setting.session_id, problem)
        self.tell(Told(EventKind.FAILED, None, {"problem": problem}))
        self.closed = True
        self.telling.finish()
        self._dismiss()

    def _dismiss(self) -> None:
        """Ask the agents nothing more."""
        for role, task in self._driving.items():
            self.drivers[role].stop()
            if task is not asyncio.current_task():
                task.cancel()

    async def close(self) -> None:
        """Hold the session here no longer; what is under way is done first."""
        async with self._order:
            if self.closed:
                return
            self.closed = True
            self.telling.finish()
            self._dismiss()
        await asyncio.gather(*self._driving.values(), return_exceptions=True)
        await self.stage.run(lambda household: household.simulator.close())


class _Unkept(Exception):
    """A turn was carried out, but the journal did not take it."""


def _last_of(past: Sequence[Written]) -> tuple[Role, Done]:
    turn = past[-1].turn
    role = actor_of(turn)
    return role, turn.done[role]
