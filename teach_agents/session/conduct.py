"""How one session is held: asking, executing, recording, ending. `Session` is the door to it."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from teach_agents.actions import Action, ActionKind, ActionResult, Role
from teach_agents.bus import MessageBus
from teach_agents.errors import RequestTimeoutError
from teach_agents.messages import (
    ActionAnswered,
    ActionExecuted,
    AgentFailed,
    BeginAsked,
    BeginDone,
    ObservationAsked,
    Payload,
    ProgressChanged,
    SessionBegan,
    SessionEnded,
    UtteranceSaid,
)
from teach_agents.observations import Observation, Utterance
from teach_agents.session.digest import StateDigest
from teach_agents.session.host import AgentHost
from teach_agents.session.post import Post
from teach_agents.session.record import RecordWriter, SessionRecord
from teach_agents.session.result import EndReason, SessionResult
from teach_agents.session.setting import End, Over, Setting, Tally, agent_seed, crash
from teach_agents.session.turns import Done, Goals, TurnRecord
from teach_agents.tasks import Progress

__all__ = ["Conduct"]

_ENDS: Mapping[tuple[Role, str], EndReason] = {
    (Role.COMMANDER, "Finish"): EndReason.FINISHED,
    (Role.FOLLOWER, "Stop"): EndReason.STOPPED,
}
_Acted = tuple[Action | None, ActionResult, int]
_T = TypeVar("_T")


class Conduct:
    """One session being held. The household stands at its beginning; `take_up` puts it behind a record's turns."""

    def __init__(self, setting: Setting, writer: RecordWriter | None) -> None:
        self._setting = setting
        self._household = setting.household
        self._writer = writer
        self._digest = StateDigest(setting.household)
        self._tally = Tally()
        self._initial = self._progress = setting.household.progress()
        self._refusals: dict[Role, ActionResult] = {}
        self._past: tuple[TurnRecord, ...] = ()

    def take_up(self, record: SessionRecord) -> None:
        """Go on behind the turns of a record, which the household has carried out again."""
        self._past = record.turns
        self._progress = self._household.progress()
        for turn in record.turns:
            self._tally.add(turn)
            self._refusals = {role: done.result for role, done in turn.done.items() if done.action is None}
        if self._writer is not None:
            self._writer.resume(record)

    async def run(self, bus: MessageBus) -> SessionResult:
        """Hold the session to its end."""
        started = time.perf_counter()
        post = Post(bus, self._setting.session_id)
        hosts = [AgentHost(agent, role, bus, self._setting.session_id) for role, agent in self._setting.agents.items()]
        try:
            end = await self._ended(post, await self._hosted(post, hosts))
            return self._kept(self._result(end, time.perf_counter() - started))
        finally:
            for host in hosts:
                host.close()
            if self._writer is not None:
                self._writer.close()

    async def _hosted(self, post: Post, hosts: list[AgentHost]) -> End:
        """Play while the hosts answer; a host that cannot deliver an answer ends the session too."""
        try:
            async with asyncio.TaskGroup() as group:
                serving = [group.create_task(host.serve()) for host in hosts]
                end = await self._guarded(post)
                for task in serving:
                    task.cancel()
            return end
        except ExceptionGroup as failed:
            return crash(failed.exceptions[0])

    async def _guarded(self, post: Post) -> End:
        """Turns until the end; whatever is raised on the way is an end."""
        try:
            return await self._play(post)
        except Over as over:
            return over.end
        except Exception as error:  # noqa: BLE001  # a broken simulator, bus or disk ends a session, it never loses it
            return crash(error)

    async def _ended(self, post: Post, end: End) -> End:
        """The final check is made and the end is told; if either fails, that is the end."""
        try:
            self._progress = self._household.progress()
            await self._tell_end(post, end)
        except Exception as error:  # noqa: BLE001  # the same
            end = end if end.reason.broken else crash(error)
        return end

    async def _play(self, post: Post) -> End:
        await self._begin(post)
        end = self._end_after(self._past[-1].done if self._past else {})
        observations = self._observations(self._tally.turns)
        while end is None:
            turn = self._tally.turns
            answers = {role: await self._ask(post, seen) for role, seen in observations.items()}
            acted = {role: await self._execute(post, role, answer) for role, answer in answers.items()}
            observations = self._observations(turn + 1)
            done = {role: Done(*acted[role], pose=seen.pose) for role, seen in observations.items()}
            await self._keep(post, turn, done)
            end = self._end_after(done)
        return end

    async def _begin(self, post: Post) -> None:
        setting, scenario, resumed = self._setting, self._household.scenario, bool(self._past)
        setting.clock.begin(1 + max(done.time_ms for done in self._past[-1].done.values()) if self._past else 0)
        for name, hook in setting.hooks:
            self._hooked(name, hook.begin, setting.session_id, scenario.seed)
        task, seed = scenario.task_name, scenario.seed
        began = SessionBegan(scenario_id=scenario.scenario_id, task=task, seed=seed, resumed=resumed)
        await post.tell(began, self._now())
        for role in setting.agents:
            ask = BeginAsked(role=role, seed=agent_seed(seed, role), resumed=resumed)
            reply = await self._reply(post, role, ask, setting.timeouts.begin_s)
            if not isinstance(reply, BeginDone):
                raise Over(EndReason.CRASHED, f"the {role} answered the beginning with {reply.kind!r}")

    def _now(self, role: Role = Role.COMMANDER) -> int:
        return self._setting.clock.now_ms(self._tally.turns, role)

    def _observations(self, turn: int) -> dict[Role, Observation]:
        """What each role sees now; whoever gave no action last is told so in place of a result."""
        made = {}
        for role, agent in self._setting.agents.items():
            seen = self._household.observe(role, agent.privileges, turn=turn)
            if (refusal := self._refusals.get(role)) is not None:
                seen = replace(seen, last_action=None, last_result=refusal)
            made[role] = seen
        return made

    async def _ask(self, post: Post, observation: Observation) -> ActionAnswered:
        role = observation.role
        ask = ObservationAsked(turn=observation.turn, role=role, observation=observation)
        reply = await self._reply(post, role, ask, self._setting.timeouts.act_s)
        if not isinstance(reply, ActionAnswered):
            raise Over(EndReason.CRASHED, f"the {role} answered an observation with {reply.kind!r}")
        return reply

    async def _reply(self, post: Post, role: Role, ask: Payload, timeout: float | None) -> Payload:
        """The reply of a role's host; `Over` when it failed or the time is up."""
        what = "was not ready" if isinstance(ask, BeginAsked) else f"gave no answer in turn {self._tally.turns}"
        try:
            reply = await post.ask(role, ask, self._now(role), timeout=timeout)
        except RequestTimeoutError:
            raise Over(EndReason.TIMED_OUT, f"the {role} {what} within {timeout:g} s") from None
        if isinstance(reply, AgentFailed):
            reason = EndReason.TIMED_OUT if reply.timed_out else EndReason.CRASHED
            raise Over(reason, f"the {role} {reply.problem}", reply.details)
        return reply

    async def _execute(self, post: Post, role: Role, answer: ActionAnswered) -> _Acted:
        time_ms = self._now(role)
        action = self._spoken(role, answer.action)
        if action is None:
            result = ActionResult(False, answer.problem or "the agent gave no action")
            self._refusals[role] = result
        else:
            result = self._household.act(role, action, time_ms)
            self._refusals.pop(role, None)
        turn = self._tally.turns
        await post.tell(ActionExecuted(turn=turn, role=role, action=action, result=result), time_ms)
        if action is not None and action.name == "Text" and result.success:
            await self._told(post, Utterance(role, action.utterance, time_ms))
        return action, result, time_ms

    def _spoken(self, role: Role, action: Action | None) -> Action | None:
        """The action with its utterance as the dialogue hooks leave it."""
        if action is None or action.name != "Text":
            return action
        text = action.utterance
        for name, hook in self._setting.hooks:
            text = self._hooked(name, hook.say, self._tally.turns, role, text)
            if not isinstance(text, str):
                raise Over(EndReason.CRASHED, f"dialogue hook {name!r} must return the text that is said, not {text!r}")
        return Action.say(text)

    async def _told(self, post: Post, said: Utterance) -> None:
        turn = self._tally.turns
        await post.tell(UtteranceSaid(turn=turn, speaker=said.speaker, text=said.text), said.time_ms)
        for name, hook in self._setting.hooks:
            self._hooked(name, hook.heard, turn, said.speaker.partner, said)

    async def _keep(self, post: Post, turn: int, done: Mapping[Role, Done]) -> None:
        """Record a turn that is over and tell the hooks."""
        interacted = any(one.action is not None and one.action.type.kind is ActionKind.OBJECT for one in done.values())
        goals = await self._goals(post, turn) if interacted else None
        record = TurnRecord(turn, done, self._digest.now(interacted=interacted), goals)
        if self._writer is not None:
            self._writer.turn(record)
        self._tally.add(record)
        for name, hook in self._setting.hooks:
            self._hooked(name, hook.turn_executed, record)

    async def _goals(self, post: Post, turn: int) -> Goals | None:
        """The goal conditions after an interaction, if they changed."""
        before, now = goals_of(self._progress), goals_of(self._household.progress())
        if before == now:
            return None
        self._progress = self._household.progress()
        changed = ProgressChanged(
            turn=turn,
            success=now.success,
            goal_conditions_total=now.total,
            goal_conditions_satisfied=now.satisfied,
        )
        await post.tell(changed, self._now(Role.FOLLOWER))
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

    async def _tell_end(self, post: Post, end: End) -> None:
        success = self._progress.success and not end.reason.broken
        ended = SessionEnded(turns=self._tally.turns, success=success, end_reason=end.reason.value, reason=end.text)
        await post.tell(ended, self._now())

    def _result(self, end: End, wall_s: float) -> SessionResult:
        header, scenario, tally = self._setting.header(), self._household.scenario, self._tally
        return SessionResult(
            session_id=header.session_id,
            scenario_id=scenario.scenario_id,
            task=scenario.task_name,
            task_params=scenario.task_params,
            seed=scenario.seed,
            simulator=header.simulator,
            agents=header.agents,
            privileges={role: agent.privileges for role, agent in self._setting.agents.items()},
            success=self._progress.success and not end.reason.broken,
            end_reason=end.reason,
            reason=end.text,
            initial_progress=self._initial,
            progress=self._progress,
            turns=tally.turns,
            actions=dict(tally.actions),
            utterances=dict(tally.utterances),
            failures=self._failures(),
            details=end.details,
            wall_s=wall_s,
        )

    def _kept(self, result: SessionResult) -> SessionResult:
        """The result, written to the record; a record that cannot be completed is a crash, and the result says so."""
        if self._writer is not None:
            try:
                self._writer.end(result.to_json(timed=False))
            except OSError as error:
                end = crash(error)
                return replace(result, success=False, end_reason=end.reason, reason=end.text, details=end.details)
        return result

    @staticmethod
    def _hooked(name: str, call: Callable[..., _T], *arguments: object) -> _T:
        try:
            return call(*arguments)
        except Exception as error:  # a plugin's hook can raise anything
            text = f"dialogue hook {name!r} raised {type(error).__name__}: {error}"
            raise Over(EndReason.CRASHED, text, "".join(traceback.format_exception(error))) from error


def goals_of(progress: Progress) -> Goals:
    """The counts of a progress check."""
    return Goals(progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied)
