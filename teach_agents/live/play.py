"""How a live session is held: one thing at a time, whoever does it, each kept before it is told; pauses and ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from teach_agents.actions import Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.json_types import JsonObject
from teach_agents.core.session.episode import Answer
from teach_agents.core.session.hooks import DialogueHook, Over
from teach_agents.core.session.result import End, crash
from teach_agents.errors import trace_of
from teach_agents.household import Household, Limits
from teach_agents.live.driver import Chairs, Habits
from teach_agents.live.events import EventKind, LiveEvent, Told
from teach_agents.live.ledger import Deed, Ledger, Line, granted_in
from teach_agents.live.publishing import Publisher, UnkeptError
from teach_agents.live.setting import HUMAN, Journal, LiveError, LiveSetting
from teach_agents.live.stage import Stage
from teach_agents.observations import Observation, Privilege
from teach_agents.session.format import Done, EndReason, SessionResult, counts_of

_LOG = logging.getLogger(__name__)

Status = Literal["running", "paused", "ended"]

_UNATTENDED = Limits(max_turns=2000)
"""When agents among themselves are stopped: TEACh's limits, a turn of theirs being two actions here."""


class Play:
    """A session being held; the household stands at its beginning. Belongs to one event loop.

    `make` builds the agent of a chair. Everything happens in the order in which it was asked for.
    """

    def __init__(
        self,
        setting: LiveSetting,
        household: Household,
        journal: Journal | None,
        make: Callable[[Role], Agent],
        hooks: Sequence[DialogueHook] = (),
    ) -> None:
        self.setting = setting
        self.stage = Stage(household)
        self.ledger = Ledger(setting, household, hooks)
        self.chairs = Chairs(setting, make)
        self.going = asyncio.Event()
        self.status: Status = "paused"
        self.closed = False
        self.result: SessionResult | None = None
        self.publisher = Publisher(journal, self._break)
        self.tell = self.publisher.tell

    async def begin(self, past: Sequence[Line], habits: Habits) -> None:
        """Start, or go on behind what a journal kept. Raises `RecordError` where its turns lead elsewhere now."""
        turns = [line.turn for line in past if line.turn]
        if turns:
            await self.stage.run(lambda _: self.ledger.take_up(turns))
        self.publisher.take_up(event for line in past for event in line.events)
        for role, privileges in granted_in(self.publisher.events).items():
            self.ledger.grant(role, privileges)
        told = next((line.result for line in past if line.result), None)
        if told:
            end = End(EndReason(told["end_reason"]), told["reason"], told["details"])
            self.result = await self.stage.run(lambda _: self.ledger.result(end, told))
            self.status = "ended"
            self.publisher.finish()
            return
        await self._go_on(len(turns), habits)

    async def _go_on(self, turns: int, habits: Habits) -> None:
        """Say that the session begins, or goes on, and seat the agents; unless its last turn ended it."""
        again = bool(self.publisher.events)
        first = Told(EventKind.RESUMED, None, {"turns": turns}) if again else self._beginning()
        async with self.publisher.order:
            await self._kept(self.publisher.publish([first]))
            end = await self._hooked(self.ledger.begin) or self._end_after(self.ledger.last_actor)
            if end:
                await self._finish(end)
                return
        self.status = "running"
        self.going.set()
        self.chairs.seat(self, habits, resumed=again)

    def _beginning(self) -> Told:
        setting, scenario = self.setting, self.setting.scenario
        data = {
            "session_id": setting.session_id,
            "scenario_id": scenario.scenario_id,
            "room": scenario.room,
            "task": {"name": scenario.task_name, "params": list(scenario.task_params)},
            "chairs": setting.sitters,
            "simulator": self.ledger.header().simulator,
            "view_size": setting.view_size,
        }
        return Told(EventKind.BEGAN, None, data)

    def seated(self, role: Role, agent: Agent) -> None:
        """An agent is ready in its chair."""
        self.ledger.seat(role, agent)
        self._tell_joined(role, agent.privileges)

    def grant(self, role: Role, privileges: frozenset[Privilege]) -> None:
        """A person has skills act that read these; records and results state it as they do of agents."""
        granted = self.ledger.grant(role, privileges)
        if granted:
            self._tell_joined(role, granted)

    def _tell_joined(self, role: Role, privileges: frozenset[Privilege]) -> None:
        told = sorted(map(str, privileges))
        self.tell(Told(EventKind.JOINED, role, {"agent": self.setting.chairs[role], "privileges": told}))

    async def observe(self, role: Role, privileges: Iterable[Privilege], asked: int) -> Observation:
        """What a role sees, with its own last action and result. Raises `LiveError` when the session is over."""
        self.check_open()
        seen = await self.stage.observe(role, frozenset(privileges), asked)
        last = self.ledger.last.get(role)
        return replace(seen, last_action=last.action, last_result=last.told) if last else seen

    async def chosen(self, role: Role, seen: Observation, answer: Answer) -> Answer:
        """An agent's answer as the hooks leave it; one that raises ends the session. Raises `LiveError` then."""
        if not self.ledger.hooks:
            return answer
        found: list[Answer] = []
        async with self.publisher.order:
            self.check_open()
            end = await self._hooked(lambda: found.append(self.ledger.chosen(role, seen, answer)))
            if end is None:
                return found[0]
            await self._finish(end)
        raise LiveError("broken", end.text)

    async def _hooked(self, work: Callable[[], object]) -> End | None:
        """Call hooks, where the household is; the end that one of them makes."""
        if not self.ledger.hooks:
            return None
        try:
            await self.stage.run(lambda _: work())
        except Over as over:
            _LOG.warning("session %s: a dialogue hook ended it: %s", self.setting.session_id, trace_of(over))
            return over.end
        return None

    def check_open(self) -> None:
        """Raise `LiveError` when the session is over."""
        if self.closed:
            raise LiveError("closed", "the session is not held here any more")
        if self.status == "ended":
            raise LiveError("ended", "the session has ended")

    async def carry_out(self, deed: Deed, void: Callable[[], bool] = lambda: False) -> LiveEvent:
        """Do something, keep it, tell it; the event.

        Raises `LiveError` where the session does not go on, or where it is `void` when its turn comes.
        """
        ordered = self._ordered(deed)
        if ordered:
            self.chairs.interrupt(deed.role.partner, ordered)
        async with self.publisher.order:
            self.check_open()
            if self.status == "paused":
                raise LiveError("paused", "the session is paused")
            if void():
                raise LiveError("dropped", "somebody said stop or wait before it was done")
            time_ms = self.publisher.now_ms()
            try:
                brief = deed.brief and not self.ledger.hooks
                turn, told = await self.stage.run(
                    lambda _: self.ledger.carry_out(deed, time_ms), urgent=True, brief=brief
                )
            except Over as over:
                await self._finish(over.end)
                raise LiveError("broken", over.end.text) from over
            except Exception as error:
                _LOG.error("session %s broke: %s", self.setting.session_id, trace_of(error))
                await self._finish(crash(error))
                raise LiveError("broken", "the simulator broke; the session has ended") from error
            line = Line((), turn, deed.key, deed.role)
            told = [*self._answering(told, deed), *self._controlled(deed.role.partner, ordered)]
            events = await self._kept(self.publisher.publish(told, line, time_ms))
            self.ledger.keep(turn)
            self.chairs.heard(deed)
            end = await self._hooked(lambda: self.ledger.hooks.turn_executed(turn)) or self._end_after(deed.role)
            if end:
                await self._finish(end)
            return events[0]

    def _ordered(self, deed: Deed) -> str:
        """What a person says to who acts, which may be to stop, to wait or to go on; "" for anything else."""
        action = deed.answer.action
        speaks = deed.role is Role.COMMANDER and self.setting.chairs[deed.role] == HUMAN
        return action.utterance if speaks and action is not None else ""

    def _answering(self, told: Sequence[Told], deed: Deed) -> list[Told]:
        """What is told of a deed, with the number of the utterance that it answers, or is done about."""
        at = self.publisher.said_at(deed.answers_ms) if deed.answers_ms is not None else None
        first, *more = told
        return [first if at is None else replace(first, data={**first.data, "reply_to": at}), *more]

    def _controlled(self, role: Role, text: str) -> list[Told]:
        """What is told where a person's words let an agent act no more, or again."""
        act = self.chairs.controlled(role, text) if text else None
        return [Told(EventKind.CONTROL, role, {"act": act.value})] if act else []

    async def _kept(self, publishing: Any) -> list[LiveEvent]:
        """What is published. Raises `LiveError` where it cannot be kept."""
        try:
            events: list[LiveEvent] = await publishing
        except UnkeptError as unkept:
            self._break(unkept)
            raise LiveError("broken", "what happened could not be kept; nothing more is done here") from unkept
        return events

    def _end_after(self, role: Role | None) -> End | None:
        """Whether the session is over behind a role's last action.

        Finish ends it, Stop only where no person could go on; limits are for agents among themselves.
        """
        done: Done | None = self.ledger.last.get(role) if role else None
        name = done.action.name if done and done.action else ""
        if role is Role.COMMANDER and name == "Finish":
            return End(EndReason.FINISHED, "the commander chose Finish")
        if self.setting.attended:
            return None
        if role is Role.FOLLOWER and name == "Stop":
            return End(EndReason.STOPPED, "the follower chose Stop")
        failures = self.ledger.tally.failures
        failed = _UNATTENDED.over_failed(failures)
        if failed:
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
        async with self.publisher.order:
            self.check_open()
            await self._finish(End(EndReason.ENDED, text))

    async def _finish(self, end: End) -> None:
        data: JsonObject = {"reason": str(end.reason), "text": end.text, "success": False, "progress": None}
        told = None
        try:
            self.result = await self.stage.run(lambda _: self.ledger.result(end))
        except Exception as error:  # noqa: BLE001  # a broken simulator ends a session without a verdict
            _LOG.error("the end of session %s could not be judged: %s", self.setting.session_id, trace_of(error))
        else:
            told = self.result.to_json(timed=False)
            found = self.result
            data |= {"reason": str(found.end_reason), "text": found.reason, "success": found.success}
            data["progress"] = counts_of(found.progress)
        happened = [*self.publisher.notes(), Told(EventKind.ENDED, None, data)]
        await self._kept(self.publisher.publish(happened, Line((), result=told)))
        self.status = "ended"
        self._over()

    def _break(self, unkept: UnkeptError) -> None:
        """The session stands as it was last kept; whoever keeps it may take it up anew."""
        _LOG.error("session %s is closed: it could not be kept: %s", self.setting.session_id, trace_of(unkept))
        self.closed = True
        self._over()

    def _over(self) -> None:
        """Tell nothing more, and ask the agents nothing more."""
        self.publisher.finish()
        self.chairs.dismiss()

    async def close(self) -> None:
        """Hold the session here no longer; what is under way is done first."""
        async with self.publisher.order:
            if not self.closed:
                self.closed = True
                self._over()
        await self.chairs.empty()
        await self.publisher.settled()
        await self.stage.close()
