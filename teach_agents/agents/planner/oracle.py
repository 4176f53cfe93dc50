"""The planner alone: one agent that plays both chairs, towards a task that it is told."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.household import Household
from teach_agents.observations import Observation, Privilege, Utterance
from teach_agents.tasks import Task

_PATIENCE = 600
"""Turns that the two may talk and wait between two deeds before they give up: twice a Commander's silence."""


class PlannerOracle(Agent):
    """A Follower with a Commander of its own, who checks the progress of what is judged; the two talk in private.

    Where a Follower is alone (EDH, TfD) this is what the planner pair would still do there. Its steps are the inner
    Follower's motions and interactions; it stops when the inner Commander would finish. An oracle: it reads the judged
    task in every state, and what both planners read.
    """

    def __init__(self, household: Household, task: Task, commander: Agent, follower: Agent) -> None:
        self._household = household
        self._task = task
        self._chairs = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
        self.privileges = commander.privileges | follower.privileges | {Privilege.GROUND_TRUTH}
        self._forget()

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget()
        for role, agent in self._chairs.items():
            agent.begin(Briefing(briefing.session_id, role, briefing.seed))

    def _forget(self) -> None:
        self._dialogue: tuple[Utterance, ...] = ()
        self._last: dict[Role, tuple[Action | None, ActionResult | None]] = dict.fromkeys(Role, (None, None))
        self._acted = False

    def act(self, observation: Observation) -> Action:
        """The inner Follower's next deed; Stop when the two are done, or have nothing more to try."""
        if self._acted:
            self._last[Role.FOLLOWER] = observation.last_action, observation.last_result
        for _ in range(_PATIENCE):
            said, deed = (self._ask(role, observation) for role in Role)
            if said.name == "Finish":
                break
            self._carry_out(Role.COMMANDER, said)
            if deed.name not in ("Text", "NoOp"):
                self._acted = True
                return deed
            self._carry_out(Role.FOLLOWER, deed)
        return Action.stop()

    def _ask(self, role: Role, observation: Observation) -> Action:
        action, result = self._last[role]
        seen = replace(observation, role=role, dialogue=self._dialogue, last_action=action, last_result=result)
        answer = self._chairs[role].act(seen)
        assert isinstance(answer, Action), "the planners answer at once"
        return answer

    def _carry_out(self, role: Role, action: Action) -> None:
        """What needs no body: to talk, to wait, to check the progress."""
        reply = None
        if action.name == "Text":
            self._dialogue = (*self._dialogue, Utterance(role, action.utterance))
        elif action.name == "OpenProgressCheck":
            body = self._household.simulator.state.agent
            reply = self._task.check(self._household.objects, agent_position=body.position).to_reply()
        self._last[role] = action, ActionResult(True, action.name, reply=reply)
