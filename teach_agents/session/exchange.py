"""What passes between a session and its agents: observations, answers, executed actions, speech."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.messages import (
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
from teach_agents.errors import RequestTimeoutError
from teach_agents.observations import Observation, Utterance
from teach_agents.session.hooked import Hooks
from teach_agents.session.post import Post
from teach_agents.session.result import EndReason
from teach_agents.session.setting import Over, Setting, agent_seed
from teach_agents.session.turns import Done, TurnRecord

__all__ = ["Answer", "Exchange"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A role's answer to an observation: what its agent chose, and what the hooks made of that.

    Both are `None`, and `problem` says why, for an answer that is no action.
    """

    observation: Observation
    chosen: Action | None
    action: Action | None
    problem: str = ""
    thought: Mapping[str, Any] | None = None


class Exchange:
    """Asks the agents, executes what they answer, and tells bus and hooks. `past` are the turns of a resumed session.

    Every method raises `Over` when an agent or a hook has ended the session.
    """

    def __init__(self, setting: Setting, post: Post, past: tuple[TurnRecord, ...]) -> None:
        self._setting = setting
        self._household = setting.household
        self._post = post
        self._past = past
        self.hooks = Hooks(setting.hooks)
        self._told: dict[Role, tuple[Action | None, ActionResult]] = {}
        for role, done in (past[-1].done if past else {}).items():
            self._tell_role(role, done)

    async def tell(self, payload: Payload, turn: int, role: Role = Role.COMMANDER) -> None:
        """Publish an event of a turn."""
        await self._post.tell(payload, self._setting.clock.now_ms(turn, role))

    async def begin(self) -> None:
        """Tell everybody that the session begins, and wait until the agents are ready."""
        setting, scenario, past = self._setting, self._household.scenario, self._past
        resumed, turn = bool(past), len(past)
        setting.clock.begin(1 + max(done.time_ms for done in past[-1].done.values()) if past else 0)
        self.hooks.begin(setting.session_id, scenario.seed, past)
        task, seed = scenario.task_name, scenario.seed
        await self.tell(SessionBegan(scenario_id=scenario.scenario_id, task=task, seed=seed, resumed=resumed), turn)
        for role in setting.agents:
            ask = BeginAsked(role=role, seed=agent_seed(seed, role), resumed=resumed)
            reply = await self._reply(role, ask, turn, setting.timeouts.begin_s)
            if not isinstance(reply, BeginDone):
                raise Over(EndReason.CRASHED, f"the {role} answered the beginning with {reply.kind!r}")

    def observe(self, turn: int) -> dict[Role, Observation]:
        """What each role sees now; whoever gave no action last is told so in place of a result, with hooks' hints."""
        made = {}
        for role, agent in self._setting.agents.items():
            seen = self._household.observe(role, agent.privileges, turn=turn)
            if (told := self._told.get(role)) is not None:
                seen = replace(seen, last_action=told[0], last_result=told[1])
            made[role] = seen
        return made

    async def ask(self, observation: Observation) -> Answer:
        """A role's answer to its observation, as the hooks leave it."""
        role, turn = observation.role, observation.turn
        request = ObservationAsked(turn=turn, role=role, observation=observation)
        reply = await self._reply(role, request, turn, self._setting.timeouts.act_s)
        if not isinstance(reply, ActionAnswered):
            raise Over(EndReason.CRASHED, f"the {role} answered an observation with {reply.kind!r}")
        action = reply.action
        if action is not None:
            action = self.hooks.before_action(self._perceived(observation), action)
        return Answer(observation, reply.action, action, reply.problem, reply.thought)

    async def execute(self, answer: Answer) -> Done:
        """Carry out an answer. The pose is that before it."""
        role, turn, action = answer.observation.role, answer.observation.turn, answer.action
        time_ms = self._setting.clock.now_ms(turn, role)
        if action is not None and action.name == "Text":
            action = self.hooks.say(turn, role, action)
        if action is None:
            result = ActionResult(False, answer.problem or "the agent gave no action")
        else:
            result = self._household.act(role, action, time_ms)
        done = Done(
            action,
            result,
            time_ms,
            answer.observation.pose,
            answer.thought,
            chosen=None if action == answer.chosen else answer.chosen,
            hint=self.hooks.after_result(turn, role, action, result),
        )
        self._tell_role(role, done)
        await self._post.tell(ActionExecuted(turn=turn, role=role, action=action, result=done.told), time_ms)
        if action is not None and action.name == "Text" and result.success:
            return replace(done, dialogue_acts=await self._said(turn, Utterance(role, action.utterance, time_ms)))
        return done

    async def _reply(self, role: Role, ask: Payload, turn: int, timeout: float | None) -> Payload:
        """The reply of a role's host."""
        try:
            reply = await self._post.ask(role.value, ask, self._setting.clock.now_ms(turn, role), timeout=timeout)
        except RequestTimeoutError:
            what = "was not ready" if isinstance(ask, BeginAsked) else f"gave no answer in turn {turn}"
            raise Over(EndReason.TIMED_OUT, f"the {role} {what} within {timeout:g} s") from None
        if isinstance(reply, AgentFailed):
            reason = EndReason.TIMED_OUT if reply.timed_out else EndReason.CRASHED
            raise Over(reason, f"the {role} {reply.problem}", reply.details)
        return reply

    def _perceived(self, observation: Observation) -> Observation:
        """What the role's agent made of an observation, where it looks through a perception and tells."""
        perceived = self._setting.agents[observation.role].perceived
        if perceived is None or (perceived.role, perceived.turn) != (observation.role, observation.turn):
            return observation
        return perceived

    def _tell_role(self, role: Role, done: Done) -> None:
        """Keep what a role is to find as its last action and result, where the household would say otherwise."""
        self._told.pop(role, None)
        if done.action is None or done.hint:
            self._told[role] = done.action, done.told

    async def _said(self, turn: int, said: Utterance) -> tuple[str, ...]:
        """Tell of an utterance; its dialogue acts, if a hook names them."""
        await self._post.tell(UtteranceSaid(turn=turn, speaker=said.speaker, text=said.text), said.time_ms)
        return self.hooks.heard(turn, said)
