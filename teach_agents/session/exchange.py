"""What passes between a session and its agents: observations, answers, executed actions, speech."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.errors import RequestTimeoutError
from teach_agents.messages import (
    ActionAnswered,
    ActionExecuted,
    AgentFailed,
    BeginAsked,
    BeginDone,
    ObservationAsked,
    Payload,
    SessionBegan,
    UtteranceSaid,
)
from teach_agents.observations import Observation, Utterance
from teach_agents.session.post import Post
from teach_agents.session.result import EndReason
from teach_agents.session.setting import Over, Setting, agent_seed
from teach_agents.session.turns import TurnRecord

__all__ = ["Exchange"]

_T = TypeVar("_T")


class Exchange:
    """Asks the agents, executes what they answer, and tells bus and hooks. `past` are the turns of a resumed session.

    Every method raises `Over` when an agent or a hook has ended the session.
    """

    def __init__(self, setting: Setting, post: Post, past: tuple[TurnRecord, ...]) -> None:
        self._setting = setting
        self._household = setting.household
        self._post = post
        self._past = past
        last = past[-1].done if past else {}
        self._refusals = {role: done.result for role, done in last.items() if done.action is None}

    async def tell(self, payload: Payload, turn: int, role: Role = Role.COMMANDER) -> None:
        """Publish an event of a turn."""
        await self._post.tell(payload, self._setting.clock.now_ms(turn, role))

    async def begin(self) -> None:
        """Tell everybody that the session begins, and wait until the agents are ready."""
        setting, scenario, past = self._setting, self._household.scenario, self._past
        resumed, turn = bool(past), len(past)
        setting.clock.begin(1 + max(done.time_ms for done in past[-1].done.values()) if past else 0)
        for name, hook in setting.hooks:
            _hooked(name, hook.begin, setting.session_id, scenario.seed)
        task, seed = scenario.task_name, scenario.seed
        await self.tell(SessionBegan(scenario_id=scenario.scenario_id, task=task, seed=seed, resumed=resumed), turn)
        for role in setting.agents:
            ask = BeginAsked(role=role, seed=agent_seed(seed, role), resumed=resumed)
            reply = await self._reply(role, ask, turn, setting.timeouts.begin_s)
            if not isinstance(reply, BeginDone):
                raise Over(EndReason.CRASHED, f"the {role} answered the beginning with {reply.kind!r}")

    def observe(self, turn: int) -> dict[Role, Observation]:
        """What each role sees now; whoever gave no action last is told so in place of a result."""
        made = {}
        for role, agent in self._setting.agents.items():
            seen = self._household.observe(role, agent.privileges, turn=turn)
            if (refusal := self._refusals.get(role)) is not None:
                seen = replace(seen, last_action=None, last_result=refusal)
            made[role] = seen
        return made

    async def ask(self, observation: Observation) -> ActionAnswered:
        """A role's answer to its observation."""
        role, turn = observation.role, observation.turn
        request = ObservationAsked(turn=turn, role=role, observation=observation)
        reply = await self._reply(role, request, turn, self._setting.timeouts.act_s)
        if not isinstance(reply, ActionAnswered):
            raise Over(EndReason.CRASHED, f"the {role} answered an observation with {reply.kind!r}")
        return reply

    async def execute(self, turn: int, role: Role, answer: ActionAnswered) -> tuple[Action | None, ActionResult, int]:
        """Carry out an answer: the action as it was executed, its result, and the time in ms."""
        time_ms = self._setting.clock.now_ms(turn, role)
        action = self._as_said(turn, role, answer.action)
        if action is None:
            result = ActionResult(False, answer.problem or "the agent gave no action")
            self._refusals[role] = result
        else:
            result = self._household.act(role, action, time_ms)
            self._refusals.pop(role, None)
        await self._post.tell(ActionExecuted(turn=turn, role=role, action=action, result=result), time_ms)
        if action is not None and action.name == "Text" and result.success:
            await self._told(turn, Utterance(role, action.utterance, time_ms))
        return action, result, time_ms

    def turn_executed(self, record: TurnRecord) -> None:
        """Tell the hooks that a turn is over."""
        for name, hook in self._setting.hooks:
            _hooked(name, hook.turn_executed, record)

    async def _reply(self, role: Role, ask: Payload, turn: int, timeout: float | None) -> Payload:
        """The reply of a role's host."""
        try:
            reply = await self._post.ask(role, ask, self._setting.clock.now_ms(turn, role), timeout=timeout)
        except RequestTimeoutError:
            what = "was not ready" if isinstance(ask, BeginAsked) else f"gave no answer in turn {turn}"
            raise Over(EndReason.TIMED_OUT, f"the {role} {what} within {timeout:g} s") from None
        if isinstance(reply, AgentFailed):
            reason = EndReason.TIMED_OUT if reply.timed_out else EndReason.CRASHED
            raise Over(reason, f"the {role} {reply.problem}", reply.details)
        return reply

    def _as_said(self, turn: int, role: Role, action: Action | None) -> Action | None:
        """The action, its utterance as the dialogue hooks leave it."""
        if action is None or action.name != "Text":
            return action
        text = action.utterance
        for name, hook in self._setting.hooks:
            text = _hooked(name, hook.say, turn, role, text)
            if not isinstance(text, str):
                raise Over(EndReason.CRASHED, f"dialogue hook {name!r} must return the text that is said, not {text!r}")
        return Action.say(text)

    async def _told(self, turn: int, said: Utterance) -> None:
        await self._post.tell(UtteranceSaid(turn=turn, speaker=said.speaker, text=said.text), said.time_ms)
        for name, hook in self._setting.hooks:
            _hooked(name, hook.heard, turn, said.speaker.partner, said)


def _hooked(name: str, call: Callable[..., _T], *arguments: object) -> _T:
    try:
        return call(*arguments)
    except Exception as error:  # a plugin's hook can raise anything
        text = f"dialogue hook {name!r} raised {type(error).__name__}: {error}"
        raise Over(EndReason.CRASHED, text, "".join(traceback.format_exception(error))) from error
