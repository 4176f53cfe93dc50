"""How one session is held: asking, executing, recording, ending. `Session` is the door to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from teach_agents.actions import ActionKind, Role
from teach_agents.core.messages import ProgressChanged, SessionEnded
from teach_agents.session.digest import StateDigest
from teach_agents.session.exchange import Exchange
from teach_agents.session.host import AgentHost
from teach_agents.session.keeping import Keeper
from teach_agents.session.post import Post
from teach_agents.session.record import SessionRecord
from teach_agents.session.result import EndReason, SessionResult
from teach_agents.session.setting import End, Over, Setting, Tally, Unfinished, crash, result_of
from teach_agents.session.turns import Done, Goals, TurnRecord
from teach_agents.tasks import Progress

__all__ = ["Conduct"]

_ENDS: Mapping[tuple[Role, str], EndReason] = {
    (Role.COMMANDER, "Finish"): EndReason.FINISHED,
    (Role.FOLLOWER, "Stop"): EndReason.STOPPED,
}


class Conduct:
    """One session being held. The household stands at its beginning; `take_up` puts it behind a record's turns."""

    def __init__(self, setting: Setting, keeper: Keeper | None) -> None:
        self._setting = setting
        self._household = setting.household
        self._keeper = keeper
        self._digest = StateDigest(setting.household)
        self._tally = Tally()
        self._initial = self._progress = setting.household.progress()
        self._past: tuple[TurnRecord, ...] = ()

    def take_up(self, record: SessionRecord) -> None:
        """Go on behind the turns of a record, which the household has carried out again."""
        self._past = record.turns
        self._progress = self._household.progress()
        for turn in record.turns:
            self._tally.add(turn)
        if self._keeper is not None:
            self._keeper.resume(record)

    async def run(self, post: Post, hosts: Sequence[AgentHost] = ()) -> SessionResult:
        """Hold the session to its end. `hosts` answer for the agents of this process; the others' are elsewhere.

        Raises `Unfinished` where `post` or the record's keeper does.
        """
        started = time.perf_counter()
        exchange = Exchange(self._setting, post, self._past)
        try:
            result = await self._ended(exchange, await self._hosted(exchange, hosts))
            return await self._kept(replace(result, wall_s=time.perf_counter() - started))
        finally:
            for host in hosts:
                host.close()
            if self._keeper is not None:
                self._keeper.close()

    async def _hosted(self, exchange: Exchange, hosts: Sequence[AgentHost]) -> End:
        """Play while the hosts answer; a host that cannot deliver an answer ends the session too."""
        if not hosts:
            return await self._guarded(exchange)
        try:
            async with asyncio.TaskGroup() as group:
                serving = [group.create_task(host.serve()) for host in hosts]
                end = await self._guarded(exchange)
                for task in serving:
                    task.cancel()
            return end
        except ExceptionGroup as failed:
            return crash(failed.exceptions[0])

    async def _guarded(self, exchange: Exchange) -> End:
        """Turns until the end; whatever is raised on the way is an end."""
        try:
            return await self._play(exchange)
        except Over as over:
            return over.end
        except Unfinished:
            raise
        except Exception as error:  # noqa: BLE001  # a broken simulator, bus or disk ends a session, it never loses it
            return crash(error)

    async def _ended(self, exchange: Exchange, end: End) -> SessionResult:
        """The final check is made, the hooks and the bus are told of the end; if any of it fails, that is the end."""
        stamps: tuple[tuple[str, Mapping[str, Any]], ...] = tuple((name, {}) for name in self._setting.header().hooks)
        try:
            self._progress = self._household.progress()
            stamps, failure = exchange.hooks.ended(self._result(end))
            end = end if failure is None or end.reason.broken else failure
            await self._tell_end(exchange, end)
        except Unfinished:
            raise
        except Exception as error:  # noqa: BLE001  # the same
            end = end if end.reason.broken else crash(error)
        return replace(self._result(end), hooks=stamps)

    async def _play(self, exchange: Exchange) -> End:
        await exchange.begin()
        end = self._end_after(self._past[-1].done if self._past else {})
        observations = exchange.observe(self._tally.turns)
        while end is None:
            turn = self._tally.turns
            answers = {role: await exchange.ask(seen) for role, seen in observations.items()}
            acted = {role: await exchange.execute(answer) for role, answer in answers.items()}
            observations = exchange.observe(turn + 1)
            done = {role: replace(acted[role], pose=seen.pose) for role, seen in observations.items()}
            await self._keep(exchange, turn, done)
            end = self._end_after(done)
        return end

    async def _keep(self, exchange: Exchange, turn: int, done: Mapping[Role, Done]) -> None:
        """Record a turn that is over and tell the hooks."""
        interacted = any(one.action is not None and one.action.type.kind is ActionKind.OBJECT for one in done.values())
        goals = await self._goals(exchange, turn) if interacted else None
        record = TurnRecord(turn, done, self._digest.now(interacted=interacted), goals)
        if self._keeper is not None:
            await self._keeper.turn(record)
        self._tally.add(record)
        exchange.hooks.turn_executed(record)

    async def _goals(self, exchange: Exchange, turn: int) -> Goals | None:
        """The goal conditions after an interaction, if they changed."""
        progress = self._household.progress()
        now = goals_of(progress)
        if now == goals_of(self._progress):
            return None
        self._progress = progress
        changed = ProgressChanged(
            turn=turn,
            success=now.success,
            goal_conditions_total=now.total,
            goal_conditions_satisfied=now.satisfied,
        )
        await exchange.tell(changed, turn, Role.FOLLOWER)
        return now

    def _failures(self) -> dict[Role, int]:
        return {role: self._household.failures[role] + self._tally.refused[role] for role in Role}

    def _end_after(self, done: Mapping[Role, Done]) -> End | None:
        """Whether the session is over behind a turn: by wish first, then by the limits."""
        for role, one in done.items():
            reason = _ENDS.get((role, "" if one.action is None else one.action.name))
            if reason is not None and one.action is not None:
                return End(reason, f"the {role} chose {one.action.name}")
        limits, failures = self._setting.limits, self._failures()
        failed = limits.over_failed(failures)
        if failed is not None:
            return End(EndReason.FAILURE_LIMIT, f"the {failed} failed {failures[failed]} times")
        if limits.out_of_turns(self._tally.turns):
            return End(EndReason.TURN_LIMIT, f"{self._tally.turns} turns were taken")
        return None

    async def _tell_end(self, exchange: Exchange, end: End) -> None:
        success = self._progress.success and not end.reason.broken
        ended = SessionEnded(turns=self._tally.turns, success=success, end_reason=end.reason.value, reason=end.text)
        await exchange.tell(ended, self._tally.turns)

    def _result(self, end: End) -> SessionResult:
        checks = self._initial, self._progress
        header, agents = self._setting.header(), self._setting.agents
        return result_of(header, agents, self._tally, end, checks=checks, failures=self._failures())

    async def _kept(self, result: SessionResult) -> SessionResult:
        """The result, written to the record; a record that cannot be completed is a crash, and the result says so."""
        if self._keeper is not None:
            try:
                await self._keeper.end(result.to_json(timed=False))
            except OSError as error:
                end = crash(error)
                return replace(result, success=False, end_reason=end.reason, reason=end.text, details=end.details)
        return result


def goals_of(progress: Progress) -> Goals:
    """The counts of a progress check."""
    return Goals(progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied)
