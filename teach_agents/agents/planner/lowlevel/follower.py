"""The low-level Follower: a queue of primitive actions, filled by what it is told."""

from __future__ import annotations

from collections import deque

from teach_agents.actions import Action, Role
from teach_agents.agents.planner.lowlevel.protocol import Status, read_actions, write_status
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation


class LowLevelFollower(Agent):
    """Carries out the actions it is told, stops at the first that fails, and says where it stands. No privileges."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._queue: deque[Action] = deque()
        self._done = 0
        self._heard = 0
        self._asked = False

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget()

    def act(self, observation: Observation) -> Action:
        """The next action of the queue, a report when it is empty, or listening."""
        if not self._asked:
            self._asked = True
            self._heard = len(observation.dialogue)
            return Action.say(write_status(Status(observation.pose), first=True))
        if self._done:
            result = observation.last_result
            if result is not None and not result.success:
                return self._report(Status(observation.pose, self._done - 1, result.message))
            if not self._queue:
                return self._report(Status(observation.pose))
        self._listen(observation)
        if not self._queue:
            return Action.wait()
        self._done += 1
        return self._queue.popleft()

    def _listen(self, observation: Observation) -> None:
        for said in observation.dialogue[self._heard :]:
            if said.speaker is Role.COMMANDER:
                self._queue.extend(read_actions(said.text))
        self._heard = len(observation.dialogue)

    def _report(self, status: Status) -> Action:
        self._queue.clear()
        self._done = 0
        return Action.say(write_status(status))
